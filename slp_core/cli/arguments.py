"""Arguments that several commands share."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TypeAlias

Commands: TypeAlias = "argparse._SubParsersAction[argparse.ArgumentParser]"

DATA_HELP = (
    "a LEOPARD task folder, a folder of task folders, a dataset file (CSV, JSONL, ...), "
    "or the name of a bundled dataset (see `datasets`)"
)


def count(text: str) -> int:
    """Read a whole number of at least 1, as argparse's ``type``."""
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"'{text}' is not a whole number of at least 1")
    return int(text)


def given_path(text: str) -> Path:
    """Read a path, as argparse's ``type``; an empty text would be the current folder."""
    if not text:
        raise argparse.ArgumentTypeError("no path is given: name one")
    return Path(text)


class Words(argparse.Action):
    """Names separated by commas, spaces or both; a name given twice counts once."""

    def __call__(
        self,
        parser: argparse.ArgumentParser,
        namespace: argparse.Namespace,
        values: str | Sequence[str] | None,
        option_string: str | None = None,
    ) -> None:
        before = getattr(namespace, self.dest) or ()  # an option given twice adds to itself
        words = (word.strip() for value in values or () for word in value.split(","))
        names = list(dict.fromkeys([*before, *filter(None, words)]))
        if not names:
            raise argparse.ArgumentError(self, "no name is given: name at least one")
        setattr(namespace, self.dest, names)


def add_normalisation(parser: argparse.ArgumentParser) -> None:
    """Normalisation of an encoder's vectors, if not the encoder's default."""
    from slp_core.encoders.base import NORMALISATIONS

    parser.add_argument(
        "--normalisation", choices=NORMALISATIONS, help="default: the encoder's own"
    )


def add_encoder_options(parser: argparse.ArgumentParser) -> None:
    """How the encoders that are named are used."""
    from slp_core.encoders.choice import COMBINES

    parser.add_argument(
        "--combine",
        choices=COMBINES,
        help="combine a meta-trained encoder's vectors with minilm-l4's, concatenated or weighted "
        "by the support set (default: by itself)",
    )
    parser.add_argument(
        "--chunks", action="store_true", help="read long texts in chunks, and so to their ends"
    )
    add_normalisation(parser)


def with_options(name: str, options: argparse.Namespace) -> str:
    """An encoder's name with the command's options appended."""
    from slp_core.encoders.choice import EncoderChoice

    choice = EncoderChoice.of(name)
    chosen = replace(
        choice, combine=options.combine or choice.combine, chunks=options.chunks or choice.chunks
    )
    return name if chosen == choice else str(chosen)
