"""Token ids and pooling weights of texts, pairs and mentions."""

from __future__ import annotations

import re
import threading
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

import numpy as np

from slp_core.data.examples import Examples

if TYPE_CHECKING:
    from tokenizers import Encoding, Tokenizer
    from torch import Tensor

Pooling = Literal["mean", "cls", "max"]

_truncation_lock = threading.Lock()

_LONE_SURROGATE = re.compile("[\ud800-\udfff]")


@dataclass(frozen=True)
class Tokens:
    """T token ids of one row, with their pooling weights."""

    ids: list[int]
    types: list[int]
    weights: list[float]
    cut: bool  # whether the row was truncated


class Token(NamedTuple):
    """A token as its tokenizer writes it, and whether it enters the vector."""

    text: str
    used: bool


def pad(rows: Sequence[Tokens], device: str) -> tuple[Tensor, ...]:
    """Ids, types, mask and pooling weights (B, T) of B rows, padded to the longest."""
    import torch

    shape = len(rows), max(len(row.ids) for row in rows)
    ids, types = np.zeros(shape, np.int64), np.zeros(shape, np.int64)
    mask, weights = np.zeros(shape, bool), np.zeros(shape, np.float32)
    for i, row in enumerate(rows):
        length = len(row.ids)
        ids[i, :length], types[i, :length] = row.ids, row.types
        mask[i, :length], weights[i, :length] = True, row.weights
    weights /= weights.sum(axis=1, keepdims=True)
    return tuple(torch.from_numpy(each).to(device) for each in (ids, types, mask, weights))


def tokenise(
    tokenizer: Tokenizer, examples: Examples, pooling: Pooling, max_tokens: int
) -> list[Tokens]:
    """Tokenise n rows; a text that is too long is cut at its end, or around its mention."""
    assert examples.texts is not None
    texts = [_encodable(text) for text in examples.texts]
    rows: list[Any] = texts
    if examples.pairs is not None:
        rows = list(zip(texts, map(_encodable, examples.pairs), strict=True))
    with _truncation_lock:
        tokenizer.enable_truncation(max_tokens)
        encodings = tokenizer.encode_batch(rows)
        if examples.spans is None:
            return [_pooled(encoding, pooling) for encoding in encodings]
        mentions = zip(texts, examples.spans, encodings, strict=True)
        return [_mention(tokenizer, text, span, encoding) for text, span, encoding in mentions]


def _pooled(encoding: Encoding, pooling: Pooling) -> Tokens:
    n = len(encoding.ids)
    weights = [1.0] + [0.0] * (n - 1) if pooling == "cls" else [1.0] * n
    return Tokens(encoding.ids, encoding.type_ids, weights, bool(encoding.overflowing))


def _mention(tokenizer: Tokenizer, text: str, span: tuple[int, int], encoding: Encoding) -> Tokens:
    cut = bool(encoding.overflowing)
    if any(_overlaps(offset, span) for part in encoding.overflowing for offset in part.offsets):
        text, span = _window(text, span, encoding)
        encoding = tokenizer.encode(text)
    weights = [float(_overlaps(offset, span)) for offset in encoding.offsets]
    weights = weights if any(weights) else [1.0] * len(weights)
    return Tokens(encoding.ids, encoding.type_ids, weights, cut)


def _window(text: str, span: tuple[int, int], encoding: Encoding) -> tuple[str, tuple[int, int]]:
    """The longest window of whole words around a span within the token limit."""
    parts = [encoding, *encoding.overflowing]
    places = [  # characters and word of each token of the whole text
        (offset, word)
        for part in parts
        for offset, word in zip(part.offsets, part.word_ids, strict=True)
        if word is not None
    ]
    room = len(encoding.ids) - sum(encoding.special_tokens_mask)
    inside = [i for i, (offset, _) in enumerate(places) if _overlaps(offset, span)]
    first, last = inside[0], inside[-1]
    begin = max(0, min(first - (room - len(inside)) // 2, len(places) - room))
    begin = min(begin, first)
    while 0 < begin < first and places[begin][1] == places[begin - 1][1]:
        begin += 1
    end = max(last + 1, min(begin + room, len(places)))
    while last + 1 < end < len(places) and places[end][1] == places[end - 1][1]:
        end -= 1
    start, stop = places[begin][0][0], places[end - 1][0][1]
    start, stop = min(start, span[0]), max(stop, span[1])
    return text[start:stop], (span[0] - start, span[1] - start)


def _overlaps(characters: tuple[int, int], span: tuple[int, int]) -> bool:
    return characters[0] < span[1] and span[0] < characters[1]


def _encodable(text: str) -> str:
    """`text` with lone surrogates replaced, which tokenizers refuse."""
    return _LONE_SURROGATE.sub("\N{REPLACEMENT CHARACTER}", text)
