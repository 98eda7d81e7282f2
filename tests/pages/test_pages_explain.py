"""The Explain page, run without a browser."""

import re

import numpy as np
import pytest
from driving import (
    charts,
    fitted,
    labels,
    link,
    open_page,
    press,
    saved_as,
    shown,
    table_with,
    told_aside,
    until,
    vectors,
    widget,
)

import slp_core as slp
from pages.explain.errors import TITLES as CAUSES
from pages.session.methods import ON_VECTORS
from pages.session.text import truncated_text
from slp_core.data import Examples
from slp_core.explain import counterfactuals, read_causes, read_point, theorem2
from slp_core.explain.causes import explain_errors
from slp_core.explain.half_plane import half_planes
from slp_core.explain.headline import headline
from slp_core.explain.profile import line_profile
from slp_core.explain.worked_example import counter_example, worked_example
from slp_core.markdown import unmarked

TITLES = [info.title for info in slp.list_datasets()]


def open_explain(**settings):
    """With all errors in one table."""
    return open_page("explain", **settings)


def errors(app):
    return table_with(app, "cause")


def expected_errors(name="airline"):
    """The library's own table, with rows of the dataset."""
    data = fitted(slp.ConstraintSLPClassifier(), name)
    y = np.array(data.dataset.classes)[data.episode.y_query]
    table = explain_errors(data.model, data.query, y)
    table["index"] = data.episode.query[table["index"]]
    return table


def first_to_read(data, method="constraintSLP"):
    causes = read_causes(data.model, data.query, data.episode.y_query, data.centroids)
    return headline(data.model, data.query, data.episode.y_query, method, causes)


def what_would_change(data, x, true=None):
    """In a sentence each, about constraintSLP's answer."""
    return map(str, counterfactuals(data.model, x, deep_slp(data), "DeepSLP", true).facts())


def deep_slp(data):
    support = data.episode.support
    names = np.array(data.dataset.classes)[data.episode.y_support]
    return slp.DeepSLPClassifier().fit(data.X[support], names)


def test_it_opens_on_the_answer_to_the_question():
    app = open_page("explain")
    text = shown(app)
    data = fitted(slp.ConstraintSLPClassifier())
    first = first_to_read(data)
    assert len(np.unique(data.answers("").predicted)) < len(data.dataset.classes)
    assert app.subheader[0].value == first.sentence()
    assert re.search(rf"\b{len(expected_errors())} errors", text)
    causes = read_causes(data.model, data.query, data.episode.y_query)
    opened = causes.opening(first.line).index
    changes = what_would_change(data, data.query[opened], data.episode.y_query[opened])
    assert all(change in text for change in changes)
    theorem = theorem2(data.model, data.query, data.episode.y_query)
    assert f"({theorem.share:.0%})" in theorem.sentence()
    assert theorem.sentence() in text


def test_the_table_holds_every_error_with_its_cause():
    expected = expected_errors().set_index("index").sort_index()
    table = errors(open_explain()).set_index("row").sort_index()
    assert table.index.tolist() == expected.index.tolist()
    assert table["cause"].tolist() == [CAUSES[kind][0] for kind in expected["cause"]]
    np.testing.assert_allclose(table["w"], expected["w"])
    np.testing.assert_allclose(table["margin"], expected["margin"])


@pytest.mark.parametrize("title", TITLES)
def test_every_bundled_dataset_opens(title):
    app = open_page("explain", dataset=title)
    until(app, lambda: "errors on the map" in charts(app))
    shown(app)
    assert {"causes", "w strip", "point"} <= set(charts(app))


@pytest.mark.parametrize("method", list(ON_VECTORS))
@pytest.mark.parametrize("title", ["Emotions", "Disaster or not"])
def test_every_method_has_its_page(method, title):
    app = open_page("explain", dataset=title, method=method)
    text = shown(app)
    own = first_to_read(fitted(ON_VECTORS[method].make(), title), method).sentence()
    without = method in ("Nearest centroid", "1-nearest neighbour", "Logistic regression")
    if without:
        (note,) = told_aside(app)
        assert own in note  # and below the same points with lines
        data = fitted(slp.ConstraintSLPClassifier(), title)
        assert app.subheader[0].value == first_to_read(data).sentence()
    else:
        assert app.subheader[0].value == own
        assert [method in note for note in told_aside(app)] == [True] * (method == "DeepSLP")
    assert ("theorem 2" in charts(app)) == (method != "DeepSLP")  # its soft labels are local
    assert f"**{method}**" in text


