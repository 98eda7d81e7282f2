"""The encoders by name; to add one, write its class in its own file and an entry here."""

from __future__ import annotations

import contextlib
import difflib
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache, partial
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from slp_core.allowed import CountOrZero, check_options
from slp_core.data.examples import Examples, Kind
from slp_core.encoders.base import Encoder, EncoderInfo, Normalisation
from slp_core.encoders.cache import BUNDLED_DIR, VectorCache, default_cache_dir
from slp_core.encoders.checkpoint import Device, Precision, TokenLimit, given_path
from slp_core.encoders.choice import Combine, EncoderChoice
from slp_core.encoders.chunks import SHORT
from slp_core.encoders.combine import CombinedEncoder
from slp_core.encoders.hub import HubCheckpoint
from slp_core.encoders.meta_checkpoint import (
    CARD_FILE,
    CHECKPOINTS_DIR,
    MetaCheckpoint,
    find_checkpoints,
)
from slp_core.encoders.minilm import MiniLMCheckpoint
from slp_core.encoders.simple import NumericEncoder, TfidfEncoder
from slp_core.encoders.tokens import Pooling
from slp_core.encoders.transformer import TransformerEncoder
from slp_core.errors import EncoderError
from slp_core.own_parts import check_part, described, failed, installed_parts
from slp_core.progress import Progress, ProgressCallback

HUB_PREFIX, META_PREFIX = "hf:", "meta:"
BASE = "minilm-l4"
"""The encoder that meta-trained ones are combined with."""

RECOMMENDED = EncoderChoice("protonet-mean-minilm-l6", "weighted", chunks=True)

_TEXT_KINDS: tuple[Kind, ...] = ("text", "pair", "span")
_LISTED = {
    "protonet-mean-minilm-l6": "Recommended, support-weighted and in chunks: the highest "
    "accuracy of all on the paper's tasks.",
    "metaslp-mean3-minilm-l4": "Averaged weights of two MetaSLP encoders and a ProtoNet.",
    "metaslp-reptile-minilm-l4": "One training run of the paper's MetaSLP-Reptile.",
    "metaslp-fomaml-minilm-l4": "One training run of the paper's MetaSLP-FOMAML.",
    "leopard-minilm-l4": "The encoder of the baseline method LEOPARD.",
}
"""The listed meta-trained encoders; others in ``checkpoints`` load by name."""
_HUB = {
    "intfloat/multilingual-e5-small": (
        "Multilingual E5, small",
        "Reads about 100 languages: mean over the tokens of “query: ” and the text (384 numbers).",
        "query: ",
    ),
    "BAAI/bge-small-en-v1.5": (
        "BGE, small",
        "Reads English, trained to compare texts: the first token's last state (384 numbers).",
        "",
    ),
}
"""Title, description and prefix of models on the hub."""


@dataclass(frozen=True)
class _Entry:
    """An encoder's info, and how it is made: ``make(info=..., normalisation=..., **options)``."""

    info: EncoderInfo
    normalisation: Normalisation | None
    make: Callable[..., Encoder]
    listed: bool = True


def _transformer(
    name: str,
    title: str,
    description: str,
    checkpoint: MiniLMCheckpoint | HubCheckpoint,
    layer: int | None,
    precision: Precision = "float32",
    normalisation: Normalisation | None = "l2",
    listed: bool = True,
) -> _Entry:
    options = ("combine", "chunks") if isinstance(checkpoint, MetaCheckpoint) else ("chunks",)
    return _Entry(
        EncoderInfo(name, title, description, _TEXT_KINDS, options),
        # Chosen on LEOPARD's evaluation sets, so results there are not independent evidence.
        normalisation,
        partial(TransformerEncoder, checkpoint, layer=layer, precision=precision),
        listed,
    )


def _by_name(*entries: _Entry) -> dict[str, _Entry]:
    return {entry.info.name: entry for entry in entries}


