"""The encoders by name. A new one is a class in a file of its own, and an entry in `_ENTRIES`."""

from __future__ import annotations

import contextlib
import difflib
from collections.abc import Iterable, Sequence
from functools import lru_cache, partial
from pathlib import Path
from typing import Any, get_args

from slp_core.encoders.base import NORMALISATIONS, Encoder, EncoderInfo, Normalisation
from slp_core.encoders.cache import BUNDLED_DIR, VectorCache, default_cache_dir
from slp_core.encoders.checkpoint import (
    Checkpoint,
    Precision,
    checked_max_tokens,
    given_path,
    whole_number,
)
from slp_core.encoders.entries import (
    BESIDE,
    PASSAGES,
    TEXT_KINDS,
    WEIGHTED,
    Entry,
    beside,
    by_passage,
    weighted,
)
from slp_core.encoders.hub import HubCheckpoint
from slp_core.encoders.meta_checkpoint import (
    CARD_FILE,
    CHECKPOINTS_DIR,
    MetaCheckpoint,
    find_checkpoints,
    read_card,
)
from slp_core.encoders.minilm import MiniLMCheckpoint
from slp_core.encoders.passages import PassageEncoder
from slp_core.encoders.simple import NumericEncoder, TfidfEncoder
from slp_core.encoders.tokens import Pooling
from slp_core.encoders.transformer import TransformerEncoder
from slp_core.errors import EncoderError

HUB_PREFIX, META_PREFIX = "hf:", "meta:"

_WEIGHTED = ("protonet-mean-minilm-l6", "metaslp-mean3-minilm-l4", "metaslp-mean-minilm-l4")
"""The meta-trained encoders that are listed weighted by the support set; others can be so named."""


def _transformer(
    name: str,
    title: str,
    description: str,
    checkpoint: Checkpoint,
    layer: int | None,
    precision: Precision = "float32",
    normalisation: Normalisation | None = "l2",
) -> Entry:
    return Entry(
        EncoderInfo(name, title, description, TEXT_KINDS),
        # Layer and normalisation were looked at on LEOPARD's evaluation sets, so that figures there
        # are no independent support for them. On the validation sets (Amazon reviews), nearest
        # centroid, 4 to 16 shots, ten draws: minilm-l4 65.4 % with none, 65.5 with l2, 66.1 with
        # centred_l2; minilm-l6 61.8, 62.3 and 62.7 (research/reproduce.md). l2 does not let a row's
        # vector depend on the rows beside it.
        normalisation,
        partial(TransformerEncoder, checkpoint, layer=layer, precision=precision),
        reads_tokens=True,
    )


_MINILM = (
    _transformer(
        "minilm-l4",
        "MiniLM, layer 4",
        "Mean over the tokens of hidden layer 4 of 6 of all-MiniLM-L6-v2 (384 numbers). On the "
        "validation sets (Amazon reviews), nearest centroid is 3.2 points better on it than on "
        "the last layer, in less time. The layer had first been looked at on LEOPARD's tasks.",
        MiniLMCheckpoint(),
        layer=4,
    ),
    _transformer(
        "minilm-l6",
        "MiniLM, last layer",
        "Mean over the tokens of the last layer of all-MiniLM-L6-v2 (384 numbers): what the "
        "model was trained to give, nearness of topic.",
        MiniLMCheckpoint(),
        layer=6,
    ),
    _transformer(
        "minilm-l4-int8",
        "MiniLM, layer 4, 8-bit",
        "Layer 4 as above, multiplied in 8-bit integers: quicker, for many texts. On LEOPARD's "
        "tasks, what that costs nearest centroid is in research/performance.md.",
        MiniLMCheckpoint(),
        layer=4,
        precision="int8",
    ),
)

_ENTRIES = {
    entry.info.name: entry
    for entry in (
        *_MINILM,
        by_passage(_MINILM[0]),
        Entry(
            EncoderInfo(
                "tfidf-svd",
                "TF-IDF and SVD",
                "Weighted counts of words and word pairs, reduced to at most 128 numbers. Knows "
                "no language: it is fitted on the very texts that it encodes.",
                TEXT_KINDS,
            ),
            "l2",
            TfidfEncoder,
        ),
        Entry(
            EncoderInfo(
                "numeric",
                "Standardised on support set",
                "Each column minus its mean, divided by its standard deviation, both of the "
                "support set alone; a column that is constant there is 0.",
                ("numeric",),
            ),
            "none",
            partial(NumericEncoder, standardise=True, by_draw=True),
        ),
        Entry(
            EncoderInfo(
                "numeric-table",
                "Standardised on whole table",
                "Each column minus its mean, divided by its standard deviation, both of all rows: "
                "query points have a say in where every point lies.",
                ("numeric",),
            ),
            "none",
            partial(NumericEncoder, standardise=True),
        ),
        Entry(
            EncoderInfo("raw", "Raw numbers", "The columns as they are.", ("numeric",)),
            "none",
            partial(NumericEncoder, standardise=False),
        ),
    )
}


