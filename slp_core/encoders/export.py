"""Export of an encoder as a folder for sentence-transformers and transformers."""

from __future__ import annotations

import io
import json
import tempfile
import zipfile
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from slp_core.encoders.base import Encoder
from slp_core.encoders.checkpoint import given_path
from slp_core.encoders.hub import HubCheckpoint
from slp_core.encoders.minilm import (
    MAX_TOKENS,
    N_LAYERS,
    MiniLMCheckpoint,
    checked_folder,
    load_tokenizer,
)
from slp_core.encoders.readme import readme
from slp_core.encoders.transformer import TransformerEncoder
from slp_core.errors import EncoderError

if TYPE_CHECKING:
    from torch import Tensor

_OTHERS = "choose 'minilm-l4', 'minilm-l6' or a meta-trained encoder"
_POOLINGS = {"cls": "cls_token", "mean": "mean_tokens", "max": "max_tokens"}
# Where the official model was once found.
_NOT_COPIED = {"_name_or_path", "name_or_path"}


def export_encoder(
    encoder: Encoder, folder: str | Path, changes: Mapping[str, Tensor] | None = None
) -> Path:
    """Write an encoder as a folder for sentence-transformers and transformers.

    ``SentenceTransformer(folder)`` gives the embeddings of texts and pairs, ``AutoModel`` their
    hidden states, and ``load_encoder("hf:FOLDER")`` the encoder; layers above its own are left out.
    The folder must not exist, or be empty. ``changes`` are tensors by name that replace the
    encoder's own: ``TrainableLayers.changed()`` after tuning.
    """
    folder = given_path("folder", folder)
    if why := _refusal(encoder):
        raise EncoderError(why)
    assert isinstance(encoder, TransformerEncoder)
    assert isinstance(encoder.checkpoint, MiniLMCheckpoint)
    target = folder.resolve()
    if target.exists() and not target.is_dir():
        raise EncoderError(f"{folder} is a file: name a folder that is not there yet.")
    try:
        if target.is_dir():
            if any(target.iterdir()):
                raise EncoderError(f"{folder} is not empty: name another folder, or empty it.")
            target.rmdir()  # not every system renames over a folder
        target.parent.mkdir(parents=True, exist_ok=True)
        # Written to a temporary folder, then renamed.
        with tempfile.TemporaryDirectory(prefix=".export-", dir=target.parent) as scratch:
            written = Path(scratch) / "folder"
            written.mkdir()
            own = encoder.checkpoint.changes() if changes is None else changes
            _write(encoder, own, changes is not None, written)
            written.rename(target)
    except OSError as error:
        raise EncoderError(f"{folder} cannot be written: {error.strerror or error}.") from error
    return folder


def zipped_encoder(
    encoder: Encoder, name: str, changes: Mapping[str, Tensor] | None = None
) -> bytes:
    """The folder of `export_encoder`, called `name`, in a .zip file."""
    content = io.BytesIO()
    with tempfile.TemporaryDirectory() as scratch:
        folder = export_encoder(encoder, Path(scratch) / "folder", changes)
        # Weights hardly compress.
        with zipfile.ZipFile(content, "w", zipfile.ZIP_STORED) as archive:
            for path in sorted(folder.rglob("*")):
                archive.write(path, f"{name}/{path.relative_to(folder).as_posix()}")
    return content.getvalue()


def can_be_exported(encoder: Encoder) -> bool:
    return _refusal(encoder) is None


def _refusal(encoder: Encoder) -> str | None:
    name = encoder.info.name
    if not isinstance(encoder, TransformerEncoder) or encoder.chunks:
        return f"Encoder {name!r} has no language model of its own to export: {_OTHERS}."
    if isinstance(encoder.checkpoint, HubCheckpoint):
        return f"Encoder {name!r} is such a folder already: copy it, or {_OTHERS}."
    if encoder.precision != "float32":
        return f"Encoder {name!r} uses 8-bit integers, which other programs do not: {_OTHERS}."
    if encoder.normalisation == "centred_l2":
        return (
            "Normalisation 'centred_l2' depends on the encoded rows and cannot be exported: choose "
            "'l2' or 'none'."
        )
    return None


def _write(
    encoder: TransformerEncoder, changes: Mapping[str, Tensor], tuned: bool, folder: Path
) -> None:
    base = checked_folder()
    load_tokenizer(base)  # checks its digest
    layer = N_LAYERS if encoder.layer is None else encoder.layer
    limit = min(encoder.usage.max_tokens, MAX_TOKENS)
    _write_weights(base, layer, changes, folder)
    (folder / "1_Pooling").mkdir()
    changed: dict[str, dict[str, Any]] = {
        "config.json": {"num_hidden_layers": layer},
        # Padding and truncation are left to the reader.
        "tokenizer.json": {"padding": None, "truncation": None},
        "tokenizer_config.json": {"model_max_length": limit},
        "sentence_bert_config.json": {"max_seq_length": limit},
        "1_Pooling/config.json": {
            f"pooling_mode_{mode}": how == encoder.usage.pooling for how, mode in _POOLINGS.items()
        },
    }
    for name, values in changed.items():
        content = _read(base / name) | values
        _write_json(folder / name, {k: v for k, v in content.items() if k not in _NOT_COPIED})
    modules = _read(base / "modules.json")  # the third normalises
    _write_json(folder / "modules.json", modules[: 3 if encoder.normalisation == "l2" else 2])
    (folder / "README.md").write_text(readme(encoder, layer, limit, tuned), encoding="utf-8")


def _write_weights(base: Path, layer: int, changes: Mapping[str, Tensor], folder: Path) -> None:
    from safetensors import safe_open
    from safetensors.torch import save

    with safe_open(base / "model.safetensors", framework="pt") as weights:
        tensors = {
            name: changes[name].contiguous() if name in changes else weights.get_tensor(name)
            for name in weights.keys()  # noqa: SIM118 (not a mapping)
            if _is_read(name, layer)
        }
    # save_file would make the file readable for its owner only.
    (folder / "model.safetensors").write_bytes(save(tensors, metadata={"format": "pt"}))


def _is_read(name: str, layer: int) -> bool:
    """Whether a tensor belongs to a model of so many layers; its pooler avoids a warning."""
    if name.startswith("encoder.layer."):
        return int(name.split(".")[2]) < layer
    return name != "embeddings.position_ids"  # 0, 1, 2, …, not used by current models


def _read(path: Path) -> Any:
    return json.loads(path.read_text(encoding="utf-8"))


def _write_json(path: Path, content: Any) -> None:
    path.write_text(json.dumps(content, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
