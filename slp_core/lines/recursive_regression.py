"""Recursive regression: cluster the centroids, then mend what lies off its line.

Section 3.1.1 of the paper. The paper fits a regression line to each cluster; the furthest pair
of centroids stands for it here, as in the authors' code.
"""

from __future__ import annotations

import numpy as np
from scipy.cluster.hierarchy import fcluster, linkage

from slp_core.lines.geometry import project_on_segments
from slp_core.lines.line import LineFit


def recursive_regression(centroids: np.ndarray, n_lines: int, tolerance: float) -> LineFit:
    """Lines from complete-linkage clusters of the centroids.

    Parameters
    ----------
    centroids : (K, d) array
    n_lines : int
        The most lines to draw.
    tolerance : float
        ε: a centroid further than this from its segment moves to the line whose segment is
        nearest, where that is nearer. A move is kept while it lowers the summed distance, ends
        drawn anew, so the search ends.
    """
    labels = fcluster(linkage(centroids, method="complete"), n_lines, criterion="maxclust")
    groups = [np.flatnonzero(labels == label).tolist() for label in np.unique(labels)]
    groups = _join_singletons(groups, centroids)
    fit = LineFit.of_groups(groups, centroids, "recursive_regression", tolerance)
    while (better := _move_one(fit, centroids)) is not None:
        fit = better
    return fit


def _join_singletons(groups: list[list[int]], centroids: np.ndarray) -> list[list[int]]:
    """Merge every group of one class into the group whose mean is nearest."""
    groups = sorted(groups)
    while len(groups) > 1 and any(len(g) == 1 for g in groups):
        alone = next(i for i, g in enumerate(groups) if len(g) == 1)
        point = centroids[groups[alone][0]]
        others = [i for i in range(len(groups)) if i != alone]
        means = np.stack([centroids[groups[i]].mean(axis=0) for i in others])
        host = others[int(np.argmin(np.linalg.norm(means - point, axis=1)))]
        groups[host] = sorted(groups[host] + groups[alone])
        groups = sorted(g for i, g in enumerate(groups) if i != alone)
    return groups


def _move_one(fit: LineFit, centroids: np.ndarray) -> LineFit | None:
    """The fit after the first move that helps, worst-placed centroid first."""
    left = centroids[[line.left for line in fit.lines]]
    right = centroids[[line.right for line in fit.lines]]
    for off in fit.off_line:
        _, distance = project_on_segments(centroids[[off.class_index]], left, right)
        nearest = int(np.argmin(distance[0]))
        if nearest == off.line or distance[0, nearest] >= off.distance:
            continue
        groups = [list(line.classes) for line in fit.lines]
        groups[off.line].remove(off.class_index)
        groups[nearest].append(off.class_index)
        moved = LineFit.of_groups(groups, centroids, fit.method, fit.tolerance)
        if moved.total_distance < fit.total_distance:
            return moved
    return None
