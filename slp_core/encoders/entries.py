"""Encoders as the registry holds them, and those that are made of others."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from slp_core.data.examples import Kind
from slp_core.encoders.base import Encoder, EncoderInfo, Normalisation
from slp_core.encoders.cache import BUNDLED_DIR, VectorCache
from slp_core.encoders.passages import SHORT, PassageEncoder
from slp_core.encoders.side_by_side import SideBySideEncoder
from slp_core.encoders.transformer import TransformerEncoder
from slp_core.encoders.weighted import WeightedEncoder
from slp_core.errors import EncoderError

TEXT_KINDS: tuple[Kind, ...] = ("text", "pair", "span")
BESIDE, WEIGHTED, PASSAGES = "beside-", "weighted-", "passages-"
"""What stands before the name of an encoder that another is made of."""


@dataclass(frozen=True)
class Entry:
    """How an encoder is shown, and made: ``make(info=..., normalisation=..., **options)``."""

    info: EncoderInfo
    normalisation: Normalisation | None
    make: Callable[..., Encoder]
    reads_tokens: bool = False
    """Whether it has layers, pooling, a token limit, and vectors worth caching."""


def beside(base: Entry, meta: Entry, trained_from: Entry) -> Entry:
    """The vectors of two encoders side by side, in equal parts.

    The second is called after what it was trained from, which need not be the first.
    """
    short = meta.info.title.removesuffix(f" on {trained_from.info.title}")
    info = EncoderInfo(
        f"{BESIDE}{meta.info.name}",
        f"MiniLM and {short}, side by side",
        f"Vectors of {base.info.title}, and of {meta.info.title}, each of unit length, side by "
        "side (768 numbers).",
        TEXT_KINDS,
    )

    def make(*, info: EncoderInfo, normalisation: Normalisation, **options: Any) -> Encoder:
        parts = (_part(entry, **options) for entry in (base, meta))
        return SideBySideEncoder(*parts, info=info, normalisation=normalisation)

    return Entry(info, "l2", make, reads_tokens=True)


def weighted(both: Entry) -> Entry:
    """Two encoders side by side, with shares that the support set gives them."""
    title = both.info.title.removesuffix(", side by side")
    info = EncoderInfo(
        f"{WEIGHTED}{both.info.name.removeprefix(BESIDE)}",
        f"{title}, weighted",
        f"{both.info.description} They are weighted by the support set: the further apart its "
        "classes lie under one of the two, the larger that one's share, so vectors are other ones "
        "on each draw.",
        TEXT_KINDS,
    )

    def make(*, info: EncoderInfo, normalisation: Normalisation, **options: Any) -> Encoder:
        part = _part(both, **options)
        assert isinstance(part, SideBySideEncoder)
        return WeightedEncoder(part, info=info, normalisation=normalisation)

    return Entry(info, "l2", make, reads_tokens=True)


def by_passage(reader: Entry) -> Entry:
    """An encoder that reads long texts passage by passage."""
    if not reader.reads_tokens or reader.info.name.startswith(PASSAGES):
        raise EncoderError(
            f"Encoder {reader.info.name!r} cannot be asked for passages: '{PASSAGES}' stands "
            f"once, before one with a language model, as in '{PASSAGES}minilm-l4'."
        )
    name, title = reader.info.name, reader.info.title
    about = reader.info.description if name.startswith(WEIGHTED) else f"As {title}."
    info = EncoderInfo(
        f"{PASSAGES}{name}",
        f"{title}, by passage",
        f"{about} But a text of more than {SHORT} characters is the mean of its passages, each of "
        "unit length and read by itself: none of it is cut off.",
        TEXT_KINDS,
    )

    def make(*, info: EncoderInfo, normalisation: Normalisation, **options: Any) -> Encoder:
        encoder = reader.make(info=reader.info, normalisation="l2", **_own_cache(reader, options))
        how: dict[str, Any] = {"info": info, "normalisation": normalisation}
        if isinstance(encoder, WeightedEncoder):
            return WeightedEncoder(encoder.parts, by_passage=True, **how)
        assert isinstance(encoder, TransformerEncoder)
        return PassageEncoder(encoder, **how)

    return Entry(info, "l2", make, reads_tokens=True)


def _part(entry: Entry, **options: Any) -> TransformerEncoder:
    """An encoder that another one asks for vectors."""
    encoder = entry.make(info=entry.info, normalisation="l2", **_own_cache(entry, options))
    assert isinstance(encoder, TransformerEncoder)
    return encoder


def _own_cache(entry: Entry, options: dict[str, Any]) -> dict[str, Any]:
    """The options, with the vectors that are bundled of the encoder itself."""
    cache: VectorCache | None = options.get("cache")
    if cache is None:
        return options
    return options | {"cache": VectorCache(cache.folder, bundled=BUNDLED_DIR / entry.info.name)}
