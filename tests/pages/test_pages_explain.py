"""The Explain page, run without a browser."""

import re
from urllib.parse import unquote

import numpy as np
import pytest
from driving import (
    charts,
    fitted,
    labels,
    link,
    open_page,
    press,
    said,
    shown,
    table_with,
    told_aside,
    until,
    vectors,
    ways,
    widget,
)

import slp_core as slp
from pages.session.methods import ON_VECTORS
from pages.session.text import truncated_text
from slp_core.data import Examples
from slp_core.data.images import image_of, pixel_svg
from slp_core.evaluation.draws import arrays_of
from slp_core.explain import counterfactuals, read_causes, read_point
from slp_core.explain.causes import CAUSE_NAMES, explain_errors, headline
from slp_core.explain.profile import half_planes, line_profile
from slp_core.explain.shots import read_shots
from slp_core.explain.text import (
    check_labels_text,
    correcting_shot_text,
    correcting_shots_text,
    counterfactual_text,
    half_plane_text,
    half_plane_title,
    headline_text,
    line_text,
    prediction_text,
)
from slp_core.markdown import unmarked, without_terms

CHECK = "check this label"
EVERY_KIND = ("Entailment pairs", "Restaurant queries", "Handwritten digits", "A, B and C")


def open_explain(**settings):
    """With all errors in one table, and the selected example."""
    return open_page("explain", unfolded=["open_errors", "open_example"], **settings)


def errors(app):
    return table_with(app, "cause")


def expected_errors(name="airline"):
    """The library's own table, with rows of the dataset."""
    data = fitted(slp.ConstraintSLPClassifier(), name)
    y = np.array(data.dataset.classes)[data.episode.y_query]
    table = explain_errors(data.model, data.query, y)
    table["index"] = data.episode.query[table["index"]]
    return table


def causes_of(data):
    return read_causes(data.model, data.query, data.episode.y_query, data.centroids)


def first_sentence(data, method="constraintSLP"):
    return without_terms(headline_text(headline(data.model, method, causes_of(data))))


def what_would_change(data, x, true=None):
    """In a sentence each, about constraintSLP's prediction."""
    reading = read_point(data.model, x, data.centroids, true)
    found = counterfactuals(data.model, reading, deep_slp(data), "DeepSLP")
    return [counterfactual_text(item, reading) for item in found]


def deep_slp(data):
    support = data.episode.support
    names = np.array(data.dataset.classes)[data.episode.y_support]
    return slp.DeepSLPClassifier().fit(data.X[support], names)


def test_it_opens_on_the_line_with_most_errors_beside_their_causes():
    app = open_page("explain")
    text = shown(app)
    data = fitted(slp.ConstraintSLPClassifier())
    causes = causes_of(data)
    opening = headline(data.model, "M", causes).line
    assert without_terms(app.subheader[0].value) == first_sentence(data)
    assert f"Errors: {len(expected_errors())}." in text
    default = causes.default_point(opening)
    changes = what_would_change(data, data.query[default], data.episode.y_query[default])
    assert all(change in text for change in changes)
    drawn = charts(app)
    assert {"causes", "w strip", "confusion", "half-plane"} <= set(drawn)
    profile = line_profile(data.model, opening, causes.examples)
    assert drawn["w strip"][1] == unmarked(line_text(profile))
    folded = open_page("explain", {"open_theorem2": "true", "open_examples": "true"}, folded=True)
    shown(folded)  # an old link
    assert list(charts(folded)) == ["w strip", "causes"]


def test_the_shots_whose_removal_corrects_an_error_are_beside_the_counterfactuals():
    data = fitted(slp.ConstraintSLPClassifier())
    found = read_shots(slp.ConstraintSLPClassifier(), *arrays_of(data.episode, data.X))
    place = max(causes_of(data).wrong.nonzero()[0], key=lambda p: len(found.correcting(p)))
    first, *_ = found.correcting(place)
    words = data.dataset.describe(int(data.episode.support[first]))
    app = open_explain(point=int(data.episode.query[place]))
    until(app, lambda: correcting_shots_text(found, place) in said(app))
    assert correcting_shot_text(found, first, words) in shown(app)


