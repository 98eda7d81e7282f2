"""MetaSLP at meta-test: the meta-trained encoder and the heads learn one support set.

The paper, "Meta-testing": lines are found with the meta-encoder, and then, on each line, a copy of
the encoder's top layers and the two heads at the line's ends are trained by SGD with Nesterov
momentum, whose rate falls to 0 along a cosine. Heads start as the nearest-centroid rule, as they
do in DeepSLP.
"""

from __future__ import annotations

import copy
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np
import torch
import torch.nn.functional as F
from torch import Tensor, nn

from slp_core.encoders.trainable import LowerStates, TrainableLayers
from slp_core.errors import SLPError
from slp_core.lines import LineMethod
from slp_core.methods.base import LINE_CONSTRAINTS, Assignment, LineClassifier
from slp_core.methods.parameters import Parameters, counted
from slp_core.methods.text_classifier import (
    TEXT_CONSTRAINTS,
    Rows,
    TextClassifier,
    size_of,
    unit_vectors,
)
from slp_core.methods.validation import (
    COUNT,
    COUNT_OR_ZERO,
    NOT_NEGATIVE,
    POSITIVE,
    SHARE,
    Constraints,
)
from slp_core.progress import Progress

DISTANCE_FLOOR = 1e-2


@dataclass(frozen=True)
class AdaptedLine:
    """One line after training."""

    layers: TrainableLayers  # the trained copy of the encoder's top layers
    prototypes: Tensor  # (2, d): the end classes' means under it, in the heads' coordinates
    heads: Tensor  # (2, K, d + 1), the bias last
    losses: tuple[float, ...]  # before each step


class MetaSLPClassifier(TextClassifier):
    """Few-shot classifier of texts that tunes a meta-trained encoder on each of its lines.

    Parameters
    ----------
    encoder : str
        A meta-trained encoder, or any other with layers to train, such as ``"minilm-l4"``.
    n_trainable : int
        v: how many of its layers are trained.
    steps : int
        Of SGD, on every line; 0 leaves the encoder as it is.
    encoder_rate, head_rate : float
        Learning rates at the start; by default those of the paper's inner loop.
    momentum : float
    batch_size : int
        Support examples a step, as many of each class as can be; all, where there are no more.
    temperature : float
        τ of the heads' start: weights 2τμ, bias −τ‖μ‖².
    line_method, n_lines, tolerance, tolerance_scale, assignment
        As in :class:`~slp_core.methods.constraint_slp.ConstraintSLPClassifier`.
    max_tokens : int
        Texts are cut there; in chunks, after the chunk that reaches it.
    random_state : int
        Deals the batches.
    progress : callable(Progress), optional
        Called after every step.
    cancelled : callable() -> bool, optional
        Asked before every step; `Cancelled` is raised once it answers True.

    Attributes
    ----------
    classes_ : (K,) array
    geometry_ : LineClassifier
        Classes, centroids and lines of the support set as the meta-encoder sees it; says which
        line a point is given to.
    adapted_ : tuple of AdaptedLine
    """

    _parameter_constraints: ClassVar[Constraints] = (
        TEXT_CONSTRAINTS
        | LINE_CONSTRAINTS
        | {
            "n_trainable": [COUNT],
            "steps": [COUNT_OR_ZERO],
            "encoder_rate": [NOT_NEGATIVE],
            "head_rate": [NOT_NEGATIVE],
            "momentum": [SHARE],
            "batch_size": [COUNT],
            "temperature": [POSITIVE],
        }
    )

    def __init__(
        self,
        *,
        encoder: str = "metaslp-reptile-minilm-l4",
        n_trainable: int = 3,
        steps: int = 10,
        encoder_rate: float = 5e-3,
        head_rate: float = 5e-3,
        momentum: float = 0.9,
        batch_size: int = 32,
        temperature: float = 1.0,
        line_method: LineMethod = "recursive_regression",
        n_lines: Any = "half",
        tolerance: float = 0.1,
        tolerance_scale: str = "relative",
        assignment: Assignment = "segment",
        max_tokens: int = 256,
        random_state: int = 0,
        progress: Callable[[Progress], None] | None = None,
        cancelled: Callable[[], bool] | None = None,
    ) -> None:
        self.encoder = encoder
        self.n_trainable = n_trainable
        self.steps = steps
        self.encoder_rate = encoder_rate
        self.head_rate = head_rate
        self.momentum = momentum
        self.batch_size = batch_size
        self.temperature = temperature
        self.line_method = line_method
        self.n_lines = n_lines
        self.tolerance = tolerance
        self.tolerance_scale = tolerance_scale
        self.assignment = assignment
        self.max_tokens = max_tokens
        self.random_state = random_state
        self.progress = progress
        self.cancelled = cancelled

    def lower_states(self, X: Rows) -> LowerStates:
        """As for every text classifier, and with them the vectors of the meta-encoder.

        They say which line a row is given to, and are the same on every draw, so whoever passes
        these rows to several fits has them computed once.
        """
        states = super().lower_states(X)
        if states.vectors is not None:
            return states
        return replace(states, vectors=self._start_layers().all_vectors(states, self.cancelled))

    def parameter_count(self) -> Parameters:
        """A line's copy of the layers, and its two heads of K·(d + 1), for each of the lines."""
        first, lines = self.adapted_[0], len(self.adapted_)
        copied = counted(len(first.layers.blocks), "layer")
        layers, heads = size_of(first.layers), first.heads.numel()
        trainable = lines * (layers + heads)
        said = (
            f"{counted(lines, 'line')} with a copy of {copied} and two heads: "
            f"{lines} × ({layers:,} + {heads:,})"
        )
        return Parameters(trainable, trainable + lines * first.prototypes.numel(), said)

    def _learn(self, states: LowerStates, codes: np.ndarray) -> None:
        if self.batch_size < len(self.classes_):
            raise SLPError(
                f"batch_size {self.batch_size} is below the {len(self.classes_)} classes: a step "
                "needs an example of each."
            )
        start = self._start_layers()
        x = _as_they_came(states)
        self.geometry_ = _Geometry(
            self.line_method, self.n_lines, self.tolerance, self.tolerance_scale, self.assignment
        ).fit(x.cpu().numpy(), codes)
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

    def _scores(self, states: LowerStates) -> np.ndarray:
        line = self._lines_of(states)
        scores = np.empty((len(states), len(self.classes_)))
        for number, adapted in enumerate(self.adapted_):
            here = np.flatnonzero(line == number)
            if not len(here):
                continue
            x = self._inputs(unit_vectors(adapted.layers, states.take(here)))
            d = torch.stack([distance(x, p) for p in adapted.prototypes], dim=1)
            z = torch.einsum("hkd,md->mhk", adapted.heads[..., :-1], x) + adapted.heads[..., -1]
            scores[here] = (z / d[..., None]).sum(dim=1).cpu().numpy()
        return scores

    def _lines_of(self, states: LowerStates) -> np.ndarray:
        """(m,) the line of each row, where the meta-encoder places it."""
        if len(self.adapted_) == 1:
            return np.zeros(len(states), dtype=int)
        return self.geometry_.place(_as_they_came(states).cpu().numpy()).line

    def _inputs(self, x: Tensor) -> Tensor:
        """Vectors in units of the support set's spread, from its mean: the heads' coordinates."""
        return (x - self._offset) / self._scale

    def _first_heads(self, x: Tensor, y: Tensor) -> Tensor:
        """(2, K, d + 1): both the nearest-centroid rule."""
        centroids = torch.stack([x[y == k].mean(dim=0) for k in range(len(self.classes_))])
        bias = -self.temperature * centroids.square().sum(dim=1, keepdim=True)
        head = torch.cat([2 * self.temperature * centroids, bias], dim=1)
        return head.expand(2, -1, -1).clone()

    def _batches(self, codes: np.ndarray) -> list[np.ndarray]:
        """Rows of each step: all, or batches that take turns through every class."""
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


