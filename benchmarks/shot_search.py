"""Shots swapped by their influence: chosen on one half of a query set, judged on the other."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from slp_core.explain.shots import Refits, log_likelihood, read_shots


@dataclass(frozen=True, eq=False)
class ShotSearch:
    """Shots that were swapped because it helped on one half of the query set, judged on the other.

    Accuracies are those before any swap and after each.
    """

    swaps: tuple[tuple[int, int], ...]  # rows: the shot that went, and the one that came
    chosen_on: np.ndarray  # (s + 1,) accuracy on the examples that the choice was made on
    held_out: np.ndarray  # (s + 1,) on the other half
    at_random: np.ndarray  # (repeats,) on the other half, after as many swaps at random
    judged: np.ndarray  # rows of that half

    @property
    def gain(self) -> float:
        """On the half that nothing was chosen on."""
        return float(self.held_out[-1] - self.held_out[0])

    @property
    def beats_chance(self) -> bool:
        """Whether accuracy rose, and above that of all but a few choices at random."""
        return self.gain > 0 and bool(self.held_out[-1] > np.quantile(self.at_random, 0.95))


def search_shots(
    model: Any,
    X: np.ndarray,
    y: np.ndarray,
    support: Sequence[int],
    query: Sequence[int],
    swaps: int = 4,
    candidates: int = 8,
    repeats: int = 20,
    seed: int = 0,
) -> ShotSearch:
    """Swap the most misleading shot for the candidate of its class that helps most, greedily.

    Half of each class of the query set is held out and judged alone. Of the other half some are
    candidates, and the choice is made on the rest: by accuracy there, then by mean log-likelihood.

    Parameters
    ----------
    model : classifier
        Clones of it are fitted.
    X, y : (n, d) and (n,) arrays
    support, query : row numbers
    swaps : int
        At most; the search stops where none helps.
    candidates : int
        Rows a class.
    repeats : int
        Choices at random, of as many swaps, to compare with.
    """
    rng = np.random.default_rng(seed)
    first_pool, chosen_on, held_out = _parts(y, np.asarray(query), candidates, rng)
    first = [int(row) for row in support]

    def accuracies(shots: list[int]) -> list[float]:
        return [_judge(model, X, y, shots, rows)[0] for rows in (chosen_on, held_out)]

    done: list[tuple[int, int]] = []
    shots, pool = first, first_pool
    found = [accuracies(shots)]
    while len(done) < swaps:
        swap = _best_swap(model, X, y, shots, pool, chosen_on)
        if swap is None:
            break
        shots, pool = _swapped(shots, pool, swap)
        done.append(swap)
        found.append(accuracies(shots))
    at_random = []
    for _ in range(repeats):
        shots, pool = first, first_pool
        for _ in done:
            replaceable = [row for row in shots if (y[pool] == y[row]).any()]
            out = int(rng.choice(replaceable))
            into = int(rng.choice(pool[y[pool] == y[out]]))
            shots, pool = _swapped(shots, pool, (out, into))
        at_random.append(_judge(model, X, y, shots, held_out)[0])
    chosen, held = np.array(found).T
    return ShotSearch(tuple(done), chosen, held, np.array(at_random), held_out)


def _parts(
    y: np.ndarray, query: np.ndarray, candidates: int, rng: np.random.Generator
) -> list[np.ndarray]:
    """Candidates, rows to choose on and rows held out: of each class a half is held out."""
    parts: list[list[np.ndarray]] = [[], [], []]
    for label in np.unique(y[query]):
        rows = rng.permutation(query[y[query] == label])
        half = len(rows) // 2
        most = min(candidates, half // 2)
        for part, some in zip(parts, np.split(rows, [most, half]), strict=True):
            part.append(some)
    return [np.concatenate(part) for part in parts]


def _best_swap(
    model: Any,
    X: np.ndarray,
    y: np.ndarray,
    shots: list[int],
    pool: np.ndarray,
    chosen_on: np.ndarray,
) -> tuple[int, int] | None:
    """The most misleading shot and the candidate that helps most in its place, if any does."""
    if not len(chosen_on):
        return None
    found = read_shots(model, X[shots], y[shots], X[chosen_on], y[chosen_on])
    if not len(found.order):
        return None
    out = shots[found.order[0]]
    best, swap = _judge(model, X, y, shots, chosen_on), None
    for into in pool[y[pool] == y[out]].tolist():
        judged = _judge(model, X, y, _swapped(shots, pool, (out, into))[0], chosen_on)
        if judged > best:
            best, swap = judged, (out, into)
    return swap


def _swapped(
    shots: list[int], pool: np.ndarray, swap: tuple[int, int]
) -> tuple[list[int], np.ndarray]:
    out, into = swap
    return [into if row == out else row for row in shots], pool[pool != into]


def _judge(
    model: Any, X: np.ndarray, y: np.ndarray, shots: list[int], rows: np.ndarray
) -> tuple[float, float]:
    """Accuracy and mean log-likelihood on some rows; NaN without rows."""
    if not len(rows):
        return float("nan"), float("nan")
    refits = Refits.of(model, X[shots], y[shots])
    true = refits.indices(X[rows], y[rows])
    predicted, probability = refits.judge(refits.without([]), X[rows], true)
    return float((predicted == true).mean()), float(log_likelihood(probability).mean())