def test_the_table_holds_every_error_with_its_cause():
    expected = expected_errors().set_index("index").sort_index()
    data, app = fitted(slp.ConstraintSLPClassifier()), open_explain()
    until(app, lambda: CHECK in errors(app))
    table = errors(app).set_index("row").sort_index()
    doubtful = slp.doubtful_labels(data.X, data.dataset.labels).set_index("row")["suggested"]
    assert table[CHECK].tolist() == [doubtful.get(row, "") for row in table.index]
    assert check_labels_text(sum(table[CHECK] != "")) in shown(app)
    assert table.index.tolist() == expected.index.tolist()
    assert table["cause"].tolist() == [CAUSE_NAMES[kind] for kind in expected["cause"]]
    np.testing.assert_allclose(table["w"], expected["w"])
    np.testing.assert_allclose(table["margin"], expected["margin"])


@pytest.mark.parametrize("title", EVERY_KIND)
def test_every_kind_of_data_opens(title):
    app = open_page("explain", dataset=title, shots=4)
    until(app, lambda: "errors on the map" in charts(app))
    shown(app)
    assert {"causes", "w strip"} <= set(charts(app))
    (way,) = ways(app)
    assert (len(way["texts"]), bool(way["tokens"]), way["image"] is not None) == {
        "Entailment pairs": (2, True, False),
        "Restaurant queries": (1, True, False),
        "Handwritten digits": (0, False, True),
        "A, B and C": (0, False, False),
    }[title]
    assert any(used for _, used in way["tokens"]) == bool(way["tokens"])
    assert all(used for _, used in way["tokens"]) == (title != "Restaurant queries")
    assert bool(way["features"]) == (title == "A, B and C")


@pytest.mark.parametrize("method", list(ON_VECTORS))
def test_every_method_has_its_page(method):
    title = "Emotions"
    app = open_explain(dataset=title, method=method)
    text = shown(app)
    own = first_sentence(fitted(ON_VECTORS[method].make(), title), method)
    without = method in ("Nearest centroid", "1-nearest neighbour", "Logistic regression")
    subheader = without_terms(app.subheader[0].value)
    if without:
        (note,) = told_aside(app)
        assert note.endswith("has no line with several classes. This page shows constraintSLP.")
        # The same examples are explained with lines.
        assert subheader == first_sentence(fitted(slp.ConstraintSLPClassifier(), title))
    else:
        assert subheader == own
        assert ("the lines are the logits of example " in text) == (method == "DeepSLP")
    assert f"**{'constraintSLP' if without else method}**" in text


@pytest.mark.parametrize("option", ["projected onto the line", "full"])
def test_either_distance_has_the_other_beside_it(option):
    app = open_page("explain", unfolded=["open_side"], distance=option)
    text = shown(app)
    along = option == "projected onto the line"
    data = fitted(slp.ConstraintSLPClassifier(distance="along_line" if along else "euclidean"))
    planes = half_planes(line_profile(data.model, 0, causes_of(data).examples), along)
    assert list(planes) == [along, not along]
    for along_line, plane in planes.items():
        assert f"**{half_plane_title(along_line, along_line == along)}**" in text
        assert half_plane_text(plane) in text
    drawn = [(name, alt) for name, (_, alt) in charts(app).items() if "half-plane" in name]
    names = {True: "half-plane after projection", False: "half-plane"}
    assert drawn == [(names[along_line], half_plane_text(p)) for along_line, p in planes.items()]


def test_one_shot_and_causes_stacked_by_line_leave_it_whole():
    shown(open_page("explain", shots=1, dataset="Emotions", stacked="by line"))


def test_a_chosen_point_is_taken_apart_and_its_line_shown():
    data = fitted(slp.ConstraintSLPClassifier(), "emotions")
    episode = data.episode
    at = data.model.place(data.query)
    opened = widget(open_explain(dataset="Emotions").selectbox, "explain_line").value
    position = int(np.flatnonzero(at.line != opened)[0])
    row = int(episode.query[position])
    app = open_explain(dataset="Emotions", point=row)
    text = shown(app)
    assert f"Query example {row}" in text
    assert widget(app.selectbox, "explain_line").value == at.line[position]
    assert f"w = {at.w[position]:.3f}" in text
    assert prediction_text(data.reading(row)) in text
    (way,) = ways(app)
    assert way["title"] == f"Query example {row}"
    # To the last bits, which depend on how many rows are placed at once
    assert (way["line"], way["t"]) == (at.line[position], pytest.approx(at.t[position]))
    widget(app.selectbox, "explain_line").set_value(opened).run()  # and back, by hand
    assert widget(app.selectbox, "explain_line").value == opened


