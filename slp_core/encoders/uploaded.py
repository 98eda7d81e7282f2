"""Uploaded checkpoints: two files, or a .zip of them, checked before use."""

from __future__ import annotations

import json
from collections.abc import Collection, Sequence
from pathlib import Path, PurePosixPath

from slp_core.data.archives import files_of
from slp_core.data.limits import LIMITS, MB
from slp_core.encoders.meta_checkpoint import CARD_FILE, WEIGHTS_FILE, MetaCheckpoint, read_card
from slp_core.errors import EncoderError

BASES = ("minilm-l4", "minilm-l6")
NEEDED = f"give {CARD_FILE} and {WEIGHTS_FILE}, as written by meta-train, or a .zip of both"


def latest(files: Sequence[tuple[str, bytes]]) -> list[tuple[str, bytes]]:
    """The last card and the last weights, or the last archive if nothing follows it."""
    kept: dict[str, tuple[str, bytes]] = {}
    for name, contents in files:
        ending = PurePosixPath(name).suffix.lower()
        if ending == ".zip":
            kept.clear()
        else:
            kept.pop(".zip", None)
        kept[ending] = (name, contents)
    return list(kept.values())


def unpack_checkpoint(
    files: Sequence[tuple[str, bytes]], folder: Path, taken: Collection[str] = ()
) -> Path:
    """Write an uploaded checkpoint's two files to a folder and check them; no code is run."""
    card, weights = _two(files)
    folder.mkdir(parents=True, exist_ok=True)
    (folder / CARD_FILE).write_bytes(card)
    (folder / WEIGHTS_FILE).write_bytes(weights)
    try:
        found = read_card(folder)
        if found.get("encoder") not in BASES:
            raise EncoderError(
                f"{CARD_FILE}: field 'encoder' is {found.get('encoder')!r}, not "
                f"{' or '.join(BASES)}."
            )
        MetaCheckpoint(folder).check()
    except EncoderError as error:
        raise EncoderError(str(error).replace(f"{folder}/", "")) from error
    title = found["title"]
    if title in taken:
        found["title"] = _free(title, taken)
        (folder / CARD_FILE).write_text(json.dumps(found, ensure_ascii=False), encoding="utf-8")
    return folder


def _two(files: Sequence[tuple[str, bytes]]) -> tuple[bytes, bytes]:
    there: list[tuple[str, bytes]] = []
    for name, contents in files:
        if name.lower().endswith(".zip"):
            most = LIMITS.card_bytes + LIMITS.weights_bytes
            there += files_of(contents, name, (".json", ".safetensors"), EncoderError, most)
        else:
            there.append((name, contents))
    cards = [contents for name, contents in there if PurePosixPath(name).name == CARD_FILE]
    weights = [contents for name, contents in there if name.lower().endswith(".safetensors")]
    for found, what in ((cards, CARD_FILE), (weights, "The .safetensors file")):
        if len(found) != 1:
            count = "is missing" if not found else f"was given {len(found)} times"
            raise EncoderError(f"{what} {count}: {NEEDED}.")
    if len(cards[0]) > LIMITS.card_bytes or len(weights[0]) > LIMITS.weights_bytes:
        what = CARD_FILE if len(cards[0]) > LIMITS.card_bytes else "The weights"
        raise EncoderError(
            f"{what} is too large: a card has at most {LIMITS.card_bytes // MB} MB and weights "
            f"{LIMITS.weights_bytes // MB} MB."
        )
    return cards[0], weights[0]


def _free(title: str, taken: Collection[str]) -> str:
    numbers = ["(uploaded)", *(f"(uploaded {n})" for n in range(2, len(taken) + 3))]
    return next(f"{title} {n}" for n in numbers if f"{title} {n}" not in taken)
