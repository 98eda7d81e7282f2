"""The player of a fit: every step is sent once and played in the browser."""

from __future__ import annotations

import html
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import streamlit as st

_HTML, _CSS, _JS = (
    Path(__file__).with_name(f"player.{kind}").read_text(encoding="utf-8")
    for kind in ("html", "css", "js")
)
_component = st.components.v2.component("player", html=_HTML, css=_CSS, js=_JS)


def player(
    data: dict[str, Any],
    key: str,
    on_stop: Callable[[int], None],
    on_pick: Callable[[int], None] | None = None,
) -> None:
    """Play what `player_data` made.

    ``on_stop`` gets the epoch or step, 0 for the last; ``on_pick`` the place of the support example
    that was clicked, among those drawn.
    """

    def stopped() -> None:
        here: Any = st.session_state.get(key)
        if here is not None:
            on_stop(int(here.epoch or 0))

    def picked() -> None:
        here: Any = st.session_state.get(key)
        if on_pick is not None and here is not None and here.picked is not None:
            on_pick(int(here.picked))

    _component(
        key=key,
        data=data | {"picks": on_pick is not None},
        height="content",
        on_epoch_change=stopped,
        on_picked_change=picked,
    )


def player_page(data: dict[str, Any], title: str) -> bytes:
    script = _JS.replace("export default ", "").replace("export ", "")
    content = json.dumps(data | {"play": False}).replace("<", "\\u003c")
    colors = data["colors"]
    return (
        f'<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>{html.escape(title)}'
        f"</title><style>body{{background:{colors['background']};color:{colors['text']};"
        f"max-width:60rem;margin:2rem auto;font-family:sans-serif}}{_CSS}</style></head><body>"
        f"<p>{html.escape(data['sentence'])}</p>{_HTML}<p>{html.escape(title)}</p>"
        f"<script>{script}\nnew Player(document.querySelector('.player'), {content})</script>"
        "</body></html>"
    ).encode()
