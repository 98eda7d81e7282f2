"""Ensemble quantities draw by draw, beside those of a single model."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
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
    """Means over the query set of each draw.

    Attributes
    ----------
    method, single : str
        What the method and the single model are called.
    table : DataFrame
        One row a draw: ``draw``, the means of ``EnsembleDiagnostics.summary``, and of the single
        model ``single NLL``, ``single entropy`` and ``single accuracy``.
    """

    method: str
    single: str
    table: pd.DataFrame

    def nll_sentence(self) -> str:
        """The paper's first finding: NLL(F) is below the mean NLL of its members."""
        n = len(self.table)
        below = int((self.table["NLL(F)"] < self.table["mean NLL(f)"]).sum())
        joint, alone = self.table["NLL(F)"].mean(), self.table["mean NLL(f)"].mean()
        return (
            f"NLL(F) is below the mean NLL of its members on {below} of {n} draws: {joint:.2f} "
            f"against {alone:.2f} on average."
        )

    def uncertainty_sentence(self) -> str:
        """The paper's second: more uncertain than a single model, and that by diversity."""
        mean = self.table.mean(numeric_only=True)
        n = len(self.table)
        above = int((self.table["H(F)"] > self.table["single entropy"]).sum())
        driven = "JSD" if mean["JSD"] > mean["mean H(f)"] else "the members' own entropy"
        return (
            f"Its entropy is above that of {self.single} on {above} of {n} draws "
            f"({mean['H(F)']:.2f} against {mean['single entropy']:.2f} nats); of its two parts "
            f"{driven} is the larger (JSD {mean['JSD']:.2f}, members {mean['mean H(f)']:.2f})."
        )


def ensemble_over_draws(
    make: Callable[[], Classifier],
    single: Callable[[], Classifier] | Mapping[int, np.ndarray],
    draws: Mapping[int, Draw] | Sequence[tuple[int, Draw]],
    names: tuple[str, str],
    temperature: Temperature = "none",
    cancelled: Callable[[], bool] = lambda: False,
) -> EnsembleOverDraws:
    """Fit a method and a single model on each draw, and read both.

    Parameters
    ----------
    make : callable
        Makes an unfitted classifier with prototypes.
    single : callable, or mapping of int to (m, K) array
        Makes the unfitted single model; or what a fitted one answers of each draw's query points.
    draws : mapping of int to (X, y, X_query, y_query)
    names : (str, str)
        What the two are called.
    temperature : {"none", "distance"}
    cancelled : callable
        Asked between draws.

    Raises
    ------
    Cancelled
    """
    rows = []
    for number, (X, y, X_query, y_query) in dict(draws).items():
        if cancelled():
            raise Cancelled
        found = ensemble_diagnostics(make().fit(X, y), X_query, y_query, temperature)
        alone = single().fit(X, y).predict_proba(X_query) if callable(single) else single[number]
        rows.append(
            {
                "draw": number,
                **found.summary(),
                "single NLL": nll(alone, found.true).mean(),
                "single entropy": entr(alone).sum(axis=1).mean(),
                "single accuracy": (alone.argmax(axis=1) == found.true).mean(),
            }
        )
    return EnsembleOverDraws(*names, pd.DataFrame(rows))
