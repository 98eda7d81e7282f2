"""The inputs of a dataset: texts, pairs of them, mentions in sentences, or numbers."""

from __future__ import annotations

import hashlib
import operator
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import repeat
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

Kind = Literal["text", "pair", "span", "numeric"]
KINDS: tuple[Kind, ...] = ("text", "pair", "span", "numeric")

_FEATURES_DESCRIBED = 6
_PIXEL = re.compile(r"pixel_(\d{1,3})_(\d{1,3})")


@dataclass(frozen=True, eq=False)
class Examples:
    """The inputs of a dataset, row by row, without their labels.

    Parameters
    ----------
    kind
        ``"text"``, ``"pair"`` (two texts), ``"span"`` (a mention inside a sentence) or
        ``"numeric"``.
    texts
        The text, the first text of a pair, or the sentence around a mention; n strings.
    pairs
        The second text of a pair; n strings.
    spans
        Where the mention stands in its sentence: ``[start, end)``, counted in characters; n pairs.
    features
        (n, d) numbers, kept as float64.

    Raises
    ------
    ValueError
        When the parts do not belong to `kind`, differ in length, a text is none, or a span is no
        pair of whole numbers or leaves its sentence.

    Examples
    --------
    >>> import slp_core as slp
    >>> pairs = slp.Examples("pair", texts=("It rains.", "It is dry."), pairs=("Wet.", "Wet."))
    >>> len(pairs)
    2
    """

    kind: Kind
    texts: tuple[str, ...] | None = None
    pairs: tuple[str, ...] | None = None
    spans: tuple[tuple[int, int], ...] | None = None
    features: NDArray[np.float64] | None = None

    def __post_init__(self) -> None:
        needed = {
            "text": {"texts"},
            "pair": {"texts", "pairs"},
            "span": {"texts", "spans"},
            "numeric": {"features"},
        }
        if self.kind not in needed:
            raise ValueError(f"kind must be one of {', '.join(KINDS)}, not {self.kind!r}")
        parts = {
            part: getattr(self, part)
            for part in ("texts", "pairs", "spans", "features")
            if getattr(self, part) is not None
        }
        if set(parts) != needed[self.kind]:
            raise ValueError(
                f"{self.kind!r} examples need {' and '.join(sorted(needed[self.kind]))}, "
                f"not {' and '.join(sorted(parts)) or 'nothing'}"
            )
        for part in ("texts", "pairs"):
            if isinstance(parts.get(part), str):  # it would be read letter by letter
                raise ValueError(f"{part} must be several strings: put a single one in a list")
        if len({len(part) for part in parts.values()}) != 1:
            raise ValueError("the parts of the examples differ in length")
        for part in parts.keys() - {"features"}:
            object.__setattr__(self, part, tuple(parts[part]))
        for part in ("texts", "pairs"):
            for row, text in enumerate(getattr(self, part) or ()):
                if not isinstance(text, str):
                    raise ValueError(
                        f"{part} must be strings, and row {row} is {text!r}: write a text there or "
                        "leave the row out"
                    )
        if self.features is not None:
            object.__setattr__(self, "features", frozen_array(self.features, np.float64, ndim=2))
        if self.spans is not None and self.texts is not None:
            object.__setattr__(self, "spans", _mention_spans(self.spans, self.texts))

    def __len__(self) -> int:
        rows = self.features if self.texts is None else self.texts
        assert rows is not None  # __post_init__ has seen to it
        return len(rows)

    def take(self, indices: Sequence[int] | NDArray[Any] | slice) -> Examples:
        """The examples at `indices` (positions, a mask or a slice), in that order."""
        rows = np.arange(len(self))[indices].tolist()
        if self.features is not None:
            return Examples(self.kind, features=self.features[rows])
        parts = {"texts": self.texts, "pairs": self.pairs, "spans": self.spans}
        taken: dict[str, Any] = {
            part: [cells[i] for i in rows] for part, cells in parts.items() if cells is not None
        }
        return Examples(self.kind, **taken)

    @cached_property
    def digest(self) -> str:
        """Hex digest (BLAKE2b, 128 bits) of the kind and the whole contents."""
        digest = hashlib.blake2b(self.kind.encode(), digest_size=16)
        for strings in (self.texts, self.pairs):
            if strings is not None:
                digest_strings(digest, strings)
        if self.spans is not None:
            digest.update(np.array(self.spans, dtype="<i8").tobytes())
        if self.features is not None:
            digest.update(np.array(self.features.shape, dtype="<i8").tobytes())
            digest.update(self.features.astype("<f8", copy=False).tobytes())
        return digest.hexdigest()

    @cached_property
    def content_ids(self) -> NDArray[np.int64]:
        """(n,) numbers, equal exactly for equal inputs; white space around texts does not count."""
        keys: Iterable[Any]
        if self.features is not None:
            keys = (row.tobytes() for row in self.features + 0.0)
        else:
            given = (part for part in (self.texts, self.pairs) if part is not None)
            texts = (map(str.strip, part) for part in given)
            keys = zip(*texts, self.spans or repeat(None, len(self)), strict=True)
        seen: dict[Any, int] = {}
        return np.array([seen.setdefault(key, len(seen)) for key in keys], dtype=np.int64)

    def describe(self, index: int, feature_names: Sequence[str] = ()) -> str:
        """One readable line about row `index`."""
        if self.features is not None:
            if pixel_places(tuple(feature_names)) is not None:
                return f"image of {len(feature_names)} pixels"
            row = self.features[index]
            names = feature_names or (
                ("x", "y")[: len(row)] if len(row) <= 2 else [f"x{i + 1}" for i in range(len(row))]
            )
            shown = ", ".join(
                f"{name}={value:,.0f}" if 1e4 <= abs(value) < 1e9 else f"{name}={value:.4g}"
                for name, value in zip(names[:_FEATURES_DESCRIBED], row, strict=False)
            )
            left_out = len(row) - _FEATURES_DESCRIBED
            return f"{shown}, … ({len(row)} features)" if left_out > 0 else shown
        assert self.texts is not None
        text = self.texts[index]
        if self.spans is not None:
            start, end = self.spans[index]
            text = f"{text[:start]}⟦{text[start:end]}⟧{text[end:]}"
        if self.pairs is not None:
            return f"{_one_line(text)} ⏎ {_one_line(self.pairs[index])}"
        return _one_line(text)


