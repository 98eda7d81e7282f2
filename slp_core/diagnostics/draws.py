"""Ensemble quantities draw by draw, beside those of a single model."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from scipy.special import entr

from slp_core.diagnostics.ensemble import ensemble_diagnostics
from slp_core.diagnostics.ensemble_quantities import PAPER_JSD, nll
from slp_core.diagnostics.members import Temperature
from slp_core.errors import Cancelled
from slp_core.facts import Facts, decimals_apart, fact, noun
from slp_core.methods.protocols import Classifier

Draw = tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]


@dataclass(frozen=True, eq=False)
class EnsembleOverDraws:
    """Means over the query set of each draw."""

    method: str
    single: str
    table: pd.DataFrame

    @property
    def compared(self) -> np.ndarray:
        """(n,) bool, the draws on which the members' NLL is finite somewhere, as F's is there."""
        return np.isfinite(self.table["mean NLL(f)"].to_numpy(dtype=float))

    def nll_facts(self) -> Facts:
        """The paper's first finding: NLL(F) is below the mean NLL of its members."""
        n, compared = len(self.table), self.table[self.compared]
        if not len(compared):
            template = (
                "On none of {n:,} draws is there a query point to whose class both members give "
                "something: alone, their NLL is infinite."
            )
            return (fact("ensemble_draws.nll_infinite", template, n=n),)
        values: dict[str, Any] = {
            "n": len(compared),
            "below": int((compared["NLL(F)"] < compared["mean NLL(f)"]).sum()),
            "joint": float(compared["NLL(F)"].mean()),
            "alone": float(compared["mean NLL(f)"].mean()),
        }
        of = f".{decimals_apart(values['joint'], values['alone'])}f"
        draws = "{n:,} " + noun(len(compared), "draw")
        points = "query points at which no NLL is infinite"
        if len(compared) < n:
            draws = f"the {draws} with a query point at which no NLL is infinite"
            points = "their query points of which that is so"
        template = (
            f"NLL(F) is below the mean NLL of its members on {{below:,}} of {draws}: "
            f"{{joint:{of}}} against {{alone:{of}}} on average"
        )
        share = float(compared["NLL over"].mean())
        if share == 1:
            told = fact("ensemble_draws.nll", template + ".", **values)
        else:
            template += (
                f", over the {{share:.0%}} of {points}: elsewhere a member gives the true class no "
                "probability."
            )
            told = fact("ensemble_draws.nll_where_finite", template, share=share, **values)
        return (told, *self._left_out_facts())

    def _left_out_facts(self) -> Facts:
        """On how many draws NLLs are not compared, where they are on others."""
        left_out, n = int((~self.compared).sum()), len(self.table)
        if not left_out:
            return ()
        template = "On {left_out:,} of the {n:,} draws there is no such point: they are left out."
        return (fact("ensemble_draws.nll_left_out", template, left_out=left_out, n=n),)

    def uncertainty_facts(self) -> Facts:
        """The paper's second: more uncertain than a single model, and that by diversity."""
        table = self.table
        entropy, single = (float(table[name].mean()) for name in ("H(F)", "single entropy"))
        of = f".{decimals_apart(entropy, single)}f"
        template = (
            "Its entropy is above that of {single} on {above:,} of {n:,} draws "
            f"({{entropy:{of}}} against {{single_entropy:{of}}} nats on average)."
        )
        above = fact(
            "ensemble_draws.entropy",
            template,
            single=self.single,
            above=int((table["H(F)"] > table["single entropy"]).sum()),
            n=len(table),
            entropy=entropy,
            single_entropy=single,
        )
        jsd, members = (float(table[name].mean()) for name in (PAPER_JSD, "mean H(f)"))
        larger = "JSD as in the paper" if jsd > members else "the members' own entropy"
        of = f".{decimals_apart(jsd, members)}f"
        template = (
            "Of the two parts that the paper takes it apart into, {larger} is the larger: JSD "
            f"{{jsd:{of}}}, members {{members:{of}}}."
        )
        parts = {"jsd": jsd, "members": members}
        if jsd == members:
            template = "The two parts that the paper takes it apart into are equal, {jsd:.3f}."
            return (above, fact("ensemble_draws.equal_parts", template, **parts))
        return (above, fact("ensemble_draws.larger_part", template, larger=larger, **parts))

    def facts_of_draws(self, shots: int, effort: str = "") -> Facts:
        """What the figures over draws are made of."""
        n = len(self.table)
        template = (
            ("{n:,} draw" if n == 1 else "{n:,} draws")
            + (" of {shots:,} shot" if shots == 1 else " of {shots:,} shots")
            + ", means over the query points of each; the single model is {single} on the same "
            "support sets{effort}."
        )
        values = {"n": n, "shots": shots, "single": self.single, "effort": effort}
        return (fact("ensemble_draws.made_of", template, **values),)


def ensemble_over_draws(
    make: Callable[[], Classifier],
    single: Callable[[], Classifier] | Mapping[int, np.ndarray],
    draws: Mapping[int, Draw] | Iterable[tuple[int, Draw]],
    names: tuple[str, str],
    temperature: Temperature = "none",
    cancelled: Callable[[], bool] = lambda: False,
) -> EnsembleOverDraws:
    """Fit a method and a single model on each draw, and read both."""
    rows = []
    pairs = draws.items() if isinstance(draws, Mapping) else draws
    for number, (X, y, X_query, y_query) in pairs:
        if cancelled():
            raise Cancelled
        found = ensemble_diagnostics(make().fit(X, y), X_query, y_query, temperature)
        alone = single().fit(X, y).predict_proba(X_query) if callable(single) else single[number]
        single_nll = nll(alone, found.true)
        answered = np.isfinite(found.nll) & np.isfinite(single_nll)
        compared = found.comparable & np.isfinite(single_nll)
        among = compared if compared.any() else answered
        row = {
            "draw": number,
            **found.summary(among),
            "single NLL": single_nll[among].mean() if among.any() else np.nan,
            "single entropy": entr(alone).sum(axis=1).mean(),
            "single accuracy": (alone.argmax(axis=1) == found.true).mean(),
        }
        rows.append(row | ({} if compared.any() else {"mean NLL(f)": np.inf}))
    return EnsembleOverDraws(*names, pd.DataFrame(rows))
