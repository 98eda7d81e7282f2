"""The Soft labels page, run without a browser."""

import json

import numpy as np
import pytest
from driving import (
    charts,
    figures,
    fitted,
    labels,
    link,
    open_page,
    plain_table_with,
    press,
    said,
    saved_as,
    shown,
    table_with,
    told_aside,
    until,
    widget,
)

import slp_core as slp
from pages.session.methods import ON_VECTORS
from slp_core.data.own_examples import TITLE
from slp_core.errors import SLPError
from slp_core.explain.soft_label_pairs import SoftLabelPairs
from slp_core.explain.soft_label_text import (
    pairs_caption,
    pairs_text,
    prototype_order_text,
    theorem1_text,
)
from slp_core.explain.soft_labels import read_soft_labels
from slp_core.markdown import literal, without_terms
from slp_core.methods.edited_prototypes import EditedPrototypes
from slp_core.views.fidelity import opening_projection
from slp_core.views.text import fidelity_text


def shares(app, side):
    """The sliders of the first line's soft label, in the order of the page."""
    sliders = [s for s in app.slider if s.key.startswith(f"share 0 {side} ")]
    return {int(s.key.split(" ")[3]): s.value for s in sliders}


def slider(app, side, index):
    return next(s for s in app.slider if s.key.startswith(f"share 0 {side} {index} "))


def accuracy_by_hand(line, soft_labels):
    """From the definitions: w · left + (1 − w) · right at every query example."""
    data = fitted(slp.ConstraintSLPClassifier())
    support, query = data.X[data.episode.support].astype(float), data.query.astype(float)
    centroids = [support[data.episode.y_support == k].mean(axis=0) for k in range(3)]
    d = [np.linalg.norm(query - centroids[k], axis=1) for k in line]
    w = (d[1] / (d[0] + d[1]))[:, None]
    predicted = (w * soft_labels[0] + (1 - w) * soft_labels[1]).argmax(axis=1)
    return np.mean(predicted == data.episode.y_query)


def labels_of(title, model=None, **settings):
    """Soft labels, of constraintSLP if nothing else is said, called by a name."""
    data = fitted(model or slp.ConstraintSLPClassifier(), **settings)
    return read_soft_labels(data.model, title, data.query)


def untouched(app):
    """Whether soft labels are as fitted, so that there is nothing to take back."""
    return next(b for b in app.button if b.label == "Reset").disabled


def test_it_opens_on_the_editor_and_computes_nothing_else():
    app = open_page("soft_labels", folded=True)
    data = fitted(slp.ConstraintSLPClassifier())
    assert figures(app.subheader[0].value) == [f"{data.predictions('').accuracy:.1%}"]
    assert list(charts(app)) == ["map by hand", "bands"]
    assert not app.dataframe
    assert untouched(app)
    view = opening_projection(data.model, data.X, data.episode.query)  # as on Explore
    held = slp.held_out_fidelity(data.model, data.X, *view, data.episode.query)
    assert without_terms(fidelity_text(held)) in shown(app)


def test_folded_are_two_methods_and_what_they_assign():
    app = open_page("soft_labels")
    text = shown(app)
    both = labels_of("constraintSLP"), labels_of("DeepSLP", slp.DeepSLPClassifier())
    assert pairs_text(SoftLabelPairs(*both)) in text
    for each in both:
        assert theorem1_text(each) in text
        assert all(prototype_order_text(each, one) in text for one in each.ordered)
    predicted = [
        fitted(model).predictions("it").predicted
        for model in (slp.ConstraintSLPClassifier(), slp.DeepSLPClassifier())
    ]
    changed = int((predicted[0] != predicted[1]).sum())
    until(app, lambda: any("row" in table.value.columns for table in app.dataframe))
    assert len(table_with(app, "row")) == changed
    found = SoftLabelPairs(*both).divergence
    drawn = plain_table_with(app, "total variation")
    assert drawn["total variation"].tolist() == found["total_variation"].tolist()
    assert drawn.filter(like="JSD").iloc[:, 0].tolist() == found["jsd"].tolist()


def test_a_support_example_of_the_map_has_its_menu():
    app = open_page("soft_labels", folded=True, shots=4)
    here = fitted(slp.ConstraintSLPClassifier(), shots=4)
    (figure, _) = charts(app)["map by hand"]
    assert {"support", "query"} <= {trace.get("name") for trace in figure["data"]}
    assert "Remove" not in labels(app)
    shot = int(here.episode.support[1])
    next(s for s in app.selectbox if s.label == "Support example").set_value(shot).run()
    until(app, lambda: "Without it: " in said(app))
    press(app, "Remove")
    assert link(app)["edits"] == f"r{shot}"
    assert "Remove" not in labels(app)  # it is a query example now


