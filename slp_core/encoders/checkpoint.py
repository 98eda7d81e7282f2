"""A loaded model, and checks of options."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal, TypeAlias

from slp_core.allowed import Number, check
from slp_core.errors import EncoderError

if TYPE_CHECKING:
    from tokenizers import Tokenizer
    from torch import Tensor

Precision = Literal["float32", "int8"]
Device = Literal["auto", "cpu", "cuda", "mps"]
TOKENS = Number(8, whole=True)  # two of a row's tokens are special
TokenLimit: TypeAlias = Annotated[int, TOKENS]


@dataclass(frozen=True)
class LoadedModel:
    """A model in memory."""

    tokenizer: Tokenizer  # without padding; shared, so set truncation under a lock
    hidden_states: Callable[[Tensor, Tensor, Tensor], Tensor]  # of ids, segments and mask (B, T)
    hidden_size: int
    max_tokens: int
    device: str = "cpu"


def chosen_device(device: str) -> str:
    """The device of a name; ``"auto"`` is ``"cuda"`` if available."""
    import torch

    if device == "auto":
        return "cuda" if torch.cuda.is_available() else "cpu"
    there = {
        "cpu": True,
        "cuda": torch.cuda.is_available(),
        "mps": torch.backends.mps.is_available(),
    }
    if not there.get(device, False):
        usable = ", ".join(name for name, is_there in there.items() if is_there)
        raise EncoderError(f"Device {device!r} is not available here: choose {usable}.")
    return device


def validate_layer(layer: int | None, n_layers: int, model: str) -> int:
    """Validate a layer; None means the last."""
    if layer is None:
        return n_layers
    check(f"layer of {model}", layer, [Number(0, n_layers, whole=True)], EncoderError)
    return layer


def given_path(option: str, value: str | PathLike[str]) -> Path:
    """Validate a path; ``~`` is expanded."""
    try:
        path = Path(value).expanduser()
        if value == "" or "\0" in str(path):  # "" would be the current folder
            raise TypeError
    except TypeError:
        raise EncoderError(f"{option} must be a path such as 'a/folder', not {value!r}.") from None
    except RuntimeError:  # unknown user
        raise EncoderError(f"{value} names no folder here: give its full path.") from None
    return path


def sha256(path: Path) -> str:
    """Digest of a file, cached until the file changes."""
    state = path.stat()
    return _sha256(path, state.st_size, state.st_mtime_ns)


@lru_cache(maxsize=64)
def _sha256(path: Path, _size: int, _mtime_ns: int) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
