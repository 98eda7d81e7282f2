"""The Explain page, run without a browser."""

import numpy as np
import pytest
from driving import open_page, shown

import slp_core as slp
from pages.explain.errors import TITLES as CAUSES
from pages.session.methods import ON_VECTORS
from slp_core.explain.causes import explain_errors

TITLES = [info.title for info in slp.list_datasets()]


def errors(app):
    return next(d.value for d in app.dataframe if "cause" in d.value.columns)


def expected_errors(name="airline", shots=16, draw=0):
    """The library's own table, with rows of the dataset."""
    dataset = slp.load_dataset(name)
    X = slp.load_encoder(dataset.default_encoder).encode(dataset)
    episode = dataset.draw(shots, draw)
    names = np.array(dataset.classes)
    model = slp.ConstraintSLPClassifier().fit(X[episode.support], names[episode.y_support])
    table = explain_errors(model, X[episode.query], names[episode.y_query])
    table["index"] = episode.query[table["index"]]
    return table


def test_it_opens_on_the_answer_to_the_question():
    app = open_page("explain")
    text = shown(app)
    headline = app.subheader[0].value
    assert "constraintSLP answers *negative* for all 87 points of line 1" in headline
    assert "Every point's w lies between 0.44 and 0.56" in headline
    assert "All 58 errors" in text
    assert "What would change the answer" in text
    assert "(75%) are given to another class" in text  # Theorem 2 as a number
    assert "θ = 66.80°" in text  # the paper's example


def test_the_table_holds_every_error_with_its_cause():
    expected = expected_errors().set_index("index").sort_index()
    table = errors(open_page("explain")).set_index("row").sort_index()
    assert table.index.tolist() == expected.index.tolist()
    assert table["cause"].tolist() == [CAUSES[kind][0] for kind in expected["cause"]]
    np.testing.assert_allclose(table["w"], expected["w"])
    np.testing.assert_allclose(table["margin"], expected["margin"])


@pytest.mark.parametrize("title", TITLES)
def test_every_bundled_dataset_opens(title):
    assert "One point" in shown(open_page("explain", dataset=title))


@pytest.mark.parametrize("method", list(ON_VECTORS))
@pytest.mark.parametrize("title", ["Emotions", "Disaster or not"])
def test_every_method_has_its_page(method, title):
    text = shown(open_page("explain", dataset=title, method=method))
    without = ("Nearest centroid", "1-nearest neighbour", "Logistic regression")
    assert (f"{method} has no lines" in text) == (method in without)
    assert ("Local: DeepSLP's soft labels depend on the point" in text) == (method == "DeepSLP")


@pytest.mark.parametrize("option", ["along the line", "of the point itself"])
def test_either_distance_has_the_other_beside_it(option):
    text = shown(open_page("explain", distance=option))
    own = "along the line" if option == "along the line" else "of the points themselves"
    assert f"As it votes: distances {own}" in text
    assert "If it voted otherwise: distances" in text


@pytest.mark.parametrize("stacked", ["by class", "by line"])
def test_causes_are_stacked_by_class_or_by_line(stacked):
    shown(open_page("explain", dataset="Emotions", stacked=stacked))


def test_one_shot_and_few_points_leave_it_whole():
    for shots in (1, 2):
        shown(open_page("explain", shots=shots, dataset="Emotions"))


def test_a_chosen_point_is_taken_apart_and_its_line_shown():
    dataset = slp.load_dataset("emotions")
    X = slp.load_encoder(dataset.default_encoder).encode(dataset)
    episode = dataset.draw(16, 0)
    model = slp.ConstraintSLPClassifier().fit(X[episode.support], episode.y_support)
    at = model.place(X[episode.query])
    opened = open_page("explain", dataset="Emotions").selectbox(key="explain_line").value
    position = int(np.flatnonzero(at.line != opened)[0])
    row = int(episode.query[position])
    app = open_page("explain", dataset="Emotions", point=row)
    text = shown(app)
    assert f"Query point {row}" in text
    assert dataset.describe(row) in text
    assert app.selectbox(key="explain_line").value == at.line[position]
    assert f"w = {at.w[position]:.3f}" in text
    app.selectbox(key="explain_line").set_value(opened).run()  # and back, by hand
    assert app.selectbox(key="explain_line").value == opened


