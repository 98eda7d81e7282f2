"""Fidelity of a map: how often it shows what the method predicts."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from slp_core.errors import Cancelled
from slp_core.methods.protocols import HasProbabilities
from slp_core.methods.tables import check_fitted, class_indices, nameless, without_names
from slp_core.views.checks import check_model
from slp_core.views.projection import (
    FITTED_TO_SCORES,
    LAYOUTS,
    Inverse,
    Projection,
    ProjectionMethod,
    fit_projection,
)

HELD_OUT_ROWS = 1_000  # enough to tell a share to a few percent
HELD_OUT_FOLDS = 5


@dataclass(frozen=True, eq=False)
class Fidelity:
    """Agreement of a map with its method at the n examples projected to it."""

    overall: float
    per_class: np.ndarray  # (K,)
    disagreeing: np.ndarray  # (b,)
    shown: np.ndarray  # (n,)
    predicted: np.ndarray  # (n,)
    inverse: Inverse
    fitted: bool


def landscape_fidelity(
    model: HasProbabilities, projection: Projection, inverse: Inverse | None = None
) -> Fidelity:
    """Compare a landscape with the method's own prediction at each projected example.

    A plane is looked up at the example's position. A surface would pass through its own vector, so
    each example is left out of the surface first; its position stays the one that was found with
    it. :func:`held_out_fidelity` leaves it out of everything.

    Parameters
    ----------
    model : fitted method
    projection : Projection
    inverse : {"plane", "offset", "surface"}, optional
        The projection's default if not given.

    Returns
    -------
    Fidelity

    Raises
    ------
    NotFittedError
    SLPError
        For an inverse that the projection does not have.
    """
    check_fitted(model)
    model, kind = nameless(model), projection.resolve_inverse(inverse)
    if kind == "surface":
        vectors = projection.surface.without_each()
    else:
        vectors = projection.inverse(projection.points, kind)
    shown = class_indices(model, vectors)
    predicted = class_indices(model, projection.vectors)
    agree = shown == predicted
    return Fidelity(
        float(agree.mean()),
        _per_class(predicted, agree, len(model.classes_)),
        np.flatnonzero(~agree),
        shown,
        predicted,
        kind,
        projection.method in FITTED_TO_SCORES and not projection.exact,
    )


@dataclass(frozen=True, eq=False)
class HeldOut:
    """Agreement of a map with its method at examples that the map was made without."""

    classes: tuple[str, ...]
    rows: np.ndarray = field(repr=False)  # (n,)
    fold: np.ndarray = field(repr=False)  # (n,)
    shown: np.ndarray = field(repr=False)  # (n,)
    predicted: np.ndarray = field(repr=False)  # (n,)
    of: int

    @property
    def n(self) -> int:
        """How many examples were held out."""
        return len(self.rows)

    @property
    def folds(self) -> int:
        """In how many folds."""
        return len(np.unique(self.fold))

    @property
    def n_agreeing(self) -> int:
        """At how many of them the map shows the method's own prediction."""
        return int((self.shown == self.predicted).sum())

    @property
    def overall(self) -> float:
        """The share of these; NaN where nothing could be held out."""
        return self.n_agreeing / self.n if self.n else float("nan")

    @property
    def counts(self) -> np.ndarray:
        """(K,) predictions of each class."""
        return np.bincount(self.predicted, minlength=len(self.classes))

    @property
    def majority(self) -> float:
        """Share of the most frequent prediction: what a map of one colour shows."""
        return int(self.counts.max()) / self.n if self.n else float("nan")

    @property
    def per_class(self) -> np.ndarray:
        """(K,) fidelity at the examples predicted as each class; NaN where there are none."""
        return _per_class(self.predicted, self.shown == self.predicted, len(self.classes))


def held_out_fidelity(
    model: HasProbabilities,
    X: np.ndarray,
    method: ProjectionMethod,
    inverse: Inverse | None = None,
    rows: np.ndarray | None = None,
    seed: int = 0,
    cancelled: Callable[[], bool] = lambda: False,
    **options: Any,
) -> HeldOut:
    """Cross-validate a map at examples whose vectors and predictions it has not seen.

    In each of five folds the projection is fitted to the rows of the other folds and to those that
    may not be held out. The rows held out are projected by their vectors alone, and what the map
    shows there is compared with the method's predictions. Rows beyond the first 1,000 are in no
    fold and in no projection.

    Parameters
    ----------
    model : fitted method
    X : (n, d) array
    method, seed, **options
        As in :func:`fit_projection`.
    inverse : {"plane", "offset", "surface"}, optional
        The projection's default if not given.
    rows : (q,) int array, optional
        The rows that may be held out, of which at most 1,000 are, drawn with the seed; the rows
        others are in every projection. A centroid plane is fitted to the support set, so only query
        rows are held out of it. All rows if not given.
    cancelled : callable, optional
        Asked before each fold.

    Raises
    ------
    NotFittedError
    SLPError
        Where the rest is too small for the projection.
    Cancelled
    """
    by_inverse = held_out_by_inverse(model, X, method, [inverse], rows, seed, cancelled, **options)
    return next(iter(by_inverse.values()))


def held_out_by_inverse(
    model: HasProbabilities,
    X: np.ndarray,
    method: ProjectionMethod,
    inverses: Sequence[Inverse | None] | None = None,
    rows: np.ndarray | None = None,
    seed: int = 0,
    cancelled: Callable[[], bool] = lambda: False,
    **options: Any,
) -> dict[Inverse, HeldOut]:
    """As :func:`held_out_fidelity` for several inverses, all of them if not given."""
    check_fitted(model)
    given = model
    model, X = without_names(model, X)
    check_model(method, given, X.shape[-1])
    everything = np.arange(len(X))
    free = everything if rows is None else np.asarray(rows)
    held = np.random.default_rng(seed).permutation(free)[:HELD_OUT_ROWS]
    kept = np.delete(everything, free)
    classes = tuple(str(c) for c in model.classes_)
    parts = np.array_split(held, min(HELD_OUT_FOLDS, len(held))) if len(held) else []
    fold = np.repeat(np.arange(len(parts)), [len(part) for part in parts])
    predicted = class_indices(model, X[held]) if len(held) else np.empty(0, dtype=np.int64)
    shown: dict[Inverse, list[np.ndarray]] = {}
    for part in parts:
        if cancelled():
            raise Cancelled
        rest = np.concatenate([kept, np.setdiff1d(held, part)])
        projection = fit_projection(X[rest], method, model, seed, **options)
        places = projection.transform(X[part])
        for kind in inverses or projection.inverses:
            inverse = projection.resolve_inverse(kind)
            found = class_indices(model, projection.inverse(places, inverse))
            shown.setdefault(inverse, []).append(found)
    if not parts:
        nothing = np.empty(0, dtype=np.int64)
        bent = method in LAYOUTS and X.shape[1] > 2
        every: tuple[Inverse, ...] = ("surface",) if bent else ("plane", "offset", "surface")
        shown = {inverse or every[0]: [nothing] for inverse in inverses or every}
    return {
        inverse: HeldOut(classes, held, fold, np.concatenate(found), predicted, len(free))
        for inverse, found in shown.items()
    }


def _per_class(predicted: np.ndarray, agree: np.ndarray, n_classes: int) -> np.ndarray:
    """(K,) agreement among the examples predicted as each class; NaN where there are none."""
    total = np.bincount(predicted, minlength=n_classes)
    right = np.bincount(predicted[agree], minlength=n_classes)
    return np.divide(right, total, out=np.full(n_classes, np.nan), where=total > 0)
