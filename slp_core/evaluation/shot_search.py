"""The best replacement for a shot: chosen on one half of a query set, evaluated on the other."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from slp_core.data import Episode
from slp_core.errors import Cancelled
from slp_core.explain.shots import Refits, log_likelihood
from slp_core.progress import CancelledCallback, Progress, ProgressCallback

CANDIDATES = 8  # a class
REPEATS = 20  # choices at random to compare with
_MOST = 400  # query examples that are chosen and judged on
_CHANCE = 0.95  # share of the choices at random that a choice has to beat


@dataclass(frozen=True, eq=False)
class ShotSwap:
    """What a shot is swapped for, with accuracies on the half that this was not chosen on."""

    best: int | None  # the row that comes; None where none helps
    before: float
    after: float
    at_random: np.ndarray  # accuracies after swaps at random
    judged: np.ndarray  # rows of that half

    @property
    def gain(self) -> float:
        """On that half."""
        return self.after - self.before

    @property
    def beats_chance(self) -> bool:
        """Whether accuracy rose, and by more than with all but a few random choices."""
        return self.gain > 0 and bool(self.after > np.quantile(self.at_random, _CHANCE))


def best_swap(
    model: Any,
    X: np.ndarray,
    episode: Episode,
    shot: int,
    progress: ProgressCallback = lambda _: None,
    cancelled: CancelledCallback = lambda: False,
) -> ShotSwap:
    """The candidate of its class that does best in a shot's place, by refitting.

    Half of each class of the query set is held out and judged alone. Of the other half some are
    candidates, and the choice is made on the rest: by accuracy there, then by mean log-likelihood.
    """
    y, shots = episode.labels, episode.support.tolist()
    rng = np.random.default_rng(episode.draw)
    pool, chosen_on, held_out = split_query(y, episode.query, rng)

    def accuracy(some: list[int]) -> float:
        return judge(model, X, y, some, held_out)[0]

    def step(done: int) -> None:
        if cancelled():
            raise Cancelled
        progress(Progress(done, 1 + REPEATS))

    step(0)
    best, before = replacement(model, X, y, shots, shot, pool, chosen_on), accuracy(shots)
    if best is None:
        return ShotSwap(None, before, before, np.empty(0), held_out)
    at_random = []
    for repeat in range(REPEATS):
        step(1 + repeat)
        into = int(rng.choice(pool[y[pool] == y[shot]]))
        at_random.append(accuracy(swapped(shots, shot, into)))
    after = accuracy(swapped(shots, shot, best))
    return ShotSwap(best, before, after, np.array(at_random), held_out)


def split_query(y: np.ndarray, query: np.ndarray, rng: np.random.Generator) -> list[np.ndarray]:
    """Candidates, rows to choose on and rows held out: of each class a half is held out."""
    query = query[rng.permutation(len(query))[:_MOST]]
    parts: list[list[np.ndarray]] = [[query[:0]] for _ in range(3)]
    for label in np.unique(y[query]):
        rows = query[y[query] == label]
        half = len(rows) // 2
        most = min(CANDIDATES, half // 2)
        for part, some in zip(parts, np.split(rows, [most, half]), strict=True):
            part.append(some)
    return [np.concatenate(part) for part in parts]


def replacement(
    model: Any,
    X: np.ndarray,
    y: np.ndarray,
    shots: list[int],
    shot: int,
    pool: np.ndarray,
    chosen_on: np.ndarray,
) -> int | None:
    """The best candidate for a shot's place, if any helps on the rows to choose on."""
    if not len(chosen_on):
        return None
    best, chosen = judge(model, X, y, shots, chosen_on), None
    for into in pool[y[pool] == y[shot]].tolist():
        judged = judge(model, X, y, swapped(shots, shot, into), chosen_on)
        if judged > best:
            best, chosen = judged, into
    return chosen


def swapped(shots: list[int], shot: int, into: int) -> list[int]:
    return [into if row == shot else row for row in shots]


def judge(
    model: Any, X: np.ndarray, y: np.ndarray, shots: Sequence[int], rows: np.ndarray
) -> tuple[float, float]:
    """Accuracy and mean log-likelihood on some rows; NaN without rows."""
    if not len(rows):
        return float("nan"), float("nan")
    refits = Refits.of(model, X[shots], y[shots])
    true = refits.indices(X[rows], y[rows])
    predicted, probability = refits.judge(refits.without([]), X[rows], true)
    return float((predicted == true).mean()), float(log_likelihood(probability).mean())