@pytest.mark.parametrize("option", ["along the line", "of the point itself"])
def test_either_distance_has_the_other_beside_it(option):
    app = open_page("explain", distance=option)
    text = shown(app)
    along = option == "along the line"
    data = fitted(slp.ConstraintSLPClassifier(distance="along_line" if along else "euclidean"))
    profile = line_profile(data.model, 0, data.query)
    answers = data.answers("constraintSLP")
    planes = half_planes(profile, along, answers.true, answers.predicted)
    assert [plane.along_line for plane in planes] == [along, not along]
    for plane in planes:
        assert f"**{plane.title}**" in text
        assert plane.sentence() in text
    drawn = [(name, alt) for name, (_, alt) in charts(app).items() if "half-plane" in name]
    names = {True: "half-plane along the line", False: "half-plane"}
    assert drawn == [(names[p.along_line], unmarked(p.sentence())) for p in planes]


@pytest.mark.parametrize("stacked", ["by class", "by line"])
def test_causes_are_stacked_by_class_or_by_line(stacked):
    shown(open_page("explain", dataset="Emotions", stacked=stacked))


def test_one_shot_and_few_points_leave_it_whole():
    for shots in (1, 2):
        shown(open_page("explain", shots=shots, dataset="Emotions"))


def test_a_chosen_point_is_taken_apart_and_its_line_shown():
    data = fitted(slp.ConstraintSLPClassifier(), "emotions")
    dataset, episode = data.dataset, data.episode
    at = data.model.place(data.query)
    opened = widget(open_page("explain", dataset="Emotions").selectbox, "explain_line").value
    position = int(np.flatnonzero(at.line != opened)[0])
    row = int(episode.query[position])
    app = open_page("explain", dataset="Emotions", point=row)
    text = shown(app)
    assert f"Query point {row}" in text
    assert dataset.describe(row) in text
    assert widget(app.selectbox, "explain_line").value == at.line[position]
    assert f"w = {at.w[position]:.3f}" in text
    assert data.reading(row).sentence() in text
    assert saved_as(app)["point"].startswith(f"point-row-{row}_Emotions_")
    widget(app.selectbox, "explain_line").set_value(opened).run()  # and back, by hand
    assert widget(app.selectbox, "explain_line").value == opened


def test_a_filter_leaves_its_errors_alone_and_can_be_taken_away():
    app = open_explain()
    total = len(errors(app))
    app.session_state["explain_cause"] = "concentration"
    app.session_state["explain_class"] = "positive"
    app.run()
    table = errors(app)
    assert 0 < len(table) < total
    assert set(table["cause"]) == {"concentration"}
    assert set(table["true"]) == {"positive"}
    n, m = len(table), len(fitted(slp.ConstraintSLPClassifier()).query)
    assert re.search(rf"\b{n} of {total}\b.*concentration.*positive", shown(app))
    until(app, lambda: "errors on the map" in charts(app))
    assert re.search(rf"\b{n} of {m}\b", shown(app))  # the map's too
    press(app, "All")
    assert len(errors(app)) == total


def point_on_show(app):
    return next(n.value for n in app.number_input if n.label == "Point")


def test_a_filter_and_the_chosen_point_give_way_to_one_another():
    table = expected_errors()
    kinds = table["cause"].unique()
    assert len(kinds) > 1
    mine = int(table["index"][table["cause"] == kinds[0]].iloc[0])
    theirs = set(table["index"][table["cause"] == kinds[1]])
    app = open_explain(point=mine)
    assert point_on_show(app) == mine
    widget(app.pills, "explain_cause").set_value(kinds[1]).run()
    assert set(errors(app)["row"]) == theirs  # the filter lets go of the point
    assert point_on_show(app) in theirs
    next(n for n in app.number_input if n.label == "Point").set_value(mine).run()
    assert point_on_show(app) == mine  # the point lets go of the filter
    assert len(errors(app)) == len(table)


