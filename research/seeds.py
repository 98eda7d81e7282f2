"""Variation over seeds: results of the same training from other seeds, on a card."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from research.cards import Fields, check_distinct, check_fields, settings_of
from slp_core.encoders.meta_checkpoint import read_card
from slp_core.errors import SLPError
from slp_core.meta.card import replace_card
from slp_core.meta.settings import MetaSettings

_NEEDED: Fields = {
    "validation.accuracy": (int, float),
    "best_step": int,
    "data": list,
    "sample.accuracy": (int, float),
}


def note_seeds(checkpoint: Path, others: Sequence[Path]) -> list[dict[str, Any]]:
    """Write results of other seeds into the field ``seeds`` of a checkpoint's card.

    ``others`` must have the same settings (that the method uses), data and interpolation.
    """
    check_distinct((checkpoint, *others))
    cards = {folder: read_card(folder) for folder in (checkpoint, *others)}
    for folder, card in cards.items():
        if "average" in card:
            raise SLPError(f"{folder} is a mean of checkpoints and has no seed.")
        check_fields(folder, card, _NEEDED)
    trainings = {folder: _training(folder, card) for folder, card in cards.items()}
    own = cards[checkpoint]
    found: dict[int, dict[str, Any]] = {}
    for folder, card in cards.items():
        of_own, of_this = trainings[checkpoint], trainings[folder]
        for what, expected, got in zip(_PARTS, of_own, of_this, strict=True):
            if expected != got:
                raise SLPError(
                    f"{folder} differs from {checkpoint} in its {what}: name a training that "
                    "differs in its seed only."
                )
        seed = card["settings"]["seed"]
        if seed in found:
            raise SLPError(f"{folder} has seed {seed}, which was given already: leave one out.")
        found[seed] = {
            "seed": seed,
            "validation": card["validation"]["accuracy"],
            "sample": card["sample"]["accuracy"],
            "best_step": card["best_step"],
            "weights_sha256": card["weights_sha256"],
        }
    seeds = [found[seed] for seed in sorted(found)]
    replace_card(checkpoint, own | {"seeds": seeds})
    return seeds


def in_use(settings: MetaSettings) -> dict[str, Any]:
    """The settings that the method uses: ProtoNet has no inner loop."""
    unused = _OF_INNER_LOOP if settings.method == "protonet" else ()
    return {name: value for name, value in asdict(settings).items() if name not in unused}


_OF_INNER_LOOP = (
    "batch_size",
    "inner_steps",
    "momentum",
    "encoder_rate",
    "head_rate",
    "head_start",
    "n_agnostic",
    "rate_of_rates",
)
_PARTS = ("settings", "data", "share of the way", "bundled dataset")


def _training(folder: Path, card: dict[str, Any]) -> tuple[Any, ...]:
    """What trainings that differ in their seed have in common."""
    settings = in_use(settings_of(folder, card)) | {"seed": None}
    data = [(each["name"], each["sha256"]) for each in card["data"]]
    sample = card["sample"]
    return (
        settings,
        data,
        card.get("interpolation", {}).get("share"),
        [sample.get(name) for name in ("dataset", "shots", "draws", "before")],
    )
