"""The effect of fine-tuning the encoder on one support set: MetaSLP before and after."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from slp_core.evaluation.method_runs import judged_rows
from slp_core.explain.difference import Difference

if TYPE_CHECKING:
    from slp_core.data import Episode
    from slp_core.progress import Progress

BEFORE_AND_AFTER = ("untuned encoder", "tuned encoder")


@dataclass(frozen=True)
class MetaTest:
    """MetaSLP on one episode, before and after."""

    # on the query set, or a random part of it. Before the first step, the heads are the
    # nearest-centroid rule of the encoder as it came
    difference: Difference
    n_support: int
    losses: tuple[tuple[float, ...], ...]  # of each line, before each step
    lines: tuple[str, ...]  # their ends' classes
    fit_seconds: float
    available: int  # size of the query set


def meta_test(
    episode: Episode,
    encoder: str,
    *,
    max_query: int = 2_000,
    progress: Callable[[Progress], None] | None = None,
    cancelled: Callable[[], bool] | None = None,
) -> MetaTest:
    """Fine-tune an encoder on an episode's support set and evaluate it on the query set."""
    from slp_core.methods.meta_slp import MetaSLPClassifier

    dataset, query = episode.dataset, judged_rows(episode, max_query)
    start = MetaSLPClassifier(encoder=encoder, steps=0, cancelled=cancelled)
    states = start.lower_states(dataset.examples.take(np.concatenate([episode.support, query])))
    n = len(episode.support)
    support, points = states[:n], states[n:]
    start.fit(support, episode.y_support)
    tuned = MetaSLPClassifier(encoder=encoder, progress=progress, cancelled=cancelled)
    began = time.perf_counter()
    tuned.fit(support, episode.y_support)
    seconds = time.perf_counter() - began
    predicted = [each.predict(points) if len(query) else query for each in (start, tuned)]
    ends = [(line.left, line.right) for line in tuned.geometry_.lines_]
    return MetaTest(
        Difference.of(BEFORE_AND_AFTER, dataset.classes, query, dataset.y[query], *predicted),
        n,
        tuple(line.losses for line in tuned.adapted_),
        tuple(" – ".join(dataset.classes[k] for k in dict.fromkeys(pair)) for pair in ends),
        seconds,
        len(episode.query),
    )


def zipped_tuned_encoder(episode: Episode, encoder: str, line: int, name: str) -> bytes:
    """The encoder as `meta_test` fine-tunes it on one line, retrained, as a zipped folder."""
    from slp_core.encoders import load_encoder
    from slp_core.encoders.export import zipped_encoder
    from slp_core.methods.meta_slp import MetaSLPClassifier

    support = episode.dataset.examples.take(episode.support)
    model = MetaSLPClassifier(encoder=encoder).fit(support, episode.y_support)
    layers = model.adapted_[line].layers
    return zipped_encoder(load_encoder(encoder, normalisation="l2"), name, layers.changed())
