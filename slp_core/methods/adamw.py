"""AdamW (Loshchilov and Hutter 2019, algorithm 2) over weights whose rows have rates of their own.

PyTorch's has one rate and one count of steps for a whole array, and to import it takes longer than
to train.
"""

from __future__ import annotations

import math

import numpy as np

from slp_core.methods.adamw_loop import loop_of

_BETA1, _BETA2, _EPSILON = 0.9, 0.999, 1e-8  # AdamW's own defaults

_LONG = 10_000_000
"""Numbers that all steps of a training change, from which on it is worth compiling a loop for them:
NumPy takes some 8 ms for as many."""


class AdamW:
    """Weights in training, and the running means that their steps go by.

    A step in NumPy passes over its arrays eleven times. A long training, and every one after it in
    the process, has a compiled loop that does the same operations number by number in a fifth of
    the time. What comes out is equal to the last bit.

    Parameters
    ----------
    weights : (..., L, d) array
        Where training starts, float32 or float64; they are not changed.
    weight_decay : float
        Decoupled.
    steps : int
        How many there will be, at most.

    Attributes
    ----------
    weights : (..., L, d) array
        As they stand.
    gradient : (..., L, d) array
        To be written before each step.
    """

    def __init__(self, weights: np.ndarray, weight_decay: float, steps: int):
        self.weights = np.array(weights, order="C")
        self._decay, self._step = weight_decay, 0
        # The means of the gradient and of its square, and what a step adds to them.
        self._means, self._added = np.zeros((2, 2, *weights.shape), weights.dtype)
        self._loop = loop_of(weights.dtype, needed=steps * weights.size >= _LONG)
        self._lay_out()

    def keep(self, lines: np.ndarray) -> None:
        """Go on with some of the L lines only, (L,) bool."""
        self.weights, self._means, self._added = (
            np.ascontiguousarray(each[..., lines, :])
            for each in (self.weights, self._means, self._added)
        )
        self._lay_out()

    def _lay_out(self) -> None:
        dtype, (*rows, size) = self.weights.dtype, self.weights.shape
        self.gradient = self._added[0]
        self._betas = np.array([_BETA1, _BETA2], dtype).reshape(2, *(1 for _ in self.weights.shape))
        self._along, self._keep = np.empty((2, *rows), dtype)
        arrays = self.weights, *self._means, self.gradient, self._along, self._keep
        self._places = *(each.ctypes.data for each in arrays), math.prod(rows), size

    def step(self, rate: float | np.ndarray) -> None:
        """One step by ``gradient``.

        The means are kept without their factors 1 − β, which with the corrections of their bias
        are numbers that belong to the step.

        Parameters
        ----------
        rate : float or array
            The learning rate of all rows, or what broadcasts to that of each, (..., L).
        """
        self._step += 1
        of_mean = (1.0 - _BETA1) / (1.0 - _BETA1**self._step)
        of_root = math.sqrt((1.0 - _BETA2) / (1.0 - _BETA2**self._step))
        along, keep = rate * (of_mean / of_root), 1.0 - rate * self._decay
        if self._loop is None:
            self._pass_by_pass(along, keep, _EPSILON / of_root)
        else:
            self._along[...], self._keep[...] = along, keep
            self._loop(*self._places, _BETA1, _BETA2, _EPSILON / of_root)

    def _pass_by_pass(
        self, along: float | np.ndarray, keep: float | np.ndarray, epsilon: float
    ) -> None:
        means, (gradient, squared) = self._means, self._added
        along, keep = (np.asarray(each, means.dtype)[..., None] for each in (along, keep))
        np.square(gradient, out=squared)
        means *= self._betas
        means += self._added
        mean, square = means
        change = np.sqrt(square, out=squared)
        change += epsilon
        np.divide(mean, change, out=change)
        change *= along
        self.weights *= keep
        self.weights -= change
