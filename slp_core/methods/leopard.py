"""LEOPARD (Bansal, Jha and McCallum, 2020): a classifier generated from the support set.

    softmax(W h_φ(f_θ(x)) + b),    (w_n, b_n) = 1/|S_n| Σ g_ψ(f_θ(x_j)) over class n's examples,

with two-layer networks g_ψ and h_φ. φ, W, b and the encoder's top layers take some steps of SGD,
each layer at its own meta-learnt rate; ψ and the layers below are shared by all tasks. Unlike the
publication's, the encoder is MiniLM and f_θ has unit length, steps are on the support set that
generated W and b, networks start as inner products with class means; first-order outer loop.
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

import numpy as np
import torch
import torch.nn.functional as F
from torch import Tensor, nn
from torch.nn.utils import skip_init

from slp_core.allowed import CountOrZero
from slp_core.encoders.checkpoint import TokenLimit
from slp_core.encoders.meta_checkpoint import MetaCheckpoint
from slp_core.encoders.registry import load_encoder, meta_trained_by, trainable_part
from slp_core.encoders.trainable import LowerStates, TrainableLayers
from slp_core.errors import EncoderError
from slp_core.methods.protocols import Parameters
from slp_core.methods.text_classifier import TextClassifier, means_by_class, size_of, unit_vectors
from slp_core.sentences import count

HEAD_RATES = 3
"""Learnt rates besides those of the encoder's layers: h_φ's two layers, and W with b."""
RATES = "inner_rates"


class TwoLayers(nn.Module):
    """x ↦ out(tanh(hidden(x)))."""

    def __init__(self, n_in: int, n_hidden: int, n_out: int) -> None:
        super().__init__()
        self.hidden = skip_init(nn.Linear, n_in, n_hidden)
        self.out = skip_init(nn.Linear, n_hidden, n_out)

    def forward(self, x: Tensor) -> Tensor:
        """(b, n_in) to (b, n_out)."""
        return self.out(torch.tanh(self.hidden(x)))


class LeopardNetworks(nn.Module):
    """h_φ (``features``: d to l) and g_ψ (``generator``: d to l + 1, the bias last)."""

    def __init__(self, d: int, width: int) -> None:
        super().__init__()
        self.features = TwoLayers(d, width, width)
        self.generator = TwoLayers(d, width, width + 1)

    @classmethod
    def start(
        cls, d: int, rng: np.random.Generator, temperature: float | None = None
    ) -> LeopardNetworks:
        """Networks with l = d: logits of about 2τ⟨μ_n, x⟩, or Xavier-uniform weights for None."""
        networks = cls(d, d)
        with torch.no_grad():
            for parameter in networks.parameters():
                bound = (6 / sum(parameter.shape)) ** 0.5 if parameter.ndim == 2 else 0.0
                parameter.copy_(torch.from_numpy(rng.uniform(-bound, bound, parameter.shape)))
            if temperature is not None:
                # tanh is nearly linear close to 0, so h_φ inverts the rotation.
                turn = torch.from_numpy(np.linalg.qr(rng.normal(size=(d, d)))[0]).float()
                both = ((networks.features, 1.0), (networks.generator, 2 * temperature))
                for network, scale in both:
                    network.hidden.weight.copy_(_NEAR_ZERO * turn)
                    network.out.weight.zero_()
                    network.out.weight[:d] = scale / _NEAR_ZERO * turn.T
        return networks

    @classmethod
    def of(cls, tensors: Mapping[str, Tensor]) -> LeopardNetworks:
        """The networks in a checkpoint's tensors."""
        try:
            width, d = tensors["features.hidden.weight"].shape
            networks = cls(d, width)
            networks.load_state_dict(tensors)
        except (KeyError, RuntimeError, ValueError) as error:
            raise EncoderError(_MISFIT) from error
        return networks

    def softmax_parameters(self, x: Tensor, y: Tensor, n_classes: int) -> tuple[Tensor, Tensor]:
        """W (K, l) and b (K,) from vectors x (n, d) with labels y (n,)."""
        generated = means_by_class(self.generator(x), y, n_classes)
        return generated[:, :-1], generated[:, -1]


@dataclass(frozen=True)
class Adapted:
    """A task's own parameters after the inner loop, and the generated ones before it."""

    layers: TrainableLayers  # a copy of the encoder's
    features: TwoLayers  # h_φ's copy
    weight: Tensor  # (K, l)
    bias: Tensor  # (K,)
    started: tuple[Tensor, Tensor]  # generated W and b, with their graph to θ and ψ
    losses: tuple[float, ...]  # before each step

    def logits(self, x: Tensor) -> Tensor:
        """(m, K) logits of embeddings (m, d) by the adapted layers."""
        return F.linear(self.features(x), self.weight, self.bias)

    def groups(self) -> list[list[Tensor]]:
        """Groups of parameters with one rate each: layers, h_φ's two layers, W with b."""
        parts = (*self.layers.blocks, self.features.hidden, self.features.out)
        return [*(list(part.parameters()) for part in parts), [self.weight, self.bias]]


def vectors(
    layers: TrainableLayers, states: LowerStates, rows: Sequence[int] | np.ndarray | None = None
) -> Tensor:
    """Differentiable unit embeddings (b, d) of some rows, by default of all."""
    return F.normalize(layers.vectors(states, rows), dim=1)


