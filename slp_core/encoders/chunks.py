"""A long text read in chunks: the mean of its chunks' vectors.

A model that was trained on sentences knows less of a page: the longer a text, the more the mean
over its tokens is that of any text. Here each chunk of a long text, a sentence or a few short
ones, is read by itself, and the text's vector is the mean of its chunks' vectors, each of unit
length. Nothing of it is cut off. The lengths below were chosen on the validation sets and on the
bundled ones (research/reproduce.md). A chunk's vector is kept and found under the reader's keys.
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterator
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from slp_core.data.examples import Examples
from slp_core.encoders.base import Encoder, EncoderInfo, Normalisation, normalise
from slp_core.encoders.cache import Note
from slp_core.encoders.transformer import TransformerEncoder
from slp_core.progress import CancelledCallback, Progress, ProgressCallback

SHORT = 280
"""Characters: a text of no more is read whole."""

TOGETHER = 120
"""Characters: short sentences of a longer text are put together as long as they have no more."""

LONGEST = 240
"""Characters: a longer sentence is cut between two words, so that few reach the token limit."""

_END = re.compile(r"(?<=[.!?…])\s+|(?<=[。！？])|\n+")


def split_text(text: str) -> tuple[str, ...]:
    """Split a long text where sentences end; a short one is returned as it is."""
    if len(text) <= SHORT:
        return (text,)
    found: list[str] = []
    for sentence in _sentences(text):
        if found and len(found[-1]) + 1 + len(sentence) <= TOGETHER:
            found[-1] += f" {sentence}"
        else:
            found.append(sentence)
    return tuple(found) or (text,)


def _sentences(text: str) -> Iterator[str]:
    for sentence in map(str.strip, _END.split(text)):
        if len(sentence) > LONGEST:
            yield from textwrap.wrap(sentence, LONGEST)
        elif sentence:
            yield sentence


def in_chunks(examples: Examples) -> tuple[Examples, NDArray[np.intp]]:
    """All chunks of n rows one after another, and the number (n,) of each row's first.

    Pairs and mentions are read whole: what one of their sentences says of the other, or of the
    mention, would be lost.
    """
    if examples.kind != "text":
        return examples, np.arange(len(examples))
    assert examples.texts is not None
    parts = [split_text(text) for text in examples.texts]
    starts = np.cumsum([0, *map(len, parts[:-1])])
    return Examples("text", texts=tuple(part for row in parts for part in row)), starts


class ChunkEncoder(Encoder):
    """Means of the unit vectors that another encoder gives of a text's chunks."""

    chunks = True

    def __init__(
        self, reader: TransformerEncoder, *, info: EncoderInfo, normalisation: Normalisation
    ) -> None:
        super().__init__(info, normalisation)
        self.reader = reader

    def _vectors(
        self, examples: Examples, progress: ProgressCallback, cancelled: CancelledCallback
    ) -> NDArray[np.float32]:
        flat, starts = in_chunks(examples)
        n, n_flat = len(examples), len(flat)

        def told(part: Progress) -> None:
            progress(replace(part, done=part.done * n // n_flat, total=n))

        counts = np.diff(starts, append=n_flat)
        numbers = np.repeat(np.arange(n), counts).tolist()
        x = normalise(self.reader._vectors(flat, told, cancelled, numbers), "l2")
        notes = np.maximum.reduceat(self.reader.notes, starts)
        self.n_truncated = int((notes != Note.WHOLE).sum())
        self.n_windowed = int((notes == Note.WINDOWED).sum())
        sums: NDArray[np.float32] = np.add.reduceat(x, starts, axis=0)
        sums /= counts.astype(np.float32)[:, None]
        return sums

    def identity(self) -> str:
        """The reader's."""
        return self.reader.identity()

    def _is_cached(self, examples: Examples) -> bool:
        return self.reader._is_cached(in_chunks(examples)[0])
