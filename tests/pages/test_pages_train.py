"""The Train page, run without a browser."""

from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest
from waiting import until

ROOT = Path(__file__).resolve().parents[2]


def open_page(**settings):
    app = AppTest.from_file(ROOT / "app.py", default_timeout=60)
    for key, value in ({"pace": "as fast as it goes"} | settings).items():
        app.session_state[key] = value
    app.switch_page("pages/train.py").run()
    return app


def until_done(app):
    return until(app, lambda: "After" in text(app) and "Pause" not in labels(app))


def text(app):
    assert not app.exception, app.exception
    assert not app.error, [e.value for e in app.error]
    return "\n".join(e.value for e in [*app.subheader, *app.markdown, *app.caption, *app.info])


def labels(app):
    return [button.label for button in app.button]


def test_a_first_visit_shows_a_run_that_ends_by_itself():
    app = until_done(open_page())
    assert "After 60 of 60 epochs on 48 support points DeepSLP answers" in text(app)
    assert "constraintSLP**, the sidebar's method, has no epochs" in text(app)
    files = [d.label for d in app.get("download_button")]
    assert files.count("Model (safetensors + JSON)") == 2
    assert "Record (JSON)" in files
    assert "Reset" in labels(app)


@pytest.mark.parametrize("title", ["Emotions", "Disaster or not", "Wine", "A, B and C"])
def test_other_data(title):
    app = until_done(open_page(dataset=title, method="DeepSLP", shots=4))
    assert "epochs on" in text(app)


def test_a_second_run_waits_for_start_and_stands_beside_the_first():
    app = until_done(open_page(method="DeepSLP", draw=3))
    app.session_state["run_preset"] = "custom"
    app.session_state["run_epochs"] = 7
    app.run()
    assert "Press Start to train with these settings." in text(app)
    next(b for b in app.button if b.label == "Start").click().run()
    until_done(app)
    assert "After 7 of 7 epochs" in text(app)
    beside = next(s for s in app.selectbox if s.label == "Beside an earlier run")
    assert len(beside.options) >= 2
    beside.select(beside.options[1]).run()
    assert "of the query points, each of its own data." in text(app)


def test_lessons_are_one_click_away():
    app = until_done(open_page(method="DeepSLP"))
    assert "Does it matter" not in text(app)
