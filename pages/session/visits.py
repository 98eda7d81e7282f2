"""Who visits: a browser, by its cookie, or without one a session of Streamlit.

What belongs to a visitor goes some time after the last tab was closed, so that a page which is
loaded again, or a connection which comes back, finds everything as it was.
"""

from __future__ import annotations

import secrets
import threading
from collections.abc import Callable
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
        self._tabs: set[Tab] = set()
        self._left: object = None  # another one each time that the last tab is closed
        self._then: dict[Any, tuple[float, Callable[[], None]]] = {}

    def when_gone(self, what: Any, then: Callable[[], None], seconds: float = SECONDS_AWAY) -> None:
        """Register, once for each ``what``, what is done so long after the last tab is closed."""
        self._then[what] = seconds, then

    def open(self, tab: Tab) -> None:
        self._tabs.add(tab)
        tab.visitor, self._left = self, None

    def close(self, tab: Tab) -> None:
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


class Tab:
    """A connection of a browser, which Streamlit drops when the tab is closed."""

    visitor: Visitor | None = None

    def close(self) -> None:
        if self.visitor is not None:
            self.visitor.close(self)


class Visitors:
    """All visitors of a server, by name."""

    def __init__(self) -> None:
        self._by_name: dict[str, Visitor] = {}
        self._lock = threading.Lock()

    def open(self, name: str, tab: Tab) -> Visitor:
        """The visitor of a tab, which is open from now on."""
        with self._lock:
            if name not in self._by_name:
                self._by_name = {n: v for n, v in self._by_name.items() if not v.gone}
            visitor = self._by_name.setdefault(name, Visitor())
            visitor.open(tab)
            return visitor


@st.cache_resource(show_spinner=False)
def all_visitors() -> Visitors:
    return Visitors()


@st.cache_resource(scope="session", show_spinner=False, on_release=Tab.close)
def _tab() -> Tab:
    return Tab()


def current_visitor() -> Visitor | None:
    """The visitor whose script runs in this thread; None in a job."""
    try:
        tab = _tab()
    except StreamlitAPIException:
        return None
    return all_visitors().open(visitor_name(), tab)


def visitor_name() -> str:
    """The browser's identifier; without cookies, this session's own."""
    if not settings.VISIT.value:
        settings.VISIT.set(st.context.cookies.get(COOKIE) or secrets.token_urlsafe(32))
    return settings.VISIT.value
