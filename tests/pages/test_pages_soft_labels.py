"""The Soft labels page, run without a browser."""

import json

import numpy as np
import pytest
from driving import open_page, shown, until

import slp_core as slp
from pages.session.methods import ON_VECTORS
from slp_core.methods.edited_prototypes import EditedPrototypes


def shares(app, side):
    """The sliders of the first line's soft label, in the order of the page."""
    sliders = [s for s in app.slider if s.key.startswith(f"share 0 {side} ")]
    return {int(s.key.split(" ")[3]): s.value for s in sliders}


def slider(app, side, index):
    return next(s for s in app.slider if s.key.startswith(f"share 0 {side} {index} "))


def accuracy_by_hand(line, labels, distance="euclidean"):
    """From the definitions: w · left + (1 − w) · right at every query point."""
    dataset = slp.load_dataset("airline")
    X = slp.load_encoder(dataset.default_encoder).encode(dataset).astype(float)
    episode = dataset.draw(16, 0)
    support = X[episode.support]
    centroids = [support[episode.y_support == k].mean(axis=0) for k in range(3)]
    d = [np.linalg.norm(X[episode.query] - centroids[k], axis=1) for k in line]
    w = (d[1] / (d[0] + d[1]))[:, None]
    answers = (w * labels[0] + (1 - w) * labels[1]).argmax(axis=1)
    return np.mean(answers == episode.y_query)


def test_it_opens_on_two_methods_and_what_each_says():
    app = open_page("soft_labels")
    text = shown(app)
    assert "constraintSLP says" in app.subheader[0].value
    assert "DeepSLP, on average over points, says" in app.subheader[0].value
    assert "Theorem 1 holds" in text
    assert "As fitted, 33.3% of 87 query points" in text
    assert "wins" in text
    tables = [element.value for element in app.dataframe]
    assert {"constraintSLP", "DeepSLP", "± DeepSLP", "DeepSLP at x"} <= set(tables[0])
    assert {"JSD (bits)", "total variation"} <= set(tables[1])


@pytest.mark.parametrize("method", list(ON_VECTORS))
@pytest.mark.parametrize("title", ["Airline tweets", "Emotions", "Disaster or not"])
def test_every_method_has_its_page(method, title):
    text = shown(open_page("soft_labels", dataset=title, method=method))
    has_prototypes = method not in ("1-nearest neighbour", "Logistic regression")
    assert ("has no prototypes" in text) != has_prototypes


def test_another_draw_stands_beside_it():
    app = open_page("soft_labels", other_draw="3", beside_constraint_slp="constraintSLP")
    shown(app)
    assert "constraintSLP, draw 3" in app.subheader[0].value


def test_a_variant_is_called_by_its_name_on_either_side():
    paper = "DeepSLP, as in the paper"
    app = open_page(
        "soft_labels", method="DeepSLP", preset="as in the paper", beside_deep_slp=paper
    )
    shown(app)
    assert app.subheader[0].value == f"{paper} and {paper} again carry the same soft labels."


def test_another_encoder_is_asked_for_once_and_then_stands_beside_it(nothing_encoded):
    title = "MiniLM, last layer"
    app = open_page("soft_labels", other_encoder=title, beside_constraint_slp="constraintSLP")
    shown(app)
    assert "again carry the same" in app.subheader[0].value  # until it is encoded
    next(b for b in app.button if b.label == f"Encode with {title}").click().run()
    until(app, lambda: title in app.subheader[0].value)
    shown(app)
    assert f"constraintSLP, {title}" in app.subheader[0].value


def test_lines_that_differ_are_said_to():
    app = open_page(
        "soft_labels", dataset="Emotions", other_draw="1", beside_constraint_slp="constraintSLP"
    )
    assert "Their lines differ. These cannot be matched" in shown(app)


def test_a_moved_soft_label_moves_the_others_the_answers_and_back():
    app = open_page("soft_labels")
    fitted = [shares(app, 0), shares(app, 1)]
    assert [sum(label.values()) for label in fitted] == pytest.approx([1, 1])
    end = next(iter(fitted[0]))  # the class that the left prototype stands on
    slider(app, 0, end).set_value(0.9).run()
    moved = [shares(app, 0), shares(app, 1)]
    assert moved[0][end] == pytest.approx(0.9)
    assert sum(moved[0].values()) == pytest.approx(1)
    assert moved[1] == pytest.approx(fitted[1])
    line = (end, next(reversed(fitted[0])))
    expected = accuracy_by_hand(line, [[side[k] for k in range(3)] for side in moved])
    assert f"By hand, **{expected:.1%}**" in shown(app)
    next(b for b in app.button if b.label == "Back to fitted").click().run()
    assert [shares(app, 0), shares(app, 1)] == [pytest.approx(side) for side in fitted]
    assert "As fitted" in shown(app)


def test_every_line_can_be_edited_and_each_keeps_its_own():
    app = open_page("soft_labels", dataset="Emotions")
    line = app.selectbox(key="hand_made_line")
    line.set_value(1).run()
    shown(app)
    first = next(s for s in app.slider if s.key.startswith("share 1 0 "))
    first.set_value(1.0).run()
    assert "By hand" in shown(app)
    app.selectbox(key="hand_made_line").set_value(0).run()
    app.selectbox(key="hand_made_line").set_value(1).run()
    assert next(s for s in app.slider if s.key == first.key).value == 1.0


def hand_made():
    dataset = slp.load_dataset("airline")
    X = slp.load_encoder(dataset.default_encoder).encode(dataset)
    episode = dataset.draw(16, 0)
    model = slp.ConstraintSLPClassifier().fit(
        X[episode.support], np.array(dataset.classes)[episode.y_support]
    )
    labels = np.zeros_like(model.soft_labels_)
    labels[0, :, 2] = 1.0
    return EditedPrototypes.of(model, labels, "minilm-l4, l2", dataset.digest).to_json()


def load(app, content):
    uploader = app.file_uploader[0]
    uploader.upload("mine.json", content.encode(), "application/json").run()
    return app


def test_prototypes_are_loaded_from_a_file():
    app = load(open_page("soft_labels"), hand_made())
    assert "By hand" in shown(app)
    assert shares(app, 1) == {k: float(k == 2) for k in shares(app, 1)}


@pytest.mark.parametrize(
    ("entry", "value", "message"),
    [
        ("lines", [], "is on no line"),
        ("dataset", "another", "made on other data"),
        ("encoder", "tfidf-svd, l2", "made with the encoder tfidf-svd, l2"),
    ],
)
def test_a_file_that_does_not_fit_is_told_in_a_sentence(entry, value, message):
    content = json.dumps(json.loads(hand_made()) | {entry: value})
    app = load(open_page("soft_labels"), content)
    assert not app.exception
    (error,) = app.error
    assert message in error.value
    assert error.value.startswith("mine.json")
