"""Tuning an encoder from the Encoders page."""

from driving import open_page, until


def tuned(app):
    next(b for b in app.button if b.label == "Tune it").click().run()
    until(app, lambda: not any(b.label == "Cancel" for b in app.button))
    assert not app.exception, app.exception
    return app


def test_an_encoder_is_tuned_and_what_changed_is_counted():
    app = tuned(open_page("encoders", shots=1))
    (text,) = [m.value for m in app.markdown if m.value.startswith("Tuned for")]
    assert "on 3 support points, MetaSLP gets" in text
    assert "of 132 query points right" in text
