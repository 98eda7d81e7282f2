"""Brute force: of all ways to group the classes, the one nearest to its lines."""

from __future__ import annotations

import numpy as np
from scipy.spatial.distance import pdist, squareform

from slp_core.errors import SLPError
from slp_core.lines.geometry import project_on_segments
from slp_core.lines.line import LineFit

MAX_CANDIDATES = 2_000_000  # 13 classes have 1,594,323: some seconds
_OF_LENGTH = 1e-9  # of a line's length, added to the distances from it: it settles ties alone


def brute_force(centroids: np.ndarray, n_lines: int, tolerance: float) -> LineFit:
    """The exact minimum of the summed centroid-to-segment distance.

    Every grouping of the classes into at most ``n_lines`` lines of two or more classes, ends at
    the furthest pair, is covered by dynamic programming over subsets: 3^K pairs of a subset and
    a group inside it. Two classes are at no distance from their line, so that many groupings come
    to the same minimum: of these it is the one with the shortest lines, all in all.
    """
    n_classes = len(centroids)
    if 3**n_classes > MAX_CANDIDATES:
        raise SLPError(
            f"Finding lines by brute force would compare {3**n_classes:,} candidates for "
            f"{n_classes} classes, and the limit is {MAX_CANDIDATES:,} (13 classes): choose "
            "recursive_regression or attraction."
        )
    if n_classes == 1:
        return LineFit.of_groups([[0]], centroids, "brute_force", tolerance)
    n_lines = min(n_lines, n_classes // 2)  # a line has two classes or more
    cost = _group_costs(centroids)
    everything = (1 << n_classes) - 1
    # best[l, mask]: the least cost of covering the classes in mask with at most l + 1 lines;
    # holder[l, mask]: which of those lines holds the lowest class.
    best = np.tile(cost, (n_lines, 1))
    holder = np.tile(np.arange(everything + 1), (n_lines, 1))
    for mask in range(1, everything + 1):
        splits = _groups_with_lowest(mask)
        if not len(splits):
            continue
        value = cost[splits] + best[:-1, mask ^ splits]
        choice = value.argmin(axis=1)
        least = value[np.arange(n_lines - 1), choice]
        cheaper = np.flatnonzero(least < best[1:, mask])
        best[cheaper + 1, mask] = least[cheaper]
        holder[cheaper + 1, mask] = splits[choice[cheaper]]
    groups, rest = [], everything
    for level in reversed(range(n_lines)):
        chosen = int(holder[level, rest])
        if rest:
            groups.append([c for c in range(n_classes) if chosen >> c & 1])
            rest ^= chosen
    return LineFit.of_groups(groups, centroids, "brute_force", tolerance)


def _groups_with_lowest(mask: int) -> np.ndarray:
    """Every proper subset of ``mask`` that holds its lowest class: no grouping comes twice."""
    lowest = mask & -mask
    subsets = np.array([lowest])
    rest = mask ^ lowest
    while rest:
        bit = rest & -rest
        subsets = np.concatenate([subsets, subsets | bit])
        rest ^= bit
    return subsets[:-1]


def _group_costs(centroids: np.ndarray) -> np.ndarray:
    """(2^K,) summed distance from the segment of each subset; infinite for one class alone.

    Rounding would choose between subsets at the same distance; their lengths do so before it.
    """
    n_classes = len(centroids)
    between = squareform(pdist(centroids))
    pairs = [(i, j) for i in range(n_classes) for j in range(i + 1, n_classes)]
    first, last = (np.array(side) for side in zip(*pairs, strict=True))
    _, off = project_on_segments(centroids, centroids[first], centroids[last])
    # Subsets take the longest of their pairs as ends, the first in order on a tie.
    by_length = np.argsort(-between[first, last], kind="stable")
    members = np.arange(1 << n_classes)[:, None] >> np.arange(n_classes) & 1
    cost = np.full(1 << n_classes, np.inf)
    cost[0] = 0.0
    undecided = members.sum(axis=1) >= 2
    for pair in by_length:
        takes = undecided & (members[:, first[pair]] == 1) & (members[:, last[pair]] == 1)
        cost[takes] = members[takes] @ off[:, pair] + _OF_LENGTH * between[first[pair], last[pair]]
        undecided &= ~takes
    return cost
