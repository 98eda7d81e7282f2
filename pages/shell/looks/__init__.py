"""The app's own style sheets and scripts, in the page before anything is drawn.

A style that comes with the script's first answer comes after the first paint, and what it changes
jumps. So it is put into the page itself.
"""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from typing import Any

from streamlit.file_util import get_static_dir

from pages.shell import fonts
from pages.shell.packed import coding_for, packed_page, repacked

_FOLDER = Path(__file__).parent
_STATIC = Path(get_static_dir()) / "static"
_FIRST, _END = b'<script type="module"', b"</head>"  # of Streamlit's scripts, and of the head
# Streamlit's own word that a whole font is wanted at once.
_WHOLE_FONT = re.compile(rb'<link\s[^>]*\bas="font"[^>]*>')
# What names the file as it was: kept, a browser would show the page of before an update for ever.
_DATED = {b"content-length", b"etag", b"last-modified"}


class Looks:
    """ASGI middleware: every page that is sent has style sheets and scripts in its head."""

    def __init__(self, app: Any):
        self._app = app

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """Pass a request on, and add to the answer if it is a page."""
        headers = scope.get("headers", ())
        page = scope["type"] == "http" and b"text/html" in dict(headers).get(b"accept", b"")
        if not page or scope["method"] != "GET":
            await self._app(scope, receive, send)
            return
        coding = coding_for(dict(headers))
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
            styled = _WHOLE_FONT.sub(b"", body).replace(_FIRST, _fonts_script() + _FIRST, 1)
            styled = styled.replace(_END, (_early() + _styles_and_scripts()).encode() + _END, 1)
            if styled != body:
                kept = [pair for pair in start.get("headers", ()) if pair[0].lower() not in _DATED]
                start["headers"] = [*kept, (b"content-length", str(len(styled)).encode())]
                if coding is not None:
                    styled = packed_page(styled, coding)
                    start = repacked(start, coding, len(styled))
            await send(start)
            await send({"type": "http.response.body", "body": styled})

        await self._app(scope | {"headers": plain}, receive, send_styled)


def scripts() -> bytes:
    """All that may run in a page, as HTML."""
    return _fonts_script() + _styles_and_scripts().encode()


def _early() -> str:
    """Streamlit's files that every page wants, and that it asks for only once it is drawn.

    ``fonts.js`` gives the fonts their names, ``early.js`` runs the scripts.
    """
    return (
        _face("upright", "Source Sans", "normal")
        + _face("italic", "Source Sans", "italic")
        + _face("icons", "Material Symbols Rounded", "normal")
        + _link(_plotly(), "rel=modulepreload data-run")
    )


def _face(name: fonts.Name, family: str, style: str) -> str:
    """Where a font is: the one that was cut, with the whole of it for other letters."""
    declared = f'data-family="{family}" data-style={style}'
    early = f"rel=preload as=font type=font/woff2 {declared}"
    whole = _file(fonts.whole(name))
    cut = fonts.address(name)
    if cut is None:
        return _link(whole, early)
    if name == "icons":
        return _link(cut, early)
    return _link(cut, f'{early} data-range="{fonts.LETTERS}"') + _link(
        whole, f'{declared} data-range="{fonts.OTHER_LETTERS}"'
    )


def _link(address: str, what: str) -> str:
    return f'<link crossorigin href="{address}" {what}>'


def _file(path: Path) -> str:
    return f"./static/{path.relative_to(_STATIC).as_posix()}"


@cache
def _plotly() -> str:
    return _file(next(_STATIC.glob("js/PlotlyChart.*.js")))


@cache
def _fonts_script() -> bytes:
    return _script(_FOLDER / "fonts.js").encode()


@cache
def _styles_and_scripts() -> str:
    """Of all other files beside this one."""
    styles = (f"<style>{_text(file)}</style>" for file in sorted(_FOLDER.glob("*.css")))
    later = sorted(file for file in _FOLDER.glob("*.js") if file.name != "fonts.js")
    return "".join(styles) + "".join(map(_script, later))


def _script(file: Path) -> str:
    """A module, with names of its own."""
    return f"<script type=module>{_text(file)}</script>"


def _text(file: Path) -> str:
    return file.read_text(encoding="utf-8")
