"""Classifiers that read texts and train layers of the encoder itself.

They are scikit-learn estimators whose X is texts, pairs or mentions instead of vectors. Layers
below the trained ones are computed once: whoever fits and asks several times on the same rows
passes their `LowerStates` instead.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any

import numpy as np
import torch
import torch.nn.functional as F
from scipy.special import softmax
from sklearn.base import BaseEstimator
from sklearn.utils.validation import check_is_fitted
from torch import Tensor, nn

from slp_core.data.examples import Examples
from slp_core.encoders.base import as_examples
from slp_core.encoders.minilm import N_LAYERS
from slp_core.encoders.registry import load_encoder, trainable_part
from slp_core.encoders.trainable import LowerStates, TrainableLayers
from slp_core.errors import Cancelled, EncoderError
from slp_core.methods.base import PredictionMixin, all_or_nothing
from slp_core.methods.labels import classes_of_texts
from slp_core.methods.validation import CALLED, COUNT, SEED, TOKENS, Checked, Constraints
from slp_core.progress import Progress

Rows = Examples | Sequence[str] | LowerStates


TEXT_CONSTRAINTS: Constraints = {
    "encoder": [str],
    "n_trainable": [COUNT, None],
    "max_tokens": [TOKENS],
    "random_state": [SEED],
    "progress": CALLED,
    "cancelled": CALLED,
}


class TextClassifier(Checked, PredictionMixin, BaseEstimator, ABC):
    """Base of the classifiers that train an encoder's top layers on the support set.

    Subclasses store ``encoder``, ``n_trainable``, ``max_tokens``, ``progress`` and ``cancelled`` in
    ``__init__``, and say what they learn in ``_learn`` and how they answer in ``_scores``.
    """

    encoder: str
    n_trainable: int | None
    max_tokens: int
    progress: Callable[[Progress], None] | None
    cancelled: Callable[[], bool] | None

    def lower_states(self, X: Rows) -> LowerStates:
        """What the layers below the trained ones make of n rows; depends on no support set."""
        rows = X if isinstance(X, LowerStates) else as_examples(X)
        layers = self._start_layers()
        if isinstance(rows, Examples):
            return layers.lower_states(rows, self.max_tokens, cancelled=self.cancelled)
        if rows.origin not in (None, layers.origin):
            raise EncoderError(
                "These rows were read for the layers of another encoder, or for more or fewer of "
                "them: pass the texts, or what this classifier's own lower_states makes of them."
            )
        return rows

    def fit(self, X: Rows, y: Any) -> TextClassifier:
        """Train on a support set; where that fails, the classifier stays as it was.

        Parameters
        ----------
        X : Examples, sequence of str, or LowerStates
            n rows.
        y : (n,) array
            Their labels.

        Raises
        ------
        ValueError
            A parameter is none that it can be, rows are no texts, or labels are none of classes,
            or not one for each row.
        Cancelled
            ``cancelled`` answered True.
        """
        self._check_parameters()
        states = self.lower_states(X)
        classes, codes = classes_of_texts(y, len(states))
        with all_or_nothing(self):
            self.classes_ = classes
            self._learn(states, codes)
        return self

    def decision_function(self, X: Rows) -> np.ndarray:
        """(m, K) scores whose softmax is the answer; K = 2 has two columns too."""
        check_is_fitted(self, "classes_")
        with torch.no_grad():
            return self._scores(self.lower_states(X)).astype(np.float64)

    def predict_proba(self, X: Rows) -> np.ndarray:
        """(m, K) softmax of the scores."""
        return softmax(self.decision_function(X), axis=1)

    @abstractmethod
    def _learn(self, states: LowerStates, codes: np.ndarray) -> None:
        """Train on n rows of classes ``codes``, from 0 to K − 1."""

    @abstractmethod
    def _scores(self, states: LowerStates) -> np.ndarray:
        """(m, K) scores of rows."""

    def _start_layers(self) -> TrainableLayers:
        """The encoder's layers before training: shared, to be copied before they are changed."""
        part = trainable_part(load_encoder(self.encoder))
        digest = None if part is None else part.checkpoint.digest()
        return _layers(self.encoder, self._n_layers(), digest)

    def _n_layers(self) -> int:
        """How many layers are trained, from the top."""
        if self.n_trainable is not None:
            return self.n_trainable
        part = trainable_part(load_encoder(self.encoder))
        return N_LAYERS if part is None or part.layer is None else part.layer

    def _descend(
        self,
        optimiser: torch.optim.Optimizer,
        rate: torch.optim.lr_scheduler.LRScheduler,
        batches: Sequence[np.ndarray],
        loss_of: Callable[[np.ndarray], Tensor],
        before: int = 0,
        total: int | None = None,
    ) -> list[float]:
        """Take a step on each batch's loss; returns the losses. Some of the total may be done."""
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

    def _step_done(self, done: int, total: int) -> None:
        if self.cancelled is not None and self.cancelled():
            raise Cancelled
        if self.progress is not None:
            self.progress(Progress(done, total, None))


@lru_cache(maxsize=2)
def _layers(encoder: str, n_trainable: int, _digest: str | None) -> TrainableLayers:
    """A folder of that name may hold other weights by the next time."""
    return TrainableLayers(encoder, n_trainable)


def unit_vectors(layers: TrainableLayers, states: LowerStates) -> Tensor:
    """(n, d) L2-normalised vectors of all rows, without gradient."""
    return F.normalize(layers.all_vectors(states), dim=1)


def size_of(module: nn.Module) -> int:
    """How many numbers a module is made of."""
    return sum(parameter.numel() for parameter in module.parameters())


def warmed_up(optimiser: torch.optim.Optimizer, steps: int) -> torch.optim.lr_scheduler.LambdaLR:
    """Have the rates rise over the first tenth of the steps, and fall to 0 at the end."""
    rise = max(1.0, 0.1 * steps)

    def share(step: int) -> float:
        return min(1.0, (step + 1) / rise, (steps - step) / max(steps - rise, 1.0))

    return torch.optim.lr_scheduler.LambdaLR(optimiser, share)
