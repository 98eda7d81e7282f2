"""The parts of a page: fragments, and what is folded until opened."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import streamlit as st

from pages.session import settings
from pages.widgets.job_progress import place_of_clock

MOST_BESIDE = 12
"""Classes that have room in half of a page's width."""


def alone(draw: Callable[..., Any], *args: Any) -> None:
    """A fragment: a touch redraws only this. Never nested.

    When a fragment runs again at once, Streamlit takes back what its last run has not sent yet, but
    not what a fragment within it drew, for which a browser then finds no place, and shows nothing.
    """
    st.fragment(_drawn)(draw, *args)


def _drawn(draw: Callable[..., Any], *args: Any) -> None:
    with place_of_clock():
        draw(*args)
    if write := settings.WRITE_AT_ONCE.value:  # no run of the page writes the URL
        write()


def folded(title: str, fold: str, draw: Callable[..., Any], *args: Any) -> None:
    """A part that is drawn, and computed, only while open."""
    with st.container(gap=None, key=f"part {fold} fold"):
        shown = st.expander(title, **settings.fold(fold).bound(opens="expanded"))
    with shown, place_of_clock():
        if shown.open:
            draw(*args)


def beside(n_classes: int) -> Sequence[Any]:
    """Containers for two tables of so many classes: side by side, or one below the other."""
    if n_classes > MOST_BESIDE:
        return st.container(), st.container()
    return st.columns(2, gap="large")
