"""Average the weights of several meta-trained checkpoints of one encoder."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import torch

from slp_core.encoders import load_encoder
from slp_core.encoders.meta_checkpoint import CARD_FILE
from slp_core.encoders.trainable import TrainableLayers
from slp_core.errors import SLPError
from slp_core.meta.card import (
    check_distinct,
    code_version,
    make_folder,
    trained_card,
    validated,
    write_card,
    write_weights,
)
from slp_core.meta.validation import ValidationSet, read_validation


def average(checkpoints: Sequence[Path], data: Path, out: Path, title: str) -> Path:
    """Write the mean of the weights of several checkpoints, each counted once.

    Wortsman et al., 2022, *Model soups*: one encoder, as quick as each of those it is made of.

    Parameters
    ----------
    checkpoints
        Written by `meta_train` or `interpolate` from one base, with as many trained layers; left
        as they are.
    data
        A folder with ``validation_*.jsonl``, on which the mean is looked at; see `read_validation`.
    out
        Another folder, for the new checkpoint.
    title
        What it is called, before "on" and its base's title.

    Raises
    ------
    SLPError
        There are fewer than two checkpoints, one is named twice, of LEOPARD or an average itself,
        they differ in what was trained, the data cannot be validated on, or `out` holds a
        checkpoint or cannot be made a folder.
    """
    if len(checkpoints) < 2:
        raise SLPError("A mean needs two checkpoints or more: name another.")
    check_distinct(checkpoints)
    if (out / CARD_FILE).exists():
        raise SLPError(f"{out} holds a checkpoint: name another folder, or remove it.")
    cards = [trained_card(folder) for folder in checkpoints]
    trained = {(card["settings"]["encoder"], card["settings"]["n_trainable"]) for card in cards}
    if len(trained) > 1:
        raise SLPError(
            "The checkpoints differ in their encoder or in the number of its trained layers: name "
            "some that agree in both."
        )
    ((encoder, n_trainable),) = trained
    layers = TrainableLayers(encoder, n_trainable)
    most_tokens = max(card["settings"]["max_tokens"] for card in cards)
    states = [TrainableLayers(f"meta:{folder}", n_trainable).state_dict() for folder in checkpoints]
    sources = read_validation(data)
    make_folder(out)
    judges = [ValidationSet.of(source, layers, most_tokens) for source in sources]
    before = float(np.mean([judge.accuracy(layers) for judge in judges]))
    layers.load_state_dict(
        {name: torch.stack([state[name] for state in states]).mean(dim=0) for name in states[0]}
    )
    sets = {judge.name: judge.accuracy(layers) for judge in judges}
    after = float(np.mean(list(sets.values())))
    write_weights(out, layers)
    base_title = load_encoder(encoder).info.title
    known = ("title", "weights_sha256")
    card = {name: cards[0][name] for name in ("format", "encoder", "layer", "base_sha256")}
    card |= {
        "title": f"{title} on {base_title}",
        "description": (
            f"{base_title}, its top {n_trainable} layers with the mean of the weights of "
            f"{len(cards)} meta-trained encoders: {100 * before:.1f}% before, "
            f"{100 * after:.1f}% after, on reviews it was not trained on."
        ),
        "settings": {"encoder": encoder, "n_trainable": n_trainable, "max_tokens": most_tokens},
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
        "data_note": cards[0]["data_note"],
        "minutes": round(sum(card["minutes"] for card in cards), 1),
        "machine": "; ".join(dict.fromkeys(card["machine"] for card in cards)),
        "code_version": code_version(),
    }
    write_card(out, card)
    return out


def _of_all(cards: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """What any of them was trained or validated on, each set once."""
    found = {each["sha256"]: each for card in reversed(cards) for each in card["data"]}
    first = [each["sha256"] for card in cards for each in card["data"]]
    return [found[digest] for digest in dict.fromkeys(first)]
