"""Tuning an encoder from the Encoders page."""

from pathlib import Path

from streamlit.testing.v1 import AppTest
from waiting import until

APP = Path(__file__).resolve().parents[2] / "app.py"


def open_page(**settings):
    app = AppTest.from_file(APP, default_timeout=60)
    for key, value in settings.items():
        app.session_state[key] = value
    app.run()
    return app.switch_page("pages/encoders.py").run()


def tuned(app):
    next(b for b in app.button if b.label == "Tune it").click().run()
    until(app, lambda: not any(b.label == "Cancel" for b in app.button))
    assert not app.exception, app.exception
    return app


def test_an_encoder_is_tuned_and_what_changed_is_counted():
    app = tuned(open_page(shots=1))
    (text,) = [m.value for m in app.markdown if m.value.startswith("Tuned for")]
    assert "on 3 support points, MetaSLP gets" in text
    assert "of 132 query points right" in text
