"""Attraction: the furthest pair seeds a line and attracts nearby centroids; repeat."""

from __future__ import annotations

import numpy as np

from slp_core.lines.geometry import distances, project_on_segments
from slp_core.lines.line import LineFit


def attraction(centroids: np.ndarray, n_lines: int, tolerance: float) -> LineFit:
    """The furthest free pair seeds a line and attracts what is within ε; the rest joins last."""
    free = list(range(len(centroids)))
    between = distances(centroids, centroids)
    groups: list[list[int]] = []
    seeds: list[tuple[int, int]] = []
    while len(free) >= 2 and len(groups) < n_lines:
        i, j = divmod(int(np.argmax(between[np.ix_(free, free)])), len(free))
        first, last = (free[i], free[j]) if i != j else (free[0], free[1])
        _, off = project_on_segments(centroids, centroids[[first]], centroids[[last]])
        group = [c for c in free if c in (first, last) or off[c, 0] <= tolerance]
        groups.append(group)
        seeds.append((first, last))
        free = [c for c in free if c not in group]
    if free:
        ends = np.asarray(seeds)
        _, off = project_on_segments(centroids[free], centroids[ends[:, 0]], centroids[ends[:, 1]])
        for c, line in zip(free, off.argmin(axis=1), strict=True):
            groups[line].append(c)
    return LineFit.of_groups(groups, centroids, tolerance)
