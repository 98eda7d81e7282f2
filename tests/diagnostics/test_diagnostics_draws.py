"""Ensembles over support sets: counts and means, on tables made here."""

import numpy as np
import pandas as pd
import pytest

from slp_core.diagnostics.draws import EnsembleOverDraws

COLUMNS = ("NLL(F)", "mean NLL(f)", "H(F)", "JSD as in the paper", "mean H(f)", "single entropy")


@pytest.mark.parametrize("seed", range(60))
def test_counts_and_means_are_of_the_rows(seed):
    rng = np.random.default_rng(seed)
    rows = []
    for _ in range(int(rng.integers(1, 5))):
        row = {name: float(rng.integers(0, 3) / 2) for name in COLUMNS}  # ties
        if rng.random() < 0.3:
            row["mean NLL(f)"] = float("inf")
        rows.append(row)
    over = EnsembleOverDraws("one model", pd.DataFrame(rows))
    finite = [row for row in rows if row["mean NLL(f)"] < float("inf")]
    assert over.compared.sum() == len(finite)
    assert over.n_lower_nll == sum(row["NLL(F)"] < row["mean NLL(f)"] for row in finite)
    assert over.n_higher_entropy == sum(row["H(F)"] > row["single entropy"] for row in rows)
    assert over.mean("H(F)") == pytest.approx(sum(row["H(F)"] for row in rows) / len(rows))
    if finite:
        mean = sum(row["NLL(F)"] for row in finite) / len(finite)
        assert over.mean_compared("NLL(F)") == pytest.approx(mean)
    else:
        assert np.isnan(over.mean_compared("NLL(F)"))