def adapt(
    layers: TrainableLayers,
    networks: LeopardNetworks,
    support: LowerStates,
    y: Tensor,
    n_classes: int,
    batches: Sequence[np.ndarray],
    rates: Sequence[float],
    before_step: Callable[[int], None] = lambda step: None,
) -> Adapted:
    """Generate W and b, and take a step of SGD on each batch; rates are of the last groups."""
    x = vectors(layers, support)
    y = y.to(x.device)
    started = networks.softmax_parameters(x, y, n_classes)
    layers, features = copy.deepcopy(layers), copy.deepcopy(networks.features)
    weight, bias = (made.detach().clone().requires_grad_() for made in started)
    adapted = Adapted(layers, features, weight, bias, started, ())
    groups = adapted.groups()[-len(rates) :]
    moved = [parameter for group in groups for parameter in group]
    rate_of = [rate for group, rate in zip(groups, rates, strict=True) for _ in group]
    losses = []
    for step, rows in enumerate(batches):
        before_step(step)
        loss = F.cross_entropy(adapted.logits(vectors(layers, support, rows)), y[rows])
        gradients = torch.autograd.grad(loss, moved)
        with torch.no_grad():
            for parameter, gradient, rate in zip(moved, gradients, rate_of, strict=True):
                parameter -= rate * gradient
        losses.append(loss.item())
    return Adapted(layers, features, weight, bias, started, tuple(losses))


@dataclass(kw_only=True, eq=False, repr=False)
class LeopardClassifier(TextClassifier):
    """Few-shot classifier of texts whose softmax is generated from the support set, then adapted.

    Parameters
    ----------
    encoder : str
        Meta-trained by LEOPARD, with its networks and rates.
    steps : int
        G, each on the whole support set; 0 uses the generated parameters.
    max_tokens : int
        Longer texts are truncated; in chunks, after the chunk that reaches the limit.
    device : {"cpu", "cuda", "mps", "auto"}
        Where it is trained; ``"auto"`` is ``"cuda"`` where there is one.
    progress, cancelled : callable, optional
        As in :class:`~slp_core.methods.meta_slp.MetaSLPClassifier`.

    Attributes
    ----------
    classes_ : (K,) array
    adapted_ : Adapted
    history_ : tuple of float
        Mean cross-entropy before each step, in nats.

    Examples
    --------
    >>> import slp_core as slp
    >>> model = slp.LeopardClassifier(steps=1)
    >>> model.fit(["good", "fine", "bad", "poor"], [1, 1, 0, 0]).predict_proba(["nice"]).shape
    (1, 2)
    """

    encoder: str = "leopard-minilm-l4"
    max_tokens: TokenLimit = 256
    steps: CountOrZero = 10

    def parameter_count(self) -> Parameters:
        """The layers, h_φ, and W with b."""
        adapted = self.adapted_
        layers, features = size_of(adapted.layers), size_of(adapted.features)
        softmax = adapted.weight.numel() + adapted.bias.numel()
        n_layers = count(len(adapted.layers.blocks), "layer")
        description = f"{n_layers}, h and the softmax: {layers:,} + {features:,} + {softmax:,}"
        total = layers + features + softmax
        return Parameters(total, total, description)

    def _learn(self, states: LowerStates, codes: np.ndarray) -> None:
        networks, rates = self._learnt()
        layers = self._start_layers()
        batches = [np.arange(len(codes))] * self.steps
        done = adapt(
            layers,
            networks.to(layers.device),
            states,
            torch.from_numpy(codes),
            len(self.classes_),
            batches,
            rates,
            lambda step: self._step_done(step, self.steps),
        )
        self._step_done(self.steps, self.steps)
        weight, bias = done.weight.detach(), done.bias.detach()
        self.adapted_ = replace(done, weight=weight, bias=bias, started=(weight, bias))
        self.history_ = done.losses

    def _scores(self, states: LowerStates) -> Tensor:
        return self.adapted_.logits(unit_vectors(self.adapted_.layers, states))

    def _n_layers(self) -> int:
        """The number of layers with a learnt rate."""
        return len(self._learnt()[1]) - HEAD_RATES

    def _learnt(self) -> tuple[LeopardNetworks, tuple[float, ...]]:
        """The encoder's networks and rates."""
        encoder = load_encoder(self.encoder)
        part: Any = trainable_part(encoder)
        if meta_trained_by(encoder) != "leopard":
            raise EncoderError(
                f"Encoder {self.encoder!r} was not meta-trained by LEOPARD: choose "
                "'leopard-minilm-l4'."
            )
        return _read(part.checkpoint, part.checkpoint.digest())


@lru_cache(maxsize=2)
def _read(checkpoint: MetaCheckpoint, _digest: str) -> tuple[LeopardNetworks, tuple[float, ...]]:
    tensors = checkpoint.beside()
    rates = tuple(tensors.pop(RATES, torch.empty(0)).flatten().tolist())
    if len(rates) < HEAD_RATES:
        raise EncoderError(_MISFIT)
    return LeopardNetworks.of(tensors), rates


_MISFIT = "The checkpoint has no LEOPARD networks: train it again."
_NEAR_ZERO = 2.0  # scales the entries of unit vectors to about 0.1
