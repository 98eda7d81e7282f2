"""Timing in turns: whatever else the machine does meanwhile hits all that is compared alike."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Mapping

from benchmarks.row import Row

REPEATS = 5

Work = Callable[[], object]
Seconds = dict[str, list[float]]


def in_turns(works: Mapping[str, Work], repeats: int = REPEATS) -> Seconds:
    """Seconds of each of some works, time after time; each is done once before, untimed."""
    for work in works.values():
        work()
    seconds: Seconds = {name: [] for name in works}
    for _ in range(repeats):
        for name, work in works.items():
            start = time.perf_counter()
            work()
            seconds[name].append(time.perf_counter() - start)
    return seconds


def row(what: str, seconds: Seconds, ours: str, peer: str | None, goal: str = "") -> Row:
    """The line of the table for two of the works that were timed in turns."""
    if peer is None:
        return Row(what, statistics.median(seconds[ours]), None, None, goal)
    ratios = [theirs / own for own, theirs in zip(seconds[ours], seconds[peer], strict=True)]
    medians = statistics.median(seconds[ours]), statistics.median(seconds[peer])
    return Row(what, medians[0], peer, medians[1], goal, (min(ratios), max(ratios)))


def best(work: Work, times: int = 3) -> float:
    """Seconds of the quickest of some runs."""
    seconds = []
    for _ in range(times):
        start = time.perf_counter()
        work()
        seconds.append(time.perf_counter() - start)
    return min(seconds)
