"""Meta-trained encoders: folders of differences from MiniLM's weights, with a card."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from slp_core.allowed import COUNT_OR_ZERO, NOT_NEGATIVE, Number
from slp_core.data.limits import LIMITS
from slp_core.encoders.checkpoint import sha256
from slp_core.encoders.minilm import N_LAYERS, WEIGHTS_SHA256, MiniLMCheckpoint, checked_folder
from slp_core.entries import Text, read_entries
from slp_core.errors import EncoderError, SLPError
from slp_core.resources import resource

if TYPE_CHECKING:
    from torch import Tensor

CHECKPOINTS_DIR = resource("checkpoints")
CARD_FILE, WEIGHTS_FILE = "card.json", "model.safetensors"
FORMAT = 1
"""Version of the card and the weights file."""
BESIDE = "leopard."
"""Prefix of tensors that are not part of MiniLM: LEOPARD's networks and rates."""

_ENTRIES: dict[str, Any] = {  # of a card
    "format": FORMAT,
    "title": str,
    "description": str,
    "base_sha256": str,
    "weights_sha256": str,
    "layer": Number(1, N_LAYERS, whole=True),
    "validation": {
        "before": NOT_NEGATIVE,
        "accuracy": NOT_NEGATIVE,
        "how": str,
        "sets?": {Text(LIMITS.name_characters): NOT_NEGATIVE},
    },
    "curve": [{"step": COUNT_OR_ZERO, "validation": NOT_NEGATIVE, "loss?": NOT_NEGATIVE}],
    "settings": dict,
    "data": [{"rows": COUNT_OR_ZERO}],
    "average?": [{"title": str, "validation": NOT_NEGATIVE}],
    "seeds?": [dict.fromkeys(("seed", "validation", "sample"), NOT_NEGATIVE)],
    "sample?": dict.fromkeys(("shots", "draws", "before", "accuracy"), NOT_NEGATIVE),
    "interpolation?": {"share": NOT_NEGATIVE},
}
_FLOATS = ("F16", "F32")


@dataclass(frozen=True)
class MetaCheckpoint(MiniLMCheckpoint):
    """MiniLM with the differences in a folder added to its weights."""

    folder: Path

    def card(self) -> dict[str, Any]:
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
        if not path.is_file() or sha256(path) != self.card()["weights_sha256"]:
            raise EncoderError(
                f"{path} is missing or not the weights file that its card describes (by its "
                "SHA-256): fetch the checkpoint again."
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
                    beside, new = name.startswith(BESIDE), tensors.get_slice(name)
                    shape = (new if beside else official.get_slice(name)).get_shape()
                    fits = new.get_dtype() in _FLOATS and new.get_shape() == shape
                    own = tensors.get_tensor(name) if fits else np.nan
                    if not np.isfinite(np.asarray(own)).all():
                        raise EncoderError(
                            f"{path} does not fit MiniLM's weights: {name} must contain finite "
                            f"floating-point numbers of shape {tuple(shape)}."
                        )
                    yield name, None if beside else official.get_tensor(name), own
        except (SafetensorError, RuntimeError) as error:
            raise EncoderError(f"{path} does not fit MiniLM's weights: {error}.") from error


def read_card(folder: Path) -> dict[str, Any]:
    path = folder / CARD_FILE
    try:
        card: dict[str, Any] = read_entries(path.read_bytes(), _ENTRIES)
    except (FileNotFoundError, NotADirectoryError):
        raise EncoderError(
            f"{folder} contains no {CARD_FILE}: name a folder written by meta-train."
        ) from None
    except (OSError, SLPError) as error:
        raise EncoderError(f"{path}: {error}") from error
    steps = [point["step"] for point in card["curve"]]
    no_curve = card.get("average") and not steps  # averaged weights have no training steps
    if card.get("best_step") not in ([None] if no_curve else steps):
        raise EncoderError(f"{path}: best_step is not one of the curve's steps.")
    if card["base_sha256"] != WEIGHTS_SHA256:
        raise EncoderError(
            f"{path}: the checkpoint was not trained from the bundled MiniLM (base_sha256 differs)."
        )
    return card


def find_checkpoints(folder: Path = CHECKPOINTS_DIR) -> tuple[Path, ...]:
    """The subfolders that have a card, sorted by name."""
    return tuple(sorted(path.parent for path in folder.glob(f"*/{CARD_FILE}")))
