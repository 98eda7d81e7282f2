"""Recursive regression (section 3.1.1), with the furthest pair as the authors' code."""

from __future__ import annotations

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
    while len(groups) > 1 and (alone := [group for group in groups if len(group) == 1]):
        groups.remove(alone[0])
        means = np.stack([centroids[group].mean(axis=0) for group in groups])
        host = int(np.argmin(np.linalg.norm(means - centroids[alone[0]], axis=1)))
        groups[host] = sorted(groups[host] + alone[0])
        groups.sort()
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
