"""The Learn page and teachers' links, run without a browser."""

import numpy as np
import pytest
from driving import charts, chosen, fitted, labels, open_page, press, said, shown, widget
from streamlit.util import calc_hash

import slp_core as slp
from pages.session.lectures import lecture_of, packed, picture_of
from slp_core.lessons.stage import LESSON_STAGES
from slp_core.lessons.table import LESSONS, SHORT_PATH
from slp_core.methods.training import train

PAPERS = slp.DeepSLPClassifier(preset="paper")


def table(app):
    """What the sidebar has settled."""
    return {key: chosen(app, key) for key in ("dataset", "shots", "draw", "method")}


def line(app):
    """The slim line on top."""
    return [each.value for each in app.caption if "accuracy **" in each.value]


@pytest.fixture(scope="module")
def lessons():
    """One visit that goes from step to step."""
    return open_page("learn", folded=True)


@pytest.mark.parametrize("name", LESSONS)
def test_every_step_draws_its_views(lessons, name):
    app, lesson = lessons, LESSONS[name]
    app.button(key=f"begin {name}").click().run()
    for step in lesson.steps:
        assert step.title in shown(app)
        assert (
            charts(app)
            or app.table
            or {"training", "episode", "one way", *LESSON_STAGES} & set(step.views)
        )
        press(app, "Next")
    assert lesson.question.text in shown(app)
    press(app, "Exit lesson")
    assert table(app) == {
        "dataset": "Airline tweets", "shots": 16, "draw": 0, "method": "constraintSLP",
    }  # fmt: skip


def test_a_lesson_is_answered_left_and_resumed_and_the_settings_are_as_before():
    app = open_page("learn", folded=True, dataset="Iris flowers", shots=4, method="DeepSLP")
    before = table(app)
    assert line(app)
    app.button(key="begin soft_label").click().run()
    assert not line(app)  # a lesson has the window to itself
    assert table(app)["dataset"] == "Blue, green, yellow"
    press(press(press(app, "Next"), "Next"), "Next")
    (answer,) = [r for r in app.radio if r.label == "Your answer"]
    answer.set_value(0).run()
    assert "**Not quite.**" in said(app)
    (answer,) = [r for r in app.radio if r.label == "Your answer"]
    answer.set_value(1).run()
    assert any("**Correct.**" in each.value for each in app.success)
    following = LESSONS[SHORT_PATH[1]].title
    assert f"Next of the three-minute path: {following}" in labels(app)
    press(app, "Exit lesson")
    assert table(app) == before
    assert "1 of 9 lessons done." in shown(app)
    assert app.button(key="begin soft_label").icon == ":material/check_circle:"
    assert app.button(key=f"begin {SHORT_PATH[1]}").proto.type == "primary"
    app.button(key="begin toy_example").click().run()
    press(app, "Next")
    press(app, "Exit lesson")
    assert app.button(key="begin toy_example").help == "Step 2 of 3"
    app.button(key="begin toy_example").click().run()
    assert "What constraintSLP computes" in shown(app)
    # What the visitor changes is told, and taken back.
    widget(app.selectbox, "dataset").select("Wine").run()
    press(app, "Reset step")
    assert table(app)["dataset"] == "Blue, green, yellow"
    # Who leaves, and clicks on before the page has answered, has left.
    for label in ("Next", "Exit lesson"):
        next(b for b in app.button if b.label == label).click()
    app.run()
    assert not app.exception, app.exception
    assert app.button(key="begin toy_example").proto.type == "primary"


def test_a_browser_that_still_shows_the_step_before_does_not_lead_back_to_it():
    app = open_page("learn", {"lesson": "toy_example"}, folded=True)
    first, second, *_ = LESSONS["toy_example"].steps
    before, address = app._tree, dict(app.query_params)
    press(app.run(), "Next")
    app._tree = before  # the next action comes with what that showed, and by its address
    app.query_params.clear()
    app.query_params.update(address)
    widget(app.button_group, "step_choice").set_value(0)
    widget(app.number_input, "point_number").set_value(0)
    widget(app.selectbox, "dataset").select("Wine").run()
    assert second.title in shown(app)
    assert first.title not in said(app)
    assert table(app)["dataset"] == "Wine"
    widget(app.button_group, "step_choice").set_value(3).run()
    assert LESSONS["toy_example"].question.text in shown(app)


