"""Waiting for what a page computes in the background."""

import time


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
    """All that the page says in words."""
    parts = [app.subheader, app.markdown, app.caption, app.info, app.warning, app.error]
    return "\n".join(element.value for part in parts for element in part)
