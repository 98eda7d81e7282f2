"""Several DeepSLP models trained as one: draws and seeds are a further axis of the same arrays."""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from numbers import Integral
from typing import Any, NamedTuple

import numpy as np

from slp_core.errors import Cancelled
from slp_core.methods.deep_slp import DeepSLPClassifier, Start
from slp_core.methods.heads import HeadTrainer

_NUMBERS = 1 << 16
"""Numbers in the heads trained at once: beyond what the cache holds, steps wait for memory."""


class _Started(NamedTuple):
    """A model to be fitted, the copy of it that is until that is done, and where that starts."""

    model: DeepSLPClassifier
    fitting: DeepSLPClassifier
    start: Start


def fit_each(
    fits: Iterable[tuple[Any, Any, Any]],
    cancelled: Callable[[], bool] = lambda: False,
) -> Iterator[Any]:
    """Fit classifiers on support sets of their own, in their order; small DeepSLP models at once.

    What comes out is equal to fitting one after the other, up to rounding. DeepSLP models one after
    the other are trained in the same steps (Algorithm 1) where these have the same number of lines,
    classes and points and the same schedule, if all lines learn from all examples
    (``train_on="all"``), the seed is a whole number and nobody looks on (``callback``). Every other
    classifier is fitted by itself.

    Parameters
    ----------
    fits : iterable of (model, X, y)
        An unfitted classifier, its support set (n, d) and labels (n,). No more is asked for, and
        held, than is trained at once.
    cancelled : callable
        Asked before each fit, and before each epoch of those that are trained at once.

    Yields
    ------
    classifier
        Those given, fitted.

    Raises
    ------
    Cancelled
        As where a fit fails, the classifiers not yet yielded stay as they were.
    """
    waiting: list[_Started] = []
    for model, X, y in fits:
        if cancelled():
            raise Cancelled
        if not _can_share(model):
            yield from _trained(waiting, cancelled)
            waiting = []
            yield model.fit(X, y)
            continue
        fitting = copy.copy(model)
        started = _Started(model, fitting, fitting._prepare(X, y))
        numbers = started.start.heads.size * (len(waiting) + 1)
        if waiting and (numbers > _NUMBERS or _shape(waiting[0]) != _shape(started)):
            yield from _trained(waiting, cancelled)
            waiting = []
        waiting.append(started)
    yield from _trained(waiting, cancelled)


def _can_share(model: Any) -> bool:
    """Whether a model's steps can be those of others too."""
    return (
        type(model) is DeepSLPClassifier
        and model.train_on == "all"
        and model.callback is None
        and isinstance(model.random_state, Integral)  # others may be shared, and go by the order
    )


def _shape(started: _Started) -> tuple[Any, ...]:
    """What models that are trained at once have in common."""
    start = started.start
    (part,) = start.parts
    schedule = part["schedule"]
    steps = schedule.learning_rate, schedule.batch_size, schedule.weight_decay, schedule.warmup
    inputs = part["inputs"]
    return start.heads.shape, inputs.shape, inputs.dtype, *steps, schedule.loss_scaling


def _trained(started: list[_Started], cancelled: Callable[[], bool]) -> list[DeepSLPClassifier]:
    """The models, their heads trained at once."""
    if not started:
        return []
    parts = [each.start.parts[0] for each in started]
    arrays = {
        name: np.concatenate([part[name] for part in parts])
        for name in ("heads", "inputs", "codes", "distances")
    }
    epochs = np.concatenate([part["schedule"].epochs for part in parts])
    schedule = replace(parts[0]["schedule"], epochs=epochs)
    rngs = [rng for part in parts for rng in part["rngs"]]
    trainer = HeadTrainer(**arrays, schedule=schedule, rngs=rngs)
    losses, rates = [], []
    for epoch in range(int(epochs.max())):
        if cancelled():
            raise Cancelled
        losses.append(trainer.epoch(epoch))
        rates.append(trainer.learning_rate)
    heads = trainer.heads
    for number, (model, fitting, start) in enumerate(started):
        own = slice(start.epochs)  # others may have gone on
        loss, rate = ([each[number] for each in told[own]] for told in (losses, rates))
        fitting._learnt(heads[number], loss, rate)
        model.__dict__ = fitting.__dict__
    return [each.model for each in started]
