"""What tuning the encoder on one support set changes: MetaSLP before its first step and after."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from slp_core.evaluation.method_runs import asked
from slp_core.evaluation.wording import Count
from slp_core.facts import Fact, Facts, Stated, fact

if TYPE_CHECKING:
    import pandas as pd

    from slp_core.data import Episode, FewShotDataset
    from slp_core.progress import Progress


@dataclass(frozen=True)
class MetaTest(Stated):
    """MetaSLP on one episode, before and after."""

    # (m,) the rows that were asked about: all query points, or some drawn at random once
    query: np.ndarray
    # (m,) indices into the dataset's classes. Before the first step, heads are the nearest-
    # centroid rule of the encoder as it came
    true: np.ndarray
    before: np.ndarray
    after: np.ndarray
    n_support: int
    losses: tuple[tuple[float, ...], ...]  # of each line, before each step
    lines: tuple[str, ...]  # their ends' classes
    fit_seconds: float
    available: int  # query points that there are

    @property
    def changed(self) -> np.ndarray:
        """(c,) places in ``query`` where the answer is another one than before."""
        return np.flatnonzero(self.before != self.after)

    def changed_table(self, dataset: FewShotDataset, most: int) -> pd.DataFrame:
        """The first answers that have changed, at ``most`` so many."""
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

    def facts(self) -> Facts:
        """What tuning did, in figures."""
        m, n = len(self.query), len(self.changed)
        support = Count(self.n_support, "support point")
        if not m:
            template = "Tuned on {support}; there is no query point to ask."
            return (fact("tuned.nothing_asked", template, support=support),)
        template = (
            "Tuned for {seconds:.1f} s on {support}, MetaSLP gets {after:.1%} of {points} right, "
            "where it began at {before:.1%}: {moved}."
        )
        told = fact(
            "tuned.accuracy",
            template,
            seconds=self.fit_seconds,
            support=support,
            points=Count(m, "query point"),
            before=float((self.before == self.true).mean()),
            after=float((self.after == self.true).mean()),
            moved=self._moved(n),
        )
        if m == self.available:
            return (told,)
        template = "They are {m:,} of {available:,}, drawn at random once."
        return (told, fact("tuned.some_asked", template, m=m, available=self.available))

    def loss_facts(self) -> Facts:
        """On how many lines the loss fell."""
        fell = sum(losses[-1] < losses[0] for losses in self.losses if losses)
        template = (
            "Loss of each line before each step; before the last step it is lower than before the "
            "first on {fell:,} of {lines}."
        )
        return (fact("tuning.loss", template, fell=fell, lines=Count(len(self.lines), "line")),)

    def _moved(self, n: int) -> Fact:
        if not n:
            return fact("tuned.none_changed", "no answer has changed")
        gained = int((self.after[self.changed] == self.true[self.changed]).sum())
        lost = int((self.before[self.changed] == self.true[self.changed]).sum())
        told = {"n": Count(n, "answer"), "gained": gained, "lost": lost}
        template = "{n} changed, {gained:,} to the right one and {lost:,} from it"
        if gained + lost < n:
            template += ", {other:,} from one wrong one to another"
            told["other"] = n - gained - lost
        return fact("tuned.changed", template, **told)


def meta_test(
    episode: Episode,
    encoder: str,
    *,
    max_query: int = 2_000,
    progress: Callable[[Progress], None] | None = None,
    cancelled: Callable[[], bool] | None = None,
) -> MetaTest:
    """Tune an encoder on an episode's support set and ask about its query points."""
    from slp_core.methods import MetaSLPClassifier

    dataset, query = episode.dataset, asked(episode, max_query)
    start = MetaSLPClassifier(encoder=encoder, steps=0, cancelled=cancelled)
    states = start.lower_states(dataset.examples.take(np.concatenate([episode.support, query])))
    n = len(episode.support)
    support, points = states[:n], states[n:]
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
        start.predict(points) if len(query) else empty,
        tuned.predict(points) if len(query) else empty,
        n,
        tuple(line.losses for line in tuned.adapted_),
        tuple(" – ".join(dataset.classes[k] for k in dict.fromkeys(pair)) for pair in ends),
        seconds,
        len(episode.query),
    )


def zipped_tuned_encoder(episode: Episode, encoder: str, line: int, name: str) -> bytes:
    """What `meta_test` makes of an encoder on one line, as a folder that other programs load.

    It is trained again, to the same weights: those of every line would fill a server that kept
    them for whoever may ask.
    """
    from slp_core.encoders import load_encoder
    from slp_core.encoders.export import zipped_encoder
    from slp_core.methods import MetaSLPClassifier

    support = episode.dataset.examples.take(episode.support)
    model = MetaSLPClassifier(encoder=encoder).fit(support, episode.y_support)
    layers = model.adapted_[line].layers
    return zipped_encoder(load_encoder(encoder, normalisation="l2"), name, layers.changed())