_ENTRIES = _by_name(
    _transformer(
        BASE,
        "MiniLM, layer 4",
        "Mean over the tokens of hidden layer 4 of 6 of all-MiniLM-L6-v2 (384 numbers). On the "
        "validation sets (Amazon reviews), nearest centroid is 3.2 points better on it than on "
        "the last layer, in less time. The layer was chosen on LEOPARD's tasks.",
        MiniLMCheckpoint(),
        layer=4,
    ),
    _transformer(
        "minilm-l6",
        "MiniLM, last layer",
        "Mean over the tokens of the last layer of all-MiniLM-L6-v2 (384 numbers), which was "
        "trained to compare topics.",
        MiniLMCheckpoint(),
        layer=6,
    ),
    _Entry(
        EncoderInfo(
            "tfidf-char",
            "TF-IDF of words and characters",
            "Weighted counts of words, word pairs and up to 4 characters, reduced to at most "
            "128 numbers: for any language and script. Fitted on the texts that it encodes.",
            _TEXT_KINDS,
        ),
        "l2",
        partial(TfidfEncoder, characters=True),
    ),
    _Entry(
        EncoderInfo(
            "numeric",
            "Standardised on support set",
            "Each column minus its mean, divided by its standard deviation, both of the "
            "support set; constant columns become 0.",
            ("numeric",),
        ),
        "none",
        partial(NumericEncoder, standardise=True, by_draw=True),
    ),
    _Entry(
        EncoderInfo(
            "numeric-table",
            "Standardised on whole table",
            "Each column minus its mean, divided by its standard deviation, both of all rows, "
            "query examples included.",
            ("numeric",),
        ),
        "none",
        partial(NumericEncoder, standardise=True),
    ),
    _Entry(
        EncoderInfo("raw", "Raw numbers", "The columns as they are.", ("numeric",)),
        "none",
        partial(NumericEncoder, standardise=False),
    ),
    _transformer(
        "minilm-l4-int8",
        "MiniLM, layer 4, 8-bit",
        "Layer 4 as above in 8-bit integers: faster, for many texts. The cost in accuracy on "
        "LEOPARD's tasks is in research/performance.md.",
        MiniLMCheckpoint(),
        layer=4,
        precision="int8",
        listed=False,
    ),
    _Entry(
        EncoderInfo(
            "tfidf-svd",
            "TF-IDF and SVD",
            "Weighted counts of words and word pairs, reduced to at most 128 numbers. Fitted "
            "on the texts that it encodes.",
            _TEXT_KINDS,
        ),
        "l2",
        TfidfEncoder,
        listed=False,
    ),
)


def list_encoders(checkpoints: Sequence[Path] = ()) -> tuple[EncoderInfo, ...]:
    """The encoders that need no download, the default one first.

    Any other BERT-like model loads as ``hf:<folder or hub id>``, and a folder written by
    ``meta-train`` as ``meta:<folder>``.

    Parameters
    ----------
    checkpoints
        Folders written by ``meta-train`` to list last.

    Raises
    ------
    EncoderError
        A folder or its card is missing or damaged.

    Examples
    --------
    >>> import slp_core as slp
    >>> "minilm-l4" in [info.name for info in slp.list_encoders()]
    True
    """
    if isinstance(checkpoints, str) or not isinstance(checkpoints, Iterable):
        raise EncoderError(f"checkpoints must be a list of folders, not {checkpoints!r}.")
    folders = [given_path("A checkpoint", folder) for folder in checkpoints]
    further = [_meta_trained(f"{META_PREFIX}{folder}", folder).info for folder in folders]
    listed = [entry.info for entry in _entries().values() if entry.listed]
    return (*sorted(listed, key=lambda info: "numeric" in info.kinds), *further)


def hub_encoders() -> tuple[EncoderInfo, ...]:
    """Models of the Hugging Face hub that are known to fit; each is downloaded when first used."""
    return tuple(_hub(f"{HUB_PREFIX}{model}").info for model in _HUB)


def unlisted_encoders() -> tuple[EncoderInfo, ...]:
    """Bundled encoders that load by name but are not listed."""
    return tuple(entry.info for entry in _entries().values() if not entry.listed)


def _entries() -> dict[str, _Entry]:
    installed_parts("encoder", add_encoder)  # not on import: the package may import this one
    return _ENTRIES | _bundled_checkpoints(CHECKPOINTS_DIR)


@lru_cache(maxsize=2)
def _bundled_checkpoints(folder: Path) -> dict[str, _Entry]:
    """The meta-trained encoders in a folder, listed ones first, without those of damaged cards."""
    found: dict[str, _Entry] = {}
    paths = {path.name: path for path in find_checkpoints(folder)}
    for name in sorted(paths, key=lambda name: [*_LISTED, name].index(name)):
        with contextlib.suppress(EncoderError):
            found[name] = _meta_trained(name, paths[name])
    return found


def _meta_trained(name: str, folder: Path) -> _Entry:
    checkpoint = MetaCheckpoint(folder)
    card = checkpoint.card()
    description = f"{_LISTED.get(name, '')} {card['description']}".lstrip()
    listed = name in _LISTED
    return _transformer(name, card["title"], description, checkpoint, card["layer"], listed=listed)


