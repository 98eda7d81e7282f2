"""The base of classifiers that train an encoder's top layers: estimators on texts or pairs."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Self

import numpy as np
import torch
import torch.nn.functional as F
from scipy.special import softmax
from sklearn.base import BaseEstimator
from sklearn.utils.validation import check_is_fitted
from torch import Tensor, nn

from slp_core.allowed import Count, Seed
from slp_core.data.examples import Examples
from slp_core.encoders.base import as_examples
from slp_core.encoders.checkpoint import Device, TokenLimit, chosen_device
from slp_core.encoders.minilm import N_LAYERS
from slp_core.encoders.registry import load_encoder, trainable_part
from slp_core.encoders.trainable import LowerStates, TrainableLayers
from slp_core.errors import Cancelled, EncoderError
from slp_core.methods.base import PredictionMixin, all_or_nothing
from slp_core.methods.validation import ValidatesParameters, classes_of_texts
from slp_core.progress import Progress

Rows = Examples | Sequence[str] | LowerStates


@dataclass(kw_only=True, eq=False, repr=False)
class TextEstimator(ValidatesParameters, PredictionMixin, BaseEstimator):
    """Reports each training step to ``progress``, and stops if ``cancelled`` returns True."""

    encoder: str = "minilm-l4"
    max_tokens: TokenLimit = 128
    progress: Callable[[Progress], None] | None = None
    cancelled: Callable[[], bool] | None = None

    def _step_done(self, done: int, total: int) -> None:
        if self.cancelled is not None and self.cancelled():
            raise Cancelled
        if self.progress is not None:
            self.progress(Progress(done, total))


@dataclass(kw_only=True, eq=False, repr=False)
class TextClassifier(TextEstimator, ABC):
    """Base of the classifiers that train an encoder's top layers on the support set."""

    device: Device = "cpu"

    def lower_states(self, X: Rows) -> LowerStates:
        """Output of the frozen layers for n rows; independent of the support set."""
        rows = X if isinstance(X, LowerStates) else as_examples(X)
        layers = self._start_layers()
        if isinstance(rows, Examples):
            return layers.lower_states(rows, self.max_tokens, cancelled=self.cancelled)
        if rows.origin not in (None, layers.origin):
            raise EncoderError(
                "These lower states are of another encoder or number of layers: pass the texts, or "
                "this classifier's own lower_states."
            )
        return rows

    def fit(self, X: Rows, y: Any) -> Self:
        """Train on n rows and their labels (n,); if this fails, the classifier does not change."""
        self._check_parameters()
        states = self.lower_states(X)
        classes, codes = classes_of_texts(y, len(states))
        with all_or_nothing(self):
            self.classes_ = classes
            self._learn(states, codes)
        return self

    def decision_function(self, X: Rows) -> np.ndarray:
        """(m, K) scores whose softmax are the probabilities, also for K = 2."""
        check_is_fitted(self, "classes_")
        with torch.no_grad():
            return self._scores(self.lower_states(X)).cpu().numpy().astype(np.float64)

    def predict_proba(self, X: Rows) -> np.ndarray:
        """(m, K) softmax of the scores."""
        return softmax(self.decision_function(X), axis=1)

    @abstractmethod
    def _learn(self, states: LowerStates, codes: np.ndarray) -> None:
        """Train on n rows of classes ``codes``, from 0 to K − 1."""

    @abstractmethod
    def _scores(self, states: LowerStates) -> Tensor:
        """(m, K) scores of rows."""

    def _start_layers(self) -> TrainableLayers:
        """The encoder's layers before training; shared, so copy them before changes."""
        part = trainable_part(load_encoder(self.encoder))
        digest = None if part is None else part.checkpoint.digest()
        return _layers(self.encoder, self._n_layers(), chosen_device(self.device), digest)

    @abstractmethod
    def _n_layers(self) -> int:
        """Number of trained layers, from the top."""

    def _descend(
        self,
        optimiser: torch.optim.Optimizer,
        rate: torch.optim.lr_scheduler.LRScheduler,
        batches: Sequence[np.ndarray],
        loss_of: Callable[[np.ndarray], Tensor],
        before: int = 0,
        total: int | None = None,
    ) -> list[float]:
        """A step on each batch's loss, after ``before`` of ``total`` steps; returns the losses."""
        total = len(batches) if total is None else total
        losses = []
        for step, batch in enumerate(batches):
            self._step_done(before + step, total)
            loss = loss_of(batch)
            optimiser.zero_grad()
            loss.backward()
            optimiser.step()
            rate.step()
            losses.append(loss.item())
        self._step_done(before + len(batches), total)
        return losses


@dataclass(kw_only=True, eq=False, repr=False)
class TunedClassifier(TextClassifier):
    """Base of those that say how many layers they train, and draw at random."""

    n_trainable: Count | None = None
    random_state: Seed = 0

    def _n_layers(self) -> int:
        if self.n_trainable is not None:
            return self.n_trainable
        part = trainable_part(load_encoder(self.encoder))
        return N_LAYERS if part is None or part.layer is None else part.layer


@lru_cache(maxsize=2)
def _layers(encoder: str, n_trainable: int, device: str, _digest: str | None) -> TrainableLayers:
    """Cached by digest: a folder's weights may change."""
    return TrainableLayers(encoder, n_trainable, device)


def unit_vectors(layers: TrainableLayers, states: LowerStates) -> Tensor:
    """(n, d) L2-normalised vectors of all rows, without gradient."""
    return F.normalize(layers.all_vectors(states), dim=1)


def means_by_class(x: Tensor, y: Tensor, n_classes: int) -> Tensor:
    """(K, d) mean of each class's rows of x (n, d)."""
    members = F.one_hot(y, n_classes).to(x.dtype)
    return members.T @ x / members.sum(dim=0)[:, None]


def size_of(module: nn.Module) -> int:
    return sum(parameter.numel() for parameter in module.parameters())


def warmed_up(optimiser: torch.optim.Optimizer, steps: int) -> torch.optim.lr_scheduler.LambdaLR:
    """Linear warm-up over the first tenth of the steps, then linear decay to 0."""
    rise = max(1.0, 0.1 * steps)

    def share(step: int) -> float:
        return min(1.0, (step + 1) / rise, (steps - step) / max(steps - rise, 1.0))

    return torch.optim.lr_scheduler.LambdaLR(optimiser, share)
