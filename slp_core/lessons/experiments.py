"""Small experiments with the training of DeepSLP, on any data."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np
import pandas as pd

from slp_core.sentences import count, significant

if TYPE_CHECKING:
    from slp_core.methods.deep_slp import DeepSLPClassifier


Experiment: TypeAlias = tuple[str, pd.DataFrame]
"""A question with its answer, and a row for each of two fits."""


def loss_weighting(
    X: np.ndarray, y: np.ndarray, X_query: np.ndarray, y_query: np.ndarray, **options: Any
) -> Experiment:
    """Weight the loss per example (Algorithm 1) or per batch (the authors' code)."""
    fits = [_fit(X, y, options, loss_scaling=name) for name in ("per_example", "batch")]
    one, other = (model.predict(X_query) for model in fits)
    table = {
        "loss weighting": ["per example", "per batch"],
        "accuracy": [model.score(X_query, y_query) for model in fits],
        "last loss": [float(np.nanmean(model.history_["loss"][-1])) for model in fits],
    }
    return (
        "**Does it matter whether the loss is weighted per example?** Predictions that differ: "
        f"{int((one != other).sum()):,} of {len(X_query):,}.",
        pd.DataFrame(table),
    )


def constant_factor(
    X: np.ndarray, y: np.ndarray, X_query: np.ndarray, y_query: np.ndarray, **options: Any
) -> Experiment:
    """Train on whole batches with the batch's factor and without: Adam divides it out."""
    whole = options | {"batch_size": 0}
    fits = [_fit(X, y, whole, loss_scaling=name) for name in ("batch", "none")]
    start = _fit(X, y, whole, loss_scaling="none", learning_rate=0.0, epochs=1)
    with_factor, without = (model.coef_ for model in fits)
    moved, apart = (
        significant(float(np.abs(without - other).max()), 2) for other in (start.coef_, with_factor)
    )
    accuracies = [model.score(X_query, y_query) for model in fits]
    return (
        "**Does a constant factor on the loss matter?** Hardly: Adam divides it out. Weights "
        f"change by up to {moved} in training, and by up to {apart} through the factor.",
        pd.DataFrame({"loss weighting": ["per batch", "none"], "accuracy": accuracies}),
    )


def initial_heads(
    X: np.ndarray, y: np.ndarray, X_query: np.ndarray, y_query: np.ndarray, **options: Any
) -> Experiment:
    """Train from the nearest-centroid rule and from random heads, for one epoch and to the end."""
    starts = ("prototype", "xavier")
    one_epoch = {"callback": lambda epoch, state: epoch == 1}
    first = [_fit(X, y, options | one_epoch, init=name) for name in starts]
    last = [_fit(X, y, options, init=name) for name in starts]
    table = {
        "heads start": ["as nearest centroid", "at random"],
        "accuracy, 1 epoch": [model.score(X_query, y_query) for model in first],
        "accuracy, all epochs": [model.score(X_query, y_query) for model in last],
    }
    whose = "the paper's" if options.get("preset") == "paper" else "our own, not the paper's"
    return (
        "**Does it matter where the heads start?** Accuracy after one epoch and at the end, on "
        f"{count(len(X_query), 'query example')}. Learning rate and batches: {whose}.",
        pd.DataFrame(table),
    )


def _fit(X: np.ndarray, y: np.ndarray, options: dict[str, Any], **more: Any) -> DeepSLPClassifier:
    from slp_core.methods.deep_slp import DeepSLPClassifier  # on demand: it imports scikit-learn

    return DeepSLPClassifier(**options | more).fit(X, y)