def load_encoder(
    name: str,
    *,
    combine: Combine | None = None,
    chunks: bool = False,
    pooling: Pooling | None = None,
    layer: CountOrZero | None = None,
    normalisation: Normalisation | None = None,
    max_tokens: TokenLimit | None = None,
    precision: Precision | None = None,
    prefix: str | None = None,
    device: Device = "cpu",
    cache: bool = True,
    cache_dir: str | Path | None = None,
) -> Encoder:
    """Prepare an encoder; its weights are read when first needed.

    Parameters
    ----------
    name
        One of `list_encoders`; ``hf:`` and a folder or the name of a model on the Hugging Face hub,
        such as ``hf:intfloat/multilingual-e5-small`` (downloaded once; safetensors weights only,
        no remote code); or ``meta:`` and a folder written by
        ``meta-train``. Names of older versions load as well, and so does a loaded encoder's
        ``info.name``, which ends with its options: ``protonet-mean-minilm-l6+weighted+chunks``.
    combine
        Concatenate the unit embeddings of a meta-trained encoder with those of ``minilm-l4`` (768
        numbers): ``"concatenated"`` with equal weights; ``"weighted"`` by how well each separates
        the classes of the support set (`Encoder.encode_for_draws`). Default: neither.
    chunks
        Whether a text of more than 280 characters is encoded as the mean of its chunks of one or
        more sentences, so that nothing is truncated.
    pooling
        ``"mean"`` over the tokens (special tokens included), ``"cls"`` or ``"max"``. Default: the
        mean, or the settings of a sentence-transformers model; likewise normalisation and token
        limit. A mention is always the mean of its own tokens.
    layer
        Hidden layer, 0 for the embeddings. Default: that of the encoder's name, and the last one of
        a hub model.
    normalisation
        ``"none"``, ``"l2"`` or ``"centred_l2"`` (subtract the mean of the encoded rows, then L2).
        Default: ``"l2"`` for texts, ``"none"`` for numbers and for a sentence-transformers model
        without ``Normalize``.
    max_tokens
        Token limit, special tokens included, at least 8 (default 256), or the model's own if lower.
    precision
        ``"float32"``, or ``"int8"`` for MiniLM: faster, with a cosine similarity to float32 of
        about 0.998. Default: that of the encoder's name.
    prefix
        Put before every text, mentions included and in both texts of a pair. Default: ``"query: "``
        for ``hf:intfloat/multilingual-e5-small``, the default prompt of a sentence-transformers
        model, and nothing for others.
    device
        Where a transformer computes: ``"cpu"``, ``"cuda"``, ``"mps"``, or ``"auto"``, which is
        ``"cuda"`` where there is one. The last digits differ between devices; ``"int8"`` is always
        computed on the CPU.
    cache
        Whether to use bundled embeddings and the disk cache.
    cache_dir
        The cache's folder. Default: ``$SLP_CACHE_DIR``, or the platform's cache folder.

    Raises
    ------
    EncoderError
        Unknown encoder or option.

    Examples
    --------
    >>> import slp_core as slp
    >>> dataset = slp.load_dataset("airline")
    >>> slp.load_encoder("minilm-l4").encode(dataset).shape
    (309, 384)
    """
    if not isinstance(name, str):
        raise EncoderError(f"An encoder's name is a text such as 'minilm-l4', not {name!r}.")
    folder = None if cache_dir is None else given_path("cache_dir", cache_dir)
    choice = EncoderChoice.of(name)
    choice = replace(choice, combine=combine or choice.combine, chunks=chunks or choice.chunks)
    given = {
        "pooling": pooling,
        "layer": layer,
        "max_tokens": max_tokens,
        "precision": precision,
        "prefix": prefix,
    }
    others = {"combine": combine, "normalisation": normalisation, "device": device}
    check_options({**given, **others}, load_encoder, error=EncoderError)
    options = {option: value for option, value in given.items() if value is not None}
    entry = _entry(choice.name)
    requested = {"combine": choice.combine, "chunks": choice.chunks, **options}
    allowed = entry.info.options + (tuple(given) if entry.info.options else ())
    if refused := [name for name, value in requested.items() if value and name not in allowed]:
        raise EncoderError(
            f"Encoder {choice.name!r} has no option {' or '.join(refused)}: leave it out."
        )

    def made(entry: _Entry, info: EncoderInfo) -> Encoder:
        """The encoder without `combine`, with its bundled embeddings."""
        own: dict[str, Any] = dict(options)
        if entry.info.options:
            own |= {"device": device, "chunks": choice.chunks}
            if cache:
                bundled = BUNDLED_DIR / entry.info.name
                own["cache"] = VectorCache(folder or default_cache_dir(), bundled=bundled)
        usual = "l2" if choice.chunks else entry.normalisation
        return entry.make(info=info, normalisation=normalisation or usual, **own)

    info = _info(choice, entry)
    if choice.combine is None:
        return made(entry, info)
    base, meta = (made(each, each.info) for each in (_ENTRIES[BASE], entry))
    usual = normalisation or "l2"
    return CombinedEncoder(base, meta, choice.combine, info=info, normalisation=usual)


