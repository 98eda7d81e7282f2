"""Training of linear heads by Algorithm 1, all lines at once; arrays end in lines, points."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from slp_core.methods.adamw import AdamW


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


def train_heads(
    heads: np.ndarray,
    inputs: np.ndarray,
    codes: np.ndarray,
    distances: np.ndarray,
    weights: np.ndarray,
    rng: np.random.RandomState,
    *,
    epochs: np.ndarray,
    learning_rate: float,
    batch_size: int,
    weight_decay: float,
    warmup: float,
    loss_scaling: str,
) -> Iterator[tuple[np.ndarray, np.ndarray, float]]:
    """Train heads (L, 2, C, d + 1), each line for its epochs (L,), in the inputs' precision.

    Yields after every epoch the heads, mean losses (L,), NaN for finished lines, and the rate.
    """
    n, step, weights = len(inputs), 0, weights / weights.mean()
    batch_size = min(batch_size or n, n)
    steps = -(-n // batch_size) * epochs
    warm_up = np.maximum(np.ceil(warmup * steps), 1)
    adamw = AdamW(np.moveaxis(heads, 0, 2).astype(inputs.dtype), weight_decay)
    lines = np.arange(len(heads))  # in training

    def split(rows: slice | np.ndarray) -> list[Batch]:
        of_rows = inputs[rows], codes[rows], distances[..., rows], weights[rows]
        return split_batches(*of_rows, batch_size, loss_scaling)

    whole = split(slice(None))
    for epoch in range(epochs.max()):
        unfinished = epochs[lines] > epoch
        if not unfinished.all():
            lines, distances = lines[unfinished], distances[:, unfinished]
            adamw.keep(unfinished)
            whole = split(slice(None))
        losses: list[np.ndarray] = []
        rate: float | np.ndarray = 0.0
        with np.errstate(over="ignore", invalid="ignore"):  # reported as an error
            for batch in whole if batch_size == n else split(rng.permutation(n)):
                of_batch, _ = head_gradient(adamw.weights, batch, out=adamw.gradient)
                losses.append(of_batch)
                step += 1
                risen = step / warm_up[lines]
                # One rate for all lines is quicker.
                rate = learning_rate if risen.min() >= 1 else learning_rate * np.minimum(risen, 1.0)
                adamw.step(rate)
        heads[lines] = np.moveaxis(adamw.weights, 2, 0)
        loss = np.full(len(heads), np.nan)
        loss[lines] = np.concatenate(losses, axis=-1).mean(axis=-1, dtype=np.float64)
        yield heads, loss, float(np.max(rate))
