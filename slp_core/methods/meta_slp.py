"""MetaSLP at meta-test ("Meta-testing" in the paper), with lines found by the meta-encoder.

On each line a copy of the encoder's top layers and the two heads, which start as the
nearest-centroid rule, are trained by SGD with Nesterov momentum and cosine decay.
"""

from __future__ import annotations

import copy
from dataclasses import dataclass, fields, replace
from typing import Any

import numpy as np
import torch
import torch.nn.functional as F
from torch import Tensor, nn

from slp_core.allowed import Count, CountOrZero, NotNegative, Positive, Share
from slp_core.encoders.checkpoint import TokenLimit
from slp_core.encoders.trainable import LowerStates, TrainableLayers
from slp_core.errors import SLPError
from slp_core.methods.base import LineClassifier, LineOptions
from slp_core.methods.protocols import Parameters
from slp_core.methods.text_classifier import Rows, TunedClassifier, size_of, unit_vectors
from slp_core.sentences import count

DISTANCE_FLOOR = 1e-2


@dataclass(frozen=True)
class AdaptedLine:
    """One line after training."""

    layers: TrainableLayers  # the trained copy of the encoder's top layers
    prototypes: Tensor  # (2, d): means of the end classes under it, in the heads' coordinates
    heads: Tensor  # (2, K, d + 1), the bias last
    losses: tuple[float, ...]  # before each step


@dataclass(kw_only=True, eq=False, repr=False)
class MetaSLPClassifier(LineOptions, TunedClassifier):
    """Few-shot classifier of texts that fine-tunes a meta-trained encoder on each line.

    Parameters
    ----------
    encoder : str
        A meta-trained encoder, or another with trainable layers, such as ``"minilm-l4"``.
    n_trainable : int
        v, the number of trained layers.
    steps : int
        Of SGD, on every line; 0 leaves the encoder unchanged.
    encoder_rate, head_rate : float
        Initial learning rates; by default those of the paper's inner loop.
    momentum : float
    batch_size : int
        Support examples per step, as balanced as possible.
    temperature : float
        τ of the initial heads: weights 2τμ, bias −τ‖μ‖².
    line_method, n_lines, tolerance, tolerance_scale, assignment
        As in :class:`~slp_core.methods.constraint_slp.ConstraintSLPClassifier`.
    max_tokens : int
        Longer texts are truncated; in chunks, after the chunk that reaches the limit.
    device : {"cpu", "cuda", "mps", "auto"}
        Where it is trained; ``"auto"`` is ``"cuda"`` where there is one.
    random_state : int
        Draws the batches.
    progress : callable(Progress), optional
        Called after every step.
    cancelled : callable() -> bool, optional
        Called before every step; `Cancelled` is raised once it returns True.

    Attributes
    ----------
    classes_ : (K,) array
    geometry_ : LineClassifier
        Classes, centroids and lines of the support set under the meta-encoder; assigns points to
        lines.
    adapted_ : tuple of AdaptedLine

    Examples
    --------
    >>> import slp_core as slp
    >>> model = slp.MetaSLPClassifier(steps=1)
    >>> model.fit(["good", "fine", "bad", "poor"], [1, 1, 0, 0]).predict_proba(["nice"]).shape
    (1, 2)
    """

    encoder: str = "metaslp-reptile-minilm-l4"
    n_trainable: Count = 3
    steps: CountOrZero = 10
    encoder_rate: NotNegative = 5e-3
    head_rate: NotNegative = 5e-3
    momentum: Share = 0.9
    batch_size: Count = 32
    temperature: Positive = 1.0
    max_tokens: TokenLimit = 256

    def lower_states(self, X: Rows) -> LowerStates:
        """Lower states with the embeddings of the meta-encoder, which assign rows to lines."""
        states = super().lower_states(X)
        if states.vectors is not None:
            return states
        return replace(states, vectors=self._start_layers().all_vectors(states, self.cancelled))

    def parameter_count(self) -> Parameters:
        """Per line a copy of the layers and two heads of K·(d + 1)."""
        first, lines = self.adapted_[0], len(self.adapted_)
        copied = count(len(first.layers.blocks), "layer")
        layers, heads = size_of(first.layers), first.heads.numel()
        trainable = lines * (layers + heads)
        description = (
            f"{count(lines, 'line')} with a copy of {copied} and two heads: "
            f"{lines} × ({layers:,} + {heads:,})"
        )
        return Parameters(trainable, trainable + lines * first.prototypes.numel(), description)

    def _learn(self, states: LowerStates, codes: np.ndarray) -> None:
        if self.batch_size < len(self.classes_):
            raise SLPError(
                f"batch_size {self.batch_size} is below the {len(self.classes_)} classes, of which "
                "each step needs an example."
            )
        start = self._start_layers()
        x = _start_vectors(states)
        options = {each.name: getattr(self, each.name) for each in fields(LineOptions)}
        self.geometry_ = _Geometry(**options).fit(x.cpu().numpy(), codes)
        self._offset = x.mean(dim=0)
        self._scale = float(self.geometry_.spread_)
        y = torch.from_numpy(codes).to(x.device)
        batches = self._batches(codes)
        lines = self.geometry_.lines_
        self.adapted_ = tuple(
            self._adapt(start, states, y, (line.left, line.right), batches, number * self.steps)
            for number, line in enumerate(lines)
        )

    def _adapt(
        self,
        start: TrainableLayers,
        states: LowerStates,
        y: Tensor,
        ends: tuple[int, int],
        batches: list[np.ndarray],
        done: int,
    ) -> AdaptedLine:
        """Train a copy of the layers, and the heads, of one line."""
        layers = copy.deepcopy(start)
        heads = nn.Parameter(self._first_heads(self._inputs(unit_vectors(layers, states)), y))
        optimiser = torch.optim.SGD(
            [
                {"params": list(layers.parameters()), "lr": self.encoder_rate},
                {"params": [heads], "lr": self.head_rate},
            ],
            momentum=self.momentum,
            nesterov=self.momentum > 0,
        )
        cosine = torch.optim.lr_scheduler.CosineAnnealingLR(optimiser, T_max=max(self.steps, 1))

        def loss_of(rows: np.ndarray) -> Tensor:
            x = self._inputs(F.normalize(layers.vectors(states, rows), dim=1))
            return line_loss(x, y[rows], heads, ends)

        total = len(self.geometry_.lines_) * self.steps
        losses = self._descend(optimiser, cosine, batches, loss_of, done, total)
        x = self._inputs(unit_vectors(layers, states))
        prototypes = torch.stack([x[y == end].mean(dim=0) for end in ends])
        layers.zero_grad(set_to_none=True)
        return AdaptedLine(layers, prototypes, heads.detach(), tuple(losses))

    def _scores(self, states: LowerStates) -> Tensor:
        line = self.geometry_.place(_start_vectors(states).cpu().numpy()).line
        scores = torch.empty(len(states), len(self.classes_))
        for number, adapted in enumerate(self.adapted_):
            here = np.flatnonzero(line == number)
            if not len(here):
                continue
            x = self._inputs(unit_vectors(adapted.layers, states.take(here)))
            d = torch.stack([distance(x, p) for p in adapted.prototypes], dim=1)
            z = torch.einsum("hkd,md->mhk", adapted.heads[..., :-1], x) + adapted.heads[..., -1]
            scores[here] = (z / d[..., None]).sum(dim=1).cpu()
        return scores

    def _inputs(self, x: Tensor) -> Tensor:
        """Embeddings centred and scaled by the support set: the heads' coordinates."""
        return (x - self._offset) / self._scale

    def _first_heads(self, x: Tensor, y: Tensor) -> Tensor:
        """(2, K, d + 1): twice the nearest-centroid rule."""
        centroids = torch.stack([x[y == k].mean(dim=0) for k in range(len(self.classes_))])
        bias = -self.temperature * centroids.square().sum(dim=1, keepdim=True)
        head = torch.cat([2 * self.temperature * centroids, bias], dim=1)
        return head.expand(2, -1, -1).clone()

    def _batches(self, codes: np.ndarray) -> list[np.ndarray]:
        """Rows of each step: all, or batches balanced over the classes."""
        if self.batch_size >= len(codes):
            return [np.arange(len(codes))] * self.steps
        rng = np.random.default_rng(self.random_state)
        batches = []
        for _ in range(self.steps):
            turn = np.empty(len(codes), dtype=int)
            for k in range(len(self.classes_)):
                mine = np.flatnonzero(codes == k)
                turn[mine] = rng.permutation(len(mine))
            order = np.lexsort((rng.permutation(len(codes)), turn))
            batches.append(np.sort(order[: self.batch_size]))
        return batches


