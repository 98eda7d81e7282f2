"""How far a long computation is, and whether anybody still wants it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True)
class Progress:
    """How far a computation is.

    Parameters
    ----------
    done, total
        Rows, or other pieces of work.
    seconds_left
        An estimate; None until there is something to estimate from.
    """

    done: int
    total: int
    seconds_left: float | None


ProgressCallback = Callable[[Progress], None]
CancelledCallback = Callable[[], bool]