def test_a_filter_leaves_its_errors_alone_and_can_be_taken_away():
    app = open_explain(open_map=True)
    total = len(errors(app))
    app.session_state["explain_cause"] = "concentration"
    app.session_state["explain_class"] = "positive"
    app.run()
    table = errors(app)
    assert 0 < len(table) < total
    assert set(table["cause"]) == {"concentration"}
    assert set(table["true"]) == {"positive"}
    n, m = len(table), len(fitted(slp.ConstraintSLPClassifier()).query)
    assert re.search(rf"\b{n} of {total} .*concentration.*positive", shown(app))
    until(app, lambda: "errors on the map" in charts(app))
    assert re.search(rf"\b{n} of {m}\b", shown(app))  # the map's too
    press(app, "Show all errors")
    assert len(errors(app)) == total


@pytest.mark.parametrize("on_map", [True, False])
def test_a_shot_opens_its_menu_once(on_map):
    shot = int(fitted(slp.ConstraintSLPClassifier()).episode.support[0])
    app = open_explain(open_map=on_map, open_example=True, point=shot)
    if on_map:
        until(app, lambda: "errors on the map" in charts(app))
        assert "support example · true label" in str(charts(app)["errors on the map"])
    press(app, "Remove")
    assert link(app)["edits"] == f"r{shot}"


def point_on_show(app):
    return next(n.value for n in app.number_input if n.label == "Example")


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
    next(n for n in app.number_input if n.label == "Example").set_value(mine).run()
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
    assert re.search(rf"Errors: {total}\.", shown(app))
    assert "Show all errors" not in labels(app)


def test_errors_by_margin_and_order():
    app = open_explain()
    table = errors(app)
    threshold = float(-table["margin"].median())
    app.session_state["explain_margin"] = threshold
    app.session_state["errors_sorted"] = "smallest margin first"
    app.run()
    closest = errors(app)
    assert closest["margin"].is_monotonic_decreasing
    assert closest["margin"].max() <= -threshold + 1e-6
    assert len(closest) == int((-table["margin"] >= threshold - 1e-9).sum())
    app.session_state["explain_margin"] = 1.0
    app.run()
    assert re.search(rf"Errors: 0 of {len(table)}\b", shown(app))
    press(app, "Show all errors")
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
    app = open_explain()
    app.text_input(key="own text").set_value(typed)
    text = explain(app)
    data, x, reading = read_typed(Examples("text", texts=(typed,)))
    assert prediction_text(reading) in text
    assert [part for (part, *_) in ways(app)[0]["texts"]] == [typed]
    assert ways(app)[0]["true"] is None
    assert all(change in text for change in what_would_change(data, x))
    press(app, "Back to the dataset")
    assert prediction_text(reading) not in shown(app)
    assert [part for (part, *_) in ways(app)[0]["texts"]] != [typed]
    assert truncated_text(1, 1) not in text
    app.text_input(key="own text").set_value(300 * "late ")
    assert truncated_text(1, 1) in explain(app)


def place(text):
    """w, the place along the line and r, as they stand under the chosen point's figure."""
    return re.search(r"Line \d+: w = .*, t = .*, r = [^ ]*\.", text)[0]


WEIGHTED = {
    "encoder": "Averaged MetaSLP (two) on MiniLM, layer 4",
    "combine": "support-weighted",
    "chunks": True,
}


@pytest.mark.parametrize(
    "settings",
    [
        {"normalisation": "centred, L2"},
        {"normalisation": "none"},
        WEIGHTED | {"normalisation": "centred, L2"},
    ],
    ids=str,
)
def test_a_sentence_from_the_data_lands_where_it_stands(settings):
    dataset = slp.load_dataset("airline")
    row = int(dataset.draw(16, 0).query[11])
    app = open_explain(point=row, **settings)
    there = place(shown(app))
    next(n for n in app.number_input if n.label == "Example").set_value(row + 1).run()
    assert place(shown(app)) != there
    app.text_input(key="own text").set_value(dataset.examples.texts[row])
    assert place(explain(app)) == there


