"""Projections from d dimensions to the plane, and back."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Annotated, Any, Literal, TypedDict

import numpy as np

from slp_core.allowed import Number, Positive, Seed, Share, check_options
from slp_core.errors import SLPError
from slp_core.methods.protocols import HasLines, HasProbabilities
from slp_core.methods.tables import without_names
from slp_core.sentences import percent
from slp_core.views.checks import check_magnitude, check_model, unit_of
from slp_core.views.layouts import bundled_points, decision_features, tsne_points, umap_points
from slp_core.views.plane import (
    Plane,
    centroid_plane,
    decision_plane,
    plain_axes,
    principal_plane,
)
from slp_core.views.quality import ProjectionQuality, shares_of_variance
from slp_core.views.surface import Surface

ProjectionMethod = Literal[
    "pca", "centroid_plane", "decision_plane", "umap", "tsne", "decision_umap"
]
Inverse = Literal["plane", "offset", "surface"]

PROJECTION_TITLES: dict[ProjectionMethod, str] = {
    "pca": "PCA",
    "centroid_plane": "PCA of centroids",
    "decision_plane": "PCA of class scores",
    "umap": "UMAP",
    "tsne": "t-SNE",
    "decision_umap": "UMAP of class scores",
}
INVERSE_TITLES: dict[Inverse, str] = {
    "plane": "plane",
    "offset": "offset plane",
    "surface": "fitted surface",
}
LAYOUTS: tuple[ProjectionMethod, ...] = ("umap", "tsne", "decision_umap")  # bend the space
FITTED_TO_SCORES = ("decision_plane", "decision_umap")  # to the method's scores at the points


class _Options(TypedDict, total=False):
    n_neighbors: Annotated[int, Number(2, whole=True)]
    min_dist: Share
    mix: Share
    perplexity: Positive
    metric: Literal["euclidean", "cosine"]


_AXIS_NAMES = PROJECTION_TITLES | {"pca": "PC"}
_UMAP: dict[str, Any] = {"n_neighbors": 15, "min_dist": 0.1, "metric": "euclidean"}
_OPTIONS: dict[str, dict[str, Any]] = {
    "umap": _UMAP,
    "tsne": {"perplexity": 30.0, "metric": "euclidean"},
    "decision_umap": _UMAP | {"min_dist": 0.3, "mix": 0.5},
}


@dataclass(frozen=True, eq=False)
class Projection:
    """n vectors projected to the plane.

    Attributes
    ----------
    method : str
        How it was made.
    vectors : (n, d) array
        The data, in their own units.
    points : (n, 2) array
        Their positions.
    plane : Plane or None
        The plane that is shown; None for a nonlinear layout (UMAP, t-SNE).
    exact : bool
        The data have two features or one, and are drawn as they are.
    """

    method: ProjectionMethod
    vectors: np.ndarray = field(repr=False)
    points: np.ndarray = field(repr=False)
    plane: Plane | None = field(repr=False)
    exact: bool
    seed: int = 0
    metric: str = "euclidean"

    @property
    def inverses(self) -> tuple[Inverse, ...]:
        """The inverses that this projection has."""
        return ("surface",) if self.plane is None else ("plane", "offset", "surface")

    def transform(self, X: np.ndarray) -> np.ndarray:
        """Positions of other vectors."""
        X = self._checked(X)
        if self.plane is not None:
            return self.plane.coordinates(X)
        return self._among_neighbours(_unit(X) if self.metric == "cosine" else X)

    def inverse(self, points: np.ndarray, kind: Inverse | None = None) -> np.ndarray:
        """The vectors that points of the projection stand for."""
        points = np.asarray(points, dtype=np.float64)
        flat = self.flat(self.resolve_inverse(kind))
        return self.surface(points) if flat is None else flat.lift(points)

    def flat(self, kind: Inverse) -> Plane | None:
        """The plane of an inverse; None for the surface."""
        return {"plane": self.plane, "offset": self.offset_plane}.get(kind)

    @cached_property
    def offset_plane(self) -> Plane | None:
        """The plane moved off the data by the median distance of the examples from it."""
        # In many dimensions all examples are about equally far from any plane, so methods that go
        # by distances predict on this one as they do for examples.
        if self.plane is None or self.exact:
            return self.plane
        away = np.random.default_rng(0).normal(size=self.vectors.shape[1])
        for axis in (*self.plane.axes, *self.plane.axes):  # twice, for rounding
            away -= (away @ axis) * axis
        assert self.residuals is not None
        step = float(np.median(self.residuals)) / np.linalg.norm(away)
        return Plane(self.plane.origin + step * away, self.plane.axes)

    def resolve_inverse(self, kind: Inverse | None) -> Inverse:
        """The named inverse, checked, or the default."""
        if kind is None:
            return self.inverses[0]
        if kind not in self.inverses:
            raise SLPError(
                f"inverse {kind!r} is not one of {', '.join(self.inverses)}, "
                f"which the projection {self.method!r} has."
            )
        return kind

    @cached_property
    def surface(self) -> Surface:
        """The interpolating inverse."""
        return Surface(self.points, self.vectors)

    @cached_property
    def kept(self) -> ProjectionQuality:
        """What the projection keeps of the space."""
        explained = shares_of_variance(self.vectors, self.points) if self.plane else None
        return ProjectionQuality(
            self.exact, self.vectors.shape[1], explained, self.vectors, self.points, self.seed
        )

    @cached_property
    def residuals(self) -> np.ndarray | None:
        """(n,) distance of each vector from the plane; None for a layout."""
        if self.plane is None:
            return None
        return np.linalg.norm(self.vectors - self.plane.lift(self.points), axis=1)

    def plane_distance(self, row: int) -> tuple[float, float] | None:
        """Distance of an example from the plane, and the mean of the others; None for a layout."""
        off = self.residuals
        if off is None or self.exact:
            return None
        others = np.delete(off, row)
        return float(off[row]), float(others.mean()) if len(others) else float("nan")

    @property
    def axis_titles(self) -> tuple[str, str]:
        """What the axes are, with the variance along each where that has a meaning."""
        name = _AXIS_NAMES[self.method]
        if self.exact:
            return ("feature 1", "feature 2" if self.vectors.shape[1] == 2 else "")
        explained = self.kept.explained_variance
        if explained is None or self.kept.one_place:
            return (f"{name} 1", f"{name} 2")
        first, second = (percent(min(round(share, 9), 1.0)) for share in explained)
        return f"{name} 1 · {first} of variance", f"{name} 2 · {second} of variance"

    def _checked(self, X: np.ndarray) -> np.ndarray:
        X = np.asarray(X, dtype=np.float64)
        if X.ndim != 2 or X.shape[1] != self.vectors.shape[1]:
            raise SLPError(
                f"The projection was made in {self.vectors.shape[1]} dimensions, and is given "
                f"an array of shape {X.shape}."
            )
        return X

    @cached_property
    def _among_neighbours(self) -> Surface:
        """Shepard's mean of the positions of the nearest vectors."""
        known = _unit(self.vectors) if self.metric == "cosine" else self.vectors
        return Surface(known, self.points)


