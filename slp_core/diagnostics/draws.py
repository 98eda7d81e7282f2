"""Ensemble quantities on every support set, beside those of a single model."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

import numpy as np
import pandas as pd
from scipy.special import entr

from slp_core.diagnostics.ensemble import ensemble_diagnostics, nll
from slp_core.diagnostics.members import Temperature
from slp_core.errors import Cancelled
from slp_core.methods.protocols import Classifier

Draw = tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]


@dataclass(frozen=True, eq=False)
class EnsembleOverDraws:
    """Means over the query set of each support set."""

    single: str  # what the single model is called
    table: pd.DataFrame

    @property
    def compared(self) -> np.ndarray:
        """(n,) bool: the support sets on which the members' NLL is finite somewhere."""
        return np.isfinite(self.table["mean NLL(f)"].to_numpy(dtype=float))


def ensemble_over_draws(
    make: Callable[[], Classifier],
    single: Callable[[], Classifier] | Mapping[int, np.ndarray],
    draws: Iterable[tuple[int, Draw]],
    name: str,
    temperature: Temperature = "none",
    cancelled: Callable[[], bool] = lambda: False,
) -> EnsembleOverDraws:
    """Fit a method and a single model, called ``name``, on each support set, and evaluate both."""
    rows = []
    for number, (X, y, X_query, y_query) in draws:
        if cancelled():
            raise Cancelled
        found = ensemble_diagnostics(make().fit(X, y), X_query, y_query, temperature)
        alone = single().fit(X, y).predict_proba(X_query) if callable(single) else single[number]
        single_nll = nll(alone, found.true)
        finite = np.isfinite(found.nll) & np.isfinite(single_nll)
        compared = found.comparable & np.isfinite(single_nll)
        among = compared if compared.any() else finite
        row = {
            "draw": number,
            **found.summary(among),
            "single NLL": single_nll[among].mean() if among.any() else np.nan,
            "single entropy": entr(alone).sum(axis=1).mean(),
            "single accuracy": (alone.argmax(axis=1) == found.true).mean(),
        }
        rows.append(row | ({} if compared.any() else {"mean NLL(f)": np.inf}))
    return EnsembleOverDraws(name, pd.DataFrame(rows))