def test_a_link_to_another_method_opens_the_comparison():
    app = open_page("soft_labels", {"other_draw": "3"}, folded=True)
    assert "soft labels" in charts(app)
    assert "other_draw" in link(app)


@pytest.mark.parametrize("method", ON_VECTORS)
def test_every_method_has_its_page(method):
    app = open_page("soft_labels", dataset="A, B and C", method=method)
    shown(app)
    has_prototypes = method not in ("1-nearest neighbour", "Logistic regression")
    assert [method in note for note in told_aside(app)] == [True] * (not has_prototypes)
    (figure, _) = charts(app)["soft labels"]
    names = "".join(figure["layout"]["yaxis"]["ticktext"])
    assert (f"· {method}" in names) == has_prototypes
    assert "· constraintSLP" in names


def test_another_draw_stands_beside_it():
    app = open_page(
        "soft_labels", folded=True, other_draw="3", beside_constraint_slp="constraintSLP"
    )
    shown(app)
    both = (labels_of(f"constraintSLP, support set {draw}", draw=draw) for draw in (0, 3))
    assert pairs_text(SoftLabelPairs(*both)) in said(app)


def test_a_variant_is_called_by_its_name_on_either_side():
    paper = "DeepSLP, as in the paper"
    app = open_page(
        "soft_labels",
        unfolded=["open_labels_beside"],
        method="DeepSLP",
        preset="as in the paper",
        beside_deep_slp=paper,
    )
    shown(app)
    model = slp.DeepSLPClassifier(preset="paper", random_state=0)
    both = (labels_of(name, model) for name in (paper, f"{paper} (same)"))
    assert pairs_text(SoftLabelPairs(*both)) in said(app)


def test_another_encoder_is_asked_for_once_and_then_stands_beside_it(nothing_encoded, few_tweets):
    title = "MiniLM, last layer"
    few = few_tweets["uploads"]["Few tweets"]
    app = open_page(
        "soft_labels",
        unfolded=["open_labels_beside"],
        other_encoder=title,
        beside_constraint_slp="constraintSLP",
        **few_tweets,
    )
    shown(app)
    same = (labels_of(name, name=few) for name in ("constraintSLP", "constraintSLP (same)"))
    assert pairs_text(SoftLabelPairs(*same)) in said(app)  # until it is encoded
    press(app, f"Encode with {title}")
    until(app, lambda: f"and constraintSLP, {title}" in said(app))
    shown(app)
    encoders = {"MiniLM, layer 4": "minilm-l4", title: "minilm-l6"}
    both = (labels_of(f"constraintSLP, {t}", name=few, encoder=e) for t, e in encoders.items())
    assert pairs_text(SoftLabelPairs(*both)) in said(app)


def test_lines_that_differ_are_said_to():
    app = open_page(
        "soft_labels",
        unfolded=["open_labels_beside"],
        dataset="Emotions",
        other_draw="1",
        beside_constraint_slp="constraintSLP",
    )
    both = (labels_of(f"constraintSLP, support set {n}", name="emotions", draw=n) for n in (0, 1))
    caption = pairs_caption(SoftLabelPairs(*both))
    assert "has a prototype at" in caption
    assert caption in shown(app)


def test_a_moved_soft_label_moves_the_others_the_predictions_and_back():
    app = open_page("soft_labels", folded=True)
    at_first = [shares(app, 0), shares(app, 1)]
    assert [sum(label.values()) for label in at_first] == pytest.approx([1, 1])
    end = next(iter(at_first[0]))  # the class that the left prototype stands on
    slider(app, 0, end).set_value(0.9).run()
    moved = [shares(app, 0), shares(app, 1)]
    assert moved[0][end] == pytest.approx(0.9)
    assert sum(moved[0].values()) == pytest.approx(1)
    assert moved[1] == pytest.approx(at_first[1])
    line = (end, next(reversed(at_first[0])))
    expected = accuracy_by_hand(line, [[side[k] for k in range(3)] for side in moved])
    assert f"Edited: accuracy {expected:.1%}" in shown(app)
    assert not untouched(app)
    files = [saved_as(app)[name] for name in ("bands", "map by hand")]
    assert all("_constraint_slp-edited-by-hand_" in name for name in files)
    press(app, "Reset")
    assert [shares(app, 0), shares(app, 1)] == [pytest.approx(side) for side in at_first]
    assert untouched(app)
    assert "_constraint_slp_2" in saved_as(app)["bands"]
    assert "Edited" not in shown(app)