def _start_vectors(states: LowerStates) -> Tensor:
    """(n, d) L2-normalised vectors of rows under the meta-encoder."""
    assert states.vectors is not None  # set by `lower_states`
    return F.normalize(states.vectors, dim=1)


@dataclass(kw_only=True, eq=False, repr=False)
class _Geometry(LineOptions, LineClassifier):
    """Lines through the support set's centroids."""

    distance = "euclidean"

    def fit(self, X: Any, y: Any) -> _Geometry:
        self._fit_lines(X, y)
        return self


def line_loss(x: Tensor, y: Tensor, heads: Tensor, ends: tuple[int, int]) -> Tensor:
    """Cross-entropy of a line on a batch, each example left out of its own prototype."""
    distances = torch.stack([_distance_left_out(x, y == end) for end in ends], dim=1)
    return influence_loss(x, y, heads[..., :-1], heads[..., -1], distances)


def influence_loss(
    x: Tensor, y: Tensor, weight: Tensor, bias: Tensor, distances: Tensor, *, share: bool = True
) -> Tensor:
    """Cross-entropy of Σ z / d over two heads, whose gradients are shared as in Algorithm 1."""
    shares = (distances.flip(1) / distances.sum(dim=1, keepdim=True)).detach()
    if not share:
        shares = torch.ones_like(shares)
    # The value is that of z = Wx + b; its gradient reaches x whole, and the heads by shares.
    to_points = torch.einsum("hkd,bd->bhk", weight.detach(), x) + bias.detach()
    to_heads = torch.einsum("hkd,bd->bhk", weight, x.detach()) + bias
    z = to_points + shares[..., None] * (to_heads - to_heads.detach())
    return F.cross_entropy((z / distances[..., None]).sum(dim=1), y)


def _distance_left_out(x: Tensor, members: Tensor) -> Tensor:
    """(b,) distances from a class's mean, each member's from the mean of the other members."""
    n = int(members.sum())
    mean = x[members].mean(dim=0)
    if n == 1:
        return distance(x, mean)
    others = (n * mean - x) / (n - 1)
    return distance(x, torch.where(members[:, None], others, mean))


def distance(x: Tensor, point: Tensor) -> Tensor:
    """(b,) Euclidean distances, floored so that scores and gradients are finite."""
    return (x - point).square().sum(dim=1).clamp_min(DISTANCE_FLOOR**2).sqrt()
