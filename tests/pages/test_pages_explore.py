"""The Explore page, run without a browser: what each choice shows, and that none of them breaks."""

from threading import Event
from types import SimpleNamespace

import numpy as np
import pytest
import streamlit as st
from driving import MAIN, fitted, link, open_page, press, said, saved_as, shown, until, widget
from streamlit.testing.v1 import AppTest

import slp_core as slp
import slp_core.views as slp_views
from pages.session.jobs import JobPool
from pages.session.methods import ON_VECTORS
from pages.session.workspace import Workspace
from pages.shell import status_bar
from pages.shell.frame import current_workspace
from pages.widgets.projection_picker import LANDSCAPES, PICTURES
from slp_core.evaluation.draws import accuracy_over_draws
from slp_core.figures import lines
from slp_core.figures.lines import lines_table
from slp_core.markdown import without_terms

TITLES = [info.title for info in slp.list_datasets()]


@pytest.fixture
def nothing_counted(monkeypatch):
    """Whatever tests before this one have had counted, by a pool of jobs of its own."""
    pool = JobPool(workers=1)
    monkeypatch.setattr("pages.session.workspace.job_pool", lambda: pool)
    yield
    pool.end(0)


def title_of_the_point(app):
    return next(m.value for m in app.markdown if " point " in m.value and m.value.startswith("**"))


def test_the_first_visit_asks_the_question():
    app = open_page()
    text = shown(app)
    expected = fitted(slp.ConstraintSLPClassifier())
    answers = expected.answers("constraintSLP")
    assert len(np.unique(answers.predicted)) < len(expected.dataset.classes)
    assert app.subheader[0].value == answers.sentence()
    assert f"**{expected.dataset.title}**" in text
    row = expected.episode.query[answers.opening().index]
    assert f"**Query point {row}**" in text
    assert expected.reading(row).sentence() in text
    assert expected.dataset.describe(row) in text
    asked_for = title_of_the_point(open_page(point=int(row)))
    assert len(title_of_the_point(app)) > len(asked_for)  # says why it opens on this one


def test_what_another_visit_had_counted_is_there_at_the_first_drawing():
    first = open_page(shots=5)
    counted = until(first, lambda: "computing the others" not in said(first))
    mean = next(m.value for m in counted.caption if "±" in m.value)
    assert without_terms(mean) in said(open_page(shots=5))


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
    app = open_page(dataset="Emotions")
    begun.set()
    assert ("computing the others" in said(app)) is not soon
    assert len(places) == 2
    assert len(set(places)) == 1


@pytest.mark.parametrize("title", TITLES)
def test_every_bundled_dataset_opens(title):
    text = shown(open_page(dataset=title))
    assert f"**{title}**" in text


@pytest.mark.parametrize("method", list(ON_VECTORS))
@pytest.mark.parametrize("title", ["Airline tweets", "Emotions", "Disaster or not"])
def test_every_method_reads_a_point(method, title):
    text = shown(open_page(dataset=title, method=method))
    expected = fitted(ON_VECTORS[method].make(), title)
    row = expected.episode.query[expected.answers(method).opening().index]
    assert f"**{method}**" in text
    assert f"**Query point {row}**" in text
    assert expected.reading(row).sentence() in text


@pytest.mark.parametrize("method", ["constraintSLP", "DeepSLP"])
def test_every_option_of_a_method_can_be_chosen(method):
    options = {
        o.short_name: list(o.choices) for o in (*ON_VECTORS[method].main, *ON_VECTORS[method].more)
    }
    for i in range(max(map(len, options.values()))):  # a choice of each at a time
        chosen = {key: choices[i % len(choices)] for key, choices in options.items() if choices}
        shown(open_page(method=method, dataset="Emotions", **chosen))


def test_a_chosen_point_is_read_out():
    dataset = slp.load_dataset("airline")
    row = int(dataset.draw(16, 0).query[7])
    text = shown(open_page(point=row))
    assert f"Query point {row}" in text
    assert dataset.describe(row) in text


def from_address(**asked):
    app = AppTest.from_file(MAIN, default_timeout=240)
    app.query_params.update(asked)
    return app.run()


def number(app):
    return next(n for n in app.number_input if n.label == "Point")


def test_the_address_keeps_the_chosen_point_until_the_data_change():
    app = from_address(point="7")
    assert "point 7**" in title_of_the_point(app)
    assert saved_as(app)["point"].startswith("point-row-7_")
    assert number(app).value == 7
    number(app).set_value(12).run()
    assert "point 12**" in title_of_the_point(app)
    assert link(app)["point"] == "12"
    widget(app.selectbox, "dataset").set_value("Disaster or not").run()
    assert "point" not in link(app)
    assert not app.caption or not any("address" in c.value for c in app.caption)