def test_the_line_to_look_at_follows_the_filter():
    app = open_explain(dataset="Emotions")
    app.session_state["explain_at_line"] = 3
    app.run()
    assert widget(app.selectbox, "explain_line").value == 3
    widget(app.selectbox, "explain_line").set_value(0).run()
    assert widget(app.selectbox, "explain_line").value == 0
    assert set(errors(app)["line"]) == {4}


def test_a_filter_does_not_outlive_its_data():
    left_over = {"explain_class": "positive", "explain_filtered": "another model"}
    app = open_explain(dataset="Emotions", **left_over)
    total = len(expected_errors("emotions"))
    assert len(errors(app)) == total
    assert re.search(rf"\b{total} errors", shown(app))
    assert "All" not in labels(app)


def test_errors_by_margin_and_order():
    app = open_explain()
    table = errors(app)
    threshold = float(-table["margin"].median())
    app.session_state["explain_margin"] = threshold
    app.session_state["errors_sorted"] = "closest first"
    app.run()
    closest = errors(app)
    assert closest["margin"].is_monotonic_decreasing
    assert closest["margin"].max() <= -threshold + 1e-6
    assert len(closest) == int((-table["margin"] >= threshold - 1e-9).sum())
    app.session_state["explain_margin"] = 1.0
    app.run()
    assert re.search(rf"None of the {len(table)} errors", shown(app))
    assert "All in one table" not in [toggle.label for toggle in app.toggle]  # nor a list
    press(app, "All")
    assert len(errors(app)) == len(table)


def explain(app):
    return shown(press(app, "Explain it"))


def read_typed(examples, name="airline"):
    """What the library says of an example that is typed."""
    data = fitted(slp.ConstraintSLPClassifier(), name)
    encoder = slp.load_encoder(data.dataset.default_encoder)
    known = data.dataset.examples
    if encoder.by_draw:
        known = known.take(data.episode.support)
    x = encoder.encode_like(known, examples)[0]
    return data, x, read_point(data.model, x, data.centroids)


def test_a_sentence_of_ones_own_lands():
    typed = "The crew was lovely and we landed early"
    app = open_page("explain")
    app.text_input(key="own text").set_value(typed)
    text = explain(app)
    data, x, reading = read_typed(Examples("text", texts=(typed,)))
    assert reading.sentence() in text
    assert typed in [words.value for words in app.text]
    assert saved_as(app)["point"].startswith("point-typed_Airline-tweets_")
    assert all(change in text for change in what_would_change(data, x))
    press(app, "Back to the data")
    assert reading.sentence() not in shown(app)
    assert typed not in [words.value for words in app.text]
    assert truncated_text(1, 1) not in text
    app.text_input(key="own text").set_value(300 * "late ")
    assert truncated_text(1, 1) in explain(app)


def place(text):
    """w, the place along the line and r, as they stand under the chosen point's figure."""
    return re.search(r"Line \d+, w = [\d.]+: .* from its axis\.", text)[0]


WEIGHTED = {
    "encoder": "MetaSLP (mean of two) on MiniLM, layer 4",
    "combine": "support-weighted",
    "chunks": True,
}


@pytest.mark.parametrize(
    "settings",
    [
        {},
        {"normalisation": "centred, L2"},
        {"normalisation": "none"},
        WEIGHTED,
        WEIGHTED | {"normalisation": "centred, L2"},
    ],
    ids=str,
)
def test_a_sentence_from_the_data_lands_where_it_stands(settings):
    dataset = slp.load_dataset("airline")
    row = int(dataset.draw(16, 0).query[11])
    there = place(shown(open_page("explain", point=row, **settings)))
    app = open_page("explain", **settings)
    assert place(shown(app)) != there
    app.text_input(key="own text").set_value(dataset.examples.texts[row])
    assert place(explain(app)) == there


