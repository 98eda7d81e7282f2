"""Ensembles over support sets: counts and means, on tables made here."""

import re

import numpy as np
import pandas as pd
import pytest

from slp_core.diagnostics.draws import EnsembleOverDraws
from slp_core.diagnostics.text import nll_over_draws_text, uncertainty_text

COLUMNS = ("NLL(F)", "mean NLL(f)", "H(F)", "JSD as in the paper", "mean H(f)", "single entropy")


@pytest.mark.parametrize("seed", range(60))
def test_counts_and_means_are_of_the_rows(seed):
    rng = np.random.default_rng(seed)
    rows = []
    for _ in range(int(rng.integers(1, 5))):
        row = {name: float(rng.integers(0, 3) / 2) for name in COLUMNS} | {"NLL over": 1.0}  # ties
        if rng.random() < 0.3:
            row["mean NLL(f)"] = float("inf")
        rows.append(row)
    over = EnsembleOverDraws("one model", pd.DataFrame(rows))
    finite = [row for row in rows if row["mean NLL(f)"] < float("inf")]

    def said(text, among, one, other, lower):
        sets = f"{len(among)} support set{'s' * (len(among) > 1)}"
        assert f" on {sum(row[lower[0]] < row[lower[1]] for row in among)} of {sets}: " in text
        means = [float(each) for each in re.search(r": ([\d.]+) against ([\d.]+) ", text).groups()]
        for mean, name in zip(means, (one, other), strict=True):
            assert mean == pytest.approx(sum(row[name] for row in among) / len(among), abs=6e-4)

    text = nll_over_draws_text(over)
    if finite:
        said(text, finite, "NLL(F)", "mean NLL(f)", ("NLL(F)", "mean NLL(f)"))
        assert ("Only finite" in text) == (len(finite) < len(rows))
    else:
        assert text == f"The members' NLL is finite on 0 of {len(rows)} support set" + (
            "s." if len(rows) > 1 else "."
        )
    text = uncertainty_text(over)
    said(text, rows, "H(F)", "single entropy", ("single entropy", "H(F)"))
