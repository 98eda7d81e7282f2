"""Theorem 2 as a number: how often a line overrules the class whose centroid is nearest.

The paper's proof takes a point from which the two ends of a line are seen at a right angle. There
d_left = T cos θ and d_right = T sin θ, θ being the angle at the left end: where two classes tie at
w, tan θ = w / (1 − w), and with distances along the line tan² θ = w / (1 − w). A centroid off the
axis by o, with its foot at p, is √((t − p)² + (r ∓ o)²) away from a point at (t, r), by its side.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from slp_core.explain.bands import Bands, winning_bands
from slp_core.explain.causes import CROSSING, Causes
from slp_core.explain.places import check_lines
from slp_core.lines import Line
from slp_core.methods.protocols import HasLines, has_constant_soft_labels


@dataclass(frozen=True)
class Turn:
    """Where two bands of a line meet, seen from the paper's right angle."""

    line: int
    left: int
    right: int
    w: float
    angle: float
    t: float
    r: float
    to_left: float
    to_right: float
    off_left: float = 0.0
    off_right: float = 0.0

    @property
    def from_left(self) -> tuple[float, float]:
        """The least and the greatest distance that such a point has from the left centroid."""
        return _apart(self.to_left, self.r, self.off_left)

    @property
    def from_right(self) -> tuple[float, float]:
        """The least and the greatest distance that such a point has from the right centroid."""
        return _apart(self.to_right, self.r, self.off_right)

    @property
    def taken(self) -> int | None:
        """The class that loses points nearer to its centroid there, on either side of the axis."""
        if self.from_left[1] < self.from_right[0]:
            return self.left
        return self.right if self.from_right[1] < self.from_left[0] else None


def _apart(to_foot: float, r: float, off: float) -> tuple[float, float]:
    along = max(to_foot**2 - r**2, 0.0)
    return float(np.sqrt(along + (r - off) ** 2)), float(np.sqrt(along + (r + off) ** 2))


@dataclass(frozen=True, eq=False)
class Theorem2:
    """How often a line overrules a correct nearest centroid, and the angles at which it begins."""

    classes: tuple[str, ...]
    near: int
    counted: np.ndarray  # (m,)
    turns: tuple[Turn, ...]

    @property
    def count(self) -> int:
        """How many query examples."""
        return int(self.counted.sum())


def theorem2(model: HasLines, causes: Causes) -> Theorem2:
    """Count Theorem 2 among the errors on a query set, and find the angles at which it begins."""
    counted = np.isin(causes.cause, CROSSING)
    near = int((causes.nearest == causes.true).sum())
    return Theorem2(causes.classes, near, counted, turns_of(model))


def furthest_off_axis(line: Line) -> tuple[int, float]:
    """The class of a line whose centroid is furthest off the axis, and how far that is."""
    furthest = int(np.argmax(line.offsets))
    return line.classes[furthest], float(line.offsets[furthest])


def crossed_beyond(
    bands: Bands, line: Line, k: int, t: np.ndarray, along_line: bool = False
) -> tuple[np.ndarray, np.ndarray]:
    """The stretch of distances r in which class k wins at each t: w goes towards 1/2 as r grows."""
    if k not in bands.classes:
        return np.full(len(t), np.inf), np.full(len(t), np.inf)
    band = bands.classes.index(k)
    low, high = bands.edges[band], bands.edges[band + 1]
    if along_line:
        w = 1 - np.clip(t, 0.0, line.length) / line.length
        wins = (w >= low) & (w <= high)
        return np.where(wins, 0.0, np.inf), np.full(len(t), np.inf)
    # Towards the middle w falls on the left half, and rises on the right one.
    first, last = (np.where(t <= line.length / 2, a, b) for a, b in ((high, low), (low, high)))
    below, above = (_r_at(w, t, line.length) for w in (first, last))
    nowhere = above <= below
    return np.where(nowhere, np.inf, below), np.where(nowhere, np.inf, above)


def _r_at(w: np.ndarray, t: np.ndarray, length: float) -> np.ndarray:
    """(n,) the distance from the axis at which the vote at t has come as near to 1/2 as w."""
    # (length − t)² + r² = (w / (1 − w))² (t² + r²), solved without the circle that this is: near
    # 1/2 its centre and its radius are so large that nothing is left of their difference.
    on_axis = (1 - w) * length  # where between the prototypes the vote is w
    squared = (on_axis - t) * (on_axis + (2 * w - 1) * t)
    squared = np.divide(squared, 2 * w - 1, out=np.zeros(len(t)), where=w != 0.5)
    never = (w == 0.5) | ((w > 0.5) != (t <= length / 2))
    return np.where(never, np.inf, np.sqrt(np.maximum(squared, 0.0)))


def turns_of(model: HasLines) -> tuple[Turn, ...]:
    """Where the bands of every line meet; nowhere with one feature, which has no right angle."""
    check_lines(model)
    if not has_constant_soft_labels(model) or model.n_features_in_ == 1:
        return ()
    turns = []
    for number, line in enumerate(model.lines_):
        if line.length == 0 or len(line.classes) < 2:
            continue
        bands = winning_bands(*model.soft_labels_[number])
        place = {c: at for at, c in enumerate(line.classes)}
        for lower, upper, w in zip(
            bands.classes[:-1], bands.classes[1:], bands.edges[1:-1], strict=True
        ):
            tangent = w / (1.0 - w)
            angle = np.arctan(np.sqrt(tangent) if model.distance == "along_line" else tangent)
            t = float(line.length * np.cos(angle) ** 2)
            r = float(line.length * np.sin(angle) * np.cos(angle))
            two = [place[upper], place[lower]]
            feet = np.hypot(t - line.positions[two], r).tolist()
            off = line.offsets[two].tolist()
            turns.append(Turn(number, upper, lower, w, float(np.degrees(angle)), t, r, *feet, *off))
    return tuple(turns)
