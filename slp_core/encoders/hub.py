"""BERT-like models from a folder or the Hugging Face hub."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from slp_core.encoders.checkpoint import (
    LoadedModel,
    Precision,
    given_path,
    sha256,
    validate_layer,
)
from slp_core.encoders.usage import NO_LIMIT, SETTINGS, Usage, read_usage
from slp_core.errors import EncoderError

if TYPE_CHECKING:
    from tokenizers import Tokenizer
    from torch import Tensor

_FILES = ("*.json", "*.txt", "*.model", "*.safetensors")
_VOCABULARIES = ("tokenizer.json", "tokenizer.*.json", "*vocab*", "*.model")
_READ = (
    *("config.json", "adapter_config.json", "*.safetensors", "*.safetensors.index.json"),
    *("tokenizer.json", "tokenizer.*.json", "tokenizer_config.json", "special_tokens_map.json"),
    *("added_tokens.json", "*vocab*.json", "*vocab*.txt", "merges.txt", "dict.txt", "*.model"),
    *("word_shape.json", "word_pronunciation.json", *SETTINGS),
)
"""The files that embeddings depend on."""
_BLANK = {"\u2581", "\u0120"}  # a single space in SentencePiece and byte-level tokenizers


@dataclass(frozen=True)
class HubCheckpoint:
    """A model of transformers or sentence-transformers, found when first needed."""

    name: str

    @property
    def width(self) -> None:
        """Unknown before its configuration is read."""

    def digest(self) -> str:
        """Digest of every file that the hidden states depend on."""
        folder = _folder(self.name)
        files = sorted({path for pattern in _READ for path in folder.glob(pattern)})
        contents = "\n".join(f"{path.name} {sha256(path)}" for path in files)
        return hashlib.sha256(contents.encode()).hexdigest()

    def usage(self) -> Usage:
        """Settings in its folder, if sentence-transformers wrote it."""
        return read_usage(_root(self.name))

    def load(self, layer: int | None, precision: Precision) -> LoadedModel:
        """Read tokenizer and weights with transformers."""
        if precision != "float32":
            raise EncoderError(
                f"Precision {precision!r} is for MiniLM only: leave it at 'float32'."
            )
        return _load(self.name, self.digest(), layer)


def _root(name: str) -> Path:
    folder = given_path("A model", name)
    return folder if folder.is_dir() else _downloaded(name)


def _folder(name: str) -> Path:
    """The folder of weights and tokenizer."""
    root = _root(name)
    folder = root / read_usage(root).model
    if not (folder / "config.json").is_file() or not any(folder.glob("*.safetensors")):
        raise EncoderError(
            f"Model {name!r} has no config.json with .safetensors weights: convert it with "
            "save_pretrained, or choose another."
        )
    if not _has_vocabulary(folder):
        raise EncoderError(
            f"Model {name!r} has no tokenizer.json, vocab.txt or other vocabulary: save its "
            "tokenizer there with save_pretrained, or choose another."
        )
    return folder


def _has_vocabulary(folder: Path) -> bool:
    """Whether a folder has a tokenizer; transformers would make an empty one otherwise."""
    return any(path.is_file() for pattern in _VOCABULARIES for path in folder.glob(pattern))


@lru_cache(maxsize=16)
def _downloaded(name: str) -> Path:
    from huggingface_hub import snapshot_download

    for only_this_disk in (True, False):
        try:
            folder = Path(
                snapshot_download(
                    name, allow_patterns=list(_FILES), local_files_only=only_this_disk
                )
            )
        except Exception as error:  # network, hub, name or disk
            reason = error
        else:
            whole = any(folder.glob("*.safetensors")) and _has_vocabulary(folder)
            if only_this_disk and not whole:
                continue  # another program downloaded only a part
            return folder
    raise EncoderError(
        f"Model {name!r} is neither a folder nor in the hub's cache, and could not be downloaded "
        f"({type(reason).__name__}): connect to the network, check the name, or give the folder "
        "of a copy."
    ) from reason


@lru_cache(maxsize=2)
def _load(name: str, _digest: str, layer: int | None) -> LoadedModel:
    """The last two models stay in memory until their files change."""
    import torch
    from tokenizers import Tokenizer
    from tokenizers.normalizers import Lowercase, Sequence
    from transformers import AutoConfig, AutoModel, AutoTokenizer
    from transformers.utils import logging

    folder = _folder(name)
    only_here: dict[str, Any] = {"local_files_only": True, "trust_remote_code": False}
    logging.disable_progress_bar()
    try:
        config = AutoConfig.from_pretrained(folder, **only_here)
        layer = validate_layer(layer, config.num_hidden_layers, name)
        config.num_hidden_layers = layer  # layers above are not read
        model, read = AutoModel.from_pretrained(
            folder,
            config=config,
            use_safetensors=True,
            dtype=torch.float32,
            output_loading_info=True,
            **only_here,
        )
        wrapped = AutoTokenizer.from_pretrained(folder, **only_here)
        tokenizer = Tokenizer.from_str(wrapped.backend_tokenizer.to_str())
    except EncoderError:
        raise
    except Exception as error:  # any error that damaged files cause
        raise EncoderError(
            f"Model {name!r} could not be read as a BERT-like encoder "
            f"({type(error).__name__}: {str(error).splitlines()[0] if str(error) else 'no reason'})"
            ": choose another."
        ) from error
    finally:
        logging.enable_progress_bar()
    missing = [key for key in read["missing_keys"] if "pooler" not in key]
    if missing:
        raise EncoderError(
            f"Model {name!r} lacks weights such as {missing[0]!r}: choose a complete one."
        )
    _check_vocabulary(name, tokenizer, len(model.get_input_embeddings().weight))
    tokenizer.no_padding()
    if read_usage(_root(name)).lower_case:
        first = (
            [Lowercase()] if tokenizer.normalizer is None else [Lowercase(), tokenizer.normalizer]
        )
        tokenizer.normalizer = Sequence(first)
    model.eval()
    has_segments = "token_type_ids" in wrapped.model_input_names

    def hidden_states(ids: Tensor, types: Tensor, mask: Tensor) -> Tensor:
        segments = {"token_type_ids": types} if has_segments else {}
        return model(input_ids=ids, attention_mask=mask.long(), **segments).last_hidden_state

    return LoadedModel(
        tokenizer, hidden_states, config.hidden_size, _longest(model, wrapped.model_max_length)
    )


def _check_vocabulary(name: str, tokenizer: Tokenizer, n_embeddings: int) -> None:
    """Raise if a tokenizer has no words or belongs to another model."""
    special = {token.content for token in tokenizer.get_added_tokens_decoder().values()}
    vocabulary = tokenizer.get_vocab(with_added_tokens=False)
    words = {word: i for word, i in vocabulary.items() if word not in special | _BLANK}
    if not words:
        raise EncoderError(
            f"The tokenizer of model {name!r} knows no word: save the model's own there with "
            "save_pretrained, or choose another."
        )
    last = max([*words.values(), *tokenizer.encode("").ids])
    if last >= n_embeddings:
        raise EncoderError(
            f"The tokenizer of model {name!r} has tokens up to {last}, but the model has only "
            f"{n_embeddings}: save the model's own there with save_pretrained, or choose another."
        )


def _longest(model: Any, tokenizer_limit: int) -> int:
    """The token limit of a model, by its tokenizer and its positions."""
    limit = min(tokenizer_limit, NO_LIMIT)
    positions = getattr(getattr(model, "embeddings", None), "position_embeddings", None)
    if positions is not None:
        # RoBERTa's positions start after the padding token's number.
        skipped = 0 if positions.padding_idx is None else positions.padding_idx + 1
        limit = min(limit, positions.num_embeddings - skipped)
    return limit
