"""The parts of a page that are folded away until somebody opens them."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import streamlit as st

from pages.session.settings import Setting

MOST_BESIDE = 12
"""Classes that have room in half of a page's width."""


@dataclass(frozen=True)
class Part:
    """A folded piece of a page under a title."""

    title: str
    fold: Setting[bool]

    @property
    def anchor(self) -> str:
        """What a link to it names, after the ``#``."""
        return "part-" + re.sub(r"\W+", "-", self.title.lower()).strip("-")


def folded(part: Part, draw: Callable[..., Any], *args: Any) -> None:
    """A part that is drawn, and computed, only while it is open."""
    with st.container(gap=None, key=f"{part.anchor} fold"):
        _anchor(part)
        shown = st.expander(part.title, **part.fold.bound(opens="expanded"))
    if shown.open:
        with shown:
            draw(*args)


def beside(n_classes: int) -> Sequence[Any]:
    """Places for two tables of so many classes: side by side, or one below the other."""
    if n_classes > MOST_BESIDE:
        return st.container(), st.container()
    return st.columns(2, gap="large")


def _anchor(part: Part) -> None:
    st.html(f'<span id="{part.anchor}"></span>')
