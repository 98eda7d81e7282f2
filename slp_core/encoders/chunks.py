"""Long texts in chunks; the lengths were chosen on validation sets (research/reproduce.md)."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from slp_core.data.examples import Examples

SHORT = 280
"""Characters up to which a text is not split."""

TOGETHER = 120
"""Characters up to which short sentences are joined."""

LONGEST = 240
"""Characters beyond which a sentence is split between words."""

_END = re.compile(r"(?<=[.!?…])\s+|(?<=[。！？])|\n+")


def split_text(text: str) -> tuple[str, ...]:
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
