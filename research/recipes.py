"""The recipe of each bundled checkpoint."""

from __future__ import annotations

import tempfile
from collections.abc import Collection, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from research.averaging import average
from research.interpolation import interpolate
from slp_core.encoders.meta_checkpoint import CARD_FILE, read_card
from slp_core.errors import SLPError
from slp_core.meta.card import replace_card
from slp_core.meta.episodes import TRAINING, VALIDATION
from slp_core.meta.settings import MetaSettings, Method, preset_settings
from slp_core.meta.training import STATE_FILE, meta_train

SOURCES: dict[str, tuple[str, str]] = {
    "cola_train": ("CoLA (Warstadt et al., 2019)", "no licence stated; sentences from textbooks"),
    "mrpc_train": ("MRPC (Dolan and Brockett, 2005)", "Microsoft Research; research use"),
    "rte_train": ("RTE (GLUE)", "no licence stated; research use"),
    "sst2_train": ("SST-2 (Socher et al., 2013)", "no licence stated; film reviews"),
    "sst_phrase_train": (
        "SST trees, a phrase beside its sentence (Socher et al., 2013)",
        "no licence stated; film reviews",
    ),
    "qnli_train": ("QNLI (GLUE, from SQuAD)", "CC BY-SA 4.0"),
    "qqp_train": ("QQP (Quora)", "Quora's terms; non-commercial"),
    "snli_train": ("SNLI (Bowman et al., 2015)", "CC BY-SA 4.0"),
    "mnli_train": ("MNLI (Williams et al., 2018)", "OANC, CC BY 3.0 and CC BY-SA 3.0 by genre"),
}
_AMAZON = ("Amazon reviews, FDU-MTL (Liu et al., 2017)", "no licence stated; research use")
SOURCES |= {f"validation_amazon_{domain}": _AMAZON for domain in ("music", "toys", "video")}
NOTE = "Licences are given from general knowledge and were not verified."

FILMS = "sst2_train"
"""Whole sentences of film reviews, with opinions."""


@dataclass(frozen=True)
class Training:
    """A run of `meta_train`, and whether its weights are then interpolated.

    ``changes`` are made to the method's preset. It reads all auxiliary files or `FILMS` alone;
    `FILMS` may have several names, so that more tasks are drawn from it.
    """

    method: Method
    changes: Mapping[str, Any] = field(default_factory=dict)
    title: str | None = None
    taken_back: bool = False
    films_alone: bool = False
    films: int = 1

    @property
    def settings(self) -> MetaSettings:
        """Of the run."""
        return preset_settings(self.method, **self.changes)


@dataclass(frozen=True)
class Mean:
    """The mean of the weights of other recipes' checkpoints."""

    title: str
    of: tuple[str, ...]


_LONG = {"outer_rate": 2e-4, "averaging": 0.98}
_FILMS = {
    "shots": 24,
    "tasks_per_step": 1,
    "steps": 300,
    "patience": 300,
    "validate_every": 30,
    **_LONG,
}
_SIX = {"encoder": "minilm-l6", "n_trainable": 5}
_JOINT = {
    "shots": 16,
    "tasks_per_step": 2,
    "steps": 400,
    "patience": 400,
    "validate_every": 40,
    **_LONG,
    **_SIX,
}

RECIPES: dict[str, Training | Mean] = {
    "metaslp-reptile-minilm-l4": Training("metaslp-reptile", taken_back=True),
    "metaslp-fomaml-minilm-l4": Training("metaslp-fomaml", taken_back=True),
    "reptile-minilm-l4": Training("reptile", taken_back=True),
    "protonet-minilm-l4": Training("protonet"),
    "leopard-minilm-l4": Training("leopard"),
    "protonet-sentiment-minilm-l4": Training(
        "protonet", _FILMS, "ProtoNet (sentiment)", films_alone=True
    ),
    "metaslp-mean-minilm-l4": Mean(
        "Averaged MetaSLP (two)", ("metaslp-reptile-minilm-l4", "metaslp-fomaml-minilm-l4")
    ),
    "metaslp-mean3-minilm-l4": Mean(
        "Averaged MetaSLP",
        ("metaslp-reptile-minilm-l4", "metaslp-fomaml-minilm-l4", "protonet-sentiment-minilm-l4"),
    ),
    **{
        f"joint-{seed}": Training(
            "protonet", _JOINT | {"seed": seed}, f"ProtoNet (seed {seed})", films=5
        )
        for seed in range(3)
    },
    "films-0": Training("protonet", _FILMS | _SIX, "ProtoNet (sentiment)", films_alone=True),
    "protonet-mean-minilm-l6": Mean(
        "Averaged ProtoNet", ("joint-0", "joint-1", "joint-2", "films-0")
    ),
}


def make(name: str, data: Path, out: Path, steps: int | None = None) -> Path:
    """Make a recipe's checkpoint and its members in ``out``; finished ones are kept.

    ``data`` contains the auxiliary files; ``steps`` overrides every training's own.
    """
    if name not in RECIPES:
        raise SLPError(f"There is no recipe {name!r}: choose one of {', '.join(RECIPES)}.")
    recipe, folder = RECIPES[name], out / name
    if is_finished(folder):
        return folder
    if isinstance(recipe, Mean):
        return average(
            [make(part, data, out, steps) for part in recipe.of], data, folder, recipe.title
        )
    settings = recipe.settings
    if steps is not None:
        settings = preset_settings(recipe.method, **{**recipe.changes, "steps": steps})
    trained = out / f"{name}-whole" if recipe.taken_back else folder
    if not is_finished(trained):
        with some_files(data, recipe) as files:
            meta_train(files, trained, settings, title=recipe.title)
        name_sources(trained)
    return interpolate(trained, data, folder) if recipe.taken_back else folder


def name_sources(folder: Path) -> None:
    """Add the titles and licences of our auxiliary data to a card."""
    card = read_card(folder)
    for source in card["data"]:
        unknown = source["title"], source["licence"]
        source["title"], source["licence"] = SOURCES.get(source["name"], unknown)
    replace_card(folder, card | {"data_note": NOTE})


def is_finished(folder: Path) -> bool:
    """Whether a checkpoint is complete."""
    return (folder / CARD_FILE).exists() and not (folder / STATE_FILE).exists()


@contextmanager
def some_files(data: Path, which: Training | Collection[str]) -> Iterator[Path]:
    """A folder with a recipe's auxiliary files, or all but those of these names, as links."""
    with tempfile.TemporaryDirectory() as folder:
        for file in (*data.glob(f"{TRAINING}*"), *data.glob(f"{VALIDATION}*")):
            name, _, ending = file.name.partition(".")
            for link in _links(name, which):
                (Path(folder) / f"{link}.{ending}").symlink_to(file.resolve())
        yield Path(folder)


def _links(name: str, which: Training | Collection[str]) -> list[str]:
    """The names that a file is to be read under."""
    if not isinstance(which, Training):
        return [] if name in which else [name]
    if name == FILMS:
        more = [f"{FILMS.removesuffix('_train')}_{i}_train" for i in range(1, which.films)]
        return [name, *more]
    is_validation = name.startswith(VALIDATION.partition("*")[0])
    return [name] if is_validation or not which.films_alone else []
