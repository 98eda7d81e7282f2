"""Planes through the space: principal axes, the centroids' plane, and methods restricted to a
plane.
"""

from __future__ import annotations

import copy
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.linalg import eigh

from slp_core.lines import Placement
from slp_core.methods.protocols import HasLines, HasProbabilities
from slp_core.views.checks import unit_of

# Directions in which the data spread less than this share of the most are rounding.
RANK = 1e-7


@dataclass(frozen=True, eq=False)
class Plane:
    """An origin and two orthonormal axes in d dimensions."""

    origin: np.ndarray  # (d,)
    axes: np.ndarray  # (2, d)

    def coordinates(self, X: np.ndarray) -> np.ndarray:
        """Foot of each row of ``X`` on the plane: (m, 2)."""
        return (X - self.origin) @ self.axes.T

    def lift(self, points: np.ndarray) -> np.ndarray:
        """The vectors at points of the plane: (k, d)."""
        return points @ self.axes + self.origin


def plain_axes(n_features: int) -> Plane:
    """The axes of 2-D data as they are; 1-D data lie along the first."""
    return Plane(np.zeros(n_features), np.eye(2, n_features))


def principal_plane(X: np.ndarray) -> Plane:
    """The two directions in which ``X`` (n, d) varies most."""
    origin = X.mean(axis=0)
    return Plane(origin, two_axes([], X - origin))


def centroid_plane(X: np.ndarray, centroids: np.ndarray) -> Plane:
    """The plane nearest to the centroids, which holds up to three of them exactly."""
    origin = centroids.mean(axis=0)
    spread = centroids - origin
    return Plane(origin, two_axes(principal_axes(spread), X - X.mean(axis=0)))


def decision_plane(X: np.ndarray, scores: np.ndarray, penalty: float) -> Plane:
    """The plane along which class scores vary most."""
    origin = X.mean(axis=0)
    centred = X - origin
    scores = scores - scores.mean(axis=1, keepdims=True)
    scores = scores - scores.mean(axis=0)
    if penalty > 0:
        from sklearn.linear_model import Ridge

        alpha = penalty * np.square(centred).sum() / centred.shape[1] or 1.0
        ridge = Ridge(alpha, fit_intercept=False, solver="cholesky").fit(centred, scores)
        slopes = ridge.coef_.T
    else:
        slopes = np.linalg.lstsq(centred, scores, rcond=RANK)[0]
    components = principal_axes(centred @ slopes)  # at most 2 mixtures of classes
    directions = [slopes @ component for component in components]
    return Plane(origin, two_axes(directions, centred))


def principal_axes(centred: np.ndarray) -> list[np.ndarray]:
    """At most two orthonormal directions of greatest variance, fewer where rank is lower."""
    n, d = centred.shape
    centred = centred / unit_of(centred)
    # The smaller of the two Gram matrices has the same leading part and is quick to take apart.
    gram = centred.T @ centred if d <= n else centred @ centred.T
    last = len(gram) - 1
    values, vectors = eigh(gram, subset_by_index=[max(last - 1, 0), last])
    leading = [i for i in (-1, -2) if -i <= len(values) and values[i] > RANK**2 * values[-1] > 0]
    axes = [vectors[:, i] if d <= n else centred.T @ vectors[:, i] for i in leading]
    return [axis / np.linalg.norm(axis) for axis in axes]


def two_axes(directions: list[np.ndarray], centred: np.ndarray) -> np.ndarray:
    """Orthonormal axes along the directions, filled up from the data, then from the features."""
    n_features = centred.shape[1]
    axes = _orthonormal([], directions)
    if len(axes) < 2:
        held = np.array(axes).reshape(-1, n_features)
        axes = _orthonormal(axes, principal_axes(centred - centred @ held.T @ held))
    if len(axes) < 2:
        axes = _orthonormal(axes, list(np.eye(2, n_features)))
    return np.stack([np.sign(axis[np.argmax(np.abs(axis))]) * axis for axis in axes])


def _orthonormal(axes: list[np.ndarray], candidates: list[np.ndarray]) -> list[np.ndarray]:
    """The axes, and of the candidates' new directions as many as make two."""
    axes = list(axes)
    for candidate in candidates:
        rest = candidate
        for axis in axes * 2:  # twice: the first pass may leave rounding behind
            rest = rest - (rest @ axis) * axis
        length = np.linalg.norm(rest)
        if len(axes) < 2 and length > 1e-6 * np.linalg.norm(candidate):
            axes.append(rest / length)
    return axes


_PROBES = 16


class Lifted:
    """A fitted method at positions in the plane, each lifted to the vector it stands for."""

    def __init__(self, model: HasProbabilities, lift: Callable[[np.ndarray], np.ndarray]):
        self._model, self._lift = model, lift

    def predict_proba(self, places: np.ndarray) -> np.ndarray:
        """(m, K) class probabilities."""
        return self._model.predict_proba(self._lift(places))

    def place(self, places: np.ndarray) -> Placement:
        """Where they lie on the lines."""
        assert isinstance(self._model, HasLines)
        return self._model.place(self._lift(places))


def on_plane(model: HasProbabilities, plane: Plane, points: np.ndarray) -> Lifted | None:
    """A fitted method restricted to a plane, in the few dimensions that its own points span."""
    try:
        return _restricted(model, plane, points)
    except (AttributeError, IndexError, ValueError):  # of state that is not rewritten
        return None


def _restricted(model: HasProbabilities, plane: Plane, points: np.ndarray) -> Lifted | None:
    centroids = [model.centroids_] if hasattr(model, "centroids_") else []
    if not centroids and not hasattr(model, "coef_"):
        return None
    origin = plane.origin
    ends = [model.prototypes_.reshape(-1, len(origin))] if isinstance(model, HasLines) else []
    frame = _frame(plane, np.concatenate([*centroids, *ends, origin[None]]))
    flat: Any = copy.copy(model)  # its state rewritten
    if centroids:
        flat.centroids_ = (centroids[0] - origin) @ frame.T
    if isinstance(model, HasLines):
        flat.prototypes_ = (model.prototypes_ - origin) @ frame.T
    if hasattr(model, "coef_") and hasattr(model, "intercept_"):
        known = np.isfinite(model.intercept_)  # others are of classes that are never predicted
        coef = model.coef_[known]
        flat.coef_ = np.zeros((*known.shape, len(frame)))
        flat.coef_[known] = coef @ frame.T
        flat.intercept_ = model.intercept_.copy()
        flat.intercept_[known] += coef @ origin
    flat.n_features_in_ = len(frame)
    beside = len(frame) - 2
    method = Lifted(flat, lambda places: np.pad(places, ((0, 0), (0, beside))))
    probes = points[:: max(1, len(points) // _PROBES)]
    there = model.predict_proba(plane.lift(probes))
    agree = np.allclose(method.predict_proba(probes), there, rtol=1e-6, atol=1e-9)
    return method if agree else None


def _frame(plane: Plane, anchors: np.ndarray) -> np.ndarray:
    """(r, d) orthonormal rows: the plane's axes, then what the anchors need beside them."""
    beside = np.unique(anchors, axis=0) - plane.origin
    directions, _ = np.linalg.qr(np.concatenate([plane.axes, beside]).T)
    return np.concatenate([plane.axes, directions.T[2:]])