def list_encoders(checkpoints: Sequence[Path] = ()) -> tuple[EncoderInfo, ...]:
    """The encoders that are at hand without a download, the default one first.

    Any other BERT-like model is named ``hf:<folder or hub id>``; a folder that ``meta-train`` has
    written, outside the project's own ``checkpoints``, ``meta:<folder>``. Before any name of a
    language model may stand ``passages-``, for long texts to be read passage by passage, and
    ``weighted-`` before a bundled checkpoint's, for MiniLM beside it, weighted by the support set.

    Parameters
    ----------
    checkpoints
        Such folders to list last.

    Raises
    ------
    EncoderError
        A folder's card is missing or broken, or these are no folders.
    """
    if isinstance(checkpoints, str) or not isinstance(checkpoints, Iterable):
        raise EncoderError(f"checkpoints must be a list of folders, not {checkpoints!r}.")
    folders = [given_path("A checkpoint", folder) for folder in checkpoints]
    further = (_meta_trained(f"{META_PREFIX}{folder}", folder) for folder in folders)
    return tuple(entry.info for entry in (*_entries().values(), *further))


def _entries() -> dict[str, Entry]:
    return _ENTRIES | _bundled_checkpoints(CHECKPOINTS_DIR)


@lru_cache(maxsize=2)
def _bundled_checkpoints(folder: Path) -> dict[str, Entry]:
    """Of each meta-trained encoder in a folder itself and MiniLM beside it; none of a broken card.

    Those of two stand before those that they are made of, and those weighted before all.
    """
    single, both = {}, {}
    for path in find_checkpoints(folder):
        with contextlib.suppress(EncoderError):
            single[path.name] = _meta_trained(path.name, path)
            entry = _beside(path)
            both[entry.info.name] = entry
    found = (both[name] for each in _WEIGHTED if (name := BESIDE + each) in both)
    first = {made.info.name: made for made in map(by_passage, map(weighted, found))}
    return first | both | single


def _meta_trained(name: str, folder: Path) -> Entry:
    checkpoint = MetaCheckpoint(folder)
    card = checkpoint.card()
    return _transformer(name, card["title"], card["description"], checkpoint, card["layer"])


def _beside(folder: Path) -> Entry:
    """The vectors of MiniLM's layer 4, whatever a checkpoint was trained from, and its own."""
    layer = read_card(folder)["layer"]
    trained_from = _ENTRIES.get(f"minilm-l{layer}")
    if trained_from is None:
        raise EncoderError(f"There is no plain encoder of layer {layer}, as {folder} has.")
    return beside(_MINILM[0], _meta_trained(folder.name, folder), trained_from)