def _info(choice: EncoderChoice, entry: _Entry) -> EncoderInfo:
    """An encoder's info with its options."""
    if not (choice.combine or choice.chunks):
        return entry.info
    title, parts = entry.info.title, []
    if choice.combine:
        parts.append(
            f"Unit embeddings of {_ENTRIES[BASE].info.title} and of {title}, concatenated (768 "
            "numbers)."
        )
    if choice.combine == "weighted":
        parts.append(
            "Weighted by the support set: the encoder that separates its classes better has the "
            "larger share."
        )
    if choice.chunks:
        parts.append(
            f"{'' if parts else f'As {title}. '}A text of more than {SHORT} characters is the mean "
            "of its chunks' unit embeddings, so nothing is truncated."
        )
    return replace(
        entry.info, name=str(choice), title=choice.titled(title), description=" ".join(parts)
    )


def _entry(name: str) -> _Entry:
    if name.startswith(HUB_PREFIX):
        model = name.removeprefix(HUB_PREFIX)
        if not model:
            raise EncoderError(
                "Name a folder or a hub id after 'hf:', as in 'hf:bert-base-uncased'."
            )
        return _hub(name)
    if name.startswith(META_PREFIX):
        return _meta_trained(name, given_path("A checkpoint", name.removeprefix(META_PREFIX)))
    if name in (entries := _entries()):
        return entries[name]
    if (CHECKPOINTS_DIR / name / CARD_FILE).is_file():
        return _meta_trained(name, CHECKPOINTS_DIR / name)  # raises the error of its card
    near = difflib.get_close_matches(name, entries, n=1)
    guess = f" (did you mean {near[0]!r}?)" if near else ""
    raise EncoderError(
        f"There is no encoder {name!r}{guess}: choose one of "
        f"{', '.join(info.name for info in list_encoders())}, 'hf:' followed by a folder or a hub "
        "id, or 'meta:' followed by a folder that meta-train has written, as in the repository's "
        "'checkpoints'."
    )


def _hub(name: str) -> _Entry:
    model = name.removeprefix(HUB_PREFIX)
    description = (
        f"Hidden states of {model}, by default of the last layer, pooled by its "
        "sentence-transformers settings or else by the mean over the tokens."
    )
    title, description, prefix = _HUB.get(model, (model, description, ""))
    checkpoint = HubCheckpoint(model, prefix)
    return _transformer(name, title, description, checkpoint, layer=None, normalisation=None)


def trainable_part(encoder: Encoder) -> TransformerEncoder | None:
    """The part of an encoder with trainable layers: MiniLM in float32, not max-pooled."""
    if (
        isinstance(encoder, TransformerEncoder)
        and isinstance(encoder.checkpoint, MiniLMCheckpoint)
        and encoder.precision == "float32"
        and encoder.usage.pooling != "max"
    ):
        return encoder
    return None


def meta_trained_by(encoder: Encoder) -> str:
    """The method that an encoder was meta-trained with, by its card; or ""."""
    part = trainable_part(encoder)
    checkpoint = None if part is None else part.checkpoint
    if not isinstance(checkpoint, MetaCheckpoint):
        return ""
    return str(checkpoint.card().get("method", ""))


class OwnEncoder(Encoder):
    """A function of another package: n texts to (n, d) numbers."""

    def __init__(
        self,
        info: EncoderInfo,
        normalisation: Normalisation | None,
        *,
        function: Callable[[list[str]], Any],
        package: str,
    ) -> None:
        super().__init__(info, normalisation)
        self._function, self._package = function, package

    def _read(self, examples: Examples, report: ProgressCallback) -> NDArray[np.float32]:
        n = len(examples)
        try:
            found = np.asarray(self._function(list(examples.texts or ())), dtype=np.float32)
            if found.ndim != 2 or len(found) != n or not np.isfinite(found).all():
                raise EncoderError(f"it gave {found.shape} for {n:,} texts, not finite (n, d)")
        except Exception as error:
            told = failed("encoder", self.info.name, self._package, error)
            raise EncoderError(told) from error
        report(Progress(n, n, 0.0))
        return found


def add_encoder(name: str, function: object, package: str, title: str = "") -> None:
    """Add a function on texts that another package or a program has."""
    check_part("encoder", name, function, _entries())
    assert callable(function)
    own, description = described(function, name)
    info = EncoderInfo(name, title or own, description, ("text",))
    _ENTRIES[name] = _Entry(info, "l2", partial(OwnEncoder, function=function, package=package))
