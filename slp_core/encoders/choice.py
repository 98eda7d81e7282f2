"""An encoder's name with its options, as written in results files, links and saved models."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Literal, get_args

Combine = Literal["concatenated", "weighted"]
COMBINES: tuple[Combine, ...] = get_args(Combine)
_CHUNKS = "+chunks"
_FITTED_ON_ALL_ROWS = ("tfidf-svd", "tfidf-char", "numeric-table")
_CENTRED = "centred_l2"

# Prefixes of older versions, found in results files, links and saved models.
_ALIASES: dict[str, tuple[Combine | None, bool]] = {
    "passages-weighted-": ("weighted", True),
    "passages-beside-": ("concatenated", True),
    "passages-": (None, True),
    "weighted-": ("weighted", False),
    "beside-": ("concatenated", False),
}


@dataclass(frozen=True)
class EncoderChoice:
    """An encoder and its options; as text, ``protonet-mean-minilm-l6+weighted+chunks``."""

    name: str
    combine: Combine | None = None
    chunks: bool = False

    @classmethod
    def of(cls, text: str) -> EncoderChoice:
        """Parse a name with its options, in the current form or an older one."""
        for beginning, (combine, chunks) in _ALIASES.items():
            if text.startswith(beginning):
                return cls(text.removeprefix(beginning), combine, chunks)
        name, chunks = text.removesuffix(_CHUNKS), text.endswith(_CHUNKS)
        for how in COMBINES:
            if name.endswith(f"+{how}"):
                return cls(name.removesuffix(f"+{how}"), how, chunks)
        return cls(name, None, chunks)

    def __str__(self) -> str:
        return self.name + (f"+{self.combine}" if self.combine else "") + _CHUNKS * self.chunks

    @property
    def transductive(self) -> bool:
        """Whether it, or its normalisation, is fitted on all rows, query examples included."""
        base, *scaled = self.name.split("+")
        return base in _FITTED_ON_ALL_ROWS or _CENTRED in scaled

    def scaled(self, normalisation: str) -> EncoderChoice:
        """The encoder of results rows with a given normalisation."""
        return replace(self, name=f"{self.name}+{normalisation}")

    def titled(self, title: str) -> str:
        """The title with options, given the encoder's title."""
        how = {"concatenated": ", concatenated", "weighted": ", support-weighted", None: ""}
        both = " with MiniLM" if self.combine else ""
        return title + how[self.combine] + both + ", in chunks" * self.chunks

    def variants(self) -> Iterator[EncoderChoice]:
        """The same encoder with every combination of options."""
        for combine in (None, *COMBINES):
            for chunks in (False, True):
                yield EncoderChoice(self.name, combine, chunks)
