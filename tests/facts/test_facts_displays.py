"""Facts of displays, on random counts and figures."""

import importlib

import numpy as np
from facts_book import check_facts

from slp_core.figures.confusion import ConfusionDisplay

importlib.import_module("checks_displays")


def test_what_a_confusion_matrix_says_is_true():
    seen = set()
    for seed in range(300):
        rng = np.random.default_rng(seed)
        k = int(rng.integers(1, 6))
        counts = rng.integers(0, rng.choice([1, 2, 4, 50]), (k, k))
        facts = ConfusionDisplay(counts, [f"class {c}" for c in range(k)]).facts()
        told = check_facts(facts, None, counts=counts.tolist())
        off = counts[~np.eye(k, dtype=bool)]
        alone = off.size > 0 and off.max() > 0 and (off == off.max()).sum() == 1
        assert ("confusion.most_often" in told) == alone
        seen |= told
    assert seen == {"confusion.right", "confusion.most_often"}
