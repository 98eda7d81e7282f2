"""Cards of checkpoints that others are made of or compared with."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any, TypeAlias

from slp_core.encoders.meta_checkpoint import CARD_FILE, read_card
from slp_core.errors import EncoderError, SLPError
from slp_core.meta.settings import MetaSettings

Fields: TypeAlias = Mapping[str, type | tuple[type, ...]]
"""Types of a card's fields, those of an object within it with a dot between the names."""

# In every card; other settings came later and have defaults.
_SETTINGS: Fields = {
    "settings": dict,
    "settings.method": str,
    "settings.encoder": str,
    "settings.n_trainable": int,
    "settings.max_tokens": int,
    "settings.seed": int,
}


def trained_card(folder: Path, needed: Fields) -> dict[str, Any]:
    """The card of a training of MiniLM's layers, with the ``needed`` fields."""
    card = read_card(folder)
    if "average" in card:
        raise SLPError(f"{folder} is a mean of checkpoints: name its members.")
    if settings_of(folder, card).method == "leopard":
        raise SLPError(
            f"{folder} is of LEOPARD, whose networks only fit its own weights: they cannot be "
            "changed."
        )
    check_fields(folder, card, needed)
    return card


def settings_of(folder: Path, card: dict[str, Any]) -> MetaSettings:
    """The settings in a card; EncoderError if one is missing or invalid."""
    check_fields(folder, card, _SETTINGS)
    path, found, usual = folder / CARD_FILE, card["settings"], asdict(MetaSettings())
    for name in found:
        if name not in usual:
            raise EncoderError(
                f"{path}: settings.{name} is not known here: use the version that wrote it."
            )
    kinds = {name: (int, float) if type(v) is float else type(v) for name, v in usual.items()}
    check_fields(folder, card, {f"settings.{name}": kinds[name] for name in found})
    try:
        return MetaSettings(**found)
    except SLPError as error:
        raise EncoderError(f"{path}: settings: {error}") from error


def check_fields(folder: Path, card: dict[str, Any], needed: Fields) -> None:
    """Raise an EncoderError unless a card has these fields with their types."""
    for field, kind in needed.items():
        value: Any = card
        for name in field.split("."):
            value = value.get(name) if isinstance(value, dict) else None
        if not isinstance(value, kind):
            raise EncoderError(
                f"{folder / CARD_FILE}: field {field!r} is missing or of the wrong type: fetch the "
                "checkpoint again, or train it again."
            )


def check_distinct(checkpoints: Iterable[Path]) -> None:
    """Raise an SLPError if a checkpoint is given twice."""
    seen = set()
    for folder in checkpoints:
        place = folder.resolve()
        if place in seen:
            raise SLPError(f"{folder} was given already: name each checkpoint once.")
        seen.add(place)
