"""Recursive regression (section 3.1.1), with the furthest pair as the authors' code."""

from __future__ import annotations

from bisect import bisect

import numpy as np
from scipy.cluster.hierarchy import fcluster, linkage
from scipy.spatial.distance import pdist

from slp_core.lines.geometry import project_on_segments
from slp_core.lines.line import LineFit


def recursive_regression(centroids: np.ndarray, n_lines: int, tolerance: float) -> LineFit:
    """Complete-linkage clusters; a centroid off its line moves where that helps."""
    labels = fcluster(linkage(pdist(centroids), method="complete"), n_lines, criterion="maxclust")
    groups = [np.flatnonzero(labels == label).tolist() for label in np.unique(labels)]
    groups = _join_singletons(groups, centroids)
    fit = LineFit.of_groups(groups, centroids, tolerance)
    while (better := _move_one(fit, centroids)) is not None:
        fit = better
    return fit


def _join_singletons(groups: list[list[int]], centroids: np.ndarray) -> list[list[int]]:
    """Merge one-class groups into the group with the nearest mean."""
    groups = sorted(groups)
    means = [centroids[group].mean(axis=0) for group in groups]
    while len(groups) > 1 and any(len(g) == 1 for g in groups):
        alone = next(i for i, g in enumerate(groups) if len(g) == 1)
        (joins,) = groups.pop(alone)
        del means[alone]
        host = int(np.argmin(np.linalg.norm(np.stack(means) - centroids[joins], axis=1)))
        group = sorted([*groups.pop(host), joins])
        del means[host]
        place = bisect(groups, group)
        groups.insert(place, group)
        means.insert(place, centroids[group].mean(axis=0))
    return groups


def _move_one(fit: LineFit, centroids: np.ndarray) -> LineFit | None:
    """The fit after the first move that helps, furthest centroid first."""
    left = centroids[[line.left for line in fit.lines]]
    right = centroids[[line.right for line in fit.lines]]
    for off in fit.off_line:
        _, distance = project_on_segments(centroids[[off.class_index]], left, right)
        nearest = int(np.argmin(distance[0]))
        if nearest == off.line or distance[0, nearest] >= off.distance:
            continue
        moved = fit.moved(off.class_index, nearest, centroids)
        if moved.total_distance < fit.total_distance:
            return moved
    return None
