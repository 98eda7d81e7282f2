"""The time left is estimated from what was done since the start."""

import pytest

from slp_core import progress
from slp_core.progress import Progress


def test_the_time_left_goes_by_what_was_done_so_far(monkeypatch):
    monkeypatch.setattr(progress.time, "monotonic", lambda: 102.0)
    assert Progress.since(100.0, 0, 8).seconds_left is None
    assert Progress.since(100.0, 5, 8).seconds_left == pytest.approx(2 / 5 * 3)
    assert Progress.since(100.0, 8, 8).seconds_left == 0
