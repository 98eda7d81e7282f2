"""Two methods, draws or encoders, prototype by prototype."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import pandas as pd
from scipy.special import rel_entr

from slp_core.explain.soft_labels import SoftLabels


@dataclass(frozen=True, eq=False)
class SoftLabelPairs:
    """The soft labels of two fitted methods, matched by the class that a prototype stands on."""

    first: SoftLabels
    second: SoftLabels

    @cached_property
    def divergence(self) -> pd.DataFrame:
        """A row a class with both: the class, ``jsd``, ``total_variation`` and ``same_line``.

        The Jensen–Shannon divergence of the two (mean) soft labels runs from 0 to ln 2, the total
        variation, half their summed difference, to 1.
        """
        here, there = self.first.at_class, self.second.at_class
        at = [k for k in here if k in there]
        means = [[labels[k].mean for labels in (here, there)] for k in at]
        both = np.reshape(means, (len(at), 2, len(self.first.classes)))
        # Not SciPy's distance: it takes the root of a rounded −0, which is NaN.
        jsd = rel_entr(both, both.mean(axis=1, keepdims=True)).sum(axis=2).mean(axis=1)
        variation = 0.5 * np.abs(both[:, 0] - both[:, 1]).sum(axis=1)
        same = [set(here[k].order) == set(there[k].order) for k in at]
        columns = {"at": at, "jsd": np.maximum(jsd, 0.0), "total_variation": variation}
        return pd.DataFrame(columns | {"same_line": same})

    @property
    def unmatched(self) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """Classes at which only the first, and only the second has a prototype."""
        here, there = self.first.at_class, self.second.at_class
        return tuple(at for at in here if at not in there), tuple(
            at for at in there if at not in here
        )

    @property
    def furthest(self) -> tuple[int, float] | None:
        """The class with the largest divergence, and that; None where nothing can be compared."""
        known = self.divergence.dropna()
        if known.empty:
            return None
        place = int(known["jsd"].argmax())
        return int(known["at"].iloc[place]), float(known["jsd"].iloc[place])
