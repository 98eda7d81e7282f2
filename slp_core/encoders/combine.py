"""Embeddings of MiniLM and a meta-trained encoder, concatenated: each is better on some data."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from slp_core.data.examples import Examples
from slp_core.encoders.base import (
    ByDraw,
    Draw,
    Encoder,
    EncoderInfo,
    Normalisation,
    normalise,
    unreported,
    validate_support,
)
from slp_core.encoders.choice import Combine
from slp_core.encoders.tokens import Token
from slp_core.errors import EncoderError
from slp_core.progress import ProgressCallback

AT_FIRST = 0.35
"""The second encoder's share if both separate the classes equally well, or it is not known."""

GAIN = 4.0
"""How much that share grows with the difference in class separation. Both constants were chosen on
the validation sets and the bundled datasets (research/reproduce.md)."""

LEAST = 0.1


@dataclass(frozen=True)
class Shares:
    """Class separation of a support set under two encoders, and the resulting share."""

    separations: tuple[float, float] | None  # None if no class has two different examples
    second: float  # the second encoder's share of an embedding's squared length


def separation(X: NDArray[np.floating], y: NDArray[np.integer]) -> float | None:
    """Fisher's criterion of (n, d) vectors, less that expected by chance; None of one class."""
    codes, counts = np.unique(y, return_inverse=True, return_counts=True)[1:]
    if len(counts) < 2:
        raise EncoderError("All of y is one class: give examples of two classes or more.")
    members = np.eye(len(counts))[codes]
    means = members.T @ X / counts[:, None]
    freedom = len(X) - len(counts)
    within = float(np.square(X - means[codes]).sum()) / freedom if freedom else 0.0
    if within <= np.finfo(np.float32).eps:
        return None
    between = float(np.square(means - means.mean(axis=0)).sum()) / (len(counts) - 1)
    return max(between / within - float((1 / counts).mean()), 0.0)


def shares(
    first: NDArray[np.floating], second: NDArray[np.floating], y: NDArray[np.integer]
) -> Shares:
    """Shares of two encoders, given the (n, d) embeddings of a support set by each."""
    if len(np.unique(y)) < 2:
        return Shares(None, AT_FIRST)
    found = separation(first, y), separation(second, y)
    if found[0] is None or found[1] is None:
        return Shares(None, AT_FIRST)
    share = AT_FIRST + GAIN * (found[1] - found[0])
    return Shares((found[0], found[1]), float(np.clip(share, LEAST, 1.0)))


def shares_on(vectors: ByDraw, support: NDArray[np.integer]) -> Shares:
    """The shares of a combined encoder's two, given the support set."""
    support = validate_support(support, len(vectors))
    first, second = vectors.rows
    return shares(first[support], second[support], vectors.y[support])


def concatenated(embeddings: Sequence[NDArray[np.float32]], second: float) -> NDArray[np.float32]:
    """Unit rows concatenated to unit length; the second has that share of its square."""
    weights = np.sqrt(np.array([1 - second, second], np.float32))
    return np.concatenate([w * each for w, each in zip(weights, embeddings, strict=True)], axis=-1)


class CombinedEncoder(Encoder):
    """Unit embeddings of two encoders, in equal parts or weighted by a support set."""

    def __init__(
        self,
        base: Encoder,
        meta: Encoder,
        how: Combine,
        *,
        info: EncoderInfo,
        normalisation: Normalisation,
    ) -> None:
        super().__init__(info, normalisation)
        self.parts = (base, meta)
        self.by_draw = how == "weighted"
        self.chunks = meta.chunks

    @property
    def titles(self) -> tuple[str, str]:
        first, second = (part.info.title for part in self.parts)
        return first, second

    def _read(self, examples: Examples, report: ProgressCallback) -> Any:
        """Unit rows (n, d) of n examples under each of the two encoders."""
        n, (base, meta) = len(examples), self.parts

        def shifted(before: int) -> ProgressCallback:
            return lambda part: report(replace(part, done=(before + part.done) // 2))

        first = normalise(base._read(examples, shifted(0)), "l2")
        second = normalise(meta._read(examples, shifted(n)), "l2")
        self.n_truncated = base.n_truncated
        return first, second

    def _place(
        self, known: Any, new: Any, draw: Draw | None = None, report: ProgressCallback = unreported
    ) -> NDArray[np.float32]:
        second = AT_FIRST if self.by_draw else 0.5
        if self.by_draw and draw is not None:
            y, support = draw
            if y is None:
                raise EncoderError(
                    f"Encoder {self.info.name!r} needs the classes of the support set: give it a "
                    "dataset, or leave out support."
                )
            second = shares_on(ByDraw(self, known, y), support).second
        mean = None
        if self.normalisation == "centred_l2":
            mean = concatenated([each.mean(axis=0) for each in known], second)
        return normalise(concatenated(new, second), self.normalisation, mean)

    def tokens(self, dataset: Examples, examples: Examples) -> tuple[Token, ...]:
        """As the first of the two reads it."""
        return self.parts[0].tokens(dataset, examples)

    def identity(self) -> str:
        return " ".join(part.identity() for part in self.parts)

    def _is_cached(self, examples: Examples) -> bool:
        return all(part._is_cached(examples) for part in self.parts)
