"""The parts of a page that are folded away until somebody opens them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import streamlit as st

from pages.session import settings

MOST_BESIDE = 12
"""Classes that have room in half of a page's width."""


def folded(title: str, fold: str, draw: Callable[..., Any], *args: Any) -> None:
    """A part that is drawn, and computed, only while it is open."""
    with st.container(gap=None, key=f"part {fold} fold"):
        shown = st.expander(title, **settings.FOLDS[fold].bound(opens="expanded"))
    if shown.open:
        with shown:
            draw(*args)


def beside(n_classes: int) -> Sequence[Any]:
    """Places for two tables of so many classes: side by side, or one below the other."""
    if n_classes > MOST_BESIDE:
        return st.container(), st.container()
    return st.columns(2, gap="large")
