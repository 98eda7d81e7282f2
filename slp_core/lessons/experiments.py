"""Small experiments with the training of DeepSLP, made on whatever data are at hand."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from slp_core.facts import Facts, Stated, fact
from slp_core.methods.deep_slp import DeepSLPClassifier


@dataclass(frozen=True)
class Experiment(Stated):
    """A question, what was fitted to answer it, and the answer."""

    question: str
    rows: tuple[tuple[str, float, float], ...]
    second: str
    answer: Facts

    def facts(self) -> Facts:
        """The answer."""
        return self.answer


def loss_scaling(
    X: np.ndarray, y: np.ndarray, X_query: np.ndarray, y_query: np.ndarray, **options: Any
) -> Experiment:
    """Per-example against batch scaling of the loss (Algorithm 1 against the authors' code)."""
    fitted = {
        name: DeepSLPClassifier(**options | {"loss_scaling": name}).fit(X, y)
        for name in ("per_example", "batch")
    }
    titles = {"per_example": "example by example", "batch": "batch by batch"}
    one, other = fitted.values()
    differ = int((_answers(one, X_query) != _answers(other, X_query)).sum())
    rows = tuple(
        (
            titles[name],
            _score(model, X_query, y_query),
            float(np.nanmean(model.history_["loss"][-1])),
        )
        for name, model in fitted.items()
    )
    return Experiment(
        "Does it matter whether the loss is shared out example by example?",
        rows,
        "last loss",
        (
            fact(
                "experiment.scaling",
                "The two answer {differ:,} of the {m:,} query points differently. Sharing by "
                "example corrects the nearer prototype more for each point; by batch all points of "
                "a step are shared out alike, from their mean distances.",
                differ=differ,
                m=len(X_query),
            ),
        ),
    )


def constant_factor(
    X: np.ndarray, y: np.ndarray, X_query: np.ndarray, y_query: np.ndarray, **options: Any
) -> Experiment:
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
        ("batch by batch", _score(one, X_query, y_query), apart),
        ("not at all", _score(other, X_query, y_query), apart),
    )
    return Experiment(
        "Does the batch's factor do anything when the batch is the whole support set?",
        rows,
        "largest difference of a weight",
        (
            fact(
                "experiment.factor",
                "Then it is one constant for each head, and Adam divides it out, but for the small "
                "number that it adds to what it divides by: training moved a weight by up to "
                "{moved:.2g}, the factor by up to {apart:.2g}.",
                moved=moved,
                apart=apart,
            ),
        ),
    )


def two_starts(
    X: np.ndarray, y: np.ndarray, X_query: np.ndarray, y_query: np.ndarray, **options: Any
) -> Experiment:
    """Heads that start as the nearest-centroid rule against random ones."""
    rows = []
    for name, title in (("prototype", "as nearest centroid"), ("xavier", "Xavier, random")):
        given = options | {"init": name}
        first = DeepSLPClassifier(**given | {"callback": lambda epoch, state: epoch == 1}).fit(X, y)
        last = DeepSLPClassifier(**given).fit(X, y)
        rows.append((title, _score(last, X_query, y_query), _score(first, X_query, y_query)))
    (_, good, early), (_, random, random_early) = rows
    template = (
        "Started as nearest centroid the heads are right for {early:.1%} of {m:,} query points "
        "after one epoch and {good:.1%} at the end; random ones for {random_early:.1%} and "
        "{random:.1%}, under the same settings."
        if len(X_query)
        else "There is no query point to tell by."
    )
    shares = {"early": early, "good": good, "random_early": random_early, "random": random}
    return Experiment(
        "Does it matter where the heads start?",
        tuple(rows),
        "right after one epoch",
        (fact("experiment.start", template, m=len(X_query), **shares),),
    )


def _score(model: DeepSLPClassifier, X: np.ndarray, y: np.ndarray) -> float:
    """Share of right answers; NaN where nothing was asked."""
    return float((_answers(model, X) == y).mean()) if len(X) else float("nan")


def _answers(model: DeepSLPClassifier, X: np.ndarray) -> np.ndarray:
    """(m,) answers; none where nothing is asked, which estimators refuse."""
    return model.predict(X) if len(X) else np.empty(0)


def _before(model: DeepSLPClassifier, X: np.ndarray, y: np.ndarray) -> np.ndarray:
    """The weights that training started from."""
    still = DeepSLPClassifier(**model.get_params() | {"learning_rate": 0.0, "epochs": 1})
    return still.fit(X, y).coef_
