"""How far a picture can be believed: whether it shows what the method answers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from slp_core.methods.protocols import HasProbabilities
from slp_core.views.answers import class_indices
from slp_core.views.projection import (
    Inverse,
    Projection,
    ProjectionMethod,
    fit_projection,
)

HELD_OUT_ROWS = 1_000  # enough to tell a share to a few percent
HELD_OUT_FOLDS = 5


@dataclass(frozen=True, eq=False)
class Fidelity:
    """Agreement of a picture with its method, at the points drawn on it.

    Attributes
    ----------
    overall : float
        Share of the points at whose place the picture shows the method's own answer.
    per_class : (K,) array
        The same among the points that the method gives each class; NaN where there are none.
    disagreeing : (b,) int array
        Rows at which picture and method differ.
    shown : (n,) int array
        The class that the picture shows at each point, as an index into ``classes_``.
    answered : (n,) int array
        The method's own answer there.
    inverse : str
        The way back into the space that was judged.
    """

    overall: float
    per_class: np.ndarray
    disagreeing: np.ndarray
    shown: np.ndarray
    answered: np.ndarray
    inverse: Inverse

    def sentence(self) -> str:
        """How far to believe the picture, in one sentence."""
        n = len(self.answered)
        right = n - len(self.disagreeing)
        judged = "" if self.inverse == "plane" else ", each left out in its turn"
        return (
            f"At {right:,} of {n:,} points ({self.overall:.0%}) the picture shows what the method "
            f"answers{judged}."
        )


def landscape_fidelity(
    model: HasProbabilities, projection: Projection, inverse: Inverse | None = None
) -> Fidelity:
    """Compare what a landscape shows at each drawn point with the method's own answer there.

    A plane is looked up at the point's place. A surface would have its own vector there, so that
    each point is left out of the surface before it is looked up.

    Parameters
    ----------
    model : fitted method
    projection : Projection
    inverse : {"plane", "surface"}, optional
        The projection's default if not given.

    Returns
    -------
    Fidelity
    """
    kind = projection.resolve_inverse(inverse)
    if kind == "surface":
        vectors = projection.surface.without_each()
    else:
        vectors = projection.inverse(projection.points, kind)
    shown = class_indices(model, vectors)
    answered = class_indices(model, projection.vectors)
    agree = shown == answered
    n_classes = len(model.classes_)
    total = np.bincount(answered, minlength=n_classes)
    right = np.bincount(answered[agree], minlength=n_classes)
    per_class = np.divide(right, total, out=np.full(n_classes, np.nan), where=total > 0)
    return Fidelity(float(agree.mean()), per_class, np.flatnonzero(~agree), shown, answered, kind)


@dataclass(frozen=True)
class HeldOut:
    """Agreement of picture and method at points that the picture was made without.

    Attributes
    ----------
    overall : float
        Share of the points at whose place the picture shows the method's own answer.
    n : int
        How many points were held out, each once.
    folds : int
        In how many parts.
    """

    overall: float
    n: int
    folds: int

    def sentence(self) -> str:
        """The stricter figure, in one sentence."""
        return (
            f"Of {self.n:,} points that it was made without (a fifth at a time), and that were "
            f"then placed by their vectors alone, it shows the answer to {self.overall:.0%}."
        )


def held_out_fidelity(
    model: HasProbabilities,
    X: np.ndarray,
    method: ProjectionMethod,
    inverse: Inverse | None = None,
    seed: int = 0,
    **options: Any,
) -> HeldOut:
    """Judge a picture that has seen the method's answers at points whose answers it has not.

    In each of five folds the picture is made from the other rows, and the rows held out are
    placed on it without asking the method; then what it shows at their places is compared with
    the method's own answers.

    Parameters
    ----------
    model : fitted method
    X : (n, d) array
        At most 1,000 rows of it are looked at, drawn with the seed.
    method, seed, **options
        As in :func:`fit_projection`.
    inverse : {"plane", "surface"}, optional
        The projection's default if not given.

    Raises
    ------
    SLPError
        Where the rest is too small for the picture.
    """
    rng = np.random.default_rng(seed)
    rows = rng.permutation(len(X))[:HELD_OUT_ROWS]
    folds = min(HELD_OUT_FOLDS, len(rows))
    right = 0
    for part in np.array_split(rows, folds):
        rest = np.setdiff1d(rows, part)
        projection = fit_projection(X[rest], method, model, seed, **options)
        shown = projection.inverse(projection.transform(X[part]), inverse)
        right += int((class_indices(model, shown) == class_indices(model, X[part])).sum())
    return HeldOut(right / len(rows), len(rows), folds)
