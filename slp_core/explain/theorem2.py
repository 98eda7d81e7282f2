"""Theorem 2 as a number: how often a line overrules the class whose centroid is nearest.

The paper's proof takes a point from which the two ends of a line are seen at a right angle. There
d_left = T cos θ and d_right = T sin θ, θ being the angle at the left end: where two classes tie at
w, tan θ = w / (1 − w), and with distances along the line tan² θ = w / (1 − w). A centroid off the
axis by o, with its foot at p, is √((t − p)² + (r ∓ o)²) away from a point at (t, r), by its side.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from slp_core.explain.bands import winning_bands
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


def turns_of(model: HasLines) -> tuple[Turn, ...]:
    """Where the bands of every line meet; nowhere with one feature, which has no right angle."""
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
