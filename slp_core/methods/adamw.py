"""AdamW (Loshchilov and Hutter 2019) in NumPy, with a learning rate per row."""

from __future__ import annotations

import math

import numpy as np

_BETA1, _BETA2, _EPSILON = 0.9, 0.999, 1e-8  # AdamW's own defaults


class AdamW:
    """Weights (..., L, d) in training: write ``gradient`` (same shape) before each step."""

    def __init__(self, weights: np.ndarray, weight_decay: float):
        self.weights = np.array(weights, order="C")
        self._decay, self._step = weight_decay, 0
        # Running means of the gradient and its square, and the terms that a step adds.
        self._means, self._added = np.zeros((2, 2, *weights.shape), weights.dtype)
        self._betas = np.array([_BETA1, _BETA2], weights.dtype)
        self._betas = self._betas.reshape(2, *(1 for _ in weights.shape))

    @property
    def gradient(self) -> np.ndarray:
        """The gradient of the next step, to be written to."""
        return self._added[0]

    def keep(self, lines: np.ndarray) -> None:
        """Keep some of the L lines only, (L,) bool."""
        self.weights, self._means, self._added = (
            np.ascontiguousarray(each[..., lines, :])
            for each in (self.weights, self._means, self._added)
        )

    def step(self, rate: float | np.ndarray) -> None:
        """One step, at a learning rate for all rows or for each, (..., L)."""
        self._step += 1
        of_mean = (1.0 - _BETA1) / (1.0 - _BETA1**self._step)
        of_root = math.sqrt((1.0 - _BETA2) / (1.0 - _BETA2**self._step))
        means, (gradient, squared) = self._means, self._added
        along, keep = (
            np.asarray(each, means.dtype)[..., None]
            for each in (rate * (of_mean / of_root), 1.0 - rate * self._decay)
        )
        np.square(gradient, out=squared)
        means *= self._betas
        means += self._added
        mean, square = means
        change = np.sqrt(square, out=squared)
        change += _EPSILON / of_root
        np.divide(mean, change, out=change)
        change *= along
        self.weights *= keep
        self.weights -= change
