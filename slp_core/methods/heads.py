"""Training of the linear heads at the ends of lines: Algorithm 1 of the paper, all at once.

Heads being linear, the gradient is written out: no automatic differentiation, and every line and
both heads are one array that a step updates with two matrix products; so are the heads of several
models, each with its own support set. AdamW is written out too:
PyTorch's has one rate and one count of steps for a whole array, where each line has its own warm-up
and number of epochs, and to import it takes longer than to train. Arrays end with lines and
points, or with inputs: so NumPy's loops are long, also where batches are small.
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


@dataclass(frozen=True)
class Batch:
    """What a step needs of b points of each of M models.

    Attributes
    ----------
    inputs : (M, b, d + 1) array
    nearness : (M, 2, 1, L, b) array
        1 / d for the left and the right prototype of each line.
    charge : (M, 2, L, b) array
        What of an example's loss each head's logits are charged with: its share, / d and / b.
    true : (M, L, b) int array
        Where, in an array (M, C, L, b), the points' own classes are.
    """

    inputs: np.ndarray
    nearness: np.ndarray
    charge: np.ndarray
    true: np.ndarray


def cut(
    inputs: np.ndarray,
    codes: np.ndarray,
    distances: np.ndarray,
    n_classes: int,
    batch_size: int,
    loss_scaling: str,
) -> list[Batch]:
    """Points, in their order, as batches; the last may be smaller.

    Parameters
    ----------
    inputs : (M, n, d + 1) array
        Points with a final 1.
    codes : (M, n) int array
        Their classes, from 0 to C − 1.
    distances : (M, 2, L, n) array
        From each line's left and right prototype, above 0.
    n_classes : int
        C.
    batch_size : int
    loss_scaling : {"per_example", "batch", "none"}
        Shares from each example's distances, from the batch's mean distances, or 1 and 1.
    """
    n_models, _, n_lines, n = distances.shape
    parts = [slice(first, first + batch_size) for first in range(0, n, batch_size)]
    size = np.minimum(batch_size, n - np.arange(n) // batch_size * batch_size)
    nearness = 1.0 / distances
    charge = nearness / size.astype(distances.dtype)
    if loss_scaling != "none":
        compared = distances
        if loss_scaling == "batch":
            compared = np.empty_like(distances)
            for part in parts:
                compared[..., part] = distances[..., part].mean(axis=-1, keepdims=True)
        charge *= compared[:, ::-1] / compared.sum(axis=1, keepdims=True)
    row = np.arange(n_models)[:, None] * n_classes + codes
    line = row[:, None] * n_lines + np.arange(n_lines)[:, None]
    true = line * size + np.arange(n) % batch_size
    nearness = nearness[:, :, None]
    return [
        Batch(inputs[:, part], nearness[..., part], charge[..., part], true[..., part])
        for part in parts
    ]


def head_gradient(
    heads: np.ndarray, batch: Batch, out: np.ndarray | None = None
) -> tuple[np.ndarray, np.ndarray]:
    """The loss of every line on a batch, and each head's gradient of its share of it.

    Algorithm 1, lines 9–18: s = z_left / d_left + z_right / d_right, cross-entropy on s, of which
    the left head is charged d_right / (d_left + d_right) and the right head the rest.

    Parameters
    ----------
    heads : (M, 2, C, L, d + 1) array
        The bias comes last.
    batch : Batch
    out : (M, 2, C, L, d + 1) array, optional
        Where the gradient is written.

    Returns
    -------
    loss : (M, L, b) array
    gradient : (M, 2, C, L, d + 1) array
        Of the batch's mean loss.
    """
    n_models, size, d = batch.inputs.shape
    rows = n_models, -1, d
    z = heads.reshape(rows) @ batch.inputs.swapaxes(1, 2)
    z = z.reshape(*heads.shape[:-1], size)
    z *= batch.nearness
    s = z[:, 0] + z[:, 1]
    s -= np.maximum.reduce(s, axis=1, keepdims=True)
    flat = s.reshape(-1)
    of_true = flat[batch.true]
    np.exp(s, out=s)
    # p − 1 of the true class is minus the others' sum: where that is small, 1 − p has few digits.
    flat[batch.true] = 0.0
    others = np.add.reduce(s, axis=1)
    flat[batch.true] = -others
    total = others + np.exp(of_true)
    np.multiply(s[:, None], (batch.charge / total[:, None])[:, :, None], out=z)
    if out is None:
        out = np.empty_like(heads)
    np.matmul(z.reshape(n_models, -1, size), batch.inputs, out=out.reshape(rows))
    return np.log(total) - of_true, out


class HeadTrainer:
    """AdamW over the heads of some models, in the precision of the inputs.

    Parameters
    ----------
    heads : (M, L, 2, C, d + 1) array
        Where training starts.
    inputs : (M, n, d + 1) array
    codes : (M, n) int array
    distances : (M, 2, L, n) array
        As :func:`cut` takes them.
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
        distances: np.ndarray,
        schedule: Schedule,
        rngs: Sequence[np.random.RandomState],
    ):
        self.learning_rate = np.zeros(len(heads))
        self._heads, self._inputs, self._codes = heads.copy(), inputs, codes
        self._distances, self._schedule, self._rngs = distances, schedule, rngs
        self._kept = np.arange(heads.shape[1])
        self._goes_on = np.ones(schedule.epochs.shape, dtype=bool)
        self._weights = np.ascontiguousarray(np.moveaxis(heads, 1, 3), dtype=inputs.dtype)
        self._mean, self._square, self._spare = np.zeros((3, *self._weights.shape), inputs.dtype)
        self._step = 0
        n = inputs.shape[1]
        self._batch_size = min(schedule.batch_size or n, n)
        steps = -(-n // self._batch_size) * schedule.epochs
        self._warmup_steps = np.maximum(np.ceil(schedule.warmup * steps), 1)
        self._whole = self._cut(inputs, codes, distances)

    @property
    def heads(self) -> np.ndarray:
        """(M, L, 2, C, d + 1) as they stand."""
        self._heads[:, self._kept] = np.moveaxis(self._weights, 3, 1)
        return self._heads

    def epoch(self, done: int) -> np.ndarray:
        """Train one more epoch after ``done`` of them; (M, L) mean loss, NaN where finished."""
        self._retire(done)
        loss = np.full(self._schedule.epochs.shape, np.nan)
        if not len(self._kept):
            return loss
        losses = []
        for batch in self._batches():
            of_batch, _ = head_gradient(self._weights, batch, out=self._spare)
            losses.append(of_batch)
            self._adamw()
        mean = np.concatenate(losses, axis=-1).mean(axis=-1, dtype=np.float64)
        loss[:, self._kept] = np.where(self._goes_on, mean, np.nan)
        return loss

    def _batches(self) -> list[Batch]:
        """Those of an epoch."""
        n = self._inputs.shape[1]
        if self._batch_size == n:
            return self._whole
        order = np.stack([rng.permutation(n) for rng in self._rngs])
        model = np.arange(len(order))[:, None]
        distances = np.take_along_axis(self._distances, order[:, None, None], axis=-1)
        return self._cut(self._inputs[model, order], self._codes[model, order], distances)

    def _cut(self, inputs: np.ndarray, codes: np.ndarray, distances: np.ndarray) -> list[Batch]:
        n_classes, scaling = self._heads.shape[3], self._schedule.loss_scaling
        return cut(inputs, codes, distances, n_classes, self._batch_size, scaling)

    def _retire(self, done: int) -> None:
        """A line leaves the arrays when it has finished in every model; until then it rests."""
        self._goes_on = self._schedule.epochs[:, self._kept] > done
        keep = self._goes_on.any(axis=0)
        if keep.all():
            return
        self._heads[:, self._kept] = np.moveaxis(self._weights, 3, 1)
        self._kept, self._goes_on = self._kept[keep], self._goes_on[:, keep]
        self._weights, self._mean, self._square, self._spare = (
            np.ascontiguousarray(each[:, :, :, keep])
            for each in (self._weights, self._mean, self._square, self._spare)
        )
        self._distances = self._distances[:, :, keep]
        self._warmup_steps = self._warmup_steps[:, keep]
        self._whole = self._cut(self._inputs, self._codes, self._distances)

    def _adamw(self) -> None:
        """One step of AdamW (Loshchilov and Hutter, algorithm 2) by the gradient in ``_spare``.

        The two means are kept without their factors 1 − β, which with the corrections of their
        bias are numbers that belong to the step.
        """
        self._step += 1
        rise = np.minimum(self._step / self._warmup_steps, 1.0) * self._goes_on
        self.learning_rate = self._schedule.learning_rate * rise.max(axis=1)
        rate = self._schedule.learning_rate * rise
        if rate.min() == rate.max():
            rate = rate[0, 0]
        else:
            rate = rate[:, None, None, :, None]
        of_mean = (1.0 - _BETA1) / (1.0 - _BETA1**self._step)
        of_root = np.sqrt((1.0 - _BETA2) / (1.0 - _BETA2**self._step))
        kind = self._weights.dtype.type
        spare = self._spare
        self._mean *= _BETA1
        self._mean += spare
        np.square(spare, out=spare)
        self._square *= _BETA2
        self._square += spare
        np.sqrt(self._square, out=spare)
        spare += kind(_EPSILON / of_root)
        np.divide(self._mean, spare, out=spare)
        spare *= (rate * (of_mean / of_root)).astype(kind)
        self._weights *= (1.0 - rate * self._schedule.weight_decay).astype(kind)
        self._weights -= spare
