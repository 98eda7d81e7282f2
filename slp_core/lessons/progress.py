"""How far somebody has come in the lessons."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Progress:
    """Of one lesson."""

    step: int = 0
    furthest: int = 0
    answer: int | None = None
    done: bool = False
