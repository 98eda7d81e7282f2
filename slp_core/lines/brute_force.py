"""Brute force: the grouping of classes with the smallest summed distance to their lines."""

from __future__ import annotations

import numpy as np
from scipy.spatial.distance import pdist, squareform

from slp_core.errors import SLPError
from slp_core.lines.geometry import project_on_segments
from slp_core.lines.line import LineFit

MAX_CANDIDATES = 2_000_000  # 13 classes have 1,594,323: some seconds
_OF_LENGTH = 1e-9  # of a line's length, added to its cost to break ties


def brute_force(centroids: np.ndarray, n_lines: int, tolerance: float) -> LineFit:
    """The exact minimum of the summed centroid-to-segment distance, by dynamic programming."""
    n_classes = len(centroids)
    if 3**n_classes > MAX_CANDIDATES:
        raise SLPError(
            f"Finding lines by brute force would compare {3**n_classes:,} candidates for "
            f"{n_classes} classes, and the limit is {MAX_CANDIDATES:,} (13 classes): choose "
            "recursive_regression or attraction."
        )
    n_lines = min(n_lines, n_classes // 2)  # a line has two classes or more
    cost = _group_costs(centroids)
    everything = (1 << n_classes) - 1
    # best[l, mask]: the least cost of the classes in mask on at most l + 1 lines;
    # holder[l, mask]: the line of the lowest class.
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
    return LineFit.of_groups(groups, centroids, tolerance)


def _groups_with_lowest(mask: int) -> np.ndarray:
    """Proper subsets of ``mask`` with its lowest class, so that no grouping repeats."""
    lowest = mask & -mask
    subsets = np.array([lowest])
    rest = mask ^ lowest
    while rest:
        bit = rest & -rest
        subsets = np.concatenate([subsets, subsets | bit])
        rest ^= bit
    return subsets[:-1]


def _group_costs(centroids: np.ndarray) -> np.ndarray:
    """(2^K,) summed distance of each subset from its segment, plus a little of its length."""
    n_classes = len(centroids)
    between = squareform(pdist(centroids))
    pairs = [(i, j) for i in range(n_classes) for j in range(i + 1, n_classes)]
    first, last = (np.array(side) for side in zip(*pairs, strict=True))
    _, off = project_on_segments(centroids, centroids[first], centroids[last])
    # The ends of a subset are its longest pair, the first on ties.
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
