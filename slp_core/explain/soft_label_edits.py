"""What becomes of the answers when soft labels are edited by hand."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from slp_core.explain.predictions import Predictions
from slp_core.explain.soft_labels import SIDES
from slp_core.facts import ClassName, Facts, Stated, fact, noun


@dataclass(frozen=True, eq=False)
class SoftLabelEdit(Stated):
    """Answers with soft labels as they were fitted, and as they stand."""

    method: Predictions
    constant: bool
    before: Predictions
    now: Predictions
    touched: bool

    def facts(self) -> Facts:
        """How many answers are right, and how many have changed."""
        n = len(self.now.true)
        if not n:
            template = "There is no query point to judge soft labels by."
            return (fact("soft_label_edit.no_points", template),)
        points = noun(n, "query point")
        moved = int(np.count_nonzero(self.now.predicted != self.before.predicted))
        values: dict[str, Any] = {
            "before": self.before.accuracy,
            "now": self.now.accuracy,
            "n": n,
            "moved": moved,
        }
        if self.touched:
            what = "the fitted soft labels" if self.constant else "the mean soft labels"
            template = (
                "By hand, **{now:.1%}** of {n:,} "
                + points
                + " are answered right, where "
                + what
                + " get {before:.1%}: "
                + ("one answer has" if moved == 1 else "{moved:,} answers have")
                + " changed."
            )
            return (fact("soft_label_edit.by_hand", template, **values),)
        invitation = (
            " Move a soft label, and see what follows: the others on the prototype make room."
        )
        if self.constant:
            template = "As fitted, {before:.1%} of {n:,} " + points + " are answered right."
            return (fact("soft_label_edit.as_fitted", template + invitation, **values),)
        template = (
            "{method}'s soft labels depend on the point. Held at their mean they get {before:.1%} "
            "of {n:,} " + points + " right, where the method itself gets {own:.1%}."
        )
        values |= {"method": self.method.method, "own": self.method.accuracy}
        return (fact("soft_label_edit.held", template + invitation, **values),)


def seen_facts(shots: int, draw: int, support: np.ndarray, query: np.ndarray) -> Facts:
    """That prototypes come from another draw, some of whose support points judge them here."""
    n_seen = int(np.isin(query, support).sum())
    if not n_seen:
        return ()
    template = (
        "These prototypes were fitted on draw {draw} at {shots} "
        + ("shot" if shots == 1 else "shots")
        + ": {n_seen:,} of the {n:,} query points here "
        + ("is" if n_seen == 1 else "are")
        + " of its support set, so the share of right answers may flatter them."
    )
    values = {"draw": draw, "shots": shots, "n_seen": n_seen, "n": len(query)}
    return (fact("soft_label_edit.seen", template, **values),)


def prototype_facts(side: int, at: ClassName) -> Facts:
    """Which prototype it is that stands above its shares."""
    template = "**{side} prototype**, at {at}"
    return (fact("soft_label_edit.prototype", template, side=SIDES[side], at=at),)
