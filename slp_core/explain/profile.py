"""One line: its decision intervals over w, the examples assigned to it, and both distances."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
import pandas as pd

from slp_core.explain.bands import Bands, winning_bands
from slp_core.explain.places import weighed
from slp_core.lines import Line, weight_at
from slp_core.methods.protocols import ConstantSoftLabels, HasLines
from slp_core.methods.tables import nameless

_TIE = 1e-9  # between scores, in units of 1 or of the largest one


@dataclass(frozen=True, eq=False)
class LineProfile:
    """What a line predicts over w, and where its p examples are."""

    classes: tuple[str, ...]
    number: int
    line: Line
    examples: pd.DataFrame  # p rows of those that were given
    soft_labels: np.ndarray | None  # (2, K)
    bands: Bands | None

    @property
    def occupied(self) -> tuple[float, float] | None:
        """The least and the greatest w of its examples; None where there are none."""
        w = self.examples["w"]
        return (float(w.min()), float(w.max())) if len(w) else None

    @property
    def never_predicted(self) -> tuple[int, ...]:
        """Classes on the line that neither win nor tie at any w."""
        if self.bands is None or self.soft_labels is None:
            return ()
        # How far a class stays behind is convex over w, with its corners at the breakpoints.
        scores = weighed(self.soft_labels, np.array(self.bands.edges))
        behind = (scores.max(axis=1)[:, None] - scores).min(axis=0)
        return tuple(c for c in self.line.classes if behind[c] > _TIE)

    @property
    def winners(self) -> tuple[int, ...]:
        """Classes whose intervals meet the occupied range of w, from its lower end on."""
        if self.bands is None or self.occupied is None:
            return ()
        low, high = (self.bands.at(w) for w in self.occupied)
        return self.bands.classes[low : high + 1]


def line_profile(model: HasLines, number: int, examples: pd.DataFrame) -> LineProfile:
    """A line of a fitted method, with its decision intervals and those of the examples on it.

    They are as :func:`read_places` gives them, or with more columns.
    """
    soft_labels = model.soft_labels_[number] if isinstance(model, ConstantSoftLabels) else None
    return LineProfile(
        tuple(str(c) for c in model.classes_),
        number,
        model.lines_[number],
        examples[examples["line"] == number],
        soft_labels,
        None if soft_labels is None else winning_bands(*soft_labels),
    )


def labels_at(model: HasLines, number: int, x: np.ndarray) -> np.ndarray:
    """(2, K) soft labels of a line's prototypes; where they depend on the example, logits at it."""
    X = np.asarray(x)[None]
    labels: np.ndarray = nameless(model).prototype_scores(X, np.array([number]))[0]
    return labels


def half_planes(profile: LineProfile, along_line: bool) -> dict[bool, LineProfile]:
    """A line with the method's own distances, projected or not, and with the others."""
    if profile.line.length == 0:
        return {}
    each, planes = profile.examples, {along_line: profile}
    if not along_line:
        projected = each.assign(w=each["along"], predicted=each["predicted_along"])
        planes[True] = replace(profile, examples=projected)
    elif profile.soft_labels is not None:
        w = weight_at(each["t"].to_numpy(), each["r"].to_numpy(), profile.line.length)
        full = each.assign(w=w, predicted=weighed(profile.soft_labels, w).argmax(axis=1))
        planes[False] = replace(profile, examples=full)
    return planes
