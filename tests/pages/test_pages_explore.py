"""The Explore page, run without a browser: what each choice shows, and that none of them breaks."""

from threading import Event
from types import SimpleNamespace

import numpy as np
import pytest
import streamlit as st
from driving import (
    MAIN,
    charts,
    fitted,
    labels,
    link,
    open_page,
    press,
    said,
    saved_as,
    shown,
    until,
    widget,
)
from streamlit.testing.v1 import AppTest

import slp_core as slp
from pages.session.jobs import JobPool, job_pool
from pages.session.methods import ON_VECTORS
from pages.session.workspace import Workspace
from pages.shell import status_bar
from pages.shell.frame import current_workspace
from pages.widgets.projection_picker import LANDSCAPES, PROJECTIONS
from slp_core.evaluation.draws import accuracy_over_draws
from slp_core.explain.text import point_text, predictions_text
from slp_core.markdown import without_terms
from slp_core.sentences import percent
from slp_core.views import landscape_fidelity
from slp_core.views import text as views_text
from slp_core.views.fidelity import opening_projection


@pytest.fixture
def nothing_counted(monkeypatch):
    """Whatever tests before this one have had counted, by a pool of jobs of its own."""
    pool = JobPool(workers=1)
    monkeypatch.setattr("pages.session.workspace.job_pool", lambda: pool)
    yield
    pool.end(0)


def title_of_the_example(app):
    return next(
        m.value for m in app.markdown if " example " in m.value and m.value.startswith("**")
    )


def test_the_first_visit_asks_the_question():
    app = open_page(folded=True)
    text = shown(app)
    expected = fitted(slp.ConstraintSLPClassifier())
    predictions = expected.predictions("constraintSLP")
    assert len(np.unique(predictions.predicted)) < len(expected.dataset.classes)
    assert app.subheader[0].value == predictions_text(predictions)
    assert f"**{expected.dataset.title}**" in text
    row = expected.episode.query[predictions.default_point()]
    assert f"**Query example {row}**" in text
    assert point_text(expected.reading(row)) in text
    assert expected.dataset.describe(row) in text
    asked_for = title_of_the_example(open_page(point=int(row), folded=True))
    assert len(title_of_the_example(app)) > len(asked_for)  # says why it opens on this one


def test_what_another_visit_had_counted_is_there_at_the_first_drawing():
    first = open_page(shots=5, folded=True)
    counted = until(first, lambda: "computing others" not in said(first))
    mean = next(m.value for m in counted.caption if "±" in m.value)
    assert without_terms(mean) in said(open_page(shots=5, folded=True))


