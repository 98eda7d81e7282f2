"""The inner loop (Algorithm 2): train a copy of the encoder and two heads on a two-class task."""

from __future__ import annotations

import copy
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import torch
import torch.nn.functional as F
from torch import Tensor, nn

from slp_core.encoders.trainable import LowerStates, TrainableLayers
from slp_core.meta.settings import MetaSettings
from slp_core.methods.meta_slp import distance, influence_loss


class Heads(nn.Module):
    """The linear heads of one task: (H, 2, d) and (H, 2); H = 2, one a prototype, or 1 plain."""

    def __init__(self, weight: Tensor, bias: Tensor) -> None:
        super().__init__()
        self.weight = nn.Parameter(weight)
        self.bias = nn.Parameter(bias)

    @classmethod
    def start(
        cls, n_heads: int, centroids: Tensor, settings: MetaSettings, rng: np.random.Generator
    ) -> Heads:
        """Initial heads, from (2, d) class means or at random."""
        if settings.head_start == "prototypes":
            weight = 2 * settings.temperature * centroids
            bias = -settings.temperature * centroids.square().sum(dim=1)
        else:
            bound = np.sqrt(6 / (centroids.shape[1] + 2))
            shape = (n_heads, *centroids.shape)
            weight = torch.from_numpy(rng.uniform(-bound, bound, shape).astype(np.float32))
            bias = torch.zeros(n_heads, 2)
        weight, bias = weight.to(centroids.device), bias.to(centroids.device)
        return cls(weight.expand(n_heads, -1, -1).clone(), bias.expand(n_heads, -1).clone())

    def loss(self, x: Tensor, y: Tensor, prototypes: Tensor, *, share: bool = True) -> Tensor:
        """Cross-entropy of b vectors (b, d) with labels (b,), given prototypes (2, d)."""
        if len(self.weight) == 1:
            return F.cross_entropy(F.linear(x, self.weight[0], self.bias[0]), y)
        distances = torch.stack([distance(x, prototype) for prototype in prototypes], dim=1)
        return influence_loss(x, y, self.weight, self.bias, distances, share=share)


@dataclass(frozen=True)
class Adapted:
    layers: TrainableLayers  # the trained copy of the encoder's layers
    heads: Heads  # the trained heads
    started: Heads  # the initial heads
    losses: tuple[float, ...]  # before each step


def adapt(
    layers: TrainableLayers,
    support: LowerStates,
    settings: MetaSettings,
    rng: np.random.Generator,
    rates: list[float] | None = None,
    watch: Callable[[Tensor, np.ndarray, np.ndarray], None] | None = None,
) -> Adapted:
    """Train a copy of `layers` and new heads; `rates` are each layer's and, last, the heads'.

    Each step shows `watch` the support set (2·shots, d) before it, and its rows, by class, for the
    loss and for the means.
    """
    layers = copy.deepcopy(layers)
    layers.zero_grad(set_to_none=True)
    if rates is None:
        rates = [settings.encoder_rate] * len(layers.blocks) + [settings.head_rate]
    n_heads = 1 if settings.method == "reptile" else 2
    heads: Heads | None = None
    losses = []
    for _ in range(settings.inner_steps):
        for_loss, for_means = split_support(settings, rng)
        x = vectors(layers, support, settings)
        prototypes = x[for_means].mean(dim=1)
        if heads is None:
            heads = Heads.start(n_heads, prototypes.detach(), settings, rng)
            started = copy.deepcopy(heads)
            groups = [
                {"params": list(part.parameters()), "lr": rate}
                for part, rate in zip([*layers.blocks, heads], rates, strict=True)
            ]
            momentum = settings.momentum
            optimiser = torch.optim.SGD(groups, momentum=momentum, nesterov=momentum > 0)
        labels = labels_of(*for_loss.shape).to(x.device)
        loss = heads.loss(x[for_loss].flatten(0, 1), labels, prototypes)
        optimiser.zero_grad()
        loss.backward()
        optimiser.step()
        losses.append(loss.item())
        if watch is not None:
            watch(x.detach(), for_loss, for_means)
    assert heads is not None
    return Adapted(layers, heads, started, tuple(losses))


def split_support(
    settings: MetaSettings, rng: np.random.Generator
) -> tuple[np.ndarray, np.ndarray]:
    """Random rows (2, batch_size / 2) for the loss, and the others (2, ...) for the means."""
    order = np.stack([rng.permutation(settings.shots) for _ in range(2)])
    order += np.array([[0], [settings.shots]])
    n = settings.batch_size // 2
    return order[:, :n], order[:, n:]


def vectors(layers: TrainableLayers, states: LowerStates, settings: MetaSettings) -> Tensor:
    """Differentiable embeddings (n, d) of all rows, normalised by the settings."""
    x = layers.vectors(states)
    return F.normalize(x, dim=1) if settings.normalisation == "l2" else x


def labels_of(n_classes: int, n: int) -> Tensor:
    """Labels of (K, n) rows, flattened: 0 n times, then 1 n times and so on."""
    return torch.arange(n_classes).repeat_interleave(n)
