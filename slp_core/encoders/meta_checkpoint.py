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
    check_weights,
    model_folder,
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

# The fields that are read; the others are for display. Not by pydantic, whose import is slow.
_NEEDED: dict[str, type | tuple[type, ...]] = {
    "title": str,
    "description": str,
    "base_sha256": str,
    "weights_sha256": str,
    "layer": int,
    "validation": dict,
    "curve": list,
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

        path, base = self._weights(), model_folder()
        check_weights(base)
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
    for field, kind in _NEEDED.items():
        if not isinstance(card.get(field), kind):
            raise EncoderError(f"{path}: field {field!r} is missing or of the wrong type.")
    if card["base_sha256"] != WEIGHTS_SHA256:
        raise EncoderError(
            f"{path}: the checkpoint was not trained from the bundled MiniLM (base_sha256 differs)."
        )
    if not 1 <= card["layer"] <= N_LAYERS:
        raise EncoderError(f"{path}: layer {card['layer']} is not one of 1 to {N_LAYERS}.")
    return card


def find_checkpoints(folder: Path = CHECKPOINTS_DIR) -> tuple[Path, ...]:
    """The subfolders that have a card, sorted by name."""
    return tuple(sorted(path.parent for path in folder.glob(f"*/{CARD_FILE}")))
