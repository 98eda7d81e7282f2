"""The gradient of the shared parameters on one task (Algorithm 3)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import torch
import torch.nn.functional as F
from torch import Tensor

from slp_core.encoders.trainable import LowerStates, TrainableLayers
from slp_core.meta.inner import adapt, labels_of, vectors
from slp_core.meta.settings import MetaSettings


@dataclass(frozen=True)
class TaskGradient:
    """One task's contribution to an outer step."""

    layers: tuple[Tensor, ...]  # in the order of ``parameters()``, then LEOPARD's networks
    log_rates: tuple[float, ...]  # by the logarithms of the inner rates, if they are learnt
    loss: float  # on the query set after adaptation; Reptile: of the last inner step


def task_gradient(
    layers: TrainableLayers,
    support: LowerStates,
    query: LowerStates,
    settings: MetaSettings,
    rng: np.random.Generator,
    rates: list[float] | None = None,
) -> TaskGradient:
    """One task's gradient by the method of `settings`, from K·shots rows each, class by class."""
    if settings.method == "protonet":
        return _protonet(layers, support, query, settings)
    if settings.method == "metaslp-fomaml":
        return _fomaml(layers, support, query, settings, rng, rates)
    return _reptile(layers, support, settings, rng)


def _reptile(
    layers: TrainableLayers,
    support: LowerStates,
    settings: MetaSettings,
    rng: np.random.Generator,
) -> TaskGradient:
    """θ − θ_i, towards the end of the inner loop."""
    adapted = adapt(layers, support, settings, rng)
    pairs = zip(layers.parameters(), adapted.layers.parameters(), strict=True)
    moved = tuple(before.detach() - after.detach() for before, after in pairs)
    return TaskGradient(moved, (), adapted.losses[-1])


def _fomaml(
    layers: TrainableLayers,
    support: LowerStates,
    query: LowerStates,
    settings: MetaSettings,
    rng: np.random.Generator,
    rates: list[float] | None,
) -> TaskGradient:
    """The query loss's gradient at θ − α·u, applied at θ; by log α it is −⟨g, θ − θ_i⟩."""
    adapted = adapt(layers, support, settings, rng, rates)
    trained, heads = adapted.layers, adapted.heads
    shape = (2, settings.shots, -1)
    prototypes = vectors(trained, support, settings).view(shape).mean(dim=1)
    x = vectors(trained, query, settings)
    loss = heads.loss(x, _query_labels(settings, x), prototypes, share=False)
    ends = [list(part.parameters()) for part in (*trained.blocks, heads)]
    starts = [list(part.parameters()) for part in (*layers.blocks, adapted.started)]
    gradients, log_rates = first_order(loss, starts, ends)
    return TaskGradient(gradients[: -len(ends[-1])], log_rates, loss.item())


def first_order(
    loss: Tensor, starts: list[list[Tensor]], ends: list[list[Tensor]]
) -> tuple[tuple[Tensor, ...], tuple[float, ...]]:
    """Gradients of an adapted loss by all ends of an inner loop, and by each group's log rate."""
    gradients = torch.autograd.grad(loss, [end for group in ends for end in group])
    left = iter(gradients)
    log_rates = tuple(
        -sum((next(left) * (start - end)).sum().item() for start, end in zip(*group, strict=True))
        for group in zip(starts, ends, strict=True)
    )
    return gradients, log_rates


def _protonet(
    layers: TrainableLayers, support: LowerStates, query: LowerStates, settings: MetaSettings
) -> TaskGradient:
    """Snell et al., 2017: the gradient of the query set's cross-entropy of −τ‖x − μ‖²."""
    means = vectors(layers, support, settings).unflatten(0, (-1, settings.shots)).mean(dim=1)
    x = vectors(layers, query, settings)
    logits = -settings.temperature * (x[:, None] - means).square().sum(dim=2)
    loss = F.cross_entropy(logits, _query_labels(settings, x))
    gradients = torch.autograd.grad(loss, list(layers.parameters()))
    return TaskGradient(gradients, (), loss.item())


def _query_labels(settings: MetaSettings, x: Tensor) -> Tensor:
    return labels_of(len(x) // settings.shots, settings.shots).to(x.device)
