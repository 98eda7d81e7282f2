"""LEOPARD's outer loop: what a task says about θ, φ, ψ and the inner rates.

Bansal, Jha and McCallum (2020), Algorithm 1, by first-order MAML; the mathematics of a task are in
`slp_core.methods.leopard`. Here the tasks have two classes each, as all of meta-training's have,
and the query set of the same task gives the outer loss.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import torch
import torch.nn.functional as F
from torch import Tensor

from slp_core.encoders.trainable import LowerStates, TrainableLayers
from slp_core.meta.inner import labels_of, split_support
from slp_core.meta.outer import TaskGradient
from slp_core.meta.settings import MetaSettings
from slp_core.methods.leopard import HEAD_RATES, Adapted, LeopardNetworks, adapt, vectors


def start(d: int, settings: MetaSettings) -> LeopardNetworks:
    """Networks for vectors of d numbers before the first outer step."""
    rule = settings.head_start == "prototypes"
    rng = np.random.default_rng(settings.seed)
    return LeopardNetworks.start(d, rng, settings.temperature if rule else None)


def first_rates(settings: MetaSettings) -> list[float]:
    """The inner rates before the first outer step: of the task's own layers, then of the heads."""
    layers = settings.n_trainable - settings.n_agnostic
    return [settings.encoder_rate] * layers + [settings.head_rate] * HEAD_RATES


def task_gradient(
    layers: TrainableLayers,
    networks: LeopardNetworks,
    support: LowerStates,
    query: LowerStates,
    settings: MetaSettings,
    rng: np.random.Generator,
    rates: Sequence[float],
) -> TaskGradient:
    """One task's gradient, of 2·shots support and query rows each, class by class."""
    batches = [split_support(settings, rng)[0].ravel() for _ in range(settings.inner_steps)]
    labels = labels_of(np.empty((2, settings.shots)))
    adapted = adapt(layers, networks, support, labels, 2, batches, rates)
    logits = adapted.logits(vectors(adapted.layers, query))
    loss = F.cross_entropy(logits, labels.to(logits.device))
    return outer_gradient(layers, networks, adapted, loss, len(rates))


def outer_gradient(
    layers: TrainableLayers,
    networks: LeopardNetworks,
    adapted: Adapted,
    loss: Tensor,
    n_rates: int,
) -> TaskGradient:
    """The gradient of a loss of adapted parameters, by those that all tasks begin from.

    θ and φ end as θ − u and φ − u', and W and b as what g_ψ generates less their own u''. Holding
    the sums of steps u fixed, as first-order MAML does, θ's gradient is that of the adapted layers,
    and what W and b hand down to the layers that g_ψ reads; ψ has the latter alone.
    """
    groups = adapted.groups()
    ends = [parameter for group in groups for parameter in group]
    found = torch.autograd.grad(loss, ends)
    *at_layers, of_weight, of_bias = found
    began = [*layers.parameters(), *networks.parameters()]
    through = torch.autograd.grad(adapted.started, began, (of_weight, of_bias), allow_unused=True)
    # θ and φ in the order of `began`; ψ stands last, and has no place among the ends.
    direct = [*at_layers, *(None for _ in networks.generator.parameters())]
    total = tuple(
        sum((g for g in both if g is not None), torch.zeros_like(parameter))
        for *both, parameter in zip(direct, through, began, strict=True)
    )
    features = networks.features
    starts = [*layers.parameters(), *features.parameters(), *adapted.started]
    ways = iter(
        -(gradient * (old.detach() - end.detach())).sum().item()
        for gradient, old, end in zip(found, starts, ends, strict=True)
    )
    log_rates = [sum(next(ways) for _ in group) for group in groups]
    return TaskGradient(total, tuple(log_rates[-n_rates:]), loss.item())


def answers(
    layers: TrainableLayers,
    networks: LeopardNetworks,
    settings: MetaSettings,
    rates: Sequence[float],
    support: LowerStates,
    codes: np.ndarray,
    query: LowerStates,
) -> np.ndarray:
    """(m,) classes of the query rows, adapted to the whole support set in each inner step."""
    y = torch.from_numpy(codes)
    batches = [np.arange(len(codes))] * settings.inner_steps
    adapted = adapt(layers, networks, support, y, int(codes.max()) + 1, batches, rates)
    with torch.no_grad():
        x = F.normalize(adapted.layers.all_vectors(query), dim=1)
        found: np.ndarray = adapted.logits(x).argmax(dim=1).cpu().numpy()
    return found
