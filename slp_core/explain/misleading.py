"""The fewest shots without which a class that is never predicted is, or accuracy rises."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import combinations
from math import comb
from typing import Any

import numpy as np

from slp_core.errors import Cancelled, SLPError
from slp_core.explain.shots import Refits, log_likelihood
from slp_core.progress import CancelledCallback, Progress, ProgressCallback


@dataclass(frozen=True)
class Removal:
    """Some shots, and what is predicted for the query set without them."""

    shots: tuple[int, ...]
    accuracy: float
    never_predicted: tuple[int, ...]
    changed: int  # predictions


@dataclass(frozen=True)
class MisleadingShots:
    """Sets of shots left out: by size, until one helps."""

    method: str
    classes: tuple[str, ...]
    accuracy: float  # with all shots
    never_predicted: tuple[int, ...]  # with all shots
    revealing: Removal | None  # of the smallest sets after which one of those is predicted
    gaining: Removal | None  # the most accurate of all, if better than with all shots
    size: int  # of the largest sets that were tried
    complete: int  # all sets up to this size were tried
    tried: int


def misleading_shots(
    model: Any,
    title: str,
    X_support: np.ndarray,
    y_support: np.ndarray,
    X_query: np.ndarray,
    y_query: np.ndarray,
    most: int = 3,
    fits: int = 1_500,
    progress: ProgressCallback = lambda _: None,
    cancelled: CancelledCallback = lambda: False,
) -> MisleadingShots:
    """Leave out one shot, two, up to ``most``, until a class that is never predicted is predicted.

    Where every class is predicted, until accuracy rises. Each set is judged by refitting; more sets
    of a size than ``fits`` allows are bounded to those that extend the best of one shot less.
    """
    if not len(y_query):
        raise SLPError("The query set is empty: misleading shots are found by its predictions.")
    refits = Refits.of(model, X_support, y_support)
    true = refits.indices(X_query, y_query)
    n = len(refits.label)
    whole, probability = refits.judge(refits.without([]), X_query, true)
    accuracy = float((whole == true).mean())
    never = np.setdiff1d(true, whole)  # of the classes with query examples
    hidden = np.isin(true, never)
    best = (accuracy, _likelihood(probability))
    revealing = gaining = None
    frontier: list[tuple[int, ...]] = [()]
    complete = tried = size = 0
    while size < most and tried < fits and frontier and not (revealing if len(never) else gaining):
        size += 1
        budget = (fits - tried) // (most - size + 1)
        if comb(n, size) <= fits - tried:
            works: Iterable[tuple[int, ...]] = combinations(range(n), size)
            complete += complete == size - 1
        else:
            works = _extended(frontier[: max(1, budget // n)], n)
        ranked, best_revealing = [], (-np.inf, -np.inf)
        for shots in works:
            if not refits.keeps_classes(shots):
                continue
            if cancelled():
                raise Cancelled
            progress(Progress(min(tried, fits), fits))
            tried += 1
            predicted, probability = refits.judge(refits.without(shots), X_query, true)
            judged = (float((predicted == true).mean()), _likelihood(probability))
            missing = np.setdiff1d(true, predicted)
            found = Removal(
                shots, judged[0], tuple(missing.tolist()), int((predicted != whole).sum())
            )
            if judged[0] > accuracy and judged > best:
                gaining, best = found, judged
            if not np.isin(never, missing).all() and judged > best_revealing:
                revealing, best_revealing = found, judged
            near = _likelihood(probability[hidden]) if hidden.any() else judged[0]
            ranked.append(((near, *judged), shots))
        frontier = [shots for _, shots in sorted(ranked, key=lambda each: each[0], reverse=True)]
    return MisleadingShots(
        title,
        tuple(map(str, refits.classes)),
        accuracy,
        tuple(never.tolist()),
        revealing,
        gaining,
        size,
        complete,
        tried,
    )


def _likelihood(probability: np.ndarray) -> float:
    """Mean log-likelihood; 0 for a method without probabilities."""
    return float(np.nan_to_num(log_likelihood(probability)).mean())


def _extended(sets: list[tuple[int, ...]], n: int) -> list[tuple[int, ...]]:
    """Each set with one shot more, none twice."""
    more = {tuple(sorted({*some, shot})) for some in sets for shot in range(n) if shot not in some}
    return sorted(more)
