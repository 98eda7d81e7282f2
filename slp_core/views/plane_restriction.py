"""A method restricted to a plane: the same predictions, in few coordinates.

Our methods measure distances from some points and take linear functions of the input. On a plane
both follow from its two coordinates: an isometry carries the plane and the method's own points into
as many dimensions as these span, usually a few out of hundreds.
"""

from __future__ import annotations

import copy
from typing import Any

import numpy as np

from slp_core.lines import Placement
from slp_core.methods.protocols import (
    HasProbabilities,
    has_lines,
)
from slp_core.views.plane import Plane

_PROBES = 16


class PlaneRestriction:
    """A fitted method restricted to a plane."""

    def __init__(self, model: HasProbabilities, n_extra: int):
        self._model = model
        self._n_extra = n_extra

    def predict_proba(self, points: np.ndarray) -> np.ndarray:
        """(m, K) class probabilities at points of the plane."""
        return self._model.predict_proba(self._pad(points))

    def place(self, points: np.ndarray) -> Placement:
        """Where points of the plane lie on the lines."""
        assert has_lines(self._model)
        return self._model.place(self._pad(points))

    def _pad(self, points: np.ndarray) -> np.ndarray:
        return np.pad(points, ((0, 0), (0, self._n_extra)))


def on_plane(model: HasProbabilities, plane: Plane, points: np.ndarray) -> PlaneRestriction | None:
    """Restrict a fitted method to a plane, where that can be done."""
    try:
        return _restricted(model, plane, points)
    except (AttributeError, IndexError, ValueError):  # of state that is not rewritten
        return None


def _restricted(
    model: HasProbabilities, plane: Plane, points: np.ndarray
) -> PlaneRestriction | None:
    if not hasattr(model, "centroids_") and not hasattr(model, "coef_"):
        return None
    origin = plane.origin
    anchors = [model.centroids_] if hasattr(model, "centroids_") else []
    if has_lines(model):
        anchors += [model.prototypes_.reshape(-1, len(origin))]
    frame = _frame(plane, np.concatenate([*anchors, origin[None]]))
    flat: Any = copy.copy(model)  # its state rewritten
    if hasattr(model, "centroids_"):
        flat.centroids_ = (model.centroids_ - origin) @ frame.T
    if has_lines(model):
        flat.prototypes_ = (model.prototypes_ - origin) @ frame.T
    if hasattr(model, "coef_") and hasattr(model, "intercept_"):
        flat.coef_ = model.coef_ @ frame.T
        flat.intercept_ = model.intercept_ + model.coef_ @ origin
    flat.n_features_in_ = len(frame)
    method = PlaneRestriction(flat, len(frame) - 2)
    probes = points[:: max(1, len(points) // _PROBES)]
    agree = np.allclose(
        method.predict_proba(probes), model.predict_proba(plane.lift(probes)), rtol=1e-6, atol=1e-9
    )
    return method if agree else None


def _frame(plane: Plane, anchors: np.ndarray) -> np.ndarray:
    """(r, d) orthonormal rows: the plane's axes, then what the anchors need beside them."""
    beside = anchors - plane.origin
    beside = beside - beside @ plane.axes.T @ plane.axes
    _, sizes, directions = np.linalg.svd(beside, full_matrices=False)
    needed = directions[sizes > 1e-9 * (np.abs(anchors - plane.origin).max() or 1.0)]
    return np.concatenate([plane.axes, needed])