def test_a_filter_leaves_its_errors_alone_and_can_be_taken_away():
    app = open_page("explain")
    total = len(errors(app))
    app.session_state["explain_cause"] = "concentration"
    app.session_state["explain_class"] = "positive"
    app.run()
    table = errors(app)
    assert 0 < len(table) < total
    assert set(table["cause"]) == {"concentration"}
    assert set(table["true"]) == {"positive"}
    assert f"{len(table)} of {total} errors: *concentration*, true *positive*" in shown(app)
    assert f"{len(table)} of 87 query points: what the bars" in shown(app)  # the map's too
    next(b for b in app.button if b.label == "All").click().run()
    assert len(errors(app)) == total


def test_the_line_to_look_at_follows_the_filter():
    app = open_page("explain", dataset="Emotions")
    app.session_state["explain_at_line"] = 3
    app.run()
    assert app.selectbox(key="explain_line").value == 3
    app.selectbox(key="explain_line").set_value(0).run()
    assert app.selectbox(key="explain_line").value == 0
    assert set(errors(app)["line"]) == {4}


def test_a_filter_does_not_outlive_its_data():
    left_over = {"explain_class": "positive", "explain_filtered": "another model"}
    assert "All 187 errors" in shown(open_page("explain", dataset="Emotions", **left_over))


def test_errors_by_margin_and_order():
    app = open_page("explain")
    table = errors(app)
    threshold = float(-table["margin"].median())
    app.session_state["explain_margin"] = threshold
    app.session_state["errors_sorted"] = "closest first"
    app.run()
    closest = errors(app)
    assert closest["margin"].is_monotonic_decreasing
    assert closest["margin"].max() <= -threshold + 1e-6
    assert len(closest) == int((-table["margin"] >= threshold - 1e-9).sum())


def explain(app):
    next(b for b in app.button if b.label == "Explain it").click().run()
    return shown(app)


def test_a_sentence_of_ones_own_lands():
    app = open_page("explain")
    app.text_input(key="own text").set_value("The crew was lovely and we landed early")
    text = explain(app)
    assert "**Your own**" in text
    assert "The crew was lovely and we landed early" in text
    assert "Answered *negative*" in text
    assert "What would change the answer" in text
    next(b for b in app.button if b.label == "Back to the data").click().run()
    assert "**Your own**" not in shown(app)


def test_a_sentence_from_the_data_lands_where_it_stands():
    dataset = slp.load_dataset("airline")
    row = int(dataset.draw(16, 0).query[11])
    there = shown(open_page("explain", point=row))
    app = open_page("explain")
    app.text_input(key="own text").set_value(dataset.examples.texts[row])
    placed = next(line for line in there.splitlines() if line.startswith("Line 1: w = "))
    assert placed in explain(app)


@pytest.mark.parametrize("vectors", ["centred, unit length", "as they come"])
def test_a_sentence_is_treated_as_the_data_are(vectors):
    dataset = slp.load_dataset("airline")
    row = int(dataset.draw(16, 0).query[11])
    there = shown(open_page("explain", point=row, normalisation=vectors))
    app = open_page("explain", normalisation=vectors)
    app.text_input(key="own text").set_value(dataset.examples.texts[row])
    placed = next(line for line in there.splitlines() if line.startswith("Line 1: w = "))
    assert placed in explain(app)


def test_numbers_of_ones_own_start_as_the_clicked_ones():
    dataset = slp.load_dataset("iris")
    row = int(dataset.draw(16, 0).query[3])
    app = open_page("explain", dataset=dataset.title, point=row)
    placed = next(line for line in shown(app).splitlines() if ": w = " in line)
    text = explain(app)
    assert "**Your own**" in text
    assert placed in text


def test_a_pair_and_a_phrase_are_asked_for_whole():
    app = open_page("explain", dataset=title_of("pair"))
    app.text_input(key="own text").set_value("A man sleeps.")
    next(b for b in app.button if b.label == "Explain it").click().run()
    assert [e.value for e in app.error] == ["Both texts are needed."]
    app = open_page("explain", dataset=title_of("span"))
    app.text_input(key="own text").set_value("Where is the Thai place?")
    app.text_input(key="own phrase").set_value("sushi")
    next(b for b in app.button if b.label == "Explain it").click().run()
    assert "letter by letter" in app.error[0].value


def title_of(kind):
    return next(info.title for info in slp.list_datasets() if info.kind == kind)


def test_an_encoder_fitted_on_the_whole_table_takes_no_sentence():
    tfidf = next(e.title for e in slp.list_encoders() if e.name == "tfidf-svd")
    text = shown(open_page("explain", encoder=tfidf))
    assert "has no place in it" in text


def test_empty_words_are_refused_in_a_sentence():
    app = open_page("explain")
    next(b for b in app.button if b.label == "Explain it").click().run()
    assert [e.value for e in app.error] == ["There is no sentence to explain."]
    assert not app.exception
