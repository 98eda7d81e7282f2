"""Encoding beside sentence-transformers' `encode`, in turns."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import numpy as np
from sentence_transformers import SentenceTransformer

from benchmarks.row import Row
from benchmarks.timing import Work, in_turns, row
from slp_core.data import load_dataset
from slp_core.encoders import load_encoder
from slp_core.encoders.minilm import model_folder

N_SHORT, N_LONG, WORDS = 600, 50, 240
PEER = "sentence-transformers"
ENCODERS = ("minilm-l6", "minilm-l4", "minilm-l4-int8")


def run() -> list[Row]:
    rows = []
    for what, texts in (
        (f"{N_SHORT} tweets", sample_texts(N_SHORT)),
        (f"{N_LONG} long reviews", long_texts(N_LONG)),
    ):
        rows += compared(f"encoding {what}", texts)
    return rows


def compared(what: str, texts: Sequence[str]) -> list[Row]:
    peer = SentenceTransformer(str(model_folder()), device="cpu")
    works: dict[str, Work] = {PEER: lambda: peer.encode(list(texts), show_progress_bar=False)}
    for name in ENCODERS:
        works[name] = partial(load_encoder(name, cache=False).encode, texts)
    seconds = in_turns(works)
    return [
        row(f"{what}, {name}", seconds, name, PEER, "≥ 3×" if name == "minilm-l4" else "")
        for name in ENCODERS
    ]


def sample_texts(n: int) -> list[str]:
    """Tweets of the sample data, `n` of them, repeated as often as that takes."""
    texts = load_dataset("airline").examples.texts or ()
    chosen = np.random.default_rng(0).permutation(np.resize(np.arange(len(texts)), n))
    # A number keeps a repeated text from being recognised as the same one.
    return [f"{texts[i]} {position}" for position, i in enumerate(chosen)]


def long_texts(n: int) -> list[str]:
    """`n` reviews of the sample data, each of as many as make about 200 words."""
    reviews = load_dataset("ratings").examples.texts or ()
    rng = np.random.default_rng(0)
    found = []
    for number in range(n):
        words: list[str] = [str(number)]
        while len(words) < WORDS:
            words += reviews[int(rng.integers(len(reviews)))].split()
        found.append(" ".join(words[: int(rng.integers(WORDS // 2, WORDS))]))
    return found


if __name__ == "__main__":
    print(*run(), sep="\n")
