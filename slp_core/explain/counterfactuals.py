"""What would be predicted if one thing were different: computed exactly."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

import numpy as np

from slp_core.explain.bands import THIN
from slp_core.explain.places import weighed
from slp_core.explain.point import PointReading
from slp_core.methods.protocols import HasLines, HasProbabilities
from slp_core.methods.tables import nameless


@dataclass(frozen=True)
class Counterfactual:
    """One change, and the class predicted with it."""

    kind: Literal["w", "never", "same", "lines", "projected", "method", "nearest"]
    predicted: int | None
    interval: tuple[float, float] = (0.0, 1.0)  # of w, for "w"
    lines: tuple[int, ...] = ()
    method: str = ""


def counterfactuals(
    model: HasLines,
    reading: PointReading,
    other: HasProbabilities | None = None,
    other_name: str = "DeepSLP",
) -> list[Counterfactual]:
    """Change one thing at a time about a prediction; those that correct an error come first."""
    model, true = nameless(model), reading.true
    items = [*_other_w(reading), *_other_lines(model, reading)]
    if model.distance != "along_line" and len(reading.line_classes) > 1:
        scores = weighed(reading.soft_labels, np.array([reading.along]))
        items.append(Counterfactual("projected", int(scores.argmax())))
    if other is not None:
        predicted = int(nameless(other).predict_proba(reading.vector[None])[0].argmax())
        items.append(Counterfactual("method", predicted, method=other_name))
    items.append(Counterfactual("nearest", reading.nearest[0]))
    wrong = true not in (None, reading.predicted)

    def rank(item: Counterfactual) -> int:
        if wrong and (item.predicted == true or item.kind == "never"):
            return 0
        return 1 if item.predicted not in (None, reading.predicted) else 2

    return sorted(items, key=rank)


def _other_w(reading: PointReading) -> Iterator[Counterfactual]:
    """The intervals beside the example's own, and that of its true class."""
    bands, true = reading.bands, reading.true
    if len(reading.line_classes) == 1:
        return
    wanted = sorted(
        _beside(reading), key=lambda b: distance_of_w(reading.w, bands.edges[b : b + 2])
    )
    if true is not None and true != reading.predicted:
        if true in bands.classes:
            wanted.insert(0, bands.classes.index(true))
        else:
            yield Counterfactual("never", None)
    for band in dict.fromkeys(wanted):
        low, high = bands.edges[band : band + 2]
        yield Counterfactual("w", bands.classes[band], (low, high))
    if not wanted:
        yield Counterfactual("same", None)


def distance_of_w(w: float, interval: tuple[float, ...]) -> float:
    """How much w would have to change to lie in an interval."""
    low, high = interval
    return max(low - w, w - high, 0.0)


def _beside(reading: PointReading) -> list[int]:
    """The intervals below and above those w at which the prediction stays the same."""
    bands = reading.bands
    if reading.predicted in bands.classes:
        below = above = bands.classes.index(reading.predicted)
    else:  # it ties: with a class all over, or where two intervals meet
        below, above = bands.at(reading.w - THIN), bands.at(reading.w + THIN)
        if below != above:
            return [below, above]
    return [b for b in (below - 1, above + 1) if 0 <= b < len(bands.classes)]


def _other_lines(model: HasLines, reading: PointReading) -> Iterator[Counterfactual]:
    """The predictions of the other lines, grouped by class."""
    agreed: dict[int, list[int]] = {}
    for number in range(len(model.lines_)):
        if number != reading.line:
            X, line = reading.vector[None], np.array([number])
            scores = weighed(model.prototype_scores(X, line), model.place(X, line).w)
            agreed.setdefault(int(scores.argmax()), []).append(number)
    for predicted, lines in agreed.items():
        yield Counterfactual("lines", predicted, lines=tuple(lines))
