"""How far a row of works of uneven size is, some of which were done before."""

from __future__ import annotations

import time
from collections.abc import Callable

from slp_core.progress import Progress

_PARTS = 1_000  # progress is counted in whole numbers, a unit of size being so many


class Tally:
    """Adds up what is done; what was done before says nothing of the time left."""

    def __init__(self, total: float, report: Callable[[Progress], None]):
        self._total, self._report = total, report
        self._done = self._fresh = self._past = 0.0
        self._start = time.monotonic()

    def go_on(self, size: float) -> None:
        """So much of the work at hand was done just now."""
        self._fresh = self._past + size
        self._tell(self._done + size)

    def add(self, size: float) -> None:
        """A work of this size is done, just now or before."""
        self._done, self._past = self._done + size, self._fresh
        self._tell(self._done)

    def _tell(self, done: float) -> None:
        left = None
        if self._fresh:
            left = (time.monotonic() - self._start) / self._fresh * (self._total - done)
        self._report(Progress(round(_PARTS * done), round(_PARTS * self._total), left))
