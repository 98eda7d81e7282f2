"""What meta-training does to tasks of a kind it never saw: ``python -m tools.validate_families``.

The auxiliary data fall into four families: similarity, inference, acceptability and sentiment. For
each of them an encoder is meta-trained on the other three, and then asked about the one left out.
Beside it stand the encoder that it started from and the two side by side, so that it shows what
is learnt that carries over, and what is forgotten. A training that was stopped goes on, and one
that has ended is not done again.
"""

from __future__ import annotations

import argparse
import tempfile
from pathlib import Path
from typing import Any

from slp_core.encoders.meta_checkpoint import CARD_FILE
from slp_core.meta.episodes import TRAINING, VALIDATION, read_sources
from slp_core.meta.settings import METHODS, Method, preset_settings
from slp_core.meta.training import meta_train
from tools.validate_side_by_side import BASE, WEIGHTS, accuracy, beside, encoded

FAMILIES = {
    "similarity": ("mrpc_train", "qqp_train"),
    "inference": ("rte_train", "qnli_train", "snli_train", "mnli_train"),
    "acceptability": ("cola_train",),
    "sentiment": ("sst2_train", "sst_phrase_train"),
}


def train_without(family: str, data: Path, method: Method, steps: int | None, out: Path) -> Path:
    """Meta-train on the files of `data` that are not of `family`."""
    changes: dict[str, Any] = {} if steps is None else {"steps": steps}
    settings = preset_settings(method, **changes)
    with tempfile.TemporaryDirectory() as folder:
        for file in (*data.glob(f"{TRAINING}*"), *data.glob(f"{VALIDATION}*")):
            if file.name.split(".")[0] not in FAMILIES[family]:
                (Path(folder) / file.name).symlink_to(file.resolve())
        return meta_train(Path(folder), out, settings)


def main() -> None:
    """Print a row for each set of each family left out."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("data", type=Path, help="what encoders are meta-trained from")
    parser.add_argument("out", type=Path, help="a folder for the four trainings")
    parser.add_argument("--method", choices=METHODS, default="protonet")
    parser.add_argument("--steps", type=int, help="outer steps (default: the method's own)")
    parser.add_argument("--families", nargs="+", choices=FAMILIES, default=list(FAMILIES))
    options = parser.parse_args()
    columns = [BASE, options.method, *(f"side by side, w = {w}" for w in WEIGHTS)]
    print("|", " | ".join(["left out", "asked about", *columns]), "|")
    print("|" + "---|" * (len(columns) + 2))
    for family in options.families:
        out = options.out / f"{options.method}-without-{family}"
        if not (out / CARD_FILE).exists() or (out / "state.pt").exists():
            train_without(family, options.data, options.method, options.steps, out)
        for source in read_sources(options.data, TRAINING):
            if source.name not in FAMILIES[family]:
                continue
            base, meta = encoded(BASE, (source,)), encoded(f"meta:{out}", (source,))
            mixed = (beside(base, meta, w) for w in WEIGHTS)
            figures = [accuracy(x[0]) for x in (base, meta, *mixed)]
            row = [family, source.name, *(f"{f:.1f}" for f in figures)]
            print("|", " | ".join(row), "|", flush=True)


if __name__ == "__main__":
    main()
