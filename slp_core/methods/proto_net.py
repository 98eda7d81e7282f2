"""A prototypical network (Snell et al., 2017) trained on the support set alone.

The paper's ProtoNet without auxiliary data: p(c | x) is the softmax of −d(f(x), μ_c), with μ_c the
mean of a class under the encoder f, trained by cross-entropy. The paper does not say on which
examples. Here each step splits the support set into examples for the means and query examples. With
a frozen encoder this is :class:`~slp_core.methods.baselines.NearestCentroidClassifier`.
"""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import ClassVar

import numpy as np
import torch
import torch.nn.functional as F
from torch import Tensor

from slp_core.encoders.trainable import LowerStates
from slp_core.methods.parameters import Parameters
from slp_core.methods.text_classifier import (
    TEXT_CONSTRAINTS,
    TextClassifier,
    means_by_class,
    size_of,
    unit_vectors,
    warmed_up,
)
from slp_core.methods.validation import COUNT_OR_ZERO, NOT_NEGATIVE, POSITIVE, Constraints
from slp_core.progress import Progress
from slp_core.sentences import count


class ProtoNetClassifier(TextClassifier):
    """Nearest class mean, with an encoder trained on the support set.

    Parameters
    ----------
    encoder : str
        The initial encoder.
    n_trainable : int, optional
        Layers to train, from the top; None for all.
    steps : int
        Each on one split of the support set: half of every class, rounded down, are query
        examples. If no class has two examples, the encoder stays unchanged.
    learning_rate : float
        With warm-up over the first tenth of the steps and decay to 0.
    temperature : float
        τ of the softmax of −τ‖x − μ‖², on vectors of unit length.
    weight_decay : float
        Of AdamW.
    max_tokens : int
        Longer texts are truncated; in chunks, after the chunk that reaches the limit.
    random_state : int
        Splits the support set.
    progress, cancelled : callable, optional
        As in :class:`~slp_core.methods.meta_slp.MetaSLPClassifier`.

    Attributes
    ----------
    classes_ : (K,) array
    layers_ : TrainableLayers
    centroids_ : (K, d) float32 array
        Class means of the whole support set.
    history_ : tuple of float
        Mean cross-entropy of each step, in nats.
    """

    _parameter_constraints: ClassVar[Constraints] = TEXT_CONSTRAINTS | {
        "steps": [COUNT_OR_ZERO],
        "learning_rate": [NOT_NEGATIVE],
        "temperature": [POSITIVE],
        "weight_decay": [NOT_NEGATIVE],
    }

    def __init__(
        self,
        *,
        encoder: str = "minilm-l4",
        n_trainable: int | None = None,
        steps: int = 20,
        learning_rate: float = 5e-5,
        temperature: float = 10.0,
        weight_decay: float = 0.01,
        max_tokens: int = 128,
        random_state: int = 0,
        progress: Callable[[Progress], None] | None = None,
        cancelled: Callable[[], bool] | None = None,
    ) -> None:
        self.encoder = encoder
        self.n_trainable = n_trainable
        self.steps = steps
        self.learning_rate = learning_rate
        self.temperature = temperature
        self.weight_decay = weight_decay
        self.max_tokens = max_tokens
        self.random_state = random_state
        self.progress = progress
        self.cancelled = cancelled

    def parameter_count(self) -> Parameters:
        """The layers; and K centroids."""
        trainable, kept = size_of(self.layers_), self.centroids_
        layers = count(len(self.layers_.blocks), "layer")
        description = f"{layers}; keeps {count(len(kept), 'centroid')} of {kept.shape[1]:,} numbers"
        return Parameters(trainable, trainable + kept.size, description)

    def _learn(self, states: LowerStates, codes: np.ndarray) -> None:
        rng = np.random.default_rng(self.random_state)
        self.layers_ = copy.deepcopy(self._start_layers())
        y = torch.from_numpy(codes).to(self.layers_.device)
        optimiser = torch.optim.AdamW(
            self.layers_.parameters(), lr=self.learning_rate, weight_decay=self.weight_decay
        )
        steps = self.steps if np.bincount(codes).max() > 1 else 0
        losses = self._descend(
            optimiser,
            warmed_up(optimiser, steps),
            [_query_half(codes, rng) for _ in range(steps)],
            lambda query: self._loss(self.layers_.vectors(states), y, torch.from_numpy(query)),
        )
        self.history_ = tuple(losses)
        means = means_by_class(unit_vectors(self.layers_, states), y, len(self.classes_))
        self.centroids_ = means.cpu().numpy()

    def _loss(self, vectors: Tensor, y: Tensor, query: Tensor) -> Tensor:
        """Cross-entropy of the query examples, given the class means of the others."""
        query = query.to(y.device)
        x = F.normalize(vectors, dim=1)
        means = means_by_class(x[~query], y[~query], len(self.classes_))
        return F.cross_entropy(self._logits(x[query], means), y[query])

    def _logits(self, x: Tensor, means: Tensor) -> Tensor:
        return -self.temperature * (x[:, None] - means).square().sum(dim=2)

    def _scores(self, states: LowerStates) -> np.ndarray:
        means = torch.from_numpy(self.centroids_).to(self.layers_.device)
        scores: np.ndarray = self._logits(unit_vectors(self.layers_, states), means).cpu().numpy()
        return scores


def _query_half(codes: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """(n,) bool: a random half of each class, rounded down."""
    query = np.zeros(len(codes), dtype=bool)
    for code in np.unique(codes):
        rows = rng.permutation(np.flatnonzero(codes == code))
        query[rows[: len(rows) // 2]] = True
    return query
