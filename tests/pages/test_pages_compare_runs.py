"""The time left is estimated from recent progress."""

import pytest

from pages.compare import systems
from pages.compare.systems import ProgressTracker


def test_what_was_done_before_counts_as_done_and_not_as_fast(monkeypatch):
    now, seen = [100.0], []
    monkeypatch.setattr(systems.time, "monotonic", lambda: now[0])
    works = ProgressTracker(10, seen.append)
    works.add(4)
    assert (seen[-1].done, seen[-1].total, seen[-1].seconds_left) == (4_000, 10_000, None)
    now[0] += 2
    works.update(1.5)
    assert (seen[-1].done, seen[-1].seconds_left) == (5_500, pytest.approx(2 / 1.5 * 4.5))
    now[0] += 2
    works.update(3)
    works.add(3)
    now[0] += 1
    works.update(1)
    assert (seen[-1].done, seen[-1].seconds_left) == (8_000, pytest.approx(5 / 4 * 2))
    works.add(3)
    assert seen[-1].done == seen[-1].total
