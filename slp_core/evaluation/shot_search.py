"""The best replacement for a shot: chosen on one half of a query set, evaluated on the other."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

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
    y, shots = episode.labels, episode.support
    rng = np.random.default_rng(episode.draw)
    pool, chosen_on, held_out = split_query(y, episode.query, rng)
    if not len(chosen_on):
        return ShotSwap(None, np.nan, np.nan, np.empty(0), held_out[:0])
    candidates = pool[y[pool] == y[shot]].tolist()

    def replaced(into: int, rows: np.ndarray) -> tuple[float, float]:
        return judge(model, X, y, np.where(shots == shot, into, shots), rows)

    def step(done: int) -> None:
        if cancelled():
            raise Cancelled
        progress(Progress(done, 1 + REPEATS))

    step(0)
    best = max([shot, *candidates], key=lambda into: replaced(into, chosen_on))
    before, after = (replaced(row, held_out)[0] for row in (shot, best))
    at_random = []
    for repeat in range(REPEATS if best != shot else 0):
        step(1 + repeat)
        at_random.append(replaced(rng.choice(candidates), held_out)[0])
    return ShotSwap(None if best == shot else best, before, after, np.array(at_random), held_out)


def split_query(
    y: np.ndarray, query: np.ndarray, rng: np.random.Generator
) -> tuple[np.ndarray, ...]:
    """Candidates, rows to choose on and rows held out: of each class a half is held out."""
    query = query[rng.permutation(len(query))[:_MOST]]
    each = pd.Series(y[query]).groupby(y[query])
    place, half = each.cumcount().to_numpy(), each.transform("size").to_numpy() // 2
    candidate, held_out = place < np.minimum(CANDIDATES, half // 2), place >= half
    return query[candidate], query[~candidate & ~held_out], query[held_out]


def judge(
    model: Any, X: np.ndarray, y: np.ndarray, shots: np.ndarray, rows: np.ndarray
) -> tuple[float, float]:
    """Accuracy and mean log-likelihood on some rows."""
    refits = Refits.of(model, X[shots], y[shots])
    true = refits.indices(X[rows], y[rows])
    predicted, probability = refits.judge(refits.without([]), X[rows], true)
    return float((predicted == true).mean()), float(log_likelihood(probability).mean())