def test_of_deep_slp_classes_off_the_line_are_folded_and_soft_labels_are_means():
    app = open_page("soft_labels", folded=True, dataset="Emotions", method="DeepSLP")
    on_line = {s.key for s in app.slider} - {
        s.key for fold in app.expander if "other classes" in fold.label for s in fold.slider
    }
    line = fitted(slp.DeepSLPClassifier(random_state=0), name="emotions").model.lines_[0]
    assert {int(key.split(" ")[3]) for key in on_line} == set(line.classes)
    assert {*shares(app, 0)} == {*shares(app, 1)} == {*range(13)}
    assert "_deep_slp-with-mean-soft-labels_" in saved_as(app)["bands"]


def test_typed_examples_without_a_query_set_have_soft_labels_to_move():
    own = json.dumps({"cats": ["purr", "meow"], "rockets": ["launch", "orbit"]})
    app = open_page("soft_labels", {"own": own, "dataset": TITLE}, folded=True)
    until(app, lambda: "accuracy not known" in shown(app))  # they are encoded first


def test_every_line_can_be_edited_and_each_keeps_its_own():
    app = open_page("soft_labels", folded=True, dataset="Emotions")
    line = widget(app.selectbox, "hand_made_line")
    line.set_value(1).run()
    shown(app)
    first = next(s for s in app.slider if s.key.startswith("share 1 0 "))
    first.set_value(1.0).run()
    shown(app)
    assert not untouched(app)
    widget(app.selectbox, "hand_made_line").set_value(0).run()
    widget(app.selectbox, "hand_made_line").set_value(1).run()
    assert next(s for s in app.slider if s.key == first.key).value == 1.0


def hand_made(draw=0):
    data = fitted(slp.ConstraintSLPClassifier(), draw=draw)
    soft_labels = np.zeros_like(data.model.soft_labels_)
    soft_labels[0, :, 2] = 1.0
    of = data.dataset.digest
    return EditedPrototypes.of(
        data.model, soft_labels, encoder="minilm-l4, l2", dataset=of
    ).to_json()


def load(app, content):
    uploader = app.file_uploader[0]
    uploader.upload("mine.json", content.encode(), "application/json").run()
    return app


def test_prototypes_are_loaded_from_a_file():
    app = load(open_page("soft_labels", folded=True), hand_made())
    shown(app)
    assert not untouched(app)
    assert shares(app, 1) == {k: float(k == 2) for k in shares(app, 1)}


def test_loaded_prototypes_say_which_points_here_they_were_fitted_on():
    there = {"fitted on": {"shots": 16, "draw": 3}}
    told = told_aside(
        load(open_page("soft_labels", folded=True), json.dumps(json.loads(hand_made(3)) | there))
    )
    data = slp.load_dataset("airline")
    query, support = data.draw(16, 0).query, data.draw(16, 3).support
    (seen,) = [text for text in told if "Fitted on" in text]
    assert figures(seen) == ["3", "16", str(len({*query} & {*support})), str(len(query))]
    here = {"fitted on": {"shots": 16, "draw": 0}}
    told = told_aside(
        load(open_page("soft_labels", folded=True), json.dumps(json.loads(hand_made()) | here))
    )
    assert not [text for text in told if "Fitted on" in text]


def test_a_file_that_does_not_fit_is_told():
    app, data = open_page("soft_labels", folded=True), fitted(slp.ConstraintSLPClassifier())
    for entry in ({"lines": []}, {"dataset": "another"}, {"encoder": "tfidf-svd, l2"}):
        content = json.dumps(json.loads(hand_made()) | entry)
        assert not load(app, content).exception
        with pytest.raises(SLPError) as told:
            EditedPrototypes.from_json(content.encode(), "mine.json").check_fits(
                data.dataset.classes,
                data.X.shape[1],
                encoder="minilm-l4, l2",
                dataset=data.dataset.digest,
                filename="mine.json",
            )
        (error,) = app.error
        assert error.value == literal(str(told.value))
        assert error.value.startswith("mine.json")
        assert untouched(app)
