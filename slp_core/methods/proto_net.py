"""A prototypical network (Snell et al., 2017) trained on the support set alone.

The paper's ProtoNet without auxiliary data: p(c | x) is the softmax of −d(f(x), μ_c), with μ_c the
mean of a class under the encoder f, which is trained by the cross-entropy of that. The paper does
not say what it is trained on there. Here each step deals the support set into points that are
averaged and points that are asked about, as its episodes would; whoever takes the paper to have
left the encoder as it was has :class:`~slp_core.methods.baselines.NearestCentroidClassifier`.
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
from slp_core.methods.parameters import Parameters, counted
from slp_core.methods.text_classifier import (
    TEXT_CONSTRAINTS,
    TextClassifier,
    size_of,
    unit_vectors,
    warmed_up,
)
from slp_core.methods.validation import COUNT_OR_ZERO, NOT_NEGATIVE, POSITIVE, Constraints
from slp_core.progress import Progress


class ProtoNetClassifier(TextClassifier):
    """Nearest class mean, under an encoder that is trained on the support set for it.

    Parameters
    ----------
    encoder : str
        Where training starts.
    n_trainable : int, optional
        Layers to train, from the top; None for all.
    steps : int
        Each on one deal of the whole support set: half of every class, rounded down, is asked
        about, and the rest averaged. Where no class has two points there is nothing to ask about,
        and the encoder stays as it is.
    learning_rate : float
        Rising over the first tenth of the steps and falling to 0.
    temperature : float
        τ of the softmax of −τ‖x − μ‖², on vectors of unit length.
    weight_decay : float
        Of AdamW.
    max_tokens : int
        Texts are cut there; in chunks, after the chunk that reaches it.
    random_state : int
        Deals the support set.
    progress, cancelled : callable, optional
        As in :class:`~slp_core.methods.meta_slp.MetaSLPClassifier`.

    Attributes
    ----------
    classes_ : (K,) array
    layers_ : TrainableLayers
    centroids_ : (K, d) float32 array
        Means of the whole support set's vectors, class by class.
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
        """The layers; the K means are kept."""
        trainable, kept = size_of(self.layers_), self.centroids_
        layers = counted(len(self.layers_.blocks), "layer")
        said = f"{layers}; keeps {counted(len(kept), 'centroid')} of {kept.shape[1]:,} numbers"
        return Parameters(trainable, trainable + kept.size, said)

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
            [_asked(codes, rng) for _ in range(steps)],
            lambda asked: self._loss(self.layers_.vectors(states), y, torch.from_numpy(asked)),
        )
        self.history_ = tuple(losses)
        means = _means(unit_vectors(self.layers_, states), y, len(self.classes_))
        self.centroids_ = means.cpu().numpy()

    def _loss(self, vectors: Tensor, y: Tensor, asked: Tensor) -> Tensor:
        """Cross-entropy of the points that are asked about, by the means of the others."""
        asked = asked.to(y.device)
        x = F.normalize(vectors, dim=1)
        means = _means(x[~asked], y[~asked], len(self.classes_))
        return F.cross_entropy(self._nearness(x[asked], means), y[asked])

    def _nearness(self, x: Tensor, means: Tensor) -> Tensor:
        return -self.temperature * (x[:, None] - means).square().sum(dim=2)

    def _scores(self, states: LowerStates) -> np.ndarray:
        means = torch.from_numpy(self.centroids_).to(self.layers_.device)
        scores: np.ndarray = self._nearness(unit_vectors(self.layers_, states), means).cpu().numpy()
        return scores


def _asked(codes: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """(n,) bool: half of each class's points, rounded down, drawn at random."""
    asked = np.zeros(len(codes), dtype=bool)
    for code in np.unique(codes):
        rows = rng.permutation(np.flatnonzero(codes == code))
        asked[rows[: len(rows) // 2]] = True
    return asked


def _means(x: Tensor, y: Tensor, n_classes: int) -> Tensor:
    """(K, d) of each class's rows of x (n, d)."""
    members = F.one_hot(y, n_classes).to(x.dtype)
    return members.T @ x / members.sum(dim=0)[:, None]
