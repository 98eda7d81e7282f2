"""Widgets that show what is chosen elsewhere too: made anew whenever it was.

A browser sends with every action what all widgets show. One that code gives another value shows
the former until the browser has drawn it, and any action before that would pass for a choice of
the former. So it is another widget then, and stays the same one while a hand is on it.
"""

from __future__ import annotations

from typing import Any, Generic, TypeVar

import streamlit as st

from pages.session import settings

T = TypeVar("T")


class Renewed(Generic[T]):
    """A widget's key and value.

    Parameters
    ----------
    name : str
        The beginning of its keys.
    shown : T or None
        What is chosen now; None for nothing.

    Attributes
    ----------
    key : str
    """

    def __init__(self, name: str, shown: T | None):
        self._name = name
        number, before = settings.RENEWED.value.get(name, (0, shown))
        self._number = number if before == shown else number + 1
        self.key = f"{name} {self._number}"
        self._remember(shown)
        st.session_state[self.key] = shown

    def choice(self) -> T | None:
        """What was chosen with it, for its ``on_change``; None of one that has been renewed."""
        number, _ = settings.RENEWED.value[self._name]
        chosen: T | None = st.session_state[self.key] if number == self._number else None
        if chosen is not None:
            self._remember(chosen)
        return chosen

    def _remember(self, shown: Any) -> None:
        settings.RENEWED.set(settings.RENEWED.value | {self._name: (self._number, shown)})


def is_drawn(name: str) -> bool:
    """Whether the page has a widget of that name."""
    number, _ = settings.RENEWED.value.get(name, (0, None))
    return f"{name} {number}" in st.session_state
