"""Facts of many draws: checked on tables made here, as no one case has them."""

import importlib

import numpy as np
import pandas as pd
import pytest
from facts_book import check_facts

from slp_core.diagnostics.draws import EnsembleOverDraws

importlib.import_module("checks_ensemble")
COLUMNS = ("NLL(F)", "mean NLL(f)", "H(F)", "JSD as in the paper", "mean H(f)", "single entropy")


def rows_of(rng):
    """Draws of numbers with ties, with and without points at which NLLs are infinite."""
    n, whole = int(rng.integers(1, 5)), rng.random() < 0.5
    rows = []
    for _ in range(n):
        row = {name: float(rng.integers(0, 3) / 2) for name in COLUMNS}
        row["NLL over"] = 1.0 if whole else float(rng.integers(0, 4) / 4)
        if row["NLL over"] == 0 or rng.random() < 0.2:
            row["mean NLL(f)"] = float("inf")
        rows.append(row)
    return rows


@pytest.mark.parametrize("seed", range(200))
def test_what_is_said_of_draws_is_true(seed):
    rng = np.random.default_rng(seed)
    rows, shots = rows_of(rng), int(rng.integers(1, 4))
    over = EnsembleOverDraws("it", "one model", pd.DataFrame(rows))
    facts = (*over.nll_facts(), *over.uncertainty_facts(), *over.facts_of_draws(shots))
    context = {"rows": rows, "single": "one model", "shots": shots}
    infinite = np.isinf([row["mean NLL(f)"] for row in rows])
    some_left_out = infinite.any() and not infinite.all()
    assert len(check_facts(facts, None, **context)) == 4 + some_left_out