@lru_cache(maxsize=32)
def pixel_places(names: tuple[str, ...]) -> np.ndarray | None:
    """(d, 2) row and column of each feature; None unless they fill a grid."""
    found = [match.groups() for name in names if (match := _PIXEL.fullmatch(name))]
    if not found or len(found) < len(names):
        return None
    places = np.array(found, dtype=np.int64)
    full = len(set(map(tuple, places.tolist()))) == len(places) == (places.max(axis=0) + 1).prod()
    return places if full else None


def _mention_spans(
    spans: Sequence[Sequence[int]], texts: Sequence[str]
) -> tuple[tuple[int, int], ...]:
    """Where mentions stand in their sentences, as pairs of Python's integers."""
    checked = []
    for row, (span, text) in enumerate(zip(spans, texts, strict=True)):
        try:
            start, end = map(operator.index, span)
        except (TypeError, ValueError):
            raise ValueError(
                f"spans must be pairs of whole numbers, and row {row} is {span!r}: count "
                "characters from 0, the end excluded"
            ) from None
        if not (0 <= start < end <= len(text) or (start == end == 0 and not text)):
            raise ValueError(f"the span [{start}, {end}) of row {row} is not within its sentence")
        checked.append((start, end))
    return tuple(checked)


def frozen_array(values: ArrayLike, dtype: Any, ndim: int) -> NDArray[Any]:
    """A private copy that cannot be written to, so that digests stay true."""
    array = np.array(values, dtype=dtype)
    if array.ndim != ndim:
        raise ValueError(f"expected {ndim} dimension(s), got shape {array.shape}")
    array.setflags(write=False)
    return array


def digest_strings(digest: hashlib.blake2b, strings: Sequence[str]) -> None:
    # Each string goes in behind its length, so that no two different lists look the same.
    digest.update(len(strings).to_bytes(8, "little"))
    for string in strings:
        data = string.encode("utf-8", "surrogatepass")
        digest.update(len(data).to_bytes(8, "little"))
        digest.update(data)


def _one_line(text: str) -> str:
    return " ".join(text.split())
