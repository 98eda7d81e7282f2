"""A line through class centroids, and the result of a search for lines."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from scipy.spatial.distance import pdist, squareform

from slp_core.lines.geometry import project_on_segments

_ROUNDING = 1e-12  # of positions on a line, relative to its centroids' norms


@dataclass(frozen=True)
class Line:
    """An ordered set of classes; its ends are the two centroids furthest apart.

    Attributes
    ----------
    classes : tuple of int
        Class indices from left to right, by position.
    positions : (n,) array
        Each centroid's place along the segment, from 0 to ``length``.
    offsets : (n,) array
        Each centroid's distance from the segment (0 at the ends).
    length : float
        Distance between the ends; 0 for a one-class line.

    Examples
    --------
    >>> import slp_core as slp
    >>> line = slp.find_lines([[-10.0, 0.0], [5.0, 3.0], [15.0, 0.0]]).lines[0]
    >>> line.classes, line.positions.tolist(), line.length
    ((0, 1, 2), [0.0, 15.0, 25.0], 25.0)
    """

    classes: tuple[int, ...]
    positions: np.ndarray
    offsets: np.ndarray
    length: float

    @property
    def left(self) -> int:
        """The class at the left end."""
        return self.classes[0]

    @property
    def right(self) -> int:
        """The class at the right end (``left`` again where the line has one class)."""
        return self.classes[-1]

    @classmethod
    def through(cls, members: Iterable[int], centroids: np.ndarray) -> Line:
        """The line of a group: furthest pair as ends, the smaller class on the left."""
        group = sorted(members)
        between = squareform(pdist(centroids[group]))
        first, last = divmod(int(np.argmax(between)), len(group))
        if first == last:  # every centroid of the group is the same point
            first, last = 0, len(group) - 1
        length = float(between[first, last])
        position, off = _along(centroids[group], first, last, length)
        order = sorted(range(len(group)), key=lambda i: (i != first, i == last, position[i]))
        return cls(tuple(group[i] for i in order), position[order], off[order], length)

    @classmethod
    def in_order(cls, members: Sequence[int], centroids: np.ndarray) -> Line | None:
        """The line of classes in a given order, which settles ties; None if it is impossible."""
        points = centroids[list(members)]
        rounding = _ROUNDING * float(np.linalg.norm(points, axis=1).max())
        between = squareform(pdist(points))
        length = float(between[0, -1])
        positions, offsets = _along(points, 0, -1, length)
        furthest = members[0] <= members[-1] and length >= between.max() - rounding
        if not furthest or np.diff(positions).min(initial=0.0) < -rounding:
            return None
        return cls(tuple(members), np.maximum.accumulate(positions), offsets, length)


def _along(
    points: np.ndarray, first: int, last: int, length: float
) -> tuple[np.ndarray, np.ndarray]:
    """(n,) each: places along the segment between two of the points, and distances from it."""
    t, offset = project_on_segments(points, points[[first]], points[[last]])
    positions, offsets = np.clip(t[:, 0], 0.0, length), offset[:, 0]
    positions[first], positions[last] = 0.0, length
    offsets[[first, last]] = 0.0
    return positions, offsets


@dataclass(frozen=True)
class OffLine:
    """A centroid that lies further from its line than the tolerance allows."""

    class_index: int
    line: int
    distance: float


@dataclass(frozen=True)
class LineFit:
    """The lines through K centroids; every class is on exactly one.

    Attributes
    ----------
    lines : tuple of Line
        Sorted by their smallest class.
    tolerance : float
        ε in the units of the centroids.

    Examples
    --------
    >>> import slp_core as slp
    >>> fit = slp.find_lines([[0.0, 0.0], [1.0, 0.0], [0.0, 9.0], [1.0, 9.0]])
    >>> [line.classes for line in fit.lines]
    [(0, 1), (2, 3)]
    """

    lines: tuple[Line, ...]
    tolerance: float

    @classmethod
    def of_groups(
        cls, groups: Iterable[Collection[int]], centroids: np.ndarray, tolerance: float
    ) -> LineFit:
        ordered = sorted(groups, key=min)
        return cls(tuple(Line.through(g, centroids) for g in ordered), tolerance)

    def moved(self, class_index: int, host: int, centroids: np.ndarray) -> LineFit:
        """A copy with one class moved to another line, by number."""
        groups = [set(line.classes) - {class_index} for line in self.lines]
        groups[host].add(class_index)
        return LineFit.of_groups(groups, centroids, self.tolerance)

    @property
    def total_distance(self) -> float:
        """Summed distance of all centroids from their segments."""
        return float(sum(line.offsets.sum() for line in self.lines))

    @property
    def off_line(self) -> tuple[OffLine, ...]:
        """Centroids further than the tolerance from their line, furthest first."""
        found = [
            OffLine(c, number, float(offset))
            for number, line in enumerate(self.lines)
            for c, offset in zip(line.classes, line.offsets, strict=True)
            if offset > self.tolerance
        ]
        return tuple(sorted(found, key=lambda o: -o.distance))
