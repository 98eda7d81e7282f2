"""Meta-trained encoders: a folder with what differs from MiniLM, and a card that describes it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from slp_core.encoders.checkpoint import LoadedModel, Precision, checked_layer, sha256
from slp_core.encoders.minilm import (
    N_LAYERS,
    WEIGHTS_SHA256,
    MiniLMCheckpoint,
    check_weights,
    load_minilm,
    model_folder,
)
from slp_core.errors import EncoderError
from slp_core.resources import resource

if TYPE_CHECKING:
    from torch import Tensor

CHECKPOINTS_DIR = resource("checkpoints")
CARD_FILE, WEIGHTS_FILE = "card.json", "model.safetensors"
FORMAT = 1
"""Of the card and the weights file; another one is refused."""
BESIDE = "leopard."
"""Begins the names of tensors that are no part of MiniLM: LEOPARD's networks and rates."""

# What is read of a card; the rest is for people. Checked by hand: cards are read for every list of
# encoders, and importing pydantic for it would take longer than all of the reading.
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


def _all_finite(array: Any) -> bool:
    """Of a tensor, or of a NumPy array."""
    return bool(
        np.isfinite(array).all() if isinstance(array, np.ndarray) else array.isfinite().all()
    )


@dataclass(frozen=True)
class MetaCheckpoint(MiniLMCheckpoint):
    """MiniLM with the differences in a folder added to its weights."""

    folder: Path

    def card(self) -> dict[str, Any]:
        """The card, checked."""
        return read_card(self.folder)

    def digest(self) -> str:
        """The weights' SHA-256 as the card has it: no other weights are ever loaded."""
        return f"{WEIGHTS_SHA256}+{self.card()['weights_sha256']}"

    def check(self) -> None:
        """Read the weights without PyTorch, and use none of them."""
        for _ in self._differences("numpy"):
            pass
        self._beside("numpy")

    def changes(self) -> dict[str, Tensor]:
        """Tensors that take the place of the official ones, by name, in float32."""
        return {name: old + new.float() for name, old, new in self._differences("pt")}

    def beside(self) -> dict[str, Tensor]:
        """Tensors that are no part of MiniLM, by name; none in most checkpoints."""
        return {name: tensor.float() for name, tensor in self._beside("pt").items()}

    def _beside(self, framework: str) -> dict[str, Any]:
        from safetensors import SafetensorError, safe_open

        path = self._weights()
        found = {}
        try:
            with safe_open(path, framework=framework) as tensors:
                for name in tensors.keys():  # noqa: SIM118 (not a mapping)
                    if not name.startswith(BESIDE):
                        continue
                    is_float = tensors.get_slice(name).get_dtype() in _FLOATS
                    if not is_float or not _all_finite(tensors.get_tensor(name)):
                        raise EncoderError(f"{path}: {name} has values that are no numbers.")
                    found[name.removeprefix(BESIDE)] = tensors.get_tensor(name)
        except SafetensorError as error:
            raise EncoderError(f"{path} does not fit MiniLM's weights: {error}.") from error
        return found

    def _weights(self) -> Path:
        """The weights file, which is the one that the card describes."""
        path = self.folder / WEIGHTS_FILE
        expected = self.card()["weights_sha256"]
        if not path.is_file():
            raise EncoderError(f"{path} is missing: fetch the checkpoint again.")
        if sha256(path) != expected:
            raise EncoderError(
                f"{path} is not the weights file that its card describes (its SHA-256 differs), "
                "so it is not used: fetch the checkpoint again."
            )
        return path

    def _differences(self, framework: str) -> Iterator[tuple[str, Any, Any]]:
        """Names of tensors, the official ones, and what is added to them."""
        from safetensors import SafetensorError, safe_open

        path = self._weights()
        base = model_folder()
        check_weights(base)
        try:
            with (
                safe_open(path, framework="numpy") as differences,
                safe_open(base / "model.safetensors", framework="numpy") as weights,
            ):
                keys = differences.keys()  # a safetensors file is not a mapping
                names = [name for name in keys if not name.startswith(BESIDE)]
                for name in names:
                    old, new = weights.get_slice(name), differences.get_slice(name)
                    if old.get_shape() != new.get_shape() or new.get_dtype() not in _FLOATS:
                        raise EncoderError(
                            f"{path} does not fit MiniLM's weights: {name} has shape "
                            f"{tuple(new.get_shape())} for {tuple(old.get_shape())}, or values "
                            "that are no numbers."
                        )
            with (
                safe_open(path, framework=framework) as differences,
                safe_open(base / "model.safetensors", framework=framework) as weights,
            ):
                for name in names:
                    new = differences.get_tensor(name)
                    if not _all_finite(new):
                        raise EncoderError(
                            f"{path} does not fit MiniLM's weights: {name} has values that are no "
                            "numbers."
                        )
                    yield name, weights.get_tensor(name), new
        except (SafetensorError, RuntimeError) as error:
            raise EncoderError(f"{path} does not fit MiniLM's weights: {error}.") from error

    def load(self, layer: int | None, precision: Precision) -> LoadedModel:
        """Read tokenizer and weights."""
        layer = checked_layer(layer, N_LAYERS, f"Checkpoint {self.folder.name!r}")
        return _load(self, self.digest(), layer, precision)


def read_card(folder: Path) -> dict[str, Any]:
    """Read and check a checkpoint's card; the weights are checked when they are read."""
    path = folder / CARD_FILE
    try:
        card = json.loads(path.read_text(encoding="utf-8"))
    except (FileNotFoundError, NotADirectoryError):
        raise EncoderError(
            f"{folder} holds no {CARD_FILE}: name a folder that meta-train has written."
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
            f"{path}: the checkpoint was trained from other weights than the bundled MiniLM's "
            "(base_sha256 differs), and its differences mean nothing on these."
        )
    if not 1 <= card["layer"] <= N_LAYERS:
        raise EncoderError(f"{path}: layer {card['layer']} is not one of 1 to {N_LAYERS}.")
    return card


def find_checkpoints(folder: Path = CHECKPOINTS_DIR) -> tuple[Path, ...]:
    """The folders in `folder` that have a card, sorted by name."""
    return tuple(sorted(path.parent for path in folder.glob(f"*/{CARD_FILE}")))


@lru_cache(maxsize=8)
def _load(
    checkpoint: MetaCheckpoint, _digest: str, layer: int, precision: Precision
) -> LoadedModel:
    return load_minilm(model_folder(), layer, precision, checkpoint.changes())
