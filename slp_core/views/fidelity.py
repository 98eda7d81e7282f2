"""How far a picture can be believed: whether it shows what the method answers."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from slp_core.errors import Cancelled
from slp_core.facts import Facts, Listed, Part, Stated, class_names, fact
from slp_core.methods.protocols import HasProbabilities
from slp_core.methods.tables import check_fitted, class_indices, nameless, without_names
from slp_core.views.checks import check_model
from slp_core.views.projection import (
    FITTED_TO_ANSWERS,
    LAYOUTS,
    Inverse,
    Projection,
    ProjectionMethod,
    fit_projection,
)

HELD_OUT_ROWS = 1_000  # enough to tell a share to a few percent
HELD_OUT_FOLDS = 5
_BY_ANSWER = 6  # classes whose shares are told


@dataclass(frozen=True, eq=False)
class Fidelity(Stated):
    """Agreement of a picture with its method, at the n points that are projected to it."""

    overall: float
    per_class: np.ndarray  # (K,)
    disagreeing: np.ndarray  # (b,)
    shown: np.ndarray  # (n,)
    answered: np.ndarray  # (n,)
    inverse: Inverse
    fitted: bool

    def facts(self) -> Facts:
        """How often it shows the answer, and what of that it had been told."""
        n = len(self.answered)
        bent = ", each left out of the surface, but not of its layout, in its turn"
        judged = bent if self.inverse == "surface" else ""
        values = {"right": n - len(self.disagreeing), "n": n, "overall": Part(self.overall)}
        who = "the one point projected" if n == 1 else "the {n:,} points projected"
        template = (
            "Of " + who + " it shows {right:,} ({overall:.0%}) as the method answers" + judged
        )
        if self.fitted:
            template += "; but it was fitted to the method's scores at these points."
            return (fact("fidelity.drawn_fitted", template, **values),)
        judged = "." if judged else "; none of them was held out."
        return (fact("fidelity.drawn", template + judged, **values),)


def landscape_fidelity(
    model: HasProbabilities, projection: Projection, inverse: Inverse | None = None
) -> Fidelity:
    """Compare what a landscape shows at each projected point with the method's own answer there.

    A plane is looked up at the point's place. A surface would have its own vector there, so that
    each point is left out of the surface before it is looked up; its place on the picture stays
    the one that was found with it. :func:`held_out_fidelity` leaves it out of everything.

    Parameters
    ----------
    model : fitted method
    projection : Projection
    inverse : {"plane", "surface"}, optional
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
    answered = class_indices(model, projection.vectors)
    agree = shown == answered
    return Fidelity(
        float(agree.mean()),
        _per_class(answered, agree, len(model.classes_)),
        np.flatnonzero(~agree),
        shown,
        answered,
        kind,
        projection.method in FITTED_TO_ANSWERS and not projection.exact,
    )