def _as_they_came(states: LowerStates) -> Tensor:
    """(n, d) L2-normalised vectors of rows under the meta-encoder."""
    assert states.vectors is not None  # `lower_states` has seen to it
    return F.normalize(states.vectors, dim=1)


class _Geometry(LineClassifier):
    """Lines through the support set's centroids, and the line of any point."""

    distance = "euclidean"

    def __init__(
        self, line_method: Any, n_lines: Any, tolerance: Any, tolerance_scale: Any, assignment: Any
    ) -> None:
        self.line_method = line_method
        self.n_lines = n_lines
        self.tolerance = tolerance
        self.tolerance_scale = tolerance_scale
        self.assignment = assignment

    def fit(self, X: Any, y: Any) -> _Geometry:
        self._fit_lines(X, y)
        return self


def line_loss(x: Tensor, y: Tensor, heads: Tensor, ends: tuple[int, int]) -> Tensor:
    """Cross-entropy of a line's vote on a batch, each example left out of its own prototype.

    An example that helps to place a prototype lies near it for that alone; its distance is taken
    from the mean of the others of its class. x is (b, d), y (b,) from 0 to K − 1, heads
    (2, K, d + 1) with the bias last; each head gets a share of an example's gradient in proportion
    to the example's distance from the other prototype (Algorithm 1, lines 14 to 17).
    """
    distances = torch.stack([_distance_left_out(x, y == end) for end in ends], dim=1)
    shares = (distances.flip(1) / distances.sum(dim=1, keepdim=True)).detach()
    weight, bias = heads[..., :-1], heads[..., -1]
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
    """(b,) Euclidean distances, floored so that the vote is finite and has a gradient."""
    return (x - point).square().sum(dim=1).clamp_min(DISTANCE_FLOOR**2).sqrt()
