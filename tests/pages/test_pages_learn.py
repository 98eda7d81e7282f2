"""The Learn page and teachers' links, run without a browser."""

from driving import charts, chosen, labels, open_page, press, said, shown, table_with, until, widget

from slp_core.lessons.table import LESSONS


def table(app):
    """What the sidebar has settled."""
    return {key: chosen(app, key) for key in ("dataset", "shots", "draw", "method")}


def test_every_lesson_opens_on_its_views():
    app, seen = open_page("learn"), set()
    assert "shared soft labels" in charts(app)
    for lesson in LESSONS.values():
        app.button(key=f"begin {lesson.name}").click().run()
        for step in lesson.steps:
            if not set(step.views) <= seen:
                shown(app)
                assert step.title in said(app)
                if "episode" not in step.views:  # a training's picture comes when it is drawn
                    until(
                        app,
                        lambda: (
                            charts(app) or app.dataframe or app.table or "epochs took" in said(app)
                        ),
                    )
            seen |= set(step.views)
            press(app, "Next")
        assert lesson.question.text in shown(app)
        press(app, "Back to where I was")
    assert table(app) == {
        "dataset": "Airline tweets", "shots": 16, "draw": 0, "method": "constraintSLP",
    }  # fmt: skip


def test_a_lesson_is_answered_left_and_resumed_and_the_table_is_as_before():
    app = open_page("learn", dataset="Iris flowers", shots=4, method="DeepSLP")
    before = table(app)
    app.button(key="begin soft_label").click().run()
    assert table(app)["dataset"] == "Blue, green, yellow"
    press(press(press(app, "Next"), "Next"), "Next")
    (answer,) = [r for r in app.radio if r.label == "Your answer"]
    answer.set_value(0).run()
    assert "**Not so.**" in said(app)
    (answer,) = [r for r in app.radio if r.label == "Your answer"]
    answer.set_value(1).run()
    assert any("**Right.**" in each.value for each in app.success)
    press(app, "Back to where I was")
    assert table(app) == before
    assert "1 of 9 lessons done." in shown(app)
    app.button(key="begin toy_example").click().run()
    press(app, "Next")
    press(app, "Back to where I was")
    assert "Step 2 of 3" in shown(app)
    press(app, "Go on: The toy example")
    assert "What the soft labels are solved for" in shown(app)
    # What the visitor changes is told, and taken back.
    widget(app.selectbox, "dataset").select("Wine").run()
    press(app, "As the step has it")
    assert table(app)["dataset"] == "Blue, green, yellow"
    # Who leaves, and clicks on before the page has answered, has left.
    for label in ("Next", "Back to where I was"):
        next(b for b in app.button if b.label == label).click()
    app.run()
    assert not app.exception, app.exception
    assert "Go on: The toy example" in labels(app)


def test_a_browser_that_still_shows_the_step_before_does_not_lead_back_to_it():
    app = open_page("learn", {"lesson": "toy_example"})
    first, second, *_ = LESSONS["toy_example"].steps
    before, address = app._tree, dict(app.query_params)
    press(app.run(), "Next")
    app._tree = before  # the next action comes with what that showed, and by its address
    app.query_params.clear()
    app.query_params.update(address)
    widget(app.button_group, "step_choice").set_value(0)
    next(n for n in app.number_input if n.label == "Point").set_value(0)
    widget(app.selectbox, "dataset").select("Wine").run()
    assert second.title in shown(app)
    assert first.title not in said(app)
    assert table(app)["dataset"] == "Wine"
    widget(app.button_group, "step_choice").set_value(3).run()
    assert LESSONS["toy_example"].question.text in shown(app)


def test_a_link_opens_a_lesson_hides_and_refuses_what_it_does_not_know():
    query = {"lesson": "theorem2", "step": "1", "hide": "method,<b>$x$", "ask": "answer,nothing"}
    app = open_page("learn", query)
    told = shown(app)
    assert "Move A, B and C" in told
    assert table(app)["dataset"] == "A, B and C"
    assert told.count("which cannot be had here") == 2
    assert r"\<b>\$x\$" in told  # as text
    styles = [each.proto.body for each in app.get("html")]
    assert any(".st-key-method-options" in style and "display: none" in style for style in styles)
    app = open_page("learn", {"lesson": "dimensions", "step": "0"})
    assert "One strip says it all" in shown(app)
    press(app, "Back to where I was" if "Back to where I was" in labels(app) else "All lessons")
    assert "lessons done" in shown(app)
    app = open_page("learn", {"lesson": "no such", "step": "99"})
    assert "lesson” = “no such”" in shown(app).replace("\u2060", "")
    assert "Begin: A soft label" in labels(app)


def test_a_reading_is_covered_until_it_was_guessed():
    app = open_page("explore", {"ask": "answer", "dataset": "A, B and C"})
    assert "Choose a point on the map, and guess" in shown(app)
    assert not {"point", "confusion"} & set(charts(app))
    (guess,) = app.radio
    guess.set_value(guess.options[0]).run()
    assert "**Right**" in said(app) or "**It is**" in said(app)
    assert "point" in charts(app)

    app = open_page("explain", {"ask": "answer", "dataset": "A, B and C"})
    telling = {"causes", "w strip", "point", "half-plane", "errors on the map", "theorem 2"}
    assert not telling & set(charts(app))
    (guess,) = app.radio
    guess.set_value(guess.options[0]).run()
    assert telling <= set(charts(app))

    app = open_page("explain", {"ask": "cause"})
    assert "**Cause" not in shown(app)
    assert "w strip" in charts(app)  # what the cause is to be seen by
    assert "causes" not in charts(app)
    heads = set(table_with(app, "true").columns)
    assert "true" in heads
    assert not {"answered", "cause"} & heads
    (guess,) = app.radio
    guess.set_value(guess.options[-1]).run()
    assert "point" in charts(app)
    assert "Cause: **" in shown(app)
