"""Generalisation of meta-training to a family of tasks that it never saw.

For each of four families an encoder is meta-trained on the other three and evaluated on this one,
with its base encoder and the two concatenated.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from research.recipes import is_finished, some_files
from research.validation import BASE, WEIGHTS, accuracy, concatenated, encoded, row
from slp_core.meta.episodes import TRAINING, read_sources
from slp_core.meta.settings import Method, preset_settings
from slp_core.meta.training import meta_train

FAMILIES = {
    "similarity": ("mrpc_train", "qqp_train"),
    "inference": ("rte_train", "qnli_train", "snli_train", "mnli_train"),
    "acceptability": ("cola_train",),
    "sentiment": ("sst2_train", "sst_phrase_train"),
}


def left_out(
    families: Iterable[str], data: Path, out: Path, method: Method, steps: int | None = None
) -> Iterator[list[str]]:
    """A table with a row for each set of each family left out; trainings are kept in ``out``."""
    weights = (f"concatenated, w = {w}" for w in WEIGHTS)
    yield ["left out", "evaluated on", BASE, method, *weights]
    for family in families:
        folder = out / f"{method}-without-{family}"
        if not is_finished(folder):
            changes: dict[str, Any] = {} if steps is None else {"steps": steps}
            with some_files(data, FAMILIES[family]) as few:
                meta_train(few, folder, preset_settings(method, **changes))
        for source in read_sources(data, TRAINING):
            if source.name in FAMILIES[family]:
                base, meta = encoded(BASE, (source,)), encoded(f"meta:{folder}", (source,))
                mixed = (concatenated(base, meta, w) for w in WEIGHTS)
                yield [family, *row(source.name, (accuracy(x[0]) for x in (base, meta, *mixed)))]
