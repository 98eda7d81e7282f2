"""What there is to learn from training DeepSLP, computed on whatever data are at hand."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from slp_core.methods.deep_slp import DeepSLPClassifier, TrainingState


@dataclass(frozen=True)
class Lesson:
    """A question, what was fitted to answer it, and the answer.

    Attributes
    ----------
    question : str
    rows : tuple of (str, float, float)
        What was fitted, its accuracy on the query set (0 to 1), and a second figure.
    second : str
        What that figure is.
    answer : str
    """

    question: str
    rows: tuple[tuple[str, float, float], ...]
    second: str
    answer: str


def loss_scaling_lesson(
    X: np.ndarray, y: np.ndarray, X_query: np.ndarray, y_query: np.ndarray, **options: Any
) -> Lesson:
    """Per-example against batch scaling of the loss (Algorithm 1 against the authors' code)."""
    fitted = {
        name: DeepSLPClassifier(**options | {"loss_scaling": name}).fit(X, y)
        for name in ("per_example", "batch")
    }
    titles = {"per_example": "example by example", "batch": "batch by batch"}
    one, other = fitted.values()
    differ = float((one.predict(X_query) != other.predict(X_query)).mean())
    rows = tuple(
        (titles[name], float(model.score(X_query, y_query)), _loss(model))
        for name, model in fitted.items()
    )
    return Lesson(
        "Does it matter whether the loss is shared out example by example?",
        rows,
        "last loss",
        f"The two answer {differ:.0%} of the {len(X_query):,} query points differently. Sharing by "
        "example corrects the nearer prototype more for each point; by batch all points of a step "
        "are shared out alike, from their mean distances.",
    )


def constant_factor_lesson(
    X: np.ndarray, y: np.ndarray, X_query: np.ndarray, y_query: np.ndarray, **options: Any
) -> Lesson:
    """Why a constant factor on the loss cancels under Adam."""
    whole = options | {"batch_size": 0}
    fitted = {
        name: DeepSLPClassifier(**whole | {"loss_scaling": name}).fit(X, y)
        for name in ("batch", "none")
    }
    one, other = fitted["batch"], fitted["none"]
    moved = float(np.abs(other.coef_ - _before(other, X, y)).max())
    apart = float(np.abs(one.coef_ - other.coef_).max())
    rows = (
        ("batch by batch", float(one.score(X_query, y_query)), apart),
        ("not at all", float(other.score(X_query, y_query)), apart),
    )
    return Lesson(
        "Does the batch's factor do anything when the batch is the whole support set?",
        rows,
        "largest difference of a weight",
        f"Then it is one constant for each head, and Adam divides it out: training moved a weight "
        f"by up to {moved:.2g}, the factor by {apart:.2g}.",
    )


def start_lesson(
    X: np.ndarray, y: np.ndarray, X_query: np.ndarray, y_query: np.ndarray, **options: Any
) -> Lesson:
    """Heads that start as the nearest-centroid rule against random ones."""
    rows = []
    for name, title in (("prototype", "as nearest centroid"), ("xavier", "Xavier, random")):
        given = options | {"init": name}
        first = DeepSLPClassifier(**given | {"callback": _once}).fit(X, y)
        last = DeepSLPClassifier(**given).fit(X, y)
        rows.append(
            (title, float(last.score(X_query, y_query)), float(first.score(X_query, y_query)))
        )
    (_, good, early), (_, random, late) = rows
    return Lesson(
        "Does it matter where the heads start?",
        tuple(rows),
        "right after one epoch",
        f"Started as nearest centroid the heads are at {early:.0%} after one epoch and {good:.0%} "
        f"at the end; random ones at {late:.0%} and {random:.0%}, under the same settings.",
    )


def _once(epoch: int, state: TrainingState) -> bool:
    return epoch == 1


def _before(model: DeepSLPClassifier, X: np.ndarray, y: np.ndarray) -> np.ndarray:
    """The weights that training started from."""
    still = DeepSLPClassifier(**model.get_params() | {"learning_rate": 0.0, "epochs": 1})
    return still.fit(X, y).coef_


def _loss(model: DeepSLPClassifier) -> float:
    return float(np.nanmean(model.history_["loss"][-1]))
