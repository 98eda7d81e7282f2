"""The vectors of MiniLM and of a meta-trained encoder concatenated, as those of one encoder.

Meta-training helps on some data and harms on others; what one of the two has lost by its training
the other still has. Concatenated, the two have equal parts. Weighted, the one under which the
support set's classes lie further apart gets the larger share of the whole: so vectors depend on
the draw, and are known once the support set is.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from slp_core.data.dataset import FewShotDataset
from slp_core.data.examples import Examples
from slp_core.encoders.base import (
    Data,
    Encoder,
    EncoderInfo,
    Normalisation,
    Vectors,
    as_examples,
    checked_support,
    normalise,
)
from slp_core.encoders.choice import Combine
from slp_core.errors import EncoderError
from slp_core.progress import CancelledCallback, Progress, ProgressCallback

AT_FIRST = 0.35
"""The second encoder's share where both part the classes alike, or nothing is known of them."""

GAIN = 4.0
"""How much that share grows with the difference of the two separations; both were chosen on the
validation sets and the bundled ones (research/reproduce.md)."""

LEAST = 0.1


@dataclass(frozen=True)
class Shares:
    """What a support set says of two encoders: the separation of its classes under each.

    It is None where no class has two examples, or all of a class are the same; ``second`` is the
    second encoder's share of a vector's squared length.
    """

    separations: tuple[float, float] | None
    second: float


def separation(X: NDArray[np.floating], y: NDArray[np.integer]) -> float | None:
    """How far apart classes (n,) of (n, d) vectors lie; None where none has spread of its own.

    The trace of the between-class scatter over that of the within-class scatter, as in Fisher's
    criterion, both per degree of freedom. The means of few examples lie apart by chance alone:
    what the within-class scatter leads one to expect of that is taken off, down to 0.
    """
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
    """What to take of two encoders by the (n, d) vectors that each gives of a support set."""
    if len(np.unique(y)) < 2:
        return Shares(None, AT_FIRST)
    found = separation(first, y), separation(second, y)
    if found[0] is None or found[1] is None:
        return Shares(None, AT_FIRST)
    share = AT_FIRST + GAIN * (found[1] - found[0])
    return Shares((found[0], found[1]), float(np.clip(share, LEAST, 1.0)))


@dataclass(frozen=True, eq=False)
class WeightedVectors:
    """Labelled rows under both encoders, weighted anew on every draw by its support set.

    Of the classes (n,) those of the support rows alone are looked at; halves are (n, d) unit rows.
    """

    encoder: CombinedEncoder
    halves: tuple[NDArray[np.float32], NDArray[np.float32]]
    y: NDArray[np.integer]

    def on(
        self, support: NDArray[np.integer], rows: NDArray[np.integer] | None = None
    ) -> NDArray[np.float32]:
        """(n, 2d) vectors of all rows, or of some, where ``support`` (s,) are the support set's."""
        first, second = self.halves
        asked = self.halves if rows is None else (first[rows], second[rows])
        return self._weighted(asked, support)

    def place(self, examples: Examples, support: NDArray[np.integer]) -> NDArray[np.float32]:
        """(k, 2d) vectors of new rows on that draw."""
        return self._weighted(self.encoder.halves(examples), support)

    def shares(self, support: NDArray[np.integer]) -> Shares:
        """What the support set says of both encoders."""
        support = checked_support(support, len(self))
        first, second = self.halves
        return shares(first[support], second[support], self.y[support])

    def __len__(self) -> int:
        return len(self.y)

    def _weighted(
        self, halves: tuple[NDArray[np.float32], NDArray[np.float32]], support: NDArray[np.integer]
    ) -> NDArray[np.float32]:
        second = self.shares(support).second
        how, mean = self.encoder.normalisation, None
        if how == "centred_l2":
            mean = concatenated([half.mean(axis=0) for half in self.halves], second)
        return normalise(concatenated(halves, second), how, mean)


def concatenated(halves: Sequence[NDArray[np.float32]], second: float) -> NDArray[np.float32]:
    """Unit rows of two encoders as one, of unit length; the second has that share of its square."""
    weights = np.sqrt(np.array([1 - second, second], np.float32))
    return np.concatenate([w * half for w, half in zip(weights, halves, strict=True)], axis=-1)


class CombinedEncoder(Encoder):
    """Unit vectors of two encoders as one of unit length, in equal parts or weighted on each draw.

    Weighted rows without labels, or without a support set, have the share `AT_FIRST`.
    """

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

    def encode(
        self,
        data: Data,
        pairs: Sequence[str] | None = None,
        spans: Sequence[tuple[int, int]] | None = None,
        *,
        support: NDArray[np.integer] | None = None,
        progress: ProgressCallback | None = None,
        cancelled: CancelledCallback | None = None,
    ) -> NDArray[np.float32]:
        """Encode n rows; see `Encoder.encode`. Weighting by `support` takes a dataset's labels."""
        if support is None or not self.by_draw:
            return super().encode(data, pairs, spans, progress=progress, cancelled=cancelled)
        if not isinstance(data, FewShotDataset):
            raise EncoderError(
                f"Encoder {self.info.name!r} goes by the classes of the support set, and there are "
                "none to go by: give it a dataset, or leave out support."
            )
        support = checked_support(support, len(data))
        return self._labelled(data, progress, cancelled).on(support)

    @property
    def titles(self) -> tuple[str, str]:
        """Of the two encoders."""
        first, second = (part.info.title for part in self.parts)
        return first, second

    def encode_for_draws(
        self,
        dataset: FewShotDataset,
        *,
        progress: ProgressCallback | None = None,
        cancelled: CancelledCallback | None = None,
    ) -> Vectors:
        """Encode a dataset once for all its draws; see `Encoder.encode_for_draws`."""
        if not self.by_draw:
            return super().encode_for_draws(dataset, progress=progress, cancelled=cancelled)
        return self._labelled(dataset, progress, cancelled)

    def halves(
        self,
        examples: Examples,
        progress: ProgressCallback = lambda _: None,
        cancelled: CancelledCallback = lambda: False,
    ) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        """Unit rows (n, d) of n examples under each of the two encoders."""
        examples = self._fitting(examples)
        n, (base, meta) = len(examples), self.parts

        def first_told(part: Progress) -> None:
            progress(replace(part, done=part.done // 2))

        def second_told(part: Progress) -> None:
            progress(replace(part, done=(n + part.done) // 2))

        first = normalise(base._vectors(examples, first_told, cancelled), "l2")
        second = normalise(meta._vectors(examples, second_told, cancelled), "l2")
        self.n_truncated, self.n_windowed = base.n_truncated, base.n_windowed
        return first, second

    def _labelled(
        self,
        dataset: FewShotDataset,
        progress: ProgressCallback | None,
        cancelled: CancelledCallback | None,
    ) -> WeightedVectors:
        halves = self.halves(
            as_examples(dataset), progress or (lambda _: None), cancelled or (lambda: False)
        )
        return WeightedVectors(self, halves, dataset.y)

    def _vectors(
        self, examples: Examples, progress: ProgressCallback, cancelled: CancelledCallback
    ) -> NDArray[np.float32]:
        halves = self.halves(examples, progress, cancelled)
        return concatenated(halves, AT_FIRST if self.by_draw else 0.5)

    def identity(self) -> str:
        """Both parts'."""
        return " ".join(part.identity() for part in self.parts)

    def _is_cached(self, examples: Examples) -> bool:
        return all(part._is_cached(examples) for part in self.parts)
