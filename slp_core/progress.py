"""The progress of a long computation, and whether it was cancelled."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True)
class Progress:
    """How far a computation is; ``seconds_left`` is None while there is no estimate."""

    done: int
    total: int
    seconds_left: float | None = None

    @classmethod
    def since(cls, start: float, done: int, total: int) -> Progress:
        """With the seconds left, by what was done since a time of ``time.monotonic``."""
        left = (time.monotonic() - start) / done * (total - done) if done else None
        return cls(done, total, left)

    @property
    def share(self) -> float:
        return self.done / max(self.total, 1)


ProgressCallback = Callable[[Progress], None]
CancelledCallback = Callable[[], bool]
