"""Record the inner loop on two classes of a dataset."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

import numpy as np
import torch
from threadpoolctl import threadpool_limits  # type: ignore[import-untyped]

from slp_core.data.dataset import FewShotDataset
from slp_core.encoders.trainable import TrainableLayers
from slp_core.errors import Cancelled, SLPError
from slp_core.meta.episode_steps import EpisodeSteps
from slp_core.meta.inner import adapt, vectors
from slp_core.meta.settings import MetaSettings, preset_settings

_one_at_a_time = threading.Lock()


def record_episode(
    dataset: FewShotDataset,
    classes: tuple[int, int],
    seed: int = 0,
    cancelled: Callable[[], bool] = lambda: False,
) -> EpisodeSteps:
    """MetaSLP's inner loop (Algorithm 2) on two classes of a dataset, with Reptile's preset."""
    rng = np.random.default_rng(seed)
    of_class = [np.flatnonzero(dataset.y == k) for k in classes]
    settings = _settings(dataset, classes, min(map(len, of_class)))
    rows = np.stack([rng.choice(of_one, settings.shots, replace=False) for of_one in of_class])
    examples = dataset.examples.take(rows.ravel())
    steps: list[tuple[Any, ...]] = []

    def watch(*step: Any) -> None:
        steps.append(step)
        if cancelled():
            raise Cancelled

    # Several at a time, or on several threads, would mostly wait for each other.
    with _one_at_a_time, threadpool_limits(limits=1, user_api="openmp"):
        layers = TrainableLayers(settings.encoder, settings.n_trainable)
        states = layers.lower_states(examples, settings.max_tokens, cancelled=cancelled)
        adapted = adapt(layers, states, settings, rng, watch=watch)
        with torch.no_grad():
            last = vectors(adapted.layers, states, settings)
    moved = torch.cat(
        [
            (new - old).detach().abs().flatten()
            for old, new in zip(layers.parameters(), adapted.layers.parameters(), strict=True)
        ]
    )
    before, for_loss, for_means = zip(*steps, strict=True)
    return EpisodeSteps(
        (dataset.classes[classes[0]], dataset.classes[classes[1]]),
        rows,
        torch.stack([*before, last]).numpy(),
        np.stack(for_loss),
        np.stack(for_means),
        np.array(adapted.losses),
        (float(moved.mean()), float(moved.max())),
        settings,
    )


def _settings(dataset: FewShotDataset, classes: tuple[int, int], there: int) -> MetaSettings:
    usual = preset_settings("metaslp-reptile")
    shots = min(usual.shots, there)
    if shots < 2:
        small = min(classes, key=lambda k: dataset.counts[dataset.classes[k]])
        raise SLPError(
            f"Class {dataset.classes[small]!r} has {there} example, and an episode needs two: one "
            "for the loss and one for the prototype."
        )
    share = usual.batch_size / (2 * usual.shots)
    return preset_settings(
        "metaslp-reptile", shots=shots, batch_size=2 * min(shots - 1, max(1, round(share * shots)))
    )
