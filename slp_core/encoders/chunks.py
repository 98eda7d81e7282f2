"""Long texts in chunks; the lengths were chosen on validation sets (research/reproduce.md)."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterator
from dataclasses import replace
from itertools import chain

import numpy as np
from numpy.typing import NDArray

from slp_core.data.examples import Examples
from slp_core.encoders.base import Encoder, EncoderInfo, Normalisation, normalise
from slp_core.encoders.tokens import Token
from slp_core.encoders.transformer import TransformerEncoder
from slp_core.progress import Progress, ProgressCallback

SHORT = 280
"""Characters up to which a text is not split."""

TOGETHER = 120
"""Characters up to which short sentences are joined."""

LONGEST = 240
"""Characters beyond which a sentence is split between words."""

_END = re.compile(r"(?<=[.!?…])\s+|(?<=[。！？])|\n+")


def split_text(text: str) -> tuple[str, ...]:
    """Split a long text at the ends of sentences."""
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
    """All chunks of n rows, and each row's first (n,); pairs and mentions are not split."""
    if examples.kind != "text":
        return examples, np.arange(len(examples))
    assert examples.texts is not None
    parts = [split_text(text) for text in examples.texts]
    starts = np.cumsum([0, *map(len, parts[:-1])])
    return Examples("text", texts=tuple(part for row in parts for part in row)), starts


class ChunkEncoder(Encoder):
    """The mean of another encoder's unit embeddings of a text's chunks."""

    chunks = True

    def __init__(
        self, reader: TransformerEncoder, *, info: EncoderInfo, normalisation: Normalisation
    ) -> None:
        super().__init__(info, normalisation)
        self.reader = reader

    def _read(self, examples: Examples, report: ProgressCallback) -> NDArray[np.float32]:
        flat, starts = in_chunks(examples)
        n, n_flat = len(examples), len(flat)

        def of_rows(part: Progress) -> None:
            report(replace(part, done=part.done * n // n_flat, total=n))

        counts = np.diff(starts, append=n_flat)
        numbers = np.repeat(np.arange(n), counts).tolist()
        x = normalise(self.reader._read(flat, of_rows, numbers), "l2")
        self.n_truncated = int(np.logical_or.reduceat(self.reader.cut, starts).sum())
        sums: NDArray[np.float32] = np.add.reduceat(x, starts, axis=0)
        sums /= counts.astype(np.float32)[:, None]
        return sums

    def tokens(self, dataset: Examples, examples: Examples) -> tuple[Token, ...]:
        """Of all chunks, one after the other."""
        chunks, _ = in_chunks(examples)
        each = (self.reader.tokens(dataset, chunks.take([i])) for i in range(len(chunks)))
        return tuple(chain.from_iterable(each))

    def identity(self) -> str:
        """Identity of the encoder of the chunks."""
        return self.reader.identity()

    def _is_cached(self, examples: Examples) -> bool:
        return self.reader._is_cached(in_chunks(examples)[0])
