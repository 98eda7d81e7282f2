"""Encoding speed beside sentence-transformers', on 600 of the sample texts, all in one run."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from functools import partial

import numpy as np
import torch
from sentence_transformers import SentenceTransformer
from tokenizers import Tokenizer

from benchmarks.row import Row
from slp_core.data import list_datasets, load_dataset
from slp_core.encoders import load_encoder
from slp_core.encoders.minilm import model_folder

N_TEXTS = 600
REPEATS = 5
PEER = "sentence-transformers"

HIDDEN, WIDE = 384, 1536
PER_TOKEN = 4 * HIDDEN * HIDDEN + 2 * HIDDEN * WIDE
"""Weights of a layer's linear maps: query, key, value and output; up and down."""


def run() -> list[Row]:
    """Time every path, in turns, so that whatever else the machine does hits all alike."""
    texts = sample_texts(N_TEXTS)
    peer = SentenceTransformer(str(model_folder()), device="cpu")
    paths: dict[str, Callable[[], object]] = {
        PEER: lambda: peer.encode(texts, show_progress_bar=False),
        "minilm-l6": partial(load_encoder("minilm-l6", cache=False).encode, texts),
        "minilm-l4": partial(load_encoder("minilm-l4", cache=False).encode, texts),
        "minilm-l4, int8": partial(
            load_encoder("minilm-l4", cache=False, precision="int8").encode, texts
        ),
    }
    products = {
        f"matrix products of {n_layers} layers": partial(
            matrix_products, count_tokens(texts), n_layers
        )
        for n_layers in (4, 6)
    }
    paths |= products
    for path in paths.values():
        path()  # loads and warms up
    seconds = dict.fromkeys(paths, float("inf"))
    for _ in range(REPEATS):
        for name, path in paths.items():
            seconds[name] = min(seconds[name], timed(path))

    what = f"encoding {N_TEXTS} texts"
    beside = [
        ("minilm-l6", ""),
        ("minilm-l4", ""),
        ("minilm-l4, int8", "≥ 6×"),
    ]
    ceiling = list(zip(("minilm-l4", "minilm-l6"), products, strict=True))
    return [
        *(
            Row(f"{what}, {name}", seconds[name], PEER, seconds[PEER], goal)
            for name, goal in beside
        ),
        *(
            Row(f"{what}, {name}", seconds[name], f"its {peer} alone", seconds[peer], "≥ 0.8×")
            for name, peer in ceiling
        ),
    ]


def sample_texts(n: int) -> list[str]:
    """The sample data's single texts, `n` of them, repeated as often as that takes."""
    texts = [
        text
        for info in list_datasets()
        if info.kind == "text"
        for text in load_dataset(info.name).examples.texts or ()
    ]
    chosen = np.random.default_rng(0).permutation(np.resize(np.arange(len(texts)), n))
    # A number keeps a repeated text from being recognised as the same one.
    return [f"{texts[i]} {position}" for position, i in enumerate(chosen)]


def matrix_products(n_tokens: int, n_layers: int) -> None:
    """The floating-point operations of the layers' linear maps, in products of the usual size."""
    tokens, weights = torch.randn(1000, HIDDEN), torch.randn(HIDDEN, WIDE)
    for _ in range(round(n_tokens * n_layers * PER_TOKEN / (tokens.numel() * WIDE))):
        torch.mm(tokens, weights)


def count_tokens(texts: Sequence[str]) -> int:
    tokenizer = Tokenizer.from_file(str(model_folder() / "tokenizer.json"))
    tokenizer.no_padding()
    tokenizer.enable_truncation(256)
    return sum(len(row.ids) for row in tokenizer.encode_batch(list(texts)))


def timed(function: Callable[[], object]) -> float:
    start = time.perf_counter()
    function()
    return time.perf_counter() - start


if __name__ == "__main__":
    print(*run(), sep="\n")
