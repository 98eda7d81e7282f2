"""Training of linear heads by Algorithm 1, all lines at once; arrays end in lines, points."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from slp_core.errors import SLPError
from slp_core.methods.adamw import AdamW


@dataclass(frozen=True)
class Schedule:
    """Hyperparameters of the heads: the arguments of DeepSLPClassifier, with preset values."""

    epochs: np.ndarray  # (L,) int
    learning_rate: float
    batch_size: int  # 0 for the whole support set
    weight_decay: float
    warmup: float  # share of a line's steps with a linearly rising learning rate
    loss_scaling: str


class Batch(NamedTuple):
    """The data of b points for one step."""

    inputs: np.ndarray  # (b, d + 1)
    columns: np.ndarray  # (d + 1, b): its transpose
    nearness: np.ndarray  # (2, 1, L, b): 1 / d for the left and the right prototype of each line
    charge: np.ndarray  # (2, L, b): each head's share of an example's loss, / d, by its weight
    weights: np.ndarray  # (b,) of the examples
    true: np.ndarray  # (L, b) int: flat indices of the true classes in an array (C, L, b)


def split_batches(
    inputs: np.ndarray,
    codes: np.ndarray,
    distances: np.ndarray,
    weights: np.ndarray,
    batch_size: int,
    loss_scaling: str,
) -> list[Batch]:
    """Batches of inputs (n, d + 1), codes and weights (n,), distances (2, L, n) in their order."""
    _, n_lines, n = distances.shape
    parts = [slice(first, first + batch_size) for first in range(0, n, batch_size)]
    size = np.minimum(batch_size, n - np.arange(n) // batch_size * batch_size)
    nearness = 1.0 / distances
    total = np.concatenate([np.full_like(weights[p], weights[p].sum()) for p in parts])
    charge = nearness / (total / weights)
    if loss_scaling != "none":
        compared = distances
        if loss_scaling == "batch":
            compared = np.empty_like(distances)
            for part in parts:
                compared[..., part] = np.average(
                    distances[..., part], axis=-1, weights=weights[part], keepdims=True
                )
        charge *= compared[::-1] / compared.sum(axis=0)
    line = codes * n_lines + np.arange(n_lines)[:, None]
    true = line * size + np.arange(n) % batch_size
    columns, nearness = inputs.T, nearness[:, None]
    if len(parts) == 1:  # used in every epoch: a copy makes products faster
        columns = np.ascontiguousarray(columns)
    return [
        Batch(
            inputs[part],
            columns[:, part],
            nearness[..., part],
            charge[..., part],
            weights[part],
            np.ascontiguousarray(true[:, part]),  # four times as fast as an index
        )
        for part in parts
    ]


def head_gradient(
    heads: np.ndarray, batch: Batch, out: np.ndarray | None = None
) -> tuple[np.ndarray, np.ndarray]:
    """Losses (L, b) of a batch by weight, and the gradient (2, C, L, d + 1): lines 9 to 18."""
    inputs, columns, nearness, charge, weights, true = batch
    size, d = inputs.shape
    flat_z = heads.reshape(-1, d) @ columns
    z = flat_z.reshape(*heads.shape[:-1], size)
    z *= nearness
    s = z[0] + z[1]
    s -= np.maximum.reduce(s, axis=0)
    flat_s = s.reshape(-1)
    of_true = flat_s[true]
    np.exp(s, out=s)
    total = flat_s[true]
    # For the true class, p − 1 is minus the sum of the others: more exact where it is small.
    flat_s[true] = 0.0
    others = np.add.reduce(s, axis=0)
    flat_s[true] = -others
    total += others
    np.multiply(s, (charge / total)[:, None], out=z)
    if out is None:
        out = np.empty_like(heads)
    np.matmul(flat_z, inputs, out=out.reshape(-1, d))
    return (np.log(total) - of_true) * weights, out


class HeadTrainer:
    """AdamW over heads (L, 2, C, d + 1), in the precision of the inputs."""

    def __init__(
        self,
        heads: np.ndarray,
        inputs: np.ndarray,
        codes: np.ndarray,
        distances: np.ndarray,
        weights: np.ndarray,
        schedule: Schedule,
        rng: np.random.RandomState,
    ):
        self.learning_rate = 0.0
        self._heads, self._inputs, self._codes = heads.copy(), inputs, codes
        self._distances, self._weights = distances, weights / weights.mean()
        self._schedule, self._rng = schedule, rng
        self._kept = np.arange(len(heads))
        self._step = 0
        n = len(inputs)
        self._batch_size = min(schedule.batch_size or n, n)
        steps = -(-n // self._batch_size) * schedule.epochs
        self._warmup_steps = np.maximum(np.ceil(schedule.warmup * steps), 1)
        start = np.moveaxis(heads, 0, 2).astype(inputs.dtype)
        self._adamw = AdamW(start, schedule.weight_decay)
        self._whole = self._split(slice(None))
        self._refuse_infinite()

    @property
    def heads(self) -> np.ndarray:
        """(L, 2, C, d + 1) current heads."""
        self._heads[self._kept] = np.moveaxis(self._adamw.weights, 2, 0)
        return self._heads

    def epoch(self, done: int) -> np.ndarray:
        """Train one epoch after ``done`` others; (L,) mean loss, NaN for finished lines."""
        self._retire(done)
        loss = np.full(len(self._heads), np.nan)
        if not len(self._kept):
            return loss
        warm, losses = self._warmup_steps.max(), []
        with np.errstate(over="ignore", invalid="ignore"):  # reported as an error
            for batch in self._batches():
                of_batch, _ = head_gradient(self._adamw.weights, batch, out=self._adamw.gradient)
                losses.append(of_batch)
                self._step += 1
                above = self._step >= warm
                self._adamw.step(self._schedule.learning_rate if above else self._rates())
        self._refuse_infinite()
        self.learning_rate = self._rates().max()
        loss[self._kept] = np.concatenate(losses, axis=-1).mean(axis=-1, dtype=np.float64)
        return loss

    def _refuse_infinite(self) -> None:
        if not np.isfinite(self._adamw.weights).all():
            raise SLPError(
                f"With a learning rate of {self._schedule.learning_rate:g} and a weight decay of "
                f"{self._schedule.weight_decay:g} the heads' weights become infinite: choose "
                "smaller values, or a lower temperature."
            )

    def _batches(self) -> list[Batch]:
        n = len(self._inputs)
        if self._batch_size == n:
            return self._whole
        return self._split(self._rng.permutation(n))

    def _split(self, rows: slice | np.ndarray) -> list[Batch]:
        """Batches of all rows, in an order."""
        return split_batches(
            self._inputs[rows],
            self._codes[rows],
            self._distances[..., rows],
            self._weights[rows],
            self._batch_size,
            self._schedule.loss_scaling,
        )

    def _retire(self, done: int) -> None:
        """Remove finished lines from the arrays."""
        keep = self._schedule.epochs[self._kept] > done
        if keep.all():
            return
        self._heads[self._kept] = np.moveaxis(self._adamw.weights, 2, 0)
        self._kept = self._kept[keep]
        self._adamw.keep(keep)
        self._distances = self._distances[:, keep]
        self._warmup_steps = self._warmup_steps[keep]
        self._whole = self._split(slice(None))

    def _rates(self) -> np.ndarray:
        """(L,) current learning rate of each line."""
        rates: np.ndarray = self._schedule.learning_rate * np.minimum(
            self._step / self._warmup_steps, 1.0
        )
        return rates