@pytest.mark.parametrize("clicked", [True, False])
def test_numbers_of_ones_own_start_as_those_of_the_point_on_show(clicked):
    dataset = slp.load_dataset("iris")
    row = int(dataset.draw(16, 0).query[3])
    app = open_page("explain", dataset=dataset.title, **({"point": row} if clicked else {}))
    if not clicked:
        row = int(re.search(r"Query point (\d+)", shown(app))[1])
    assert "Try numbers of your own" in shown(app)
    there = place(shown(app))
    data, _, reading = read_typed(dataset.examples.take([row]), "iris")
    assert data.reading(row).sentence() in shown(app)
    text = explain(app)
    assert reading.sentence() in text
    assert data.reading(row).sentence() not in text  # whose class is known
    assert place(text) == there
    assert place(explain(app)) == there  # as long as it is on show the table has it
    assert f"Query point {row}" in shown(press(app, "Back to the data"))


def refused(app):
    """What an example that is not whole is answered."""
    press(app, "Explain it")
    (error,) = app.error
    return error.value


def test_a_browser_that_still_shows_the_point_before_does_not_take_a_sentence_back():
    app = open_explain(point=3)
    before = app._tree
    app.run().text_input(key="own text").set_value("late again")
    assert point_on_show(press(app, "Explain it")) is None
    app._tree = before  # the next action comes with what that showed
    next(n for n in app.number_input if n.label == "Point").set_value(3)
    widget(app.toggle, "zoom").set_value(True).run()
    assert "late again" in [words.value for words in app.text]
    assert "typed" in link(app)
    next(n for n in app.number_input if n.label == "Point").set_value(3).run()
    assert "typed" not in link(app)  # and now it is meant


@pytest.mark.parametrize(
    ("kind", "typed"), [("text", '[" "]'), ("pair", '["a", ""]'), ("span", '["a", ""]')]
)
def test_an_address_with_half_an_example_is_not_followed(kind, typed):
    app = open_page("explain", {"typed": typed}, dataset=title_of(kind))
    assert "Your own" not in shown(app)
    assert "typed" not in link(app)


def test_a_pair_and_a_phrase_are_asked_for_whole():
    dataset, _ = vectors(title_of("pair"))
    app = open_page("explain", dataset=dataset.title)
    app.text_input(key="own text").set_value("A man sleeps.")
    assert "text" in refused(app)
    app.text_input(key="own second text").set_value("Nobody sleeps.")
    pair = Examples("pair", texts=("A man sleeps.",), pairs=("Nobody sleeps.",))
    assert read_typed(pair, dataset.name)[2].sentence() in explain(app)

    dataset, _ = vectors(title_of("span"))
    text, phrase = "Where is the Thai place?", "Thai"
    app = open_page("explain", dataset=dataset.title)
    app.text_input(key="own text").set_value(text)
    app.text_input(key="own phrase").set_value("sushi")
    assert "phrase" in refused(app)
    app.text_input(key="own phrase").set_value(phrase)
    start = text.index(phrase)
    span = Examples("span", texts=(text,), spans=((start, start + len(phrase)),))
    assert read_typed(span, dataset.name)[2].sentence() in explain(app)


def title_of(kind):
    return next(info.title for info in slp.list_datasets() if info.kind == kind)


def test_an_encoder_fitted_on_the_whole_table_takes_no_sentence():
    tfidf = next(e.title for e in slp.list_encoders() if e.name == "tfidf-svd")
    app = open_page("explain", encoder=tfidf)
    shown(app)
    assert len(told_aside(app)) == 1
    assert "Explain it" not in labels(app)
    assert "Explain it" in labels(open_page("explain"))


def test_empty_words_are_refused():
    assert "sentence" in refused(open_page("explain"))


def test_the_papers_examples_are_worked_when_they_are_opened():
    steps = [*worked_example().steps, *counter_example()[1]]
    expected = {(step.name, step.computed, step.printed or "–", step.why) for step in steps}

    def told(app):
        tables = [element.value for element in app.table]
        return {row for table in tables for row in table.itertuples(index=False, name=None)}

    assert not expected & told(open_page("explain", folded=True))
    app = open_page("explain")
    shown(app)
    assert expected <= told(app)
    assert "the paper's toy" in charts(app)
