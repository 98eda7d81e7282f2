"""Training of the linear heads at the ends of lines: Algorithm 1 of the paper, all at once.

Heads being linear, the gradient is written out: no automatic differentiation, and every line and
both heads are one array that a step updates with two matrix products; so are the heads of several
models, each with its own support set. Each line has its own warm-up and number of epochs. Arrays
end with lines and points, or with inputs: so NumPy's loops are long, also where batches are small.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from slp_core.errors import SLPError
from slp_core.methods.adamw import AdamW


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


class Batch(NamedTuple):
    """What a step needs of b points of each of M models.

    Attributes
    ----------
    inputs : (M, b, d + 1) array
    columns : (M, d + 1, b) array
        The same.
    nearness : (M, 2, 1, L, b) array
        1 / d for the left and the right prototype of each line.
    charge : (M, 2, L, b) array
        What of an example's loss each head's logits are charged with: its share, / d and / b.
    true : (M, L, b) int array
        Where, in an array (M, C, L, b), the points' own classes are.
    """

    inputs: np.ndarray
    columns: np.ndarray
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
    columns, nearness = inputs.swapaxes(1, 2), nearness[:, :, None]
    if len(parts) == 1:  # taken again in every epoch: worth a copy for a quicker product
        columns = np.ascontiguousarray(columns)
    return [
        Batch(
            inputs[:, part],
            columns[..., part],
            nearness[..., part],
            charge[..., part],
            np.ascontiguousarray(true[..., part]),  # four times as quick to index with
        )
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
    inputs, columns, nearness, charge, true = batch
    n_models, size, d = inputs.shape
    rows = n_models, -1, d
    flat_z = heads.reshape(rows) @ columns
    z = flat_z.reshape(*heads.shape[:-1], size)
    z *= nearness
    s = z[:, 0] + z[:, 1]
    s -= np.maximum.reduce(s, axis=1, keepdims=True)
    flat_s = s.reshape(-1)
    of_true = flat_s[true]
    np.exp(s, out=s)
    total = flat_s[true]
    # p − 1 of the true class is minus the others' sum: where that is small, 1 − p has few digits.
    flat_s[true] = 0.0
    others = np.add.reduce(s, axis=1)
    flat_s[true] = -others
    total += others
    np.multiply(s[:, None], (charge / total[:, None])[:, :, None], out=z)
    if out is None:
        out = np.empty_like(heads)
    np.matmul(flat_z, inputs, out=out.reshape(rows))
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
        self._step = 0
        n = inputs.shape[1]
        self._batch_size = min(schedule.batch_size or n, n)
        steps = -(-n // self._batch_size) * schedule.epochs
        self._warmup_steps = np.maximum(np.ceil(schedule.warmup * steps), 1)
        weights = np.moveaxis(heads, 1, 3).astype(inputs.dtype)
        self._adamw = AdamW(weights, schedule.weight_decay, int(steps.max()))
        self._whole = self._cut(inputs, codes, distances)
        self._refuse_infinite()

    @property
    def heads(self) -> np.ndarray:
        """(M, L, 2, C, d + 1) as they stand."""
        self._heads[:, self._kept] = np.moveaxis(self._adamw.weights, 3, 1)
        return self._heads

    def epoch(self, done: int) -> np.ndarray:
        """Train one more epoch after ``done`` of them; (M, L) mean loss, NaN where finished.

        Raises
        ------
        SLPError
            The heads have left the range of numbers.
        """
        self._retire(done)
        loss = np.full(self._schedule.epochs.shape, np.nan)
        if not len(self._kept):
            return loss
        warm = self._warmup_steps.max() if self._goes_on.all() else np.inf
        losses = []
        with np.errstate(over="ignore", invalid="ignore"):  # told in a sentence
            for batch in self._batches():
                of_batch, _ = head_gradient(self._adamw.weights, batch, out=self._adamw.gradient)
                losses.append(of_batch)
                self._step += 1
                above = self._step >= warm
                self._adamw.step(self._schedule.learning_rate if above else self._rates())
        self._refuse_infinite()
        self.learning_rate = self._rates().max(axis=(1, 2, 3))
        mean = np.concatenate(losses, axis=-1).mean(axis=-1, dtype=np.float64)
        loss[:, self._kept] = np.where(self._goes_on, mean, np.nan)
        return loss

    def _refuse_infinite(self) -> None:
        if not np.isfinite(self._adamw.weights).all():
            raise SLPError(
                f"With a learning rate of {self._schedule.learning_rate:g} and a weight decay of "
                f"{self._schedule.weight_decay:g} the heads grow beyond all numbers: choose "
                "smaller ones, or a lower temperature."
            )

    def _batches(self) -> list[Batch]:
        """Those of an epoch."""
        n_models, n, _ = self._inputs.shape
        if self._batch_size == n:
            return self._whole
        order = np.stack([rng.permutation(n) for rng in self._rngs])
        rows = order + n * np.arange(n_models)[:, None]
        inputs = self._inputs.reshape(n_models * n, -1).take(rows, axis=0)
        distances = np.take_along_axis(self._distances, order[:, None, None], axis=-1)
        return self._cut(inputs, self._codes.take(rows), distances)

    def _cut(self, inputs: np.ndarray, codes: np.ndarray, distances: np.ndarray) -> list[Batch]:
        n_classes, scaling = self._heads.shape[3], self._schedule.loss_scaling
        return cut(inputs, codes, distances, n_classes, self._batch_size, scaling)

    def _retire(self, done: int) -> None:
        """A line leaves the arrays when it has finished in every model; until then it rests."""
        self._goes_on = self._schedule.epochs[:, self._kept] > done
        keep = np.logical_or.reduce(self._goes_on, axis=0)
        if keep.all():
            return
        self._heads[:, self._kept] = np.moveaxis(self._adamw.weights, 3, 1)
        self._kept, self._goes_on = self._kept[keep], self._goes_on[:, keep]
        self._adamw.keep(keep)
        self._distances = self._distances[:, :, keep]
        self._warmup_steps = self._warmup_steps[:, keep]
        self._whole = self._cut(self._inputs, self._codes, self._distances)

    def _rates(self) -> np.ndarray:
        """(M, 1, 1, L) learning rate of each line at this step."""
        rise = np.minimum(self._step / self._warmup_steps, 1.0) * self._goes_on
        return (self._schedule.learning_rate * rise)[:, None, None, :]
