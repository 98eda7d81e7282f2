"""Who visits: a session of a browser, for as long as its tab is open.

What runs for a visit ends when it does. A tab that is closed says nothing to the script that drew
its page, so a thread of the server looks; a tab that is loaded again goes on where it was.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from typing import Any

import streamlit as st
from streamlit.runtime.scriptrunner import get_script_run_ctx

from pages.session import settings
from pages.session.browser import COOKIE

SECONDS_AWAY = 20.0  # a connection that breaks off comes back within these
_LOOK = 1.0


class Visit:
    """One session.

    Parameters
    ----------
    connected : callable
        Whether its tab is open.
    browser : str, optional
        What names its browser.
    clock : callable
        Seconds, from any beginning.

    Attributes
    ----------
    kept : dict
        What belongs to this visit alone, by name, and goes with it.
    over : bool
        Whether it has ended.
    seen : float
        When its tab was last known to be open, by the clock.
    """

    def __init__(
        self,
        connected: Callable[[], bool],
        browser: str | None = None,
        clock: Callable[[], float] = time.monotonic,
    ):
        self.browser, self.connected = browser, connected
        self.kept: dict[str, Any] = {}
        self.over = False
        self._clock, self.seen = clock, clock()
        self._at_end: list[Callable[[], None]] = []

    def when_it_ends(self, then: Callable[[], None]) -> None:
        """Have something done when the tab has been closed."""
        self._at_end.append(then)

    def look(self) -> None:
        """End the visit if its tab has been closed for a while."""
        if self.connected():
            self.seen = self._clock()
        elif self._clock() - self.seen > SECONDS_AWAY:
            self.end()

    def end(self) -> None:
        """Let go of everything that belongs to it."""
        if self.over:
            return
        self.over = True
        self.kept.clear()
        while self._at_end:
            self._at_end.pop()()


class Visits:
    """All that go on; a thread looks after them while there are any.

    Parameters
    ----------
    seconds : float
        Between two looks.
    """

    def __init__(self, seconds: float = _LOOK):
        self._seconds, self._visits = seconds, list[Visit]()
        self._lock = threading.Lock()

    def __len__(self) -> int:
        return len(self._visits)

    def __iter__(self) -> Iterator[Visit]:
        with self._lock:
            return iter(tuple(self._visits))

    def begin(self, connected: Callable[[], bool], browser: str | None = None) -> Visit:
        """A new visit, or the one that a tab of this browser was at before it was loaded anew."""
        with self._lock:
            left = [
                visit
                for visit in self._visits
                if browser and visit.browser == browser and not (visit.over or visit.connected())
            ]
            if left:  # of several the one that was left last
                visit = max(left, key=lambda visit: visit.seen)
                visit.connected = connected
                return visit
            visit = Visit(connected, browser)
            self._visits.append(visit)
            if len(self._visits) == 1:
                threading.Thread(target=self._watch, name="visits", daemon=True).start()
            return visit

    def _watch(self) -> None:
        while True:
            time.sleep(self._seconds)
            with self._lock:
                visits = list(self._visits)
            for visit in visits:
                visit.look()
            with self._lock:
                self._visits = [visit for visit in self._visits if not visit.over]
                if not self._visits:
                    return


@st.cache_resource(show_spinner=False)
def all_visits() -> Visits:
    """The server's one register."""
    return Visits()


def current_visit() -> Visit | None:
    """The visit whose script runs in this thread; None where none does, as in a job."""
    context = get_script_run_ctx(suppress_warning=True)
    if context is None:
        return None
    visit = settings.VISIT.value
    if visit is None or visit.over:
        visit = all_visits().begin(_connection(context.session_id), browser_name())
        settings.VISIT.set(visit)
    return visit


def browser_name() -> str | None:
    """What names this browser; nothing where it takes no cookies.

    While a connection is broken, a run that goes on is told of no cookies: its visit remembers.
    """
    visit = settings.VISIT.value
    return st.context.cookies.get(COOKIE) or (visit.browser if visit else None)


def _connection(session: str) -> Callable[[], bool]:
    """What tells whether a session's tab is open; in a test of a page it always is."""

    def connected() -> bool:
        return not st.runtime.exists() or st.runtime.get_instance().is_active_session(session)

    return connected
