"""Two encoders side by side, weighted by how well each parts the classes of the support set.

Meta-training helps on some data and harms on others. What stands side by side need not stand there
in equal parts: where the support set's classes lie further apart under one encoder, its vectors get
the larger share of the whole. So vectors depend on the draw, and are known once the support set is.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

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
from slp_core.encoders.passages import PassageEncoder
from slp_core.encoders.side_by_side import SideBySideEncoder
from slp_core.errors import EncoderError
from slp_core.facts import EncoderName, Facts, fact
from slp_core.progress import CancelledCallback, ProgressCallback

AT_FIRST = 0.35
"""The second encoder's share where both part the classes alike, or nothing is known of them."""

GAIN = 4.0
"""How much that share grows with the difference of the two separations; both were chosen on the
validation sets and the bundled ones (research/reproduce.md)."""

LEAST = 0.1


@dataclass(frozen=True)
class Shares:
    """What a support set says of two encoders.

    Attributes
    ----------
    separations
        Of its classes under the first and under the second; None where no class has two examples,
        or all examples of a class are the same.
    second
        The second encoder's share of a vector's squared length.
    """

    separations: tuple[float, float] | None
    second: float

    def facts(self, titles: tuple[str, str]) -> Facts:
        """The shares of two encoders with these titles, and what they go by."""
        first, second = map(EncoderName, titles)
        values: dict[str, Any] = {"first": first, "second": second, "share": self.second}
        if self.separations is None:
            template = (
                "{second} has {share:.0%} of each vector, and {first} the rest: the support set "
                "gives no other share, for no class of it has two examples that differ."
            )
            return (fact("encoders.shares_at_first", template, **values),)
        template = (
            "The support set gives {second} {share:.0%} of each vector, and {first} the rest: "
            "under {second} it varies {after:.2f} times as much between classes as within them, "
            "under {first} {before:.2f} times, beyond what chance alone gives. With equal figures "
            "{second} would have {alike:.0%}."
        )
        before, after = self.separations
        values |= {"before": before, "after": after, "alike": AT_FIRST}
        return (fact("encoders.shares", template, **values),)


def separation(X: NDArray[np.floating], y: NDArray[np.integer]) -> float | None:
    """How far apart classes lie, in units of how far apart each class's own examples lie.

    The trace of the between-class scatter over that of the within-class scatter, as in Fisher's
    criterion, both per degree of freedom. The means of few examples lie apart by chance alone:
    what the within-class scatter leads one to expect of that is taken off.

    Parameters
    ----------
    X
        (n, d) vectors.
    y
        (n,) classes, at least two of them.

    Returns
    -------
    float or None
        At least 0; None where the within-class scatter is 0 or unknown.

    Raises
    ------
    EncoderError
        There are fewer than two classes.
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
class Halves:
    """Labelled rows under both encoders, weighted anew on every draw by its support set.

    Attributes
    ----------
    encoder : WeightedEncoder
    halves
        Two arrays (n, d) of unit rows.
    y
        (n,) classes; those of the support rows alone are looked at.
    """

    encoder: WeightedEncoder
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

    def facts(self, support: NDArray[np.integer]) -> Facts:
        """What that is, in words."""
        return self.shares(support).facts(self.encoder.titles)

    def __len__(self) -> int:
        return len(self.y)

    def _weighted(
        self, halves: tuple[NDArray[np.float32], NDArray[np.float32]], support: NDArray[np.integer]
    ) -> NDArray[np.float32]:
        second = self.shares(support).second
        how, mean = self.encoder.normalisation, None
        if how == "centred_l2":
            mean = side_by_side([half.mean(axis=0) for half in self.halves], second)
        return normalise(side_by_side(halves, second), how, mean)


def side_by_side(halves: Sequence[NDArray[np.float32]], second: float) -> NDArray[np.float32]:
    """Unit rows of two encoders as one, of unit length; the second has that share of its square."""
    weights = np.sqrt(np.array([1 - second, second], np.float32))
    return np.concatenate([w * half for w, half in zip(weights, halves, strict=True)], axis=-1)


class WeightedEncoder(Encoder):
    """Vectors of two encoders side by side, each with a share that the support set gives it.

    Rows without labels, or without a support set, are weighted as where nothing is known.

    Parameters
    ----------
    parts
        The two encoders side by side.
    by_passage
        Whether long texts are read passage by passage.
    """

    by_draw = True

    def __init__(
        self,
        parts: SideBySideEncoder,
        *,
        info: EncoderInfo,
        normalisation: Normalisation,
        by_passage: bool = False,
    ) -> None:
        super().__init__(info, normalisation)
        self.parts = parts
        self.both: Encoder = parts
        if by_passage:
            self.both = PassageEncoder(parts, info=parts.info, normalisation="l2")

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
        """Encode n rows; see `Encoder.encode`.

        Raises
        ------
        EncoderError
            As there, or `support` is given, and `data` is no dataset that says their classes.
        """
        if support is None:
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
        first, second = (part.info.title for part in self.parts.parts)
        return first, second

    def encode_for_draws(
        self,
        dataset: FewShotDataset,
        *,
        progress: ProgressCallback | None = None,
        cancelled: CancelledCallback | None = None,
    ) -> Vectors:
        """Encode a dataset once for all its draws; see `Encoder.encode_for_draws`."""
        return self._labelled(dataset, progress, cancelled)

    def halves(
        self,
        examples: Examples,
        progress: ProgressCallback = lambda _: None,
        cancelled: CancelledCallback = lambda: False,
    ) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        """Unit rows (n, d) of n examples under each of the two encoders."""
        x = self.both._vectors(self._fitting(examples), progress, cancelled)
        self.n_truncated, self.n_windowed = self.both.n_truncated, self.both.n_windowed
        first, second = (normalise(half, "l2") for half in np.hsplit(x, 2))
        return first, second

    def _labelled(
        self,
        dataset: FewShotDataset,
        progress: ProgressCallback | None,
        cancelled: CancelledCallback | None,
    ) -> Halves:
        halves = self.halves(
            as_examples(dataset), progress or (lambda _: None), cancelled or (lambda: False)
        )
        return Halves(self, halves, dataset.y)

    def _vectors(
        self, examples: Examples, progress: ProgressCallback, cancelled: CancelledCallback
    ) -> NDArray[np.float32]:
        return side_by_side(self.halves(examples, progress, cancelled), AT_FIRST)

    def _is_cached(self, examples: Examples) -> bool:
        return self.both._is_cached(examples)
