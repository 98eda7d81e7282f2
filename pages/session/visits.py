"""Browser sessions: each lasts as long as its tab is open.

What runs for a visit ends when it does. Streamlit drops what it keeps for a session when its tab is
closed; one that is loaded again goes on where it was.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import Any

import streamlit as st
from streamlit.errors import StreamlitAPIException

from pages.session import settings
from pages.session.browser import COOKIE

SECONDS_AWAY = 20.0  # a connection that breaks off comes back within these


class BrowserSession:
    """A session of a browser; ``kept`` ends with it."""

    def __init__(self, browser: str | None = None, seconds: float = SECONDS_AWAY):
        self.browser, self._seconds = browser, seconds
        self.kept: dict[str, Any] = {}
        self.over = False
        self.left: float | None = None  # when its tab was closed, where none is open
        self._tabs: set[Tab] = set()
        self._at_end: list[Callable[[], None]] = []

    def when_it_ends(self, then: Callable[[], None]) -> None:
        """Register a callback for some time after the tab is closed."""
        self._at_end.append(then)

    def open(self, tab: Tab) -> None:
        """Attach a tab: the same as before, or a reloaded one."""
        self._tabs.add(tab)
        tab.visit, self.left = self, None

    def leave(self, tab: Tab) -> None:
        self._tabs.discard(tab)
        if not self._tabs and not self.over:
            self.left = left = time.monotonic()
            timer = threading.Timer(self._seconds, self._end_if_left_at, (left,))
            timer.daemon = True
            timer.start()

    def _end_if_left_at(self, left: float) -> None:
        if self.left == left:  # and not opened again since
            self.end()

    def end(self) -> None:
        """Release everything that belongs to the session."""
        if self.over:
            return
        self.over = True
        self.kept.clear()
        while self._at_end:
            self._at_end.pop()()


class Tab:
    """A connection of a browser, which Streamlit drops when the tab is closed."""

    visit: BrowserSession | None = None

    def close(self) -> None:
        """End the session in a while, unless another tab resumes it."""
        if self.visit is not None:
            self.visit.leave(self)


class Visits:
    def __init__(self) -> None:
        self._visits = list[BrowserSession]()
        self._lock = threading.Lock()

    def begin(self, browser: str | None = None) -> BrowserSession:
        """A new session, or the one that this browser's tab had before a reload."""
        with self._lock:
            self._visits = [visit for visit in self._visits if not visit.over]
            left = {
                visit.left: visit
                for visit in self._visits
                if browser and visit.browser == browser and visit.left is not None
            }
            if left:
                return left[max(left)]
            self._visits.append(BrowserSession(browser))
            return self._visits[-1]


@st.cache_resource(show_spinner=False)
def all_visits() -> Visits:
    return Visits()


@st.cache_resource(scope="session", show_spinner=False, on_release=Tab.close)
def _tab() -> Tab:
    return Tab()


def current_visit() -> BrowserSession | None:
    """The session whose script runs in this thread; None in a job."""
    try:
        tab = _tab()
    except StreamlitAPIException:
        return None
    visit = settings.VISIT.value
    if visit is None or visit.over:
        visit = all_visits().begin(browser_name())
        settings.VISIT.set(visit)
    visit.open(tab)
    return visit


def browser_name() -> str | None:
    """The browser's identifier; empty without cookies."""
    visit = settings.VISIT.value
    return st.context.cookies.get(COOKIE) or (visit.browser if visit else None)