@pytest.mark.parametrize("clicked", [True, False])
def test_numbers_of_ones_own_start_as_those_of_the_point_on_show(clicked):
    dataset = slp.load_dataset("iris")
    row = int(dataset.draw(16, 0).query[3])
    app = open_explain(dataset=dataset.title, **({"point": row} if clicked else {}))
    if not clicked:
        row = int(re.search(r"Query example (\d+)", shown(app))[1])
    assert "Try your own numbers" in shown(app)
    there = place(shown(app))
    data, _, reading = read_typed(dataset.examples.take([row]), "iris")
    assert prediction_text(data.reading(row)) in shown(app)
    text = explain(app)
    assert prediction_text(reading) in text
    assert prediction_text(data.reading(row)) not in text  # whose class is known
    assert place(text) == there
    assert place(explain(app)) == there  # as long as it is on show the table has it
    assert f"Query example {row}" in shown(press(app, "Back to the dataset"))


def refused(app):
    """What is said of an example that is not whole, and said still once a job runs the page."""
    press(app, "Explain it").run()
    (error,) = app.error
    return error.value


def test_a_browser_that_still_shows_the_point_before_does_not_take_a_sentence_back():
    app = open_explain(point=3)
    before = app._tree
    app.run().text_input(key="own text").set_value("late again")
    assert point_on_show(press(app, "Explain it")) is None
    app._tree = before  # the next action comes with what that showed
    next(n for n in app.number_input if n.label == "Example").set_value(3)
    widget(app.toggle, "zoom").set_value(True).run()
    assert ways(app)[0]["texts"] == [["late again", "", ""]]
    assert "typed" in link(app)
    next(n for n in app.number_input if n.label == "Example").set_value(3).run()
    assert "typed" not in link(app)  # and now it is meant


@pytest.mark.parametrize(
    ("kind", "typed"), [("text", '[" "]'), ("pair", '["a", ""]'), ("span", '["a", ""]')]
)
def test_an_address_with_half_an_example_is_not_followed(kind, typed):
    app = open_page("explain", {"typed": typed}, folded=True, dataset=title_of(kind))
    assert "Your example" not in shown(app)
    assert "typed" not in link(app)


def test_a_pair_and_a_phrase_are_asked_for_whole():
    dataset, _ = vectors(title_of("pair"))
    app = open_explain(dataset=dataset.title)
    app.text_input(key="own text").set_value("A man sleeps.")
    assert "text" in refused(app)
    app.text_input(key="own second text").set_value("Nobody sleeps.")
    pair = Examples("pair", texts=("A man sleeps.",), pairs=("Nobody sleeps.",))
    assert prediction_text(read_typed(pair, dataset.name)[2]) in explain(app)
    assert not app.error

    dataset, _ = vectors(title_of("span"))
    text, phrase = "Where is the Thai place?", "Thai"
    app = open_explain(dataset=dataset.title)
    app.text_input(key="own text").set_value(text)
    app.text_input(key="own phrase").set_value("sushi")
    assert "phrase" in refused(app)
    app.text_input(key="own phrase").set_value(phrase)
    start = text.index(phrase)
    span = Examples("span", texts=(text,), spans=((start, start + len(phrase)),))
    assert prediction_text(read_typed(span, dataset.name)[2]) in explain(app)


def title_of(kind):
    return next(info.title for info in slp.list_datasets() if info.kind == kind)


def test_empty_words_are_refused():
    assert "sentence" in refused(open_page("explain", folded=True))


def test_the_example_to_compare_with_is_one_of_the_data_on_the_table():
    app = open_page("explain", {"second": "7"}, unfolded=["open_example"], dataset="Iris flowers")
    assert widget(app.number_input, "second_number").value == 7
    assert len(ways(app)) == 2
    widget(app.selectbox, "dataset").set_value("Wine").run()
    assert widget(app.number_input, "second_number").value is None
    assert len(ways(app)) == 1
    assert "second" not in link(app)


def test_errors_among_images_are_listed_as_images():
    app = open_page("explain", unfolded=["open_errors"], dataset="Handwritten digits", shots=8)
    table = table_with(app, "cause")
    assert "text" not in table
    data, row = app.session_state["workspace"].dataset, int(table["row"].iloc[0])
    assert unquote(table["image"].iloc[0]).endswith(pixel_svg(image_of(data, row), ""))
