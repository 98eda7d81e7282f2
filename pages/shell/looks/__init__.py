"""The app's own style sheets and scripts, in the page before anything is drawn.

A style that comes with the script's first answer comes after the first paint, and what it changes
jumps. So it is put into the page itself.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from streamlit.file_util import get_static_dir

_FOLDER = Path(__file__).parent
_END = b"</head>"
# What names the file as it was: kept, a browser would show the page of before an update for ever.
_DATED = {b"content-length", b"etag", b"last-modified"}


class Looks:
    """ASGI middleware: every page that is sent has style sheets and scripts in its head."""

    def __init__(self, app: Any):
        self._app = app
        self._head = head()

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """Pass a request on, and add to the answer if it is a page."""
        headers = scope.get("headers", ())
        page = scope["type"] == "http" and b"text/html" in dict(headers).get(b"accept", b"")
        if not page or scope["method"] != "GET":
            await self._app(scope, receive, send)
            return
        plain = [(name, value) for name, value in headers if name != b"accept-encoding"]
        start: Any = {}
        body = b""

        async def send_styled(message: Any) -> None:
            nonlocal start, body
            if message["type"] == "http.response.start":
                start = message
                return
            body += message.get("body", b"")
            if message.get("more_body", False):
                return
            styled = body.replace(_END, self._head + _END, 1)
            if styled != body:
                kept = [pair for pair in start.get("headers", ()) if pair[0].lower() not in _DATED]
                start["headers"] = [*kept, (b"content-length", str(len(styled)).encode())]
            await send(start)
            await send({"type": "http.response.body", "body": styled})

        await self._app(scope | {"headers": plain}, receive, send_styled)


def head() -> bytes:
    """What to fetch early, style sheets and scripts, as HTML."""
    styles = "".join(f"<style>{text}</style>" for text in _texts("css"))
    scripts = "".join(f"<script type=module>{text}</script>" for text in _texts("js"))
    return f"{_early()}{styles}{scripts}".encode()


def _early() -> str:
    """Streamlit's files that every page wants, and that it asks for only once it is drawn.

    ``fonts.js`` gives the fonts their names, ``early.js`` runs the scripts.
    """
    files = Path(get_static_dir()) / "static"

    def link(name: str, what: str) -> str:
        file = next(files.glob(name)).relative_to(files).as_posix()
        return f'<link crossorigin href="./static/{file}" {what}>'

    font = "rel=preload as=font type=font/woff2"
    return (
        link("media/SourceSansVF-Upright.*.woff2", f'{font} data-name="Steady Sans"')
        + link("media/SourceSansVF-Italic.*.woff2", f'{font} data-name="Steady Sans" data-italic')
        + link("media/MaterialSymbols-*.woff2", f'{font} data-name="Steady Symbols"')
        + link("js/PlotlyChart.*.js", "rel=modulepreload data-run")
    )


def _texts(ending: str) -> list[str]:
    """Of all files of a kind; scripts are modules each, with names of their own."""
    return [file.read_text(encoding="utf-8") for file in sorted(_FOLDER.glob(f"*.{ending}"))]
