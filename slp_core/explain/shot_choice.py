"""Choices of shots by the labels alone."""

from __future__ import annotations

from typing import Any, Literal

import numpy as np

from slp_core.errors import SLPError
from slp_core.lines import distances
from slp_core.methods.tables import check_one_label_each

_MOST_COMPARED = 10_000  # rows of a class that are compared pairwise


def select_shots(
    X: Any, y: Any, shots: int, method: Literal["medoids", "coverage"] = "medoids"
) -> np.ndarray:
    """Representative rows of each class, chosen by points and labels alone.

    Parameters
    ----------
    X : (n, d) array
    y : (n,) array
    shots : int
        Rows a class; a smaller class gives all that it has.
    method : {"medoids", "coverage"}
        ``"medoids"``: rows whose summed distance from the rows of their class is small, by greedy
        choice and the best swap as long as one helps (PAM; Kaufman and Rousseeuw 1990, chapter 2).
        It takes time in proportion to shots · n² a swap. ``"coverage"``: from the row nearest
        to the mean on, always the row furthest from those chosen (Gonzalez 1985): outliers are
        among them.

    Returns
    -------
    (K · shots,) int array
        Row numbers, class by class in sorted order.

    Raises
    ------
    SLPError
        An option is invalid, points and labels differ in number, or medoids are asked of a class of
        more than 10,000 rows.

    Examples
    --------
    >>> import slp_core as slp
    >>> X = [[0], [1], [2], [9], [5], [6], [7]]
    >>> slp.select_shots(X, list("aaaabbb"), shots=1).tolist()
    [1, 5]
    >>> slp.select_shots(X, list("aaaabbb"), shots=2, method="coverage").tolist()
    [2, 3, 5, 4]
    """
    from slp_core.methods.validation import classes_of, refuse_missing

    if method not in _METHODS:
        raise SLPError(f"method {method!r} is not one of {', '.join(_METHODS)}.")
    if shots < 1:
        raise SLPError(f"shots must be 1 or more, not {shots}.")
    refuse_missing(y)
    points, y = np.asarray(X, dtype=np.float64), np.asarray(y)
    check_one_label_each(points, y)
    _, label = classes_of(y)
    chosen = []
    for k in range(label.max() + 1):
        rows = np.flatnonzero(label == k)
        chosen.append(rows[_METHODS[method](points[rows], min(shots, len(rows)))])
    return np.concatenate(chosen)


def suggested_shot(X: np.ndarray, y: np.ndarray, support: np.ndarray, k: int) -> int | None:
    """The most representative row of class k that is no shot yet; None where all are."""
    rows = np.flatnonzero(y == k)
    taken = np.isin(rows, support)
    if taken.all():
        return None
    chosen = rows[select_shots(X[rows], y[rows], int(taken.sum()) + 1)]
    return int(chosen[~np.isin(chosen, support)][0])


def _medoids(points: np.ndarray, n: int) -> list[int]:
    """Greedy choice, then the best swap as long as one lowers the summed distance."""
    if len(points) > _MOST_COMPARED:
        raise SLPError(
            f"A class has {len(points):,} rows, and at most {_MOST_COMPARED:,} are compared "
            "pairwise: give fewer, or choose method='coverage'."
        )
    away = distances(points, points)
    chosen: list[int] = []
    nearest = np.full(len(points), np.inf)
    for _ in range(n):
        cost = np.minimum(nearest, away).sum(axis=1)
        cost[chosen] = np.inf
        chosen.append(int(cost.argmin()))
        nearest = np.minimum(nearest, away[chosen[-1]])
    least = nearest.sum()
    while True:
        costs = np.stack([_costs_of_swaps(away, chosen, place) for place in range(n)])
        place, row = np.unravel_index(costs.argmin(), costs.shape)
        if not costs[place, row] < least * (1 - 1e-12):
            return chosen
        chosen[place], least = int(row), costs[place, row]


def _costs_of_swaps(away: np.ndarray, chosen: list[int], place: int) -> np.ndarray:
    """(n,) summed distances if each row took the place of one that is chosen."""
    others = away[chosen[:place] + chosen[place + 1 :]]
    costs: np.ndarray = np.minimum(others.min(axis=0, initial=np.inf), away).sum(axis=1)
    costs[chosen] = np.inf
    return costs


def _coverage(points: np.ndarray, n: int) -> list[int]:
    mean = points.mean(axis=0, keepdims=True)
    chosen = [int(distances(points, mean)[:, 0].argmin())]
    nearest = distances(points, points[chosen])[:, 0]
    while len(chosen) < n:
        nearest[chosen] = -1.0  # of rows that coincide, others
        chosen.append(int(nearest.argmax()))
        nearest = np.minimum(nearest, distances(points, points[chosen[-1:]])[:, 0])
    return chosen


_METHODS = {"medoids": _medoids, "coverage": _coverage}
