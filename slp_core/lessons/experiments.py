"""Small experiments with the training of DeepSLP, on any data."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from slp_core.methods.deep_slp import DeepSLPClassifier


@dataclass(frozen=True)
class LossWeighting:
    """Per-example against batch weighting of the loss (Algorithm 1 against the authors' code)."""

    accuracy: tuple[float, float]
    loss: tuple[float, float]  # in the last epoch
    different: int  # predictions, of m
    m: int


@dataclass(frozen=True)
class ConstantFactor:
    """Batch weighting against none where the batch is the whole support set."""

    accuracy: tuple[float, float]
    moved: float  # by training, the largest change of a weight
    apart: float  # by the factor


@dataclass(frozen=True)
class InitialHeads:
    """Heads that start as the nearest-centroid rule against random ones."""

    early: tuple[float, float]  # accuracy after one epoch
    final: tuple[float, float]
    m: int


def loss_weighting(
    X: np.ndarray, y: np.ndarray, X_query: np.ndarray, y_query: np.ndarray, **options: Any
) -> LossWeighting:
    """Train with the loss weighted per example, and per batch."""
    fits = [_fit(X, y, options, loss_scaling=name) for name in ("per_example", "batch")]
    one, other = (_predict(model, X_query) for model in fits)
    first, second = (float(np.nanmean(model.history_["loss"][-1])) for model in fits)
    accuracy, different = _scores(fits, X_query, y_query), int((one != other).sum())
    return LossWeighting(accuracy, (first, second), different, len(X_query))


def constant_factor(
    X: np.ndarray, y: np.ndarray, X_query: np.ndarray, y_query: np.ndarray, **options: Any
) -> ConstantFactor:
    """Train on whole batches with the batch's factor and without: Adam divides it out."""
    whole = options | {"batch_size": 0}
    fits = [_fit(X, y, whole, loss_scaling=name) for name in ("batch", "none")]
    start = _fit(X, y, whole, loss_scaling="none", learning_rate=0.0, epochs=1)
    with_factor, without = (model.coef_ for model in fits)
    return ConstantFactor(
        _scores(fits, X_query, y_query),
        float(np.abs(without - start.coef_).max()),
        float(np.abs(with_factor - without).max()),
    )


def initial_heads(
    X: np.ndarray, y: np.ndarray, X_query: np.ndarray, y_query: np.ndarray, **options: Any
) -> InitialHeads:
    """Train from the nearest-centroid rule and from random heads, for one epoch and to the end."""
    starts = ("prototype", "xavier")
    one_epoch = {"callback": lambda epoch, state: epoch == 1}
    first = [_fit(X, y, options | one_epoch, init=name) for name in starts]
    last = [_fit(X, y, options, init=name) for name in starts]
    early, final = (_scores(fits, X_query, y_query) for fits in (first, last))
    return InitialHeads(early, final, len(X_query))


def _fit(X: np.ndarray, y: np.ndarray, options: dict[str, Any], **more: Any) -> DeepSLPClassifier:
    from slp_core.methods.deep_slp import DeepSLPClassifier  # on demand: it imports scikit-learn

    return DeepSLPClassifier(**options | more).fit(X, y)


def _predict(model: DeepSLPClassifier, X: np.ndarray) -> np.ndarray:
    """(m,) predictions; none of an empty query set, which estimators refuse."""
    return model.predict(X) if len(X) else np.empty(0)


def _scores(fits: list[DeepSLPClassifier], X: np.ndarray, y: np.ndarray) -> tuple[float, float]:
    """Accuracies; NaN without query examples."""
    first, second = ((_predict(m, X) == y).mean() if len(X) else float("nan") for m in fits)
    return float(first), float(second)
