"""The progress of a long computation, and whether it was cancelled."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True)
class Progress:
    """How far a computation is; ``seconds_left`` is None while there is no estimate."""

    done: int
    total: int
    seconds_left: float | None

    @property
    def share(self) -> float:
        return self.done / max(self.total, 1)


ProgressCallback = Callable[[Progress], None]
CancelledCallback = Callable[[], bool]
