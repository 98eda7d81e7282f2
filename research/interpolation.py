"""Weights between an encoder and its meta-trained version: most of the gain, and less forgotten.

Wortsman et al., 2022, "Robust fine-tuning of zero-shot models". The validation sets are reviews and
cannot show what is forgotten elsewhere, so the choice also uses the bundled texts.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch.nn.functional as F

from research.cards import settings_of, trained_card
from slp_core.data import list_datasets, load_dataset
from slp_core.encoders.registry import load_encoder
from slp_core.encoders.trainable import TrainableLayers
from slp_core.errors import SLPError
from slp_core.meta.card import describe, gained, validated, write_card, write_weights
from slp_core.meta.episodes import Source
from slp_core.meta.folder import claimed
from slp_core.meta.settings import MetaSettings
from slp_core.meta.validation import ValidationSet, dataset_accuracy, read_validation

SHARES = (0.25, 0.5, 0.75, 1.0)
SAMPLE_SHOTS, SAMPLE_DRAWS = (4, 8), 8


@dataclass(frozen=True)
class Tried:
    """Accuracies at λ = ``share`` of base + λ (trained − base).

    ``validation`` is the mean of ``sets``, ``samples`` that of the bundled texts; all in [0, 1].
    """

    share: float
    validation: float
    sets: dict[str, float]
    samples: float

    @property
    def both(self) -> float:
        """The mean of both, which decides."""
        return (self.validation + self.samples) / 2


def interpolate(
    checkpoint: Path,
    data: Path,
    out: Path,
    shares: tuple[float, ...] = SHARES,
    progress: Callable[[Tried], None] = lambda _: None,
) -> Path:
    """Write the best of the weights between a checkpoint's base and the checkpoint.

    ``data`` is the folder of its training data. The card in ``out`` has the accuracies of every
    share. ``progress`` is called after each share; 0 comes first and is never chosen.
    """
    card = trained_card(checkpoint, {"encoder": str, "data": list})
    if "interpolation" in card:
        raise SLPError(f"{checkpoint} is an interpolation already: name the original checkpoint.")
    if not shares:
        raise SLPError("There is no share to try: give one or more, such as (0.5, 1).")
    for share in shares:
        if not 0 < share <= 1:
            raise SLPError(f"Shares must be above 0 and at most 1, not {share}.")
    shares = tuple(dict.fromkeys(shares))
    settings = settings_of(checkpoint, card)
    layers = TrainableLayers(settings.encoder, settings.n_trainable)
    trained = TrainableLayers(f"meta:{checkpoint}", settings.n_trainable).state_dict()
    base = {name: tensor.clone() for name, tensor in layers.state_dict().items()}
    sources = read_validation(data)

    def go(share: float) -> None:
        mixed = {name: base[name].lerp(trained[name], share) for name in base}
        layers.load_state_dict(mixed)

    with claimed(out):
        evaluation = _Evaluation(layers, sources, settings.max_tokens)
        tried = []
        for share in (0.0, *shares):
            go(share)
            tried.append(evaluation(share))
            progress(tried[-1])
        best = max(tried[1:], key=lambda each: each.both)
        go(best.share)
        write_weights(out, layers)
        write_card(out, card | _changes(card, settings, tried, best))
    return out


def _changes(
    card: dict[str, Any], settings: MetaSettings, tried: list[Tried], best: Tried
) -> dict[str, Any]:
    """Changes of the new checkpoint's card."""
    n_tasks = sum(source["tasks"] for source in card["data"])
    title = load_encoder(settings.encoder).info.title
    before = tried[0].validation
    return {
        "description": describe(title, settings, n_tasks, gained(before, best.validation)),
        "validation": {
            "accuracy": best.validation,
            "before": before,
            "sets": best.sets,
            "how": (
                f"{validated('nearest centroid')}; {best.share:.0%} of the way from the "
                f"base's weights, chosen among {len(tried) - 1} by these and an earlier "
                "version of the bundled texts"
            ),
        },
        "interpolation": {
            "share": best.share,
            "of": card["weights_sha256"],
            "tried": [asdict(each) for each in tried],
            "samples": (
                "an earlier version of the bundled texts, nearest centroid, "
                f"{' and '.join(map(str, SAMPLE_SHOTS))} shots, {SAMPLE_DRAWS} support sets"
            ),
        },
    }


class _Evaluation:
    """Accuracies of layers on the validation sets and the bundled texts."""

    def __init__(
        self, layers: TrainableLayers, sources: tuple[Source, ...], max_tokens: int
    ) -> None:
        self.layers = layers
        self.validation = [ValidationSet.of(each, layers, max_tokens) for each in sources]
        names = [info.name for info in list_datasets() if info.kind != "numeric"]
        self.samples = [
            (dataset, layers.lower_states(dataset.examples)) for dataset in map(load_dataset, names)
        ]

    def __call__(self, share: float) -> Tried:
        sets = {each.name: each.accuracy(self.layers) for each in self.validation}
        samples = []
        for dataset, states in self.samples:
            x = F.normalize(self.layers.all_vectors(states), dim=1).cpu().numpy()
            samples += [
                dataset_accuracy(dataset, x, shots, SAMPLE_DRAWS)
                for shots in SAMPLE_SHOTS
                if shots in dataset.shots_available
            ]
        return Tried(share, float(np.mean(list(sets.values()))), sets, float(np.mean(samples)))
