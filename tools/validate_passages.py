"""Long texts by passages of several lengths: ``python -m tools.validate_passages DATA [NAME…]``.

DATA is the folder that encoders are meta-trained from, NAME an encoder whose vectors are averaged
over a text's passages (default: plain MiniLM, and the mean of the two of MetaSLP). Whole texts,
and then every text by passages of so many characters together, are asked about as
`tools.validate_side_by_side` asks, but with 256 tokens.
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np

from slp_core.encoders import Encoder, load_encoder
from slp_core.encoders.passages import passages
from slp_core.meta.episodes import VALIDATION, read_sources
from tools.validate_side_by_side import BASE, chosen_rows, judged

NAMES = (BASE, "metaslp-mean-minilm-l4", "beside-metaslp-mean-minilm-l4")
TOGETHER = (65, 120, 160, 200, 280)


def by_passage(encoder: Encoder, texts: list[str], together: int) -> np.ndarray:
    """(n, d) unit vectors of texts that are all read by passages of so many characters."""
    parts = [passages(text, short=0, together=together) for text in texts]
    x = encoder.encode([part for row in parts for part in row])
    sums = np.add.reduceat(x, np.cumsum([0, *map(len, parts[:-1])]), axis=0)
    unit: np.ndarray = sums / np.linalg.norm(sums, axis=1, keepdims=True)
    return unit


def main(folder: Path, *names: str) -> None:
    """Print a row for each encoder and length: every set, all classes, and the mean of both."""
    sources = read_sources(folder, VALIDATION)
    rows = [chosen_rows(source) for source in sources]
    texts = [
        list(source.examples.take(chosen.ravel()).texts or ())
        for source, chosen in zip(sources, rows, strict=True)
    ]
    titles = [source.name.removeprefix("validation_") for source in sources]
    print("|", " | ".join(["encoder, by", *titles, "all classes", "mean of sets and all"]), "|")
    print("|" + "---|" * (len(titles) + 3))
    for name in names or NAMES:
        encoder = load_encoder(name)
        for together in (None, *TOGETHER):
            found = [
                encoder.encode(each) if together is None else by_passage(encoder, each, together)
                for each in texts
            ]
            sets = [x.reshape(*shape.shape, -1) for x, shape in zip(found, rows, strict=True)]
            how = "whole texts" if together is None else f"{together} characters"
            figures = (f"{figure:.1f}" for figure in judged(sets))
            print("|", " | ".join([f"{name}, {how}", *figures]), "|", flush=True)


if __name__ == "__main__":
    main(Path(sys.argv[1]), *sys.argv[2:])
