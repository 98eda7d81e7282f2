"""Pages run without a browser: opening one, waiting for what it computes, reading what it says."""

import time
from pathlib import Path

from streamlit.testing.v1 import AppTest
from streamlit.util import calc_hash

MAIN = Path(__file__).resolve().parents[2] / "pages" / "shell" / "main.py"


def open_page(folder="explore", **settings):
    """A first visit to a page by its address, with these settings."""
    app = AppTest.from_file(MAIN, default_timeout=60)
    for key, value in settings.items():
        app.session_state[key] = value
    # `switch_page` would have to run the opening page first: it knows no address before that
    app._page_hash = calc_hash(folder)
    return app.run()


def until(app, there, seconds=120):
    """Run the page again and again until `there()` is true; or fail with all that it says."""
    end = time.monotonic() + seconds
    while not there():
        assert not app.exception, app.exception
        assert time.monotonic() < end, said(app)
        time.sleep(0.5)  # a run of the page holds up the work that it waits for
        app.run()
    return app


def said(app):
    """All that the page says in words, of whatever kind."""
    parts = [app.subheader, app.markdown, app.caption, app.text, app.info, app.warning, app.error]
    return "\n".join(element.value for part in parts for element in part)


def shown(app):
    """The same of a page on which nothing went wrong."""
    assert not app.exception, app.exception
    assert not app.error, [e.value for e in app.error]
    return said(app)