def test_a_link_opens_a_lesson_hides_and_refuses_what_it_does_not_know():
    query = {"lesson": "theorem2", "step": "1", "hide": "method,<b>$x$", "ask": "answer,nothing"}
    app = open_page("learn", query, folded=True)
    text = shown(app)
    assert "Move the centroids" in text
    assert table(app)["dataset"] == "A, B and C"
    assert text.count("The link asks for") == 2
    assert r"\<b>\$x\$" in text  # as text
    styles = [each.proto.body for each in app.get("html")]
    assert any(".st-key-method-options" in style and "display: none" in style for style in styles)
    app = open_page("learn", {"lesson": "no such", "step": "99"}, folded=True)
    assert "lesson” = “no such”" in shown(app).replace("\u2060", "")
    assert app.button(key="begin soft_label")


def test_the_papers_numbers_are_folded_on_learn():
    app = open_page("learn")
    shown(app)
    printed = [t.value for t in app.table if "printed in the paper" in map(str, t.value.columns)]
    assert [len(each) for each in printed] == [8, 8]


def test_every_scene_of_the_lecture_opens_and_back_leads_to_it():
    app = open_page("explore", folded=True, dataset="Iris flowers")
    scenes = lecture_of("prototypes").scenes
    for number, scene in enumerate(scenes, start=1):
        app._page_hash = calc_hash("learn")
        steps = {"lecture": "prototypes", "scene": str(number), "back": str(number)}
        app.query_params.update(steps)
        app.run()
        assert [each.value for each in app.title] == [scene.title]
        assert scene.sentence in shown(app)
        assert charts(app) or picture_of(scene) in ("training", *LESSON_STAGES)
        assert not line(app)
    app.query_params.clear()
    app.query_params.update({"dataset": "Iris flowers", "back": "0"})
    app.run()
    assert not app.title
    assert table(app)["dataset"] == "Iris flowers"


def test_a_lecture_is_found_from_the_apps_own_address_and_its_words_are_text():
    words = 'title = "<b>$x$</b>"\nsentence = ":red[a]"\nlink = "bands"\n'
    app = open_page(query={"lecture": packed(f'title = "Ours"\n[[scenes]]\n{words}'.encode())})
    assert [each.value for each in app.title] == [r"\<b>\$x\$\</b>"]
    assert "lesson bands" in charts(app)
    app = open_page("learn", {"lecture": "no such"}, folded=True)
    assert "lecture” = “no such”" in shown(app).replace("\u2060", "")


def test_what_the_lecture_calls_correct_is_so():
    correct = [scene.correct for scene in lecture_of("prototypes").scenes]
    w = np.linspace(0, 1, 101)[:, None]
    for share, predicted in ((0.33, False), (0.34, True)):
        a, b = np.array([[1 - share, share, 0], [0, share, 1 - share]])
        assert (1 in (w * a + (1 - w) * b).argmax(axis=1)) == predicted
    assert correct[0] == "1/3"
    assert correct[1:3] == ["No", str(len(slp.load_dataset("toy_five_on_two_lines").classes))]

    many = fitted(slp.ConstraintSLPClassifier(), slp.load_dataset("toy_dimensions", dimension=512))
    assert set(many.model.predict(many.query)) == {"B"}
    assert np.bincount(many.episode.y_query).tolist() == [44, 44, 44]
    assert correct[3] == "All 132"

    tweets = fitted(PAPERS, "airline")
    of = np.array(tweets.dataset.classes)
    support = tweets.episode.support
    data = tweets.X[support], of[tweets.dataset.y[support]], tweets.query
    query = train(PAPERS, *data, of[tweets.episode.y_query]).curves["query"]
    assert correct[5] == "Before epoch 10"
    assert query[:9].max() > query[9:].max()
    assert round(query[4], 2) == 0.75

    cancer = fitted(PAPERS, "breast_cancer")
    true = np.array(cancer.dataset.classes)[cancer.episode.y_query]
    jsd = slp.ensemble_diagnostics(cancer.model, cancer.query, true).jsd
    wrong = cancer.model.predict(cancer.query) != true
    assert wrong.sum() == wrong[jsd > np.median(jsd)].sum() == 28
    assert correct[6] == "All 28"

    def mean(dataset, encoder):
        """Accuracy over ten support sets, as a whole percentage."""
        accuracies = []
        for draw in range(10):
            one = fitted(slp.DeepSLPClassifier(), dataset, draw=draw, encoder=encoder)
            true = np.array(one.dataset.classes)[one.episode.y_query]
            accuracies.append((one.model.predict(one.query) == true).mean())
        return round(100 * np.mean(accuracies))

    encoders = None, "metaslp-reptile-minilm-l4"
    assert [mean("products", encoder) for encoder in encoders] == [77, 82]
    assert [mean("airline", encoder) for encoder in encoders] == [72, 75]
    assert correct[7] == "Yes, but less"
