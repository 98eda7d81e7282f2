"""The parts of a long page: a list at its top to jump from, and what is secondary folded away."""

from __future__ import annotations

import html
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import streamlit as st

from pages.session.settings import Setting

_CSS = Path(__file__).with_name("parts.css").read_text(encoding="utf-8")


@dataclass(frozen=True)
class Part:
    """A piece of a page under a title."""

    title: str
    fold: Setting[bool] | None = None

    @property
    def anchor(self) -> str:
        """What a link to it names, after the ``#``."""
        return "part-" + re.sub(r"\W+", "-", self.title.lower()).strip("-")


def list_parts(parts: Sequence[Part]) -> None:
    """Links to the parts, in the order in which they are best read; a folded one opens."""
    links = "".join(
        f"<li{' class=folded' if part.fold else ''}>"
        f'<a href="#{part.anchor}">{html.escape(part.title)}</a></li>'
        for part in parts
    )
    nav = f'<nav class="parts" aria-label="Parts of this page"><ol>{links}</ol></nav>'
    st.html(f"<style>{_CSS}</style>{nav}")


def heading(part: Part) -> None:
    """The title of a part that is always shown."""
    with st.container(gap=None, width="content"):
        _anchor(part)
        st.markdown(f"#### {part.title}", anchors=False)


def folded(part: Part, draw: Callable[..., Any], *args: Any) -> None:
    """A part that is drawn, and computed, only while it is open."""
    assert part.fold is not None
    with st.container(gap=None, key=f"{part.anchor} fold"):
        _anchor(part)
        shown = st.expander(part.title, **part.fold.bound(opens="expanded"))
    if shown.open:
        with shown:
            draw(*args)


def _anchor(part: Part) -> None:
    st.html(f'<span id="{part.anchor}"></span>')
