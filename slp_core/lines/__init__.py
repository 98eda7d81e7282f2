"""Lines through class centroids: finders and geometry."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal

import numpy as np
from scipy.spatial.distance import pdist

from slp_core.allowed import Count, NotNegative, check_options
from slp_core.errors import SLPError
from slp_core.lines.attraction import attraction
from slp_core.lines.brute_force import brute_force
from slp_core.lines.geometry import (
    Placement,
    circle_of,
    class_means,
    distances,
    project_on_segments,
    weight_at,
)
from slp_core.lines.line import Line, LineFit, OffLine
from slp_core.lines.recursive_regression import recursive_regression

LineMethod = Literal["recursive_regression", "brute_force", "attraction"]

FINDERS: dict[str, Callable[[np.ndarray, int, float], LineFit]] = {
    "recursive_regression": recursive_regression,
    "brute_force": brute_force,
    "attraction": attraction,
}

__all__ = [
    "FINDERS",
    "Line",
    "LineFit",
    "LineMethod",
    "OffLine",
    "Placement",
    "circle_of",
    "class_means",
    "distances",
    "find_lines",
    "project_on_segments",
    "scaled_tolerance",
    "weight_at",
]


def find_lines(
    centroids: np.ndarray,
    method: LineMethod = "recursive_regression",
    n_lines: Literal["half", "all"] | Count = "half",
    tolerance: NotNegative = 0.1,
    tolerance_scale: Literal["relative", "absolute"] = "relative",
) -> LineFit:
    """Find lines through all class centroids (section 3.1.1 of the paper).

    Parameters
    ----------
    centroids : (K, d) array
        Finite numbers, K ≥ 1.
    method : {"recursive_regression", "brute_force", "attraction"}
    n_lines : int, "half" or "all"
        Maximum number of lines: ``"half"`` is ⌈K/2⌉, the paper's choice; ``"all"`` is K − 1, the
        authors' code.
    tolerance : float
        ε, the distance from its segment beyond which a centroid is off its line.
    tolerance_scale : {"relative", "absolute"}
        ε in units of the median distance between centroids, or absolute (the paper).

    Returns
    -------
    LineFit
        Also for coincident and collinear centroids.

    Raises
    ------
    SLPError
        Invalid centroids or options, or too many classes for brute force.

    Examples
    --------
    >>> import slp_core as slp
    >>> centroids = [[-10.0, 0.0], [5.0, 0.0], [15.0, 0.0]]
    >>> [line.classes for line in slp.find_lines(centroids, n_lines=1).lines]
    [(0, 1, 2)]
    """
    centroids = _validate_centroids(centroids)
    n_classes = len(centroids)
    options: dict[str, Any] = {"method": method, "n_lines": n_lines, "tolerance": tolerance}
    check_options(options | {"tolerance_scale": tolerance_scale}, find_lines)
    most = _most_lines(n_lines, n_classes)
    if n_classes == 1:
        return LineFit.of_groups([[0]], centroids, tolerance)
    return FINDERS[method](centroids, most, scaled_tolerance(centroids, tolerance, tolerance_scale))


def scaled_tolerance(centroids: np.ndarray, tolerance: float, tolerance_scale: str) -> float:
    """ε in the units of the centroids (K, d)."""
    if len(centroids) == 1:
        return tolerance
    between = pdist(centroids)
    if not np.isfinite(between).all():
        raise SLPError("The squared distances of the centroids overflow: rescale them.")
    return tolerance * (float(np.median(between)) if tolerance_scale == "relative" else 1.0)


def _validate_centroids(centroids: Any) -> np.ndarray:
    try:
        table = np.asarray(centroids, dtype=np.float64)
    except (TypeError, ValueError):
        raise SLPError("centroids must be a table of numbers, one row per class.") from None
    if table.ndim != 2 or not table.size:
        raise SLPError(
            "centroids must be a table with at least one row and one column, not of shape "
            f"{table.shape}."
        )
    if not np.isfinite(table).all():
        row, column = np.argwhere(~np.isfinite(table))[0]
        raise SLPError(
            f"centroids must be finite, and row {row} has {table[row, column]} in column {column}: "
            "correct or leave out its examples."
        )
    return table


def _most_lines(n_lines: int | str, n_classes: int) -> int:
    if n_lines == "half":
        return -(-n_classes // 2)
    if n_lines == "all":
        return max(1, n_classes - 1)
    return int(n_lines)
