"""What `TransformerEncoder` asks of the place that a model comes from."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from operator import index
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Literal, Protocol

from slp_core.errors import EncoderError

if TYPE_CHECKING:
    from tokenizers import Tokenizer
    from torch import Tensor

    from slp_core.encoders.usage import Usage

Precision = Literal["float32", "int8"]
LEAST_TOKENS = 8  # a limit below is a slip: two of a row's tokens are no part of its text


@dataclass(frozen=True)
class LoadedModel:
    """A model that is ready to run."""

    tokenizer: Tokenizer  # does not pad; shared, so whoever sets its truncation holds a lock
    hidden_states: Callable[[Tensor, Tensor, Tensor], Tensor]  # of ids, segments and mask (B, T)
    hidden_size: int
    max_tokens: int


class Checkpoint(Protocol):
    """A model's weights and tokenizer, wherever they are kept. Only `load` may import PyTorch."""

    @property
    def width(self) -> int | None:
        """How long its vectors are; None where that is not known before it is loaded."""

    def digest(self) -> str:
        """Name the contents: equal for two checkpoints only if they give the same vectors."""

    def usage(self) -> Usage:
        """How its hidden states become vectors where nobody says otherwise."""

    def load(self, layer: int | None, precision: Precision) -> LoadedModel:
        """Read the model up to `layer`; None means all of it. EncoderError if it cannot be had."""


def checked_layer(layer: int | None, n_layers: int, model: str) -> int:
    """Default to the last layer, and refuse one that the model does not have."""
    if layer is None:
        return n_layers
    if not 0 <= layer <= n_layers:
        raise EncoderError(
            f"{model} has no layer {layer}: choose 0 (the embeddings) to {n_layers} (the last)."
        )
    return layer


def checked_max_tokens(max_tokens: int) -> int:
    """Refuse what is no token limit."""
    limit = whole_number("max_tokens", max_tokens)
    if limit < LEAST_TOKENS:
        raise EncoderError(f"max_tokens must be at least {LEAST_TOKENS}, not {limit}.")
    return limit


def whole_number(option: str, value: int) -> int:
    """An option that counts something, as an int whatever library it is from."""
    try:
        return index(value)
    except TypeError:
        raise EncoderError(f"{option} must be a whole number, not {value!r}.") from None


def given_path(option: str, value: str | PathLike[str]) -> Path:
    """A file or folder that somebody names, ``~`` at its beginning being their own or a user's."""
    try:
        path = Path(value).expanduser()
        if value == "" or "\0" in str(path):  # no text at all would be the folder one is in
            raise TypeError
    except TypeError:
        raise EncoderError(f"{option} must be a path such as 'a/folder', not {value!r}.") from None
    except RuntimeError:  # of a user who is not known
        raise EncoderError(f"{value} names no folder here: give its whole path.") from None
    return path


def sha256(path: Path) -> str:
    """Digest of a file, computed once in a process for as long as the file does not change."""
    state = path.stat()
    return _sha256(path, state.st_size, state.st_mtime_ns)


@lru_cache(maxsize=64)
def _sha256(path: Path, _size: int, _mtime_ns: int) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
