"""A prototypical network (Snell et al., 2017) trained on the support set alone.

p(c | x) is the softmax of −τ‖f(x) − μ_c‖², μ_c the mean of a class under the encoder f. Each step
splits the support set into examples for the means and query examples; the paper does not say how.
"""

from __future__ import annotations

import copy
from dataclasses import dataclass

import numpy as np
import torch
import torch.nn.functional as F
from torch import Tensor

from slp_core.allowed import CountOrZero, NotNegative, Positive
from slp_core.encoders.trainable import LowerStates
from slp_core.methods.protocols import Parameters
from slp_core.methods.text_classifier import (
    TunedClassifier,
    means_by_class,
    size_of,
    unit_vectors,
    warmed_up,
)
from slp_core.sentences import count


@dataclass(kw_only=True, eq=False, repr=False)
class ProtoNetClassifier(TunedClassifier):
    """Nearest class mean, with an encoder trained on the support set."""

    steps: CountOrZero = 20  # each on one split; without two examples of a class there is none
    learning_rate: NotNegative = 5e-5  # with warm-up over a tenth of the steps, and decay to 0
    temperature: Positive = 10.0  # τ, on vectors of unit length
    weight_decay: NotNegative = 0.01

    def parameter_count(self) -> Parameters:
        """The layers; and K centroids."""
        trainable, kept = size_of(self.layers_), self.centroids_
        layers = count(len(self.layers_.blocks), "layer")
        description = (
            f"{layers}; stores {count(len(kept), 'centroid')} of {kept.shape[1]:,} numbers"
        )
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

    def _scores(self, states: LowerStates) -> Tensor:
        means = torch.from_numpy(self.centroids_).to(self.layers_.device)
        return self._logits(unit_vectors(self.layers_, states), means)


def _query_half(codes: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """(n,) bool: a random half of each class, rounded down."""
    query = np.zeros(len(codes), dtype=bool)
    for code in np.unique(codes):
        rows = rng.permutation(np.flatnonzero(codes == code))
        query[rows[: len(rows) // 2]] = True
    return query
