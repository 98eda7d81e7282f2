"""Meta-trained encoders: folders of differences from MiniLM's weights, with a card."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from slp_core.encoders.checkpoint import sha256
from slp_core.encoders.minilm import (
    N_LAYERS,
    WEIGHTS_SHA256,
    MiniLMCheckpoint,
    checked_folder,
)
from slp_core.errors import EncoderError
from slp_core.resources import resource

if TYPE_CHECKING:
    from torch import Tensor

CHECKPOINTS_DIR = resource("checkpoints")
CARD_FILE, WEIGHTS_FILE = "card.json", "model.safetensors"
FORMAT = 1
"""Version of the card and the weights file."""
BESIDE = "leopard."
"""Prefix of tensors that are not part of MiniLM: LEOPARD's networks and rates."""

_NUMBER = (int, float)
# Not by pydantic, whose import is slow and whose messages are for programmers.
_NEEDED: dict[str, Any] = {
    "title": str,
    "description": str,
    "base_sha256": str,
    "weights_sha256": str,
    "layer": int,
    "validation": {"before": _NUMBER, "accuracy": _NUMBER, "how": str},
    "curve": [{"step": int, "validation": _NUMBER, "loss": (*_NUMBER, type(None))}],
    "settings": dict,
    "data": [{"rows": int}],
}
_IF_THERE: dict[str, Any] = {
    "average": [{"title": str, "validation": _NUMBER}],
    "seeds": [{"seed": _NUMBER, "validation": _NUMBER, "sample": _NUMBER}],
    "sample": {"shots": _NUMBER, "draws": _NUMBER, "before": _NUMBER, "accuracy": _NUMBER},
    "interpolation": {"share": _NUMBER},
}
_FLOATS = ("F16", "F32")


@dataclass(frozen=True)
class MetaCheckpoint(MiniLMCheckpoint):
    """MiniLM with the differences in a folder added to its weights."""

    folder: Path

    def card(self) -> dict[str, Any]:
        """The card, checked."""
        return read_card(self.folder)

    def digest(self) -> str:
        """SHA-256 of the official weights and, by the card, of the differences."""
        return f"{WEIGHTS_SHA256}+{self.card()['weights_sha256']}"

    def check(self) -> None:
        """Read and check all tensors without PyTorch."""
        for _ in self._tensors("numpy"):
            pass

    def changes(self) -> dict[str, Tensor]:
        """Tensors that replace the official ones, by name, in float32."""
        found = self._tensors("pt")
        return {name: base + new.float() for name, base, new in found if base is not None}

    def beside(self) -> dict[str, Tensor]:
        """Tensors that are not part of MiniLM, by name; none in most checkpoints."""
        found = self._tensors("pt")
        return {name.removeprefix(BESIDE): new.float() for name, base, new in found if base is None}

    def _weights(self) -> Path:
        """The weights file, after checking its digest against the card's."""
        path = self.folder / WEIGHTS_FILE
        expected = self.card()["weights_sha256"]
        if not path.is_file():
            raise EncoderError(f"{path} is missing: fetch the checkpoint again.")
        if sha256(path) != expected:
            raise EncoderError(
                f"{path} is not the weights file that its card describes (its SHA-256 differs): "
                "fetch the checkpoint again."
            )
        return path

    def _tensors(self, framework: str) -> Iterator[tuple[str, Any | None, Any]]:
        """Name, official tensor and its difference; a tensor outside MiniLM has no official one."""
        from safetensors import SafetensorError, safe_open

        path, base = self._weights(), checked_folder()
        try:
            with (
                safe_open(path, framework=framework) as tensors,
                safe_open(base / "model.safetensors", framework=framework) as official,
            ):
                for name in tensors.keys():  # noqa: SIM118 (not a mapping)
                    new = tensors.get_slice(name)
                    beside = name.startswith(BESIDE)
                    expected = None if beside else official.get_slice(name).get_shape()
                    if expected is not None and expected != new.get_shape():
                        raise EncoderError(
                            f"{path} does not fit MiniLM's weights: {name} has shape "
                            f"{tuple(new.get_shape())} instead of {tuple(expected)}."
                        )
                    own = tensors.get_tensor(name)
                    if new.get_dtype() not in _FLOATS or not np.isfinite(np.asarray(own)).all():
                        raise EncoderError(
                            f"{path} does not fit MiniLM's weights: {name} must contain finite "
                            "floating-point numbers."
                        )
                    old = None if beside else official.get_tensor(name)
                    yield name, old, own
        except (SafetensorError, RuntimeError) as error:
            raise EncoderError(f"{path} does not fit MiniLM's weights: {error}.") from error


def read_card(folder: Path) -> dict[str, Any]:
    """Read and check a checkpoint's card."""
    path = folder / CARD_FILE
    try:
        card = json.loads(path.read_text(encoding="utf-8"))
    except (FileNotFoundError, NotADirectoryError):
        raise EncoderError(
            f"{folder} contains no {CARD_FILE}: name a folder written by meta-train."
        ) from None
    except (OSError, ValueError, RecursionError) as error:
        raise EncoderError(f"{path} cannot be read as JSON: {error}.") from error
    if not isinstance(card, dict) or card.get("format") != FORMAT:
        raise EncoderError(
            f"{path} is not a checkpoint's card of format {FORMAT}: train it again with this "
            "version."
        )
    # Empty is as good as not there.
    there = {name: shape for name, shape in _IF_THERE.items() if card.get(name, {}) != {}}
    for name, shape in (_NEEDED | there).items():
        if why := _misfit(card.get(name), shape, name):
            raise EncoderError(f"{path}: field {why!r} is missing or of the wrong type.")
    sets = card["validation"].get("sets") or {}
    if why := _misfit(sets, dict.fromkeys(sets, _NUMBER), "validation.sets"):
        raise EncoderError(f"{path}: {why} is no accuracy.")
    steps = [point["step"] for point in card["curve"]]
    no_curve = card.get("average") and not steps  # averaged weights have no training steps
    if card.get("best_step") not in ([None] if no_curve else steps):
        raise EncoderError(f"{path}: best_step is not one of the curve's steps.")
    if card["base_sha256"] != WEIGHTS_SHA256:
        raise EncoderError(
            f"{path}: the checkpoint was not trained from the bundled MiniLM (base_sha256 differs)."
        )
    if not 1 <= card["layer"] <= N_LAYERS:
        raise EncoderError(f"{path}: layer {card['layer']} is not one of 1 to {N_LAYERS}.")
    return card


def _misfit(value: Any, shape: Any, name: str) -> str:
    """The first entry that does not match a shape of types, dictionaries and lists; or ""."""
    if isinstance(shape, dict):
        if not isinstance(value, dict):
            return name
        parts = ((value.get(key), each, f"{name}.{key}") for key, each in shape.items())
    elif isinstance(shape, list):
        if not isinstance(value, list):
            return name
        parts = ((each, shape[0], f"entry {n} of {name}") for n, each in enumerate(value, 1))
    else:
        return "" if isinstance(value, shape) else name
    return next(filter(None, (_misfit(*part) for part in parts)), "")


def find_checkpoints(folder: Path = CHECKPOINTS_DIR) -> tuple[Path, ...]:
    """The subfolders that have a card, sorted by name."""
    return tuple(sorted(path.parent for path in folder.glob(f"*/{CARD_FILE}")))
