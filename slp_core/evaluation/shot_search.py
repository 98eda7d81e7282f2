"""Swap shots by their influence: chosen on one half of a query set, evaluated on the other."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from slp_core.data import Episode
from slp_core.errors import Cancelled
from slp_core.explain.shots import Refits, log_likelihood, read_shots
from slp_core.progress import CancelledCallback, Progress, ProgressCallback

CANDIDATES = 8  # a class
_MOST = 400  # query examples that are chosen and judged on
_CHANCE = 0.95  # share of the choices at random that a choice has to beat


@dataclass(frozen=True, eq=False)
class ShotSearch:
    """Swaps that helped on one half of the query set, with accuracies before any and after each."""

    swaps: tuple[tuple[int, int], ...]  # rows: the shot that goes, and the one that comes
    chosen_on: np.ndarray  # (s + 1,) accuracy on the examples that the choice was made on
    held_out: np.ndarray  # (s + 1,) on the other half
    at_random: np.ndarray  # (repeats,) on the other half, after as many swaps at random
    judged: np.ndarray  # rows of that half

    @property
    def gain(self) -> float:
        """On the half that was not used for choosing."""
        return float(self.held_out[-1] - self.held_out[0])

    @property
    def beats_chance(self) -> bool:
        """Whether accuracy rose, and by more than with all but a few random choices."""
        return self.gain > 0 and bool(self.held_out[-1] > np.quantile(self.at_random, _CHANCE))


def search_shots(
    model: Any,
    X: np.ndarray,
    episode: Episode,
    shot: int | None = None,
    swaps: int = 4,
    candidates: int = CANDIDATES,
    repeats: int = 20,
    progress: ProgressCallback = lambda _: None,
    cancelled: CancelledCallback = lambda: False,
) -> ShotSearch:
    """Greedily swap the most misleading shot for the candidate of its class that helps most.

    Half of each class of the query set is held out and judged alone. Of the other half some are
    candidates, and the choice is made on the rest: by accuracy there, then by mean log-likelihood.

    Parameters
    ----------
    model : classifier
        Clones of it are fitted.
    X : (n, d) array
        All rows of the dataset.
    shot : int, optional
        The row of the one shot that may go, in a single swap.
    swaps : int
        At most; the search stops where none helps.
    candidates : int
        Rows a class.
    repeats : int
        Choices at random, of as many swaps, to compare with.
    """
    y, swaps = episode.labels, swaps if shot is None else 1
    rng = np.random.default_rng(episode.draw)
    first_pool, chosen_on, held_out = _parts(y, episode.query, candidates, rng)
    first = episode.support.tolist()

    def judged(shots: list[int]) -> list[float]:
        return [_judge(model, X, y, shots, rows)[0] for rows in (chosen_on, held_out)]

    def step(done: int) -> None:
        if cancelled():
            raise Cancelled
        progress(Progress(done, swaps + repeats, None))

    done: list[tuple[int, int]] = []
    shots, pool = first, first_pool
    found = [judged(shots)]
    while len(done) < swaps:
        step(len(done))
        swap = _best_swap(model, X, y, shots, pool, chosen_on, shot)
        if swap is None:
            break
        shots, pool = _swapped(shots, pool, swap)
        done.append(swap)
        found.append(judged(shots))
    at_random = []
    for repeat in range(repeats):
        step(swaps + repeat)
        shots, pool = first, first_pool
        for _ in done:
            able = [row for row in shots if (y[pool] == y[row]).any() and shot in (None, row)]
            out = int(rng.choice(able))
            shots, pool = _swapped(shots, pool, (out, int(rng.choice(pool[y[pool] == y[out]]))))
        at_random.append(_judge(model, X, y, shots, held_out)[0])
    chosen, held = np.array(found).T
    return ShotSearch(tuple(done), chosen, held, np.array(at_random), held_out)


def _parts(
    y: np.ndarray, query: np.ndarray, candidates: int, rng: np.random.Generator
) -> list[np.ndarray]:
    """Candidates, rows to choose on and rows held out: of each class a half is held out."""
    query = query[rng.permutation(len(query))[:_MOST]]
    parts: list[list[np.ndarray]] = [[query[:0]] for _ in range(3)]
    for label in np.unique(y[query]):
        rows = query[y[query] == label]
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
    out: int | None,
) -> tuple[int, int] | None:
    """A shot, the most misleading one by default, and its best replacement, if any helps."""
    if not len(chosen_on):
        return None
    if out is None:
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
    model: Any, X: np.ndarray, y: np.ndarray, shots: Sequence[int], rows: np.ndarray
) -> tuple[float, float]:
    """Accuracy and mean log-likelihood on some rows; NaN without rows."""
    if not len(rows):
        return float("nan"), float("nan")
    refits = Refits.of(model, X[shots], y[shots])
    true = refits.indices(X[rows], y[rows])
    predicted, probability = refits.judge(refits.without([]), X[rows], true)
    return float((predicted == true).mean()), float(log_likelihood(probability).mean())
