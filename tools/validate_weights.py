"""Weights between checkpoints and base: ``python -m tools.validate_weights DATA CHECKPOINT…``.

The trainings' ways from the base's weights are averaged, and the encoder is taken a share of that
way, all layers alike or each by a share of its own. A checkpoint that lies a part of its way is
taken to the end of it first. Each encoder is asked as `tools.validate_side_by_side` asks, alone
and side by side with the base.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterable
from itertools import product
from pathlib import Path

import numpy as np
import torch
import torch.nn.functional as F
from numpy.typing import NDArray

from slp_core.encoders.meta_checkpoint import read_card
from slp_core.encoders.trainable import TrainableLayers
from slp_core.meta.episodes import VALIDATION, read_sources
from tools.validate_side_by_side import BASE, MAX_TOKENS, beside, chosen_rows, judged

SHARES = (0.5, 0.75, 1.0)


class Between:
    """An encoder anywhere between the base and an average of trainings.

    Parameters
    ----------
    data
        The folder of the validation sets.
    checkpoints
        Folders of trainings that trained the same layers.
    """

    def __init__(self, data: Path, checkpoints: Iterable[Path]) -> None:
        cards = {folder: read_card(folder) for folder in checkpoints}
        (self.n_layers,) = {card["settings"]["n_trainable"] for card in cards.values()}
        self.layers = TrainableLayers(BASE, self.n_layers)
        self.base = {name: w.clone() for name, w in self.layers.state_dict().items()}
        ways = []
        for folder, card in cards.items():
            trained = TrainableLayers(f"meta:{folder}", self.n_layers).state_dict()
            done = card.get("interpolation", {}).get("share", 1.0)
            ways.append({name: (trained[name] - w) / done for name, w in self.base.items()})
        self.way = {name: torch.stack([way[name] for way in ways]).mean(0) for name in self.base}
        sources = read_sources(data, VALIDATION)
        self.names = [source.name for source in sources]
        self.rows = [chosen_rows(source) for source in sources]
        self.states = [
            self.layers.lower_states(source.examples.take(rows.ravel()), MAX_TOKENS)
            for source, rows in zip(sources, self.rows, strict=True)
        ]

    def vectors(self, shares: tuple[float, ...]) -> list[NDArray[np.floating]]:
        """(K, n, d) of each set, each layer the share of the way that is given for it."""
        self.layers.load_state_dict(
            {
                name: w + shares[int(name.split(".")[1])] * self.way[name]
                for name, w in self.base.items()
            }
        )
        return [
            F.normalize(self.layers.all_vectors(states), dim=1).numpy().reshape(*rows.shape, -1)
            for states, rows in zip(self.states, self.rows, strict=True)
        ]


def main() -> None:
    """Print a row for each share, alone and side by side with the base."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("data", type=Path, help="what encoders are meta-trained from")
    parser.add_argument("checkpoints", type=Path, nargs="+", help="whose ways are averaged")
    parser.add_argument("--shares", type=float, nargs="+", default=SHARES)
    parser.add_argument("--by-layer", action="store_true", help="every layer its own share")
    options = parser.parse_args()
    between = Between(options.data, options.checkpoints)
    base = between.vectors((0.0,) * between.n_layers)
    if options.by_layer:
        tried = [*product(options.shares, repeat=between.n_layers)]
    else:
        tried = [(share,) * between.n_layers for share in options.shares]
    titles = [name.removeprefix("validation_") for name in between.names]
    print("|", " | ".join(["shares", *titles, "all classes", "mean of sets and all"]), "|")
    print("|" + "---|" * (len(titles) + 3))
    for shares in tried:
        found = between.vectors(shares)
        for how, sets in (("", found), (", beside", beside(base, found, 0.5))):
            name = ", ".join(f"{share:g}" for share in shares) + how
            print("|", " | ".join([name, *(f"{f:.1f}" for f in judged(sets))]), "|", flush=True)


if __name__ == "__main__":
    main()
