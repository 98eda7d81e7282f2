"""BERT-like models from a folder or the Hugging Face hub."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from slp_core.encoders.checkpoint import LoadedModel, Precision, given_path, sha256, validate_layer
from slp_core.encoders.usage import NO_LIMIT, SETTINGS, Usage, read_usage
from slp_core.errors import Cancelled, EncoderError
from slp_core.progress import CancelledCallback, Progress, ProgressCallback

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
    prefix: str = ""  # before every text, where the folder names none

    def digest(self) -> str:
        """Digest of every file that the hidden states depend on."""
        folder = _folder(self.name)
        files = sorted({path for pattern in _READ for path in folder.glob(pattern)})
        contents = "\n".join(f"{path.name} {sha256(path)}" for path in files)
        return hashlib.sha256(contents.encode()).hexdigest()

    def usage(self) -> Usage:
        """Settings in its folder, if sentence-transformers wrote it."""
        usage = read_usage(_root(self.name))
        return replace(usage, prefix=usage.prefix or self.prefix)

    def load(self, layer: int | None, precision: Precision, device: str = "cpu") -> LoadedModel:
        if precision != "float32":
            raise EncoderError(
                f"Precision {precision!r} is for MiniLM only: leave it at 'float32'."
            )
        return _load(self.name, self.digest(), layer, device)


def is_here(name: str) -> bool:
    """Whether a model is a folder, or whole in the hub's cache."""
    return given_path("A model", name).is_dir() or _cached(name) is not None


def download_megabytes(name: str) -> int:
    """Size of what a download would fetch, as the hub says."""
    files = _snapshot(name, dry_run=True, tqdm_class=_bar(lambda _: None))
    return max(1, round(sum(each.file_size for each in files if each.will_download) / 1e6))


def download(
    name: str,
    progress: ProgressCallback = lambda _: None,
    cancelled: CancelledCallback = lambda: False,
) -> None:
    """Fetch a model into the hub's cache; progress is in megabytes."""
    total = download_megabytes(name)

    def report(n_bytes: float) -> None:
        if cancelled():
            raise Cancelled
        progress(Progress(min(round(n_bytes / 1e6), total), total, None))

    report(0)
    _snapshot(name, tqdm_class=_bar(report))


def _bar(report: Callable[[float], None]) -> type:
    """A bar of the hub's that reports its bytes instead of drawing them."""
    from huggingface_hub.utils import tqdm

    class Bar(tqdm):
        def __init__(self, *args: Any, **options: Any) -> None:
            self.bytes = 0.0 if options.get("unit") == "B" else None
            super().__init__(*args, **options | {"disable": True})

        def update(self, n: float | None = 1) -> None:
            if self.bytes is not None:
                self.bytes += n or 0
                report(self.bytes)

    return Bar


def _root(name: str) -> Path:
    folder = given_path("A model", name)
    if folder.is_dir():
        return folder
    return _cached(name) or Path(_snapshot(name))


_found: dict[str, Path] = {}


def _cached(name: str) -> Path | None:
    """The whole model in the hub's cache; another program may have downloaded only a part."""
    if name not in _found:
        with suppress(EncoderError):
            folder = Path(_snapshot(name, local_files_only=True))
            vocabularies = [path for each in _VOCABULARIES for path in folder.glob(each)]
            if any(folder.rglob("*.safetensors")) and vocabularies:
                _found[name] = folder
    return _found.get(name)


def _snapshot(name: str, **options: Any) -> Any:
    """The hub's response; every failure is reported in one sentence."""
    from huggingface_hub import snapshot_download
    from huggingface_hub.errors import HfHubHTTPError, HFValidationError

    try:
        return snapshot_download(name, allow_patterns=list(_FILES), **options)
    except Cancelled:
        raise
    except Exception as error:  # network, hub, name or disk
        if isinstance(error.__cause__ or error, HfHubHTTPError | HFValidationError):
            raise EncoderError(
                f"The Hugging Face hub has no open model {name!r}: check the name, or give the "
                "folder of a copy."
            ) from error
        raise EncoderError(
            f"Model {name!r} is not on this computer, and could not be fetched from the Hugging "
            f"Face hub ({type(error.__cause__ or error).__name__}): connect to the network, or "
            "give the folder of a copy."
        ) from error


def _folder(name: str) -> Path:
    root = _root(name)
    folder = root / read_usage(root).model
    if not (folder / "config.json").is_file() or not any(folder.glob("*.safetensors")):
        raise EncoderError(
            f"Model {name!r} has no config.json with .safetensors weights: convert it with "
            "save_pretrained, or choose another."
        )
    return folder


@lru_cache(maxsize=2)
def _load(name: str, _digest: str, layer: int | None, device: str) -> LoadedModel:
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
    model.to(device).eval()
    has_segments = "token_type_ids" in wrapped.model_input_names

    def hidden_states(ids: Tensor, types: Tensor, mask: Tensor) -> Tensor:
        segments = {"token_type_ids": types} if has_segments else {}
        return model(input_ids=ids, attention_mask=mask.long(), **segments).last_hidden_state

    longest = _longest(model, wrapped.model_max_length)
    return LoadedModel(tokenizer, hidden_states, config.hidden_size, longest, device)


def _check_vocabulary(name: str, tokenizer: Tokenizer, n_embeddings: int) -> None:
    """Raise if a tokenizer has no words or belongs to another model."""
    special = {token.content for token in tokenizer.get_added_tokens_decoder().values()}
    vocabulary = tokenizer.get_vocab(with_added_tokens=False)
    words = {word: i for word, i in vocabulary.items() if word not in special | _BLANK}
    last = max([*words.values(), *tokenizer.encode("").ids], default=0)
    if not words or last >= n_embeddings:
        faults = f"has tokens up to {last}, but the model has only {n_embeddings}"
        raise EncoderError(
            f"The tokenizer of model {name!r} {faults if words else 'knows no word'}: save the "
            "model's own there with save_pretrained, or choose another."
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
