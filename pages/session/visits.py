"""Who visits: a browser, by its cookie, or without one a session of Streamlit.

What belongs to a visitor goes some time after the last tab was closed, so that a page which is
loaded again, or a connection which comes back, finds everything as it was.
"""

from __future__ import annotations

import secrets
import threading
from collections.abc import Callable
from contextlib import ExitStack
from typing import Any

import streamlit as st
from streamlit.errors import StreamlitAPIException

from pages.session import settings
from pages.session.browser import COOKIE

SECONDS_AWAY = 20.0  # a connection that breaks off comes back within these


class Visitor:
    """A browser with its open tabs, and what pages keep for it."""

    def __init__(self) -> None:
        self.kept: dict[str, Any] = {}
        self._tabs: set[ExitStack] = set()
        self._left: object = None  # another one each time that the last tab is closed
        self._then: dict[Any, tuple[float, Callable[[], None]]] = {}

    def when_gone(self, what: Any, then: Callable[[], None], seconds: float = SECONDS_AWAY) -> None:
        """Register, once for each ``what``, what is done so long after the last tab is closed."""
        self._then[what] = seconds, then

    def open(self, tab: ExitStack) -> None:
        """A tab is open, a connection that Streamlit drops when it is closed."""
        if tab not in self._tabs:
            self._tabs.add(tab)
            tab.callback(self._close, tab)
        self._left = None

    def _close(self, tab: ExitStack) -> None:
        self._tabs.discard(tab)
        if self._tabs:
            return
        self._left = left = object()
        for what, (seconds, _) in list(self._then.items()):
            timer = threading.Timer(seconds, self._go, (what, left))
            timer.daemon = True
            timer.start()

    def _go(self, what: Any, left: object) -> None:
        if left is self._left and what in self._then:  # and no tab was opened meanwhile
            self._then.pop(what)[1]()

    @property
    def gone(self) -> bool:
        return not self._tabs and not self._then


@st.cache_resource(show_spinner=False)
def all_visitors() -> dict[str, Visitor]:
    """All visitors of the server, by name."""
    return {}


@st.cache_resource(scope="session", show_spinner=False, on_release=ExitStack.close)
def _tab() -> ExitStack:
    return ExitStack()


def current_visitor() -> Visitor | None:
    """The visitor whose script runs in this thread; None in a job."""
    try:
        tab = _tab()
    except StreamlitAPIException:
        return None
    everyone, name = all_visitors(), visitor_name()
    if name not in everyone:
        for gone in [other for other, visitor in list(everyone.items()) if visitor.gone]:
            everyone.pop(gone, None)
    visitor = everyone.setdefault(name, Visitor())
    visitor.open(tab)
    return visitor


def visitor_name() -> str:
    """The browser's identifier; without cookies, this session's own."""
    if not settings.VISIT.value:
        settings.VISIT.set(st.context.cookies.get(COOKIE) or secrets.token_urlsafe(32))
    return settings.VISIT.value