@pytest.mark.parametrize("asked", ["abc", "99999", "-1"])
def test_an_address_that_names_no_point_is_told_so(asked):
    app = from_address(point=asked)
    assert asked in "".join(m.value for m in app.markdown if "address" in m.value)
    assert "point" not in link(app)
    number(app).set_value(3).run()
    assert not any("address" in m.value for m in app.markdown)


def test_a_point_of_the_support_set_is_called_that():
    row = int(slp.load_dataset("airline").draw(16, 0).support[3])
    assert f"Support point {row}" in shown(open_page(point=row))


@pytest.mark.parametrize("landscape", LANDSCAPES)
@pytest.mark.parametrize("picture", ["PCA", "Centroid plane", "Decision plane"])
@pytest.mark.parametrize("title", ["Airline tweets", "Handwritten digits", "Concentric rings"])
def test_every_picture_says_how_far_to_believe_it(title, picture, landscape):
    app = open_page(dataset=title, projection=picture, landscape=landscape)
    expected = fitted(slp.ConstraintSLPClassifier(), title)
    projection = slp.fit_projection(expected.X, PICTURES[picture], expected.model)
    assert projection.kept.sentence() in shown(app)
    assert ("Picture" in [box.label for box in app.selectbox]) != projection.exact
    assert projection.exact == (title == "Concentric rings")
    if not projection.exact:
        bent = "surface" if LANDSCAPES[landscape] else None
        assert said_of_landscape(expected.model, projection, bent) in shown(app)
        first = slp_views.held_out_fidelity(
            expected.model, expected.X, PICTURES[picture], bent, expected.episode.query
        ).sentence()
        until(app, lambda: first in shown(app))


def test_the_page_does_not_wait_for_how_true_the_picture_is(monkeypatch):
    drawn, fit_and_score = Event(), Workspace.start_judging

    def table(*args):  # the last on the page
        drawn.set()
        return lines_table(*args)

    def late(workspace, again=False):
        assert drawn.wait(60)
        return fit_and_score(workspace, again)

    monkeypatch.setattr(lines, "lines_table", table)
    monkeypatch.setattr(Workspace, "start_judging", late)
    app = open_page()
    until(app, lambda: "held out" in shown(app))


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
        current_workspace().spread_job.wait(60)

    monkeypatch.setattr(st, "fragment", watched)
    monkeypatch.setattr("pages.session.workspace.accuracy_over_draws", late)
    monkeypatch.setattr("pages.shell.frame.judge_address", counted)
    app = open_page(dataset="A, B and C")  # in two dimensions: no picture to be judged
    assert "computing the others" not in said(app)
    assert "in the mean over" not in said(app)
    assert any(looks)
    app.run()
    assert "in the mean over" in said(app)


def said_of_landscape(model, projection, inverse=None):
    return slp.decision_landscape(model, projection, grid=2, inverse=inverse).sentence()


def test_a_second_click_before_the_browser_shows_the_draw_draws_again():
    app = open_page()
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


def test_a_method_without_centroids_has_no_centroid_plane():
    shown(open_page(method="Logistic regression", projection="Decision plane"))
    app = open_page(method="1-nearest neighbour", projection="Centroid plane")
    expected = fitted(slp.OneNearestNeighbourClassifier())
    picture = next(box for box in app.selectbox if box.label == "Picture")
    assert picture.value == "PCA"
    assert "Centroid plane" not in picture.options
    projection = slp.fit_projection(expected.X, "pca")
    assert said_of_landscape(expected.model, projection) in shown(app)


def test_layers_can_all_be_taken_away():
    shown(open_page(layers=[]))


def test_an_encoder_that_cannot_be_had_is_told(tmp_path):
    app = open_page(encoder="another model …", model=str(tmp_path / "nothing-here"))
    assert not app.exception
    message = "\n".join(e.value for e in app.error)
    assert "nothing-here" in message


def test_choices_of_an_address_that_do_not_exist_fall_back():
    app = AppTest.from_file(MAIN, default_timeout=240)
    app.query_params["dataset"] = "No such dataset"
    app.query_params["method"] = "No such method"
    assert "**constraintSLP**" in shown(app.run())


def test_the_sentence_follows_the_distances():
    app = open_page(distance="along the line")
    expected = fitted(slp.ConstraintSLPClassifier(distance="along_line"))
    answers = expected.answers("constraintSLP")
    assert len(np.unique(answers.predicted)) > 1
    assert app.subheader[0].value == answers.sentence()