def fit_projection(
    X: np.ndarray,
    method: ProjectionMethod = "pca",
    model: HasProbabilities | None = None,
    seed: Seed = 0,
    **options: Any,
) -> Projection:
    """Project vectors to the plane.

    Parameters
    ----------
    X : (n, d) array
        Support and query vectors together. Data of one or two features are drawn as they are,
        whatever the method.
    method : {"pca", "centroid_plane", "decision_plane", "umap", "tsne", "decision_umap"}
        ``"centroid_plane"`` is the plane nearest to the class centroids (exact for up to 3),
        ``"decision_plane"`` the one along which its scores vary most (its ``linear_scores`` or
        ``decision_function`` where it has one, else its probabilities),
        ``"decision_umap"`` a UMAP of distances that mix vectors and the method's probabilities.
    model : fitted method
        Needed by the three that look at a method, with ``centroids_`` for the centroid plane.
    seed : int
        Of UMAP and t-SNE; the others have no chance in them.
    **options
        Of UMAP: ``n_neighbors`` (15), ``min_dist`` (0.1; 0.3 for ``"decision_umap"``, whose
        clusters are tight), ``metric`` ("euclidean" or "cosine"), and ``mix`` (0.5, the share of
        the predictions in the distance) for ``"decision_umap"``. Of t-SNE: ``perplexity`` (30),
        ``metric``.

    Returns
    -------
    Projection

    Raises
    ------
    NotFittedError
        For a model that is looked at before ``fit``.
    SLPError
        For an unknown method or option, a missing model or one without centroids where they are
        looked at, an option or seed out of bounds, an empty or non-finite ``X``, and one whose
        numbers are too large for their squares.

    Examples
    --------
    >>> import slp_core as slp
    >>> dataset = slp.load_dataset("iris")
    >>> projection = slp.fit_projection(dataset.examples.features, "pca")
    >>> projection.points.shape, projection.inverse(projection.points[:2]).shape
    ((150, 2), (2, 4))
    """
    given = model
    model, X = without_names(model, X)
    X = np.asarray(X, dtype=np.float64)
    _check(X, method, given, options, seed)
    if X.shape[1] <= 2:
        return _onto(plain_axes(X.shape[1]), X, method, seed, exact=True)
    if method == "pca":
        return _onto(principal_plane(X), X, method, seed)
    if method == "centroid_plane":
        assert model is not None
        assert hasattr(model, "centroids_")
        return _onto(centroid_plane(X, np.asarray(model.centroids_)), X, method, seed)
    if method == "decision_plane":
        assert model is not None
        return _onto(decision_plane(X, *_scores(model, X)), X, method, seed)
    chosen = all_options(method, options)
    points = _layout(X, method, model, seed, chosen)
    return Projection(method, X, points, None, False, seed, chosen["metric"])


