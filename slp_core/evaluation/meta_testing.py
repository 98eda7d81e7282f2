"""What tuning the encoder on one support set changes: MetaSLP before its first step and after."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    import pandas as pd

    from slp_core.data import Episode, FewShotDataset
    from slp_core.encoders import Progress


@dataclass(frozen=True)
class MetaTest:
    """MetaSLP on one episode, before and after.

    Attributes
    ----------
    query : (m,) int array
        The rows that were asked about: all query points, or the first of them.
    true, before, after : (m,) int arrays
        Indices into the dataset's classes. Before the first step, heads are the nearest-centroid
        rule of the encoder as it came.
    n_support : int
    losses : tuple of tuple of float
        Of each line, before each step.
    lines : tuple of str
        Their ends' classes.
    fit_seconds : float
    """

    query: np.ndarray
    true: np.ndarray
    before: np.ndarray
    after: np.ndarray
    n_support: int
    losses: tuple[tuple[float, ...], ...]
    lines: tuple[str, ...]
    fit_seconds: float

    @property
    def changed(self) -> np.ndarray:
        """(c,) places in ``query`` where the answer is another one than before."""
        return np.flatnonzero(self.before != self.after)

    def changed_table(self, dataset: FewShotDataset, most: int) -> pd.DataFrame:
        """The first answers that have changed, at ``most`` so many.

        Returns
        -------
        pandas.DataFrame
            Class names ``true``, ``before`` and ``after``, and the ``text``, a row each.
        """
        import pandas as pd

        first, names = self.changed[:most], np.array(dataset.classes)
        return pd.DataFrame(
            {
                "true": names[self.true[first]],
                "before": names[self.before[first]],
                "after": names[self.after[first]],
                "text": [dataset.describe(row) for row in self.query[first].tolist()],
            }
        )

    def sentence(self) -> str:
        """What tuning did, in figures."""
        m, n = len(self.query), len(self.changed)
        right, was = (self.after == self.true).sum(), (self.before == self.true).sum()
        if not m:
            return f"Tuned on {self.n_support} support points; there is no query point to ask."
        gained = int((self.after[self.changed] == self.true[self.changed]).sum())
        lost = int((self.before[self.changed] == self.true[self.changed]).sum())
        if n == 0:
            moved = "no answer has changed"
        elif n == 1:
            way = "to the right one" if gained else "from the right one" if lost else ""
            moved = f"1 answer has changed, {way or 'from one wrong one to another'}"
        else:
            moved = f"{n:,} answers have changed, {gained:,} to the right one and {lost:,} from it"
        return (
            f"Tuned for {self.fit_seconds:.0f} s on {self.n_support} support points, MetaSLP gets "
            f"{right / m:.1%} of {m:,} query points right, where it began at {was / m:.1%}: "
            f"{moved}."
        )


def meta_test(
    episode: Episode,
    encoder: str,
    *,
    max_query: int = 2_000,
    progress: Callable[[Progress], None] | None = None,
    cancelled: Callable[[], bool] | None = None,
) -> MetaTest:
    """Tune an encoder on an episode's support set and ask about its query points.

    Parameters
    ----------
    episode
        Of texts, pairs or mentions.
    encoder
        Its name, as `load_encoder` takes it.
    max_query
        Query points to ask about, the first ones.
    progress, cancelled
        As in `MetaSLPClassifier`, whose defaults are taken otherwise.

    Raises
    ------
    EncoderError
        The encoder has no layers to train.
    Cancelled
    """
    from slp_core.methods import MetaSLPClassifier

    dataset, query = episode.dataset, episode.query[:max_query]
    start = MetaSLPClassifier(encoder=encoder, steps=0, cancelled=cancelled)
    states = start.lower_states(dataset.examples.take(np.concatenate([episode.support, query])))
    n = len(episode.support)
    support, asked = states[:n], states[n:]
    start.fit(support, episode.y_support)
    tuned = MetaSLPClassifier(encoder=encoder, progress=progress, cancelled=cancelled)
    began = time.perf_counter()
    tuned.fit(support, episode.y_support)
    seconds = time.perf_counter() - began
    empty = np.array([], dtype=np.int64)
    ends = [(line.left, line.right) for line in tuned.geometry_.lines_]
    return MetaTest(
        query,
        dataset.y[query],
        start.predict(asked) if len(query) else empty,
        tuned.predict(asked) if len(query) else empty,
        n,
        tuple(line.losses for line in tuned.adapted_),
        tuple(" – ".join(dataset.classes[k] for k in dict.fromkeys(pair)) for pair in ends),
        seconds,
    )