@dataclass(frozen=True, eq=False)
class HeldOut(Stated):
    """Agreement of picture and method at points that the picture was made without."""

    classes: tuple[str, ...]
    rows: np.ndarray = field(repr=False)  # (n,)
    fold: np.ndarray = field(repr=False)  # (n,)
    shown: np.ndarray = field(repr=False)  # (n,)
    answered: np.ndarray = field(repr=False)  # (n,)
    of: int

    @property
    def n(self) -> int:
        """How many points were held out."""
        return len(self.rows)

    @property
    def folds(self) -> int:
        """In how many parts."""
        return len(np.unique(self.fold))

    @property
    def right(self) -> int:
        """At how many of them the picture shows the method's own answer."""
        return int((self.shown == self.answered).sum())

    @property
    def overall(self) -> float:
        """The share of these; NaN where nothing could be held out."""
        return self.right / self.n if self.n else float("nan")

    @property
    def is_telling(self) -> bool:
        """Whether there are two answers or more to tell apart."""
        return len(np.unique(self.answered)) > 1

    def facts(self) -> Facts:
        """How often it shows the answer at points that it has not seen."""
        if not self.n:
            template = "No point can be held out of the picture."
            return (fact("fidelity.none_held_out", template),)
        values = {"right": self.right, "n": self.n, "overall": Part(self.overall)}
        points = "the one point" if self.n == 1 else "{n:,} points"
        template = "Of " + points + " held out of it"
        if self.folds > 1:
            template += " ({folds:,} parts in turn)"
        template += " the picture shows {right:,} as the method answers "
        template += "it." if self.n == 1 else "them: {overall:.0%}."
        return (fact("fidelity.held_out", template, folds=self.folds, of=self.of, **values),)

    def more_facts(self) -> Facts:
        """What the share is worth: beside a picture of one colour, answer by answer."""
        if not self.n:
            return ()
        told = []
        if self.n < self.of:
            template = "They are drawn by chance from {of:,}."
            told.append(fact("fidelity.sampled", template, n=self.n, of=self.of))
        names = class_names(self.classes)
        count = np.bincount(self.answered, minlength=len(names))
        answers = np.flatnonzero(count)
        if not self.is_telling:
            template = (
                "{answer} is the answer to every one of them, so that a picture of this one "
                "colour would show all: the figure says little."
            )
            told.append(fact("fidelity.one_answer", template, answer=names[answers[0]]))
            return tuple(told)
        template = "A picture of one colour could show {share:.0%}."
        told.append(fact("fidelity.one_colour", template, share=Part(int(count.max()) / self.n)))
        if len(answers) <= _BY_ANSWER:
            agree = self.shown == self.answered
            per_class = _per_class(self.answered, agree, len(names))
            each = [
                fact(
                    "fidelity.of_answer",
                    "{answer} {share:.0%}",
                    answer=names[c],
                    share=Part(per_class[c]),
                )
                for c in answers.tolist()
            ]
            template = "By answer: {each}."
            told.append(fact("fidelity.by_answer", template, each=Listed(each)))
        return tuple(told)


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
    """Judge a picture at points that it has not seen, neither their vectors nor their answers.

    In each of five folds the picture is made from the rows of the other folds and those that may
    not be held out, and the rows held out are placed on it by their vectors alone; then what it
    shows at their places is compared with the method's own answers. Of rows that may be held out,
    those that were not drawn are in no fold and in no picture.

    Parameters
    ----------
    model : fitted method
    X : (n, d) array
    method, seed, **options
        As in :func:`fit_projection`.
    inverse : {"plane", "surface"}, optional
        The projection's default if not given.
    rows : (q,) int array, optional
        The rows that may be held out, of which at most 1,000 are, drawn with the seed; the rows
        beside them are in every picture. A centroid plane is made from the support set, so that
        only query rows are held out of it. All rows if not given.
    cancelled : callable, optional
        Asked before each fold.

    Raises
    ------
    NotFittedError
    SLPError
        Where the rest is too small for the picture.
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
    """As :func:`held_out_fidelity` of several ways back, all of them if not given, at one go."""
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
    answered = class_indices(model, X[held]) if len(held) else np.empty(0, dtype=np.int64)
    shown: dict[Inverse, list[np.ndarray]] = {}
    for part in parts:
        if cancelled():
            raise Cancelled
        rest = np.concatenate([kept, np.setdiff1d(held, part)])
        projection = fit_projection(X[rest], method, model, seed, **options)
        places = projection.transform(X[part])
        for asked in inverses or projection.inverses:
            inverse = projection.resolve_inverse(asked)
            found = class_indices(model, projection.inverse(places, inverse))
            shown.setdefault(inverse, []).append(found)
    if not parts:
        nothing = np.empty(0, dtype=np.int64)
        bent = method in LAYOUTS and X.shape[1] > 2
        every: tuple[Inverse, ...] = ("surface",) if bent else ("plane", "surface")
        shown = {inverse or every[0]: [nothing] for inverse in inverses or every}
    return {
        inverse: HeldOut(classes, held, fold, np.concatenate(found), answered, len(free))
        for inverse, found in shown.items()
    }


def _per_class(answered: np.ndarray, agree: np.ndarray, n_classes: int) -> np.ndarray:
    """(K,) share of agreement among the points with each answer; NaN where there are none."""
    total = np.bincount(answered, minlength=n_classes)
    right = np.bincount(answered[agree], minlength=n_classes)
    return np.divide(right, total, out=np.full(n_classes, np.nan), where=total > 0)
