"""Widgets that show what is chosen elsewhere too: made anew whenever it was.

A browser sends with every action what all widgets show. One that code gives another value shows
the former until the browser has drawn it, and any action before that would pass for a choice of
the former. So it is another widget then, and stays the same one while a hand is on it.
"""

from __future__ import annotations

from typing import Generic, TypeVar

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
    among : str
        Of what: where that is another, the widget is as well.

    Attributes
    ----------
    key : str
    """

    def __init__(self, name: str, shown: T | None, among: str = ""):
        now = (shown, among)
        number, before = settings.RENEWED.value.get(name, (0, now))
        self._name, self._shown, self._among = name, shown, among
        self._number = number if before == now else number + 1
        self.key = f"{name} {self._number}"
        self._remember(self._number, shown)
        st.session_state[self.key] = shown

    def choice(self) -> T | None:
        """What was chosen with it, for its ``on_change``; None where nothing was.

        One that has been renewed since says again what it showed, unless a hand was on it; so does
        one that comes back to a page.
        """
        number, (shown, among) = settings.RENEWED.value[self._name]
        chosen: T | None = st.session_state.get(self.key)  # None also where it has gone since
        if chosen is None or among != self._among:
            return None
        if chosen == (shown if number == self._number else self._shown):
            return None
        self._remember(number, chosen)
        return chosen

    def _remember(self, number: int, shown: T | None) -> None:
        now = {self._name: (number, (shown, self._among))}
        settings.RENEWED.set(settings.RENEWED.value | now)


def is_drawn(name: str) -> bool:
    """Whether the page has a widget of that name."""
    number, _ = settings.RENEWED.value.get(name, (0, None))
    return f"{name} {number}" in st.session_state