def all_options(method: ProjectionMethod, options: Mapping[str, Any]) -> dict[str, Any]:
    """Options of a projection, with the defaults of those that are not given."""
    return _OPTIONS.get(method, {}) | dict(options)


def layout_is_bundled(X: np.ndarray, method: ProjectionMethod, **options: Any) -> bool:
    """Whether a layout came with the sample data, so that it is read and not computed."""
    chosen = all_options(method, options)
    return method == "umap" and chosen == _UMAP and bundled_points(X) is not None


def _layout(
    X: np.ndarray,
    method: ProjectionMethod,
    model: HasProbabilities | None,
    seed: int,
    options: dict[str, Any],
) -> np.ndarray:
    if method == "decision_umap":
        assert model is not None
        vectors = _unit(X) if options["metric"] == "cosine" else X
        space = decision_features(vectors, np.asarray(model.predict_proba(X)), options["mix"])
        start = principal_plane(space).coordinates(space)
        return umap_points(
            space, start, seed, options["n_neighbors"], options["min_dist"], "euclidean"
        )
    if not 1e-15 < np.abs(X).max() < 1e15:
        X = X / unit_of(X)  # both compute squared distances in single precision
    start = principal_plane(X).coordinates(X)
    if method == "tsne":
        return tsne_points(X, start, seed, **options)
    bundled = bundled_points(X) if (seed, options) == (0, _UMAP) else None
    return umap_points(X, start, seed, **options) if bundled is None else bundled


def _onto(
    plane: Plane, X: np.ndarray, method: ProjectionMethod, seed: int, exact: bool = False
) -> Projection:
    return Projection(method, X, plane.coordinates(X), plane, exact, seed)


def _scores(model: HasProbabilities, X: np.ndarray) -> tuple[np.ndarray, float]:
    """(n, K) class scores, and the penalty with which to fit them."""
    if len(model.classes_) == 1:  # scikit-learn's scores then have no column
        return np.zeros((len(X), 1)), 0.0
    if hasattr(model, "linear_scores"):
        return np.asarray(model.linear_scores(X)), 0.0
    if len(X) > 1 and hasattr(model, "decision_function") and not isinstance(model, HasLines):
        scores = _class_scores(model, X)
        between = _class_scores(model, (X[1:] + X[:-1]) / 2)
        # What all classes' scores share decides nothing, and need not be linear.
        ahead, expected = (s - s.mean(axis=1, keepdims=True) for s in (between, scores))
        if np.allclose(ahead, (expected[1:] + expected[:-1]) / 2):
            return scores, 0.0
    return model.predict_proba(X), 1.0


def _class_scores(model: Any, X: np.ndarray) -> np.ndarray:
    """(n, K): for two classes those of the first are those of the second, turned round."""
    scores = np.asarray(model.decision_function(X))
    return np.column_stack([-scores, scores]) if scores.ndim == 1 else scores


def _unit(X: np.ndarray) -> np.ndarray:
    norm = np.linalg.norm(X, axis=1, keepdims=True)
    return np.divide(X, norm, out=np.zeros_like(X), where=norm > 0)


def _check(X: np.ndarray, method: str, model: object, options: dict[str, Any], seed: int) -> None:
    check_options({"method": method, "seed": seed}, fit_projection)
    if X.ndim != 2 or not X.size:
        raise SLPError(f"A projection needs an array of shape (n, d), and is given {X.shape}.")
    if not np.isfinite(X).all():
        row = int(np.flatnonzero(~np.isfinite(X).all(axis=1))[0])
        raise SLPError(f"Row {row} of the vectors holds a value that is not a finite number.")
    check_model(method, model, X.shape[1])
    if unknown := sorted(set(options) - set(_OPTIONS.get(method, ()))):
        raise SLPError(f"Projection {method!r} has no option {', '.join(unknown)}.")
    check_options(options, _Options)
    if X.shape[1] > 2:
        check_magnitude(X)
