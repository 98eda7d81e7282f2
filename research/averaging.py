"""Average the weights of several meta-trained checkpoints of one encoder."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import torch

from research.cards import Fields, check_distinct, settings_of, trained_card
from slp_core.encoders import load_encoder
from slp_core.encoders.trainable import TrainableLayers
from slp_core.errors import SLPError
from slp_core.meta.card import (
    code_version,
    gained,
    top_layers,
    validated,
    write_card,
    write_weights,
)
from slp_core.meta.folder import claimed
from slp_core.meta.settings import MetaSettings
from slp_core.meta.validation import ValidationSet, read_validation

UNNAMED = "Mean of checkpoints"

_NEEDED: Fields = {
    "encoder": str,
    "validation.accuracy": (int, float),
    "data": list,
    "minutes": (int, float),
    "machine": str,
}


def average(checkpoints: Sequence[Path], data: Path, out: Path, title: str | None) -> Path:
    """Write the mean of the weights of several checkpoints of one base (Wortsman et al., 2022).

    ``data`` is a folder with ``validation_*.jsonl``; ``title`` precedes "on" and the base's title.
    """
    if len(checkpoints) < 2:
        raise SLPError("A mean needs two checkpoints or more: name another.")
    check_distinct(checkpoints)
    cards = [trained_card(folder, _NEEDED) for folder in checkpoints]
    _check_trainings(checkpoints, cards)
    trained = {(card["settings"]["encoder"], card["settings"]["n_trainable"]) for card in cards}
    if len(trained) > 1:
        raise SLPError(
            "The checkpoints differ in their encoder or its number of trained layers: name some "
            "with the same."
        )
    ((encoder, n_trainable),) = trained
    layers = TrainableLayers(encoder, n_trainable)
    most_tokens = max(card["settings"]["max_tokens"] for card in cards)
    states = [TrainableLayers(f"meta:{folder}", n_trainable).state_dict() for folder in checkpoints]
    sources = read_validation(data)
    with claimed(out):
        validation = [ValidationSet.of(source, layers, most_tokens) for source in sources]
        before = float(np.mean([each.accuracy(layers) for each in validation]))
        layers.load_state_dict(
            {name: torch.stack([state[name] for state in states]).mean(dim=0) for name in states[0]}
        )
        sets = {each.name: each.accuracy(layers) for each in validation}
        write_weights(out, layers)
        settings = {"encoder": encoder, "n_trainable": n_trainable, "max_tokens": most_tokens}
        write_card(out, _card(cards, title, settings, before, sets))
    return out


def _check_trainings(checkpoints: Sequence[Path], cards: Sequence[dict[str, Any]]) -> None:
    """Raise for copies: equal weights with equal settings."""
    first_of: dict[tuple[str, MetaSettings], Path] = {}
    for folder, card in zip(checkpoints, cards, strict=True):
        training = card["weights_sha256"], settings_of(folder, card)
        first = first_of.setdefault(training, folder)
        if first is not folder:
            raise SLPError(f"{folder} has the weights and the settings of {first}: leave one out.")


def _card(
    cards: Sequence[dict[str, Any]],
    title: str | None,
    settings: dict[str, Any],
    before: float,
    sets: dict[str, float],
) -> dict[str, Any]:
    """The card of a mean."""
    base_title = load_encoder(settings["encoder"]).info.title
    after = float(np.mean(list(sets.values())))
    known = ("title", "weights_sha256")
    return {name: cards[0][name] for name in ("format", "encoder", "layer", "base_sha256")} | {
        "title": f"{title or UNNAMED} on {base_title}",
        "description": (
            f"{top_layers(base_title, settings['n_trainable'])} with the averaged weights "
            f"of {len(cards)} meta-trained encoders: {gained(before, after)}"
        ),
        "settings": settings,
        "average": [
            {name: card[name] for name in known} | {"validation": card["validation"]["accuracy"]}
            for card in cards
        ],
        "validation": {
            "accuracy": after,
            "before": before,
            "sets": sets,
            "how": validated("nearest centroid"),
        },
        "curve": [],
        "data": _of_all(cards),
        "data_note": cards[0].get("data_note", ""),
        "minutes": round(sum(card["minutes"] for card in cards), 1),
        "machine": "; ".join(dict.fromkeys(card["machine"] for card in cards)),
        "code_version": code_version(),
    }


def _of_all(cards: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """All training and validation data; tasks of one set under several names are summed."""
    found: dict[str, dict[str, Any]] = {}
    for card in cards:
        own: dict[str, dict[str, Any]] = {}
        for each in card["data"]:
            before = own.get(each["sha256"], {"tasks": 0})
            own[each["sha256"]] = each | {"tasks": before["tasks"] + each["tasks"]}
        for digest, each in own.items():
            found.setdefault(digest, each)
    return list(found.values())