@pytest.mark.parametrize("soon", [False, True])  # whether the draws are counted while it waits
def test_the_bar_is_drawn_anew_in_its_own_place(soon, nothing_counted, monkeypatch):
    places, begun, caption = [], Event(), st.caption

    def note(text, **options):
        drawn = caption(text, **options)
        places.append(tuple(drawn._cursor.delta_path))
        return drawn

    def late(*args):
        assert soon or begun.wait(60)
        return accuracy_over_draws(*args)

    monkeypatch.setattr(status_bar, "st", SimpleNamespace(**vars(st) | {"caption": note}))
    monkeypatch.setattr(status_bar, "PATIENCE", 60 * soon)
    monkeypatch.setattr("pages.session.workspace.accuracy_over_draws", late)
    app = open_page(dataset="Iris flowers", folded=True)
    begun.set()
    assert ("computing others" in said(app)) is not soon
    first, then = places[: len(places) // 2], places[len(places) // 2 :]
    assert first
    assert first == then


# Pairs, phrases, images, and a toy that has settings; other tests open texts, tables, two features.
@pytest.mark.parametrize(
    "title",
    [
        "Entailment pairs",
        "Restaurant queries",
        "Handwritten digits",
        "A, B and C in many dimensions",
    ],
)
def test_every_kind_of_data_opens(title):
    text = shown(open_page(dataset=title, folded=True))
    assert f"**{title}**" in text


@pytest.mark.parametrize("method", list(ON_VECTORS))
def test_every_method_reads_an_example(method):
    title = "Iris flowers"
    text = shown(open_page(dataset=title, method=method, folded=True))
    expected = fitted(ON_VECTORS[method].make(), title)
    row = expected.episode.query[expected.predictions(method).default_point()]
    assert f"**{method}**" in text
    assert f"**Query example {row}**" in text
    assert point_text(expected.reading(row)) in text


@pytest.mark.parametrize("method", ["constraintSLP", "DeepSLP"])
def test_every_option_of_a_method_can_be_chosen(method):
    options = {
        o.short_name: list(o.choices) for o in (*ON_VECTORS[method].main, *ON_VECTORS[method].more)
    }
    app = open_page(method=method, dataset="Iris flowers", folded=True)
    for i in range(1, max(map(len, options.values()))):  # a choice of each at a time
        for key, choices in options.items():
            if choices:
                app.session_state[key] = choices[i % len(choices)]
        shown(app.run())


def test_a_chosen_point_is_read_out():
    dataset = slp.load_dataset("airline")
    row = int(dataset.draw(16, 0).query[7])
    app = open_page(point=row, folded=True)
    assert f"Query example {row}" in shown(app)
    assert dataset.describe(row) in shown(app)
    row = int(dataset.draw(16, 0).support[3])
    number(app).set_value(row).run()
    assert f"Support example {row}" in shown(app)


def from_address(**asked):
    app = AppTest.from_file(MAIN, default_timeout=240)
    app.query_params.update(asked)
    return app.run()


def number(app):
    return next(n for n in app.number_input if n.label == "Example")


def test_the_address_keeps_the_chosen_point_until_the_data_change():
    app = from_address(point="7")
    assert "example 7**" in title_of_the_example(app)
    assert saved_as(app)["point"].startswith("point-row-7_")
    assert number(app).value == 7
    number(app).set_value(12).run()
    assert "example 12**" in title_of_the_example(app)
    assert link(app)["point"] == "12"
    widget(app.selectbox, "dataset").set_value("Disaster or not").run()
    assert "point" not in link(app)
    assert not app.caption or not any("link asks" in c.value for c in app.caption)


@pytest.mark.parametrize("asked", ["abc", "99999", "-1"])
def test_an_address_that_names_no_point_is_told_so(asked):
    app = from_address(point=asked)
    assert asked in "".join(m.value for m in app.markdown if "link asks" in m.value)
    assert "point" not in link(app)
    number(app).set_value(3).run()
    assert not any("link asks" in m.value for m in app.markdown)


@pytest.mark.parametrize(
    ("title", "projection", "landscape"),
    [
        ("Airline tweets", "PCA", "slice"),
        ("Airline tweets", "Decision plane", "offset"),
        ("Handwritten digits", "Centroid plane", "surface"),
    ],
)
def test_every_projection_says_its_fidelity(title, projection, landscape):
    shown_as = {"projection": projection, "landscape": landscape}
    app = open_page(dataset=title, unfolded=["open_fidelity"], **shown_as)
    expected, method = fitted(slp.ConstraintSLPClassifier(), title), PROJECTIONS[projection]
    inverse = LANDSCAPES[landscape]
    made = slp.fit_projection(expected.X, method, expected.model)
    query = expected.episode.query
    held = slp.held_out_fidelity(expected.model, expected.X, method, inverse, query)
    report = landscape_fidelity(expected.model, made, inverse)
    page = said(app)
    assert without_terms(views_text.fidelity_text(held)) in page
    assert views_text.quality_text(made.kept) in page
    assert views_text.landscape_text(method, inverse, report) in page
    assert views_text.plane_distance_text(made.plane_distance(chosen(app))) in page
    by_class = views_text.fidelity_by_class_text(held)
    until(app, lambda: by_class in said(app))


def test_a_layout_that_is_judged_shows_its_progress_once_however_much_is_open():
    app = open_page(dataset="Iris flowers", projection="UMAP", unfolded=["open_fidelity"])
    judged = "Cross-validating UMAP"
    jobs = job_pool().running
    until(app, lambda: any(judged in job.title for job in list(jobs.values()))).run()
    assert labels(app).count("Cancel") == 1
    press(app, "Cancel")
    assert f"{judged} was cancelled" in shown(app)
    assert labels(app).count("Go on") == 1


def chosen(app):
    return widget(app.number_input, "point_number").value


@pytest.mark.parametrize(
    ("title", "method"),
    [
        ("Airline tweets", "constraintSLP"),
        ("Airline tweets", "Logistic regression"),
        ("Emotions", "DeepSLP"),
        ("Wine", "constraintSLP"),
    ],
)
def test_the_opening_projection_beats_the_majority_baseline(title, method):
    expected = fitted(ON_VECTORS[method].make(), title)
    query = expected.episode.query
    opening = opening_projection(expected.model, expected.X, query)
    held = slp.held_out_fidelity(expected.model, expected.X, *opening, query)
    assert held.overall > held.majority
    if (title, method) == ("Airline tweets", "constraintSLP"):
        page = said(open_page(dataset=title, method=method, folded=True))
        assert without_terms(views_text.fidelity_text(held)) in page


def test_data_of_two_dimensions_have_no_projection():
    app = open_page(dataset="Concentric rings", layers=[])
    assert "The map shows the vectors as they are." in said(app)
    assert "Projection" not in [box.label for box in app.selectbox]
    assert "Fidelity (" not in said(app)


def test_nothing_but_the_map_and_the_example_is_computed_on_opening(monkeypatch):
    started = []
    monkeypatch.setattr(Workspace, "start_judging", lambda *args, **how: started.append(args))
    app = open_page(folded=True)
    assert not started
    assert list(charts(app)) == ["map", "point"]
    assert not app.table
    assert not app.dataframe


def test_draws_that_are_counted_after_their_place_was_left_open_are_looked_for(
    nothing_counted, monkeypatch
):
    looks, begun, fragment = [], Event(), st.fragment

    def watched(part, run_every=None, **how):
        looks.append(run_every)
        return fragment(part, run_every=run_every, **how)

    def late(*args):
        assert begun.wait(60)
        return accuracy_over_draws(*args)

    def counted():  # the bar looks next, and finds that nothing is to be waited for
        begun.set()
        current_workspace().spread.wait(60)

    monkeypatch.setattr(st, "fragment", watched)
    monkeypatch.setattr("pages.session.workspace.accuracy_over_draws", late)
    monkeypatch.setattr("pages.shell.frame.note_refused", counted)
    app = open_page(dataset="A, B and C")  # in two dimensions: no picture to be judged
    assert "computing others" not in said(app)
    assert "mean accuracy" not in said(app)
    assert any(looks)
    app.run()
    assert "mean accuracy" in said(app)


def test_a_second_click_before_the_browser_shows_the_draw_draws_again():
    app = open_page(folded=True)
    point = widget(app.number_input, "point_number").value
    before = app._tree
    press(app.run(), "Resample")
    for _ in range(2):
        app._tree = before  # the next action comes with what that showed
        for key, shown_before in (("draw", 0), ("point_number", point)):
            widget(app.number_input, key).set_value(shown_before)
        press(app, "Resample")
    assert widget(app.number_input, "draw").value == 3
    widget(app.number_input, "draw").set_value(0).run()
    assert widget(press(app, "Resample").number_input, "draw").value == 1


def test_a_method_without_centroids_has_no_pca_of_centroids():
    app = open_page(method="1-nearest neighbour", projection="Centroid plane", folded=True)
    shown(app)
    projection = next(box for box in app.selectbox if box.label == "Projection")
    assert projection.value == "Decision plane"
    assert "PCA of centroids" not in projection.options
    assert "PCA of class scores" in projection.options


def test_an_encoder_that_cannot_be_had_is_told(tmp_path):
    app = open_page(folded=True, encoder="another model …", model=str(tmp_path / "nothing-here"))
    until(app, lambda: app.warning)
    (message,) = (warning.value for warning in app.warning)
    assert "nothing-here" in message


def test_choices_of_an_address_that_do_not_exist_fall_back():
    app = AppTest.from_file(MAIN, default_timeout=240)
    app.query_params["dataset"] = "No such dataset"
    app.query_params["method"] = "No such method"
    assert "**constraintSLP**" in shown(app.run())


def test_the_sentence_follows_the_distances():
    app = open_page(distance="projected onto the line", folded=True)
    expected = fitted(slp.ConstraintSLPClassifier(distance="along_line"))
    predictions = expected.predictions("constraintSLP")
    assert len(np.unique(predictions.predicted)) > 1
    assert app.subheader[0].value == predictions_text(predictions)


def test_the_support_set_can_be_edited_by_the_influence_of_its_shots():
    app = open_page(folded=True, open_shots=True)
    until(app, lambda: "Shots that lower accuracy: 4 of 48" in said(app))
    table = app.dataframe[-1].value
    first, X = int(table["row"].iloc[0]), fitted(slp.NearestCentroidClassifier()).X
    episode = slp.load_dataset("airline").draw(16, 0)
    rest, labels = np.setdiff1d(episode.support, [first]), episode.dataset.y
    model = slp.ConstraintSLPClassifier().fit(X[rest], labels[rest])
    after = float((model.predict(X[episode.query]) == episode.y_query).mean())
    assert table["influence"].iloc[0] == table["influence"].min()
    app.session_state["point"] = first
    app.run()
    assert f" → {percent(after, 1)}, " in shown(app)
    press(app, "Remove")
    assert "Edited support set: 1 removed." in shown(app)
    until(app, lambda: " of 47; that raise it" in said(app))
    press(app, "Add to the support set")
    assert "Edited" not in shown(app)
    label = next(s for s in app.selectbox if s.key.startswith("label of shot"))
    label.set_value("positive").run()
    assert "Edited support set: 1 relabelled." in shown(app)
