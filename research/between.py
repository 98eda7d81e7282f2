"""Weights between the base and the mean of several checkpoints, at full length each."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

import torch
import torch.nn.functional as F

from research.validation import (
    BASE,
    MAX_TOKENS,
    Vectors,
    chosen_rows,
    concatenated,
    header,
    on_all_sets,
    row,
)
from slp_core.encoders.meta_checkpoint import read_card
from slp_core.encoders.trainable import TrainableLayers
from slp_core.meta.episodes import VALIDATION, read_sources

SHARES = (0.5, 0.75, 1.0)


def tried(data: Path, checkpoints: Iterable[Path], shares: Iterable[float]) -> Iterator[list[str]]:
    """A table of shares of the way, each alone and concatenated with the base."""
    cards = {folder: read_card(folder) for folder in checkpoints}
    (n_layers,) = {card["settings"]["n_trainable"] for card in cards.values()}
    layers = TrainableLayers(BASE, n_layers)
    base = {name: w.clone() for name, w in layers.state_dict().items()}
    ways = []
    for folder, card in cards.items():
        trained = TrainableLayers(f"meta:{folder}", n_layers).state_dict()
        done = card.get("interpolation", {}).get("share", 1.0)
        ways.append({name: (trained[name] - w) / done for name, w in base.items()})
    way = {name: torch.stack([each[name] for each in ways]).mean(0) for name in base}
    sources = read_sources(data, VALIDATION)
    rows = [chosen_rows(source) for source in sources]
    states = [
        layers.lower_states(source.examples.take(each.ravel()), MAX_TOKENS)
        for source, each in zip(sources, rows, strict=True)
    ]

    def vectors(share: float) -> list[Vectors]:
        layers.load_state_dict({name: w + share * way[name] for name, w in base.items()})
        return [
            F.normalize(layers.all_vectors(of_set), dim=1).numpy().reshape(*each.shape, -1)
            for of_set, each in zip(states, rows, strict=True)
        ]

    yield ["share", *header(sources)]
    plain = vectors(0.0)
    for share in shares:
        found = vectors(share)
        yield row(f"{share:g}", on_all_sets(found))
        yield row(f"{share:g}, concatenated", on_all_sets(concatenated(plain, found, 0.5)))
