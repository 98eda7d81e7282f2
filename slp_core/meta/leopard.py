"""LEOPARD's outer loop on one task (Bansal et al., 2020, Algorithm 1), by first-order MAML."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import zip_longest

import numpy as np
import torch
import torch.nn.functional as F
from torch import Tensor

from slp_core.encoders.trainable import LowerStates, TrainableLayers
from slp_core.meta.inner import labels_of, split_support
from slp_core.meta.outer import TaskGradient, first_order
from slp_core.meta.settings import MetaSettings
from slp_core.methods.leopard import Adapted, LeopardNetworks, adapt, vectors


def task_gradient(
    layers: TrainableLayers,
    networks: LeopardNetworks,
    support: LowerStates,
    query: LowerStates,
    settings: MetaSettings,
    rng: np.random.Generator,
    rates: Sequence[float],
) -> TaskGradient:
    """One task's gradient, from 2·shots support and query rows, class by class."""
    batches = [split_support(settings, rng)[0].ravel() for _ in range(settings.inner_steps)]
    labels = labels_of(2, settings.shots)
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
    """First-order gradient of an adapted loss by the shared parameters, θ's through g_ψ too."""
    moved = (*layers.blocks, networks.features.hidden, networks.features.out)
    starts = [list(part.parameters()) for part in moved]
    found, log_rates = first_order(loss, [*starts, list(adapted.started)], adapted.groups())
    *direct, of_weight, of_bias = found
    began = [*layers.parameters(), *networks.parameters()]
    through = torch.autograd.grad(adapted.started, began, (of_weight, of_bias), allow_unused=True)
    # In the order of `began`; ψ is last and has no direct gradient.
    total = tuple(
        sum((g for g in both if g is not None), torch.zeros_like(parameter))
        for *both, parameter in zip_longest(direct, through, began)
    )
    return TaskGradient(total, log_rates[-n_rates:], loss.item())


def predictions(
    layers: TrainableLayers,
    networks: LeopardNetworks,
    settings: MetaSettings,
    rates: Sequence[float],
    support: LowerStates,
    codes: np.ndarray,
    query: LowerStates,
) -> np.ndarray:
    """(m,) predicted classes of query rows, adapted to the whole support set."""
    y = torch.from_numpy(codes)
    batches = [np.arange(len(codes))] * settings.inner_steps
    adapted = adapt(layers, networks, support, y, int(codes.max()) + 1, batches, rates)
    with torch.no_grad():
        x = F.normalize(adapted.layers.all_vectors(query), dim=1)
        found: np.ndarray = adapted.logits(x).argmax(dim=1).cpu().numpy()
    return found
