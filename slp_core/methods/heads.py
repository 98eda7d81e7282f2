"""Training of the linear heads at the ends of lines: Algorithm 1 of the paper, all at once.

Heads being linear, the gradient is written out: no automatic differentiation, and every line and
both heads are one array that a step updates with two matrix products. AdamW is written out too:
PyTorch's has one rate and one count of steps for a whole array, where each line has its own warm-up
and number of epochs, and to import it takes longer than to train.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

_BETA1, _BETA2, _EPSILON = 0.9, 0.999, 1e-8  # AdamW's own defaults


@dataclass(frozen=True)
class Schedule:
    """How heads are trained.

    Attributes
    ----------
    epochs : (L,) int array
        A line that has had its epochs leaves the array, and the others go on.
    learning_rate : float
    batch_size : int
        0 for the whole support set.
    weight_decay : float
        Decoupled, on weights and biases alike.
    warmup : float
        Share of a line's steps over which its learning rate rises linearly.
    loss_scaling : {"per_example", "batch", "none"}
    """

    epochs: np.ndarray
    learning_rate: float
    batch_size: int
    weight_decay: float
    warmup: float
    loss_scaling: str


def head_gradient(
    heads: np.ndarray,
    inputs: np.ndarray,
    codes: np.ndarray,
    d_left: np.ndarray,
    d_right: np.ndarray,
    loss_scaling: str,
) -> tuple[np.ndarray, np.ndarray]:
    """The loss of every line on a batch, and each head's gradient of its share of it.

    Algorithm 1, lines 9–18: s = z_left / d_left + z_right / d_right, cross-entropy on s, of which
    the left head is charged d_right / (d_left + d_right) and the right head the rest.

    Parameters
    ----------
    heads : (d + 1, L, 2, C) array
        The bias in the last row.
    inputs : (b, d + 1) array
        Points with a final 1.
    codes : (b,) int array
        Their classes, from 0 to C − 1.
    d_left, d_right : (b, L) arrays
        Distances to each line's prototypes, above 0.
    loss_scaling : {"per_example", "batch", "none"}
        Shares from each example's distances, from the batch's mean distances, or 1 and 1.

    Returns
    -------
    loss : (b, L) array
    gradient : (d + 1, L, 2, C) array
        Of the batch's mean loss.
    """
    size, n_lines = d_left.shape
    z = (inputs @ heads.reshape(len(heads), -1)).reshape(size, n_lines, 2, -1)
    s = z[:, :, 0] / d_left[..., None] + z[:, :, 1] / d_right[..., None]
    s -= s.max(axis=2, keepdims=True)
    p = np.exp(s)
    total = p.sum(axis=2, keepdims=True)
    row = np.arange(size)
    loss = np.log(total[:, :, 0]) - s[row, :, codes]
    p /= total
    p[row, :, codes] -= 1.0
    left, right = d_left, d_right
    if loss_scaling == "batch":
        left, right = d_left.mean(axis=0), d_right.mean(axis=0)
    both = left + right
    share_left, share_right = (1.0, 1.0) if loss_scaling == "none" else (right / both, left / both)
    z[:, :, 0] = p * (share_left / d_left / size)[..., None]
    z[:, :, 1] = p * (share_right / d_right / size)[..., None]
    return loss, (inputs.T @ z.reshape(size, -1)).reshape(heads.shape)


class HeadTrainer:
    """AdamW over the heads of some lines; ``heads`` is brought up to date after every epoch.

    Parameters
    ----------
    heads : (d + 1, L, 2, C) array
        Where training starts; written to.
    inputs : (n, d + 1) array
    codes : (n,) int array
    d_left, d_right : (n, L) arrays
    schedule : Schedule
        With one number of epochs for each of the L lines.
    rng : numpy.random.RandomState
        Deals the minibatches.
    """

    def __init__(
        self,
        heads: np.ndarray,
        inputs: np.ndarray,
        codes: np.ndarray,
        d_left: np.ndarray,
        d_right: np.ndarray,
        schedule: Schedule,
        rng: np.random.RandomState,
    ):
        self.heads = heads
        self.learning_rate = 0.0
        self._inputs, self._codes = inputs, codes
        self._d_left, self._d_right = d_left, d_right
        self._schedule, self._rng = schedule, rng
        self._active = np.arange(heads.shape[1])
        self._weights = heads.copy()
        self._mean, self._square = np.zeros_like(heads), np.zeros_like(heads)
        self._step = 0
        n = len(inputs)
        self._batch_size = min(schedule.batch_size or n, n)
        steps = -(-n // self._batch_size) * schedule.epochs
        self._warmup_steps = np.maximum(np.ceil(schedule.warmup * steps), 1)

    def epoch(self, done: int) -> np.ndarray:
        """Train one more epoch after ``done`` of them; (L,) mean loss, NaN where finished."""
        self._retire(done)
        loss = np.full(self.heads.shape[1], np.nan)
        if not len(self._active):
            return loss
        n, size = len(self._inputs), self._batch_size
        order = np.arange(n) if size == n else self._rng.permutation(n)
        summed = np.zeros(len(self._active))
        for start in range(0, n, size):
            batch = order[start : start + size]
            losses, gradient = head_gradient(
                self._weights,
                self._inputs[batch],
                self._codes[batch],
                self._d_left[batch],
                self._d_right[batch],
                self._schedule.loss_scaling,
            )
            summed += losses.sum(axis=0)
            self._adamw(gradient)
        self.heads[:, self._active] = self._weights
        loss[self._active] = summed / n
        return loss

    def _retire(self, done: int) -> None:
        keep = self._schedule.epochs[self._active] > done
        if keep.all():
            return
        self._active = self._active[keep]
        self._weights = np.ascontiguousarray(self._weights[:, keep])
        self._mean = np.ascontiguousarray(self._mean[:, keep])
        self._square = np.ascontiguousarray(self._square[:, keep])
        self._d_left, self._d_right = self._d_left[:, keep], self._d_right[:, keep]
        self._warmup_steps = self._warmup_steps[keep]

    def _adamw(self, gradient: np.ndarray) -> None:
        """One step of AdamW (Loshchilov and Hutter, algorithm 2); ``gradient`` is used up."""
        self._step += 1
        rise = np.minimum(self._step / self._warmup_steps, 1.0)
        rate = (self._schedule.learning_rate * rise)[:, None, None]
        self.learning_rate = float(rate.max())
        self._weights *= 1.0 - rate * self._schedule.weight_decay
        self._mean *= _BETA1
        self._mean += (1.0 - _BETA1) * gradient
        self._square *= _BETA2
        np.square(gradient, out=gradient)
        gradient *= 1.0 - _BETA2
        self._square += gradient
        np.divide(self._square, 1.0 - _BETA2**self._step, out=gradient)
        np.sqrt(gradient, out=gradient)
        gradient += _EPSILON
        np.divide(self._mean, gradient, out=gradient)
        gradient *= rate / (1.0 - _BETA1**self._step)
        self._weights -= gradient