def load_encoder(
    name: str,
    *,
    pooling: Pooling | None = None,
    layer: int | None = None,
    normalisation: Normalisation | None = None,
    max_tokens: int | None = None,
    precision: Precision | None = None,
    cache: bool = True,
    cache_dir: str | Path | None = None,
) -> Encoder:
    """Prepare an encoder; cheap, since its weights are read when they are first needed.

    Parameters
    ----------
    name
        One of `list_encoders`, or ``hf:`` followed by a folder or a hub id, such as
        ``hf:bert-base-uncased``. Of a hub model only safetensors weights are read, and code that
        comes with it is never run. Or ``meta:`` followed by a folder written by ``meta-train``.
        ``passages-`` and ``weighted-`` may stand before it (`list_encoders`).
    pooling
        How a text's tokens become one vector: ``"mean"`` (special tokens count, as they do in
        sentence-transformers), ``"cls"``, or ``"max"``, in each dimension. Default: the mean, or
        what sentence-transformers has written beside a hub model; likewise normalisation and token
        limit. A mention is always the mean of its own tokens.
    layer
        Which hidden layer: 0 is the embedding layer; default: as the encoder's name says, and the
        last one of a hub model. Layers above it are not computed.
    normalisation
        ``"none"``, ``"l2"`` or ``"centred_l2"`` (the mean of the rows being encoded is taken off,
        then L2). Default: ``"l2"`` for texts, ``"none"`` for numbers and for a hub model that
        sentence-transformers has written without ``Normalize``.
    max_tokens
        The token limit, special tokens included (default 256), at least 8; the model's own holds if
        lower.
    precision
        ``"float32"``, or ``"int8"`` for MiniLM: quicker, with a cosine to the float32 vectors of
        about 0.998. Default: as the encoder's name says.
    cache
        Whether to use bundled embeddings and the disk cache, or to compute everything.
    cache_dir
        The cache's folder. Default: ``$SLP_CACHE_DIR``, or the platform's cache folder.

    Raises
    ------
    EncoderError
        There is no such encoder or option.
    """
    if not isinstance(name, str):
        raise EncoderError(f"An encoder's name is a text such as 'minilm-l4', not {name!r}.")
    _one_of("normalisation", normalisation, NORMALISATIONS)
    _one_of("pooling", pooling, get_args(Pooling))
    _one_of("precision", precision, get_args(Precision))
    layer = None if layer is None else whole_number("layer", layer)
    max_tokens = None if max_tokens is None else checked_max_tokens(max_tokens)
    folder = None if cache_dir is None else given_path("cache_dir", cache_dir)
    entry = _entry(name)
    given = {"pooling": pooling, "layer": layer, "max_tokens": max_tokens, "precision": precision}
    options: dict[str, Any] = {
        option: value for option, value in given.items() if value is not None
    }
    if entry.reads_tokens:
        if cache:
            options["cache"] = VectorCache(
                folder or default_cache_dir(), bundled=BUNDLED_DIR / entry.info.name
            )
    elif options:
        raise EncoderError(f"Encoder {name!r} has no option {' or '.join(options)}: leave it out.")
    return entry.make(
        info=entry.info, normalisation=normalisation or entry.normalisation, **options
    )


def _entry(name: str) -> Entry:
    """The encoder with a name as `load_encoder` takes it."""
    if name.startswith(HUB_PREFIX):
        model = name.removeprefix(HUB_PREFIX)
        if not model:
            raise EncoderError(
                "Name a folder or a hub id after 'hf:', as in 'hf:bert-base-uncased'."
            )
        description = (
            f"Hidden states of {model}, the last by default, pooled as its settings for "
            "sentence-transformers say; without any, by the mean over the tokens."
        )
        checkpoint = HubCheckpoint(model)
        return _transformer(name, model, description, checkpoint, layer=None, normalisation=None)
    if name.startswith(META_PREFIX):
        return _meta_trained(name, given_path("A checkpoint", name.removeprefix(META_PREFIX)))
    if name in (entries := _entries()):
        return entries[name]
    if name.startswith(PASSAGES):
        return by_passage(_entry(name.removeprefix(PASSAGES)))
    if name.startswith(WEIGHTED) and (both := BESIDE + name.removeprefix(WEIGHTED)) in entries:
        return weighted(entries[both])
    if (CHECKPOINTS_DIR / name / CARD_FILE).is_file():
        return _meta_trained(name, CHECKPOINTS_DIR / name)  # says what is wrong with its card
    raise EncoderError(_unknown(name))


def trainable_part(encoder: Encoder) -> TransformerEncoder | None:
    """What of an encoder has layers that can be trained here: MiniLM's, in float32, averaged.

    Of one that reads passage by passage, that is what reads the passages.
    """
    part = encoder.reader if isinstance(encoder, PassageEncoder) else encoder
    if (
        isinstance(part, TransformerEncoder)
        and isinstance(part.checkpoint, MiniLMCheckpoint)
        and part.precision == "float32"
        and part.pooling != "max"
    ):
        return part
    return None


def meta_trained_by(encoder: Encoder) -> str:
    """The method that an encoder was meta-trained by, as its card names it; or nothing."""
    part = trainable_part(encoder)
    checkpoint = None if part is None else part.checkpoint
    if not isinstance(checkpoint, MetaCheckpoint):
        return ""
    return str(checkpoint.card().get("method", ""))


def _one_of(option: str, value: str | None, allowed: tuple[str, ...]) -> None:
    if value is not None and value not in allowed:
        raise EncoderError(f"{option} must be one of {', '.join(allowed)}, not {value!r}.")


def _unknown(name: str) -> str:
    near = difflib.get_close_matches(name, _entries(), n=1)
    guess = f" (did you mean {near[0]!r}?)" if near else ""
    made = (PASSAGES, WEIGHTED, BESIDE)
    plain = [entry for entry in _entries() if not entry.startswith(made)]
    return (
        f"There is no encoder {name!r}{guess}: choose one of {', '.join(plain)}, one of "
        f"list_encoders() that begins with {', '.join(made)}, 'hf:' followed by a folder or a hub "
        "id, or 'meta:' followed by a folder that meta-train has written."
    )
