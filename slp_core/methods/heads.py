"""Training of the linear heads at the ends of lines: Algorithm 1 of the paper, all at once.

Heads being linear, the gradient is written out: no automatic differentiation, and every line and
both heads are one array that a step updates with two matrix products; so are the heads of several
models, each with its own support set. AdamW is written out too:
PyTorch's has one rate and one count of steps for a whole array, where each line has its own warm-up
and number of epochs, and to import it takes longer than to train.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

_BETA1, _BETA2, _EPSILON = 0.9, 0.999, 1e-8  # AdamW's own defaults


@dataclass(frozen=True)
class Schedule:
    """How heads are trained.

    Attributes
    ----------
    epochs : (M, L) int array, or (L,) of one model
        A line that has had its epochs stays as it is, and the others go on.
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

    All arrays may have a first axis more, of M models.

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
    size, n_lines = d_left.shape[-2:]
    n_classes = heads.shape[-1]
    z = (inputs @ heads.reshape(*heads.shape[:-3], -1)).reshape(*d_left.shape, 2, n_classes)
    s = z[..., 0, :] / d_left[..., None] + z[..., 1, :] / d_right[..., None]
    s -= s.max(axis=-1, keepdims=True)
    p = np.exp(s)
    total = p.sum(axis=-1, keepdims=True)
    row, true = np.arange(codes.size), codes.reshape(-1)
    of_true = s.reshape(-1, n_lines, n_classes)[row, :, true]
    loss = np.log(total[..., 0]) - of_true.reshape(d_left.shape)
    p /= total
    p.reshape(-1, n_lines, n_classes)[row, :, true] -= 1.0
    left, right = d_left, d_right
    if loss_scaling == "batch":
        left, right = (d.mean(axis=-2, keepdims=True) for d in (d_left, d_right))
    both = left + right
    share_left, share_right = (1.0, 1.0) if loss_scaling == "none" else (right / both, left / both)
    z[..., 0, :] = p * (share_left / d_left / size)[..., None]
    z[..., 1, :] = p * (share_right / d_right / size)[..., None]
    flat = z.reshape(*inputs.shape[:-1], -1)
    return loss, (inputs.swapaxes(-1, -2) @ flat).reshape(heads.shape)


class HeadTrainer:
    """AdamW over the heads of some models; ``heads`` is brought up to date after every epoch.

    Parameters
    ----------
    heads : (M, d + 1, L, 2, C) array
        Where training starts; written to.
    inputs : (M, n, d + 1) array
    codes : (M, n) int array
    d_left, d_right : (M, n, L) arrays
    schedule : Schedule
        With one number of epochs for each of the lines, (M, L).
    rngs : sequence of M numpy.random.RandomState
        Each deals the minibatches of one model.
    """

    def __init__(
        self,
        heads: np.ndarray,
        inputs: np.ndarray,
        codes: np.ndarray,
        d_left: np.ndarray,
        d_right: np.ndarray,
        schedule: Schedule,
        rngs: Sequence[np.random.RandomState],
    ):
        self.heads = heads
        self.learning_rate = np.zeros(len(heads))
        self._inputs, self._codes = inputs, codes
        self._d_left, self._d_right = d_left, d_right
        self._schedule, self._rngs = schedule, rngs
        self._kept = np.arange(heads.shape[2])
        self._goes_on = np.ones(schedule.epochs.shape, dtype=bool)
        self._weights = heads.copy()
        self._mean, self._square = np.zeros_like(heads), np.zeros_like(heads)
        self._step = 0
        n = inputs.shape[1]
        self._batch_size = min(schedule.batch_size or n, n)
        steps = -(-n // self._batch_size) * schedule.epochs
        self._warmup_steps = np.maximum(np.ceil(schedule.warmup * steps), 1)

    def epoch(self, done: int) -> np.ndarray:
        """Train one more epoch after ``done`` of them; (M, L) mean loss, NaN where finished."""
        self._retire(done)
        loss = np.full(self._schedule.epochs.shape, np.nan)
        if not len(self._kept):
            return loss
        n, summed = self._inputs.shape[1], np.zeros(self._goes_on.shape)
        for inputs, codes, d_left, d_right in self._batches(n):
            losses, gradient = head_gradient(
                self._weights, inputs, codes, d_left, d_right, self._schedule.loss_scaling
            )
            summed += losses.sum(axis=1)
            self._adamw(gradient)
        self.heads[:, :, self._kept] = self._weights
        loss[:, self._kept] = np.where(self._goes_on, summed / n, np.nan)
        return loss

    def _batches(self, n: int) -> Iterator[tuple[np.ndarray, ...]]:
        """Inputs, classes and distances of each of an epoch's batches."""
        every = self._inputs, self._codes, self._d_left, self._d_right
        if self._batch_size == n:
            yield every
            return
        order = np.stack([rng.permutation(n) for rng in self._rngs])
        model = np.arange(len(order))[:, None]
        for start in range(0, n, self._batch_size):
            batch = order[:, start : start + self._batch_size]
            yield tuple(each[model, batch] for each in every)

    def _retire(self, done: int) -> None:
        """A line leaves the arrays when it has finished in every model; until then it rests."""
        self._goes_on = self._schedule.epochs[:, self._kept] > done
        keep = self._goes_on.any(axis=0)
        if keep.all():
            return
        self._kept, self._goes_on = self._kept[keep], self._goes_on[:, keep]
        self._weights = np.ascontiguousarray(self._weights[:, :, keep])
        self._mean = np.ascontiguousarray(self._mean[:, :, keep])
        self._square = np.ascontiguousarray(self._square[:, :, keep])
        self._d_left, self._d_right = self._d_left[..., keep], self._d_right[..., keep]
        self._warmup_steps = self._warmup_steps[:, keep]

    def _adamw(self, gradient: np.ndarray) -> None:
        """One step of AdamW (Loshchilov and Hutter, algorithm 2); ``gradient`` is used up."""
        self._step += 1
        rise = np.minimum(self._step / self._warmup_steps, 1.0) * self._goes_on
        self.learning_rate = self._schedule.learning_rate * rise.max(axis=1)
        rate = (self._schedule.learning_rate * rise)[:, None, :, None, None]
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
