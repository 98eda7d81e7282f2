"""A report's tables hold the numbers that they held before the rebuilding, and may hold more."""

import json
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))
import frozen_report

STORED = json.loads(frozen_report.FILE.read_text(encoding="utf-8"))


@pytest.mark.parametrize("title", frozen_report.SUBJECTS)
def test_a_report_states_the_same_numbers(title):
    found, was = frozen_report.numbers(*frozen_report.SUBJECTS[title]), STORED[title]
    assert {each: n for each, n in was.items() if found.get(each, 0) < n} == {}
