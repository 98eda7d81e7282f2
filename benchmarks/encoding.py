"""Encoding beside sentence-transformers', and beside the matrix products that it consists of."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import numpy as np
import torch
from sentence_transformers import SentenceTransformer
from tokenizers import Tokenizer

from benchmarks.row import Row
from benchmarks.timing import Work, in_turns, row
from slp_core.data import load_dataset
from slp_core.encoders import load_encoder
from slp_core.encoders.batches import TOKENS_PER_BATCH, run_batches
from slp_core.encoders.bert import _float_linear, _int8_linear
from slp_core.encoders.minilm import model_folder

N_SHORT, N_LONG, WORDS = 600, 500, 240
PEER = "sentence-transformers"
ENCODERS = {
    "minilm-l6": (6, "float32"),
    "minilm-l4": (4, "float32"),
    "minilm-l4-int8": (4, "8-bit"),
}
"""With their layers, and the arithmetic of their linear maps."""

HIDDEN, WIDE = 384, 1536
PER_TOKEN = 4 * HIDDEN * HIDDEN + 2 * HIDDEN * WIDE
"""Weights of a layer's linear maps: query, key, value and output; up and down."""


def run() -> list[Row]:
    rows = []
    for what, texts in (
        (f"{N_SHORT} tweets", sample_texts(N_SHORT)),
        (f"{N_LONG} long reviews", long_texts(N_LONG)),
    ):
        rows += compared(f"encoding {what}", texts)
    return rows


def compared(what: str, texts: Sequence[str]) -> list[Row]:
    """Every path in turns: beside the peer, and beside the products that it is made of."""
    peer = SentenceTransformer(str(model_folder()), device="cpu")
    works: dict[str, Work] = {PEER: lambda: peer.encode(list(texts), show_progress_bar=False)}
    for name in ENCODERS:
        works[name] = partial(load_encoder(name, cache=False).encode, texts)
    n_tokens = count_tokens(texts)
    products = {name: f"its {kind} products alone" for name, (_, kind) in ENCODERS.items()}
    for name, (n_layers, kind) in ENCODERS.items():
        works[f"{products[name]}, {n_layers} layers"] = partial(
            matrix_products, n_tokens, n_layers, kind
        )
    seconds = in_turns(works)
    return [
        *(
            row(f"{what}, {name}", seconds, name, PEER, "≥ 3×" if name == "minilm-l4" else "")
            for name in ENCODERS
        ),
        *(
            row(
                f"{what}, {name}",
                seconds,
                name,
                f"{products[name]}, {n_layers} layers",
                "≥ 0.8×" if kind == "float32" else "",
            )
            for name, (n_layers, kind) in ENCODERS.items()
        ),
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


def matrix_products(n_tokens: int, n_layers: int, kind: str) -> None:
    """The operations of the layers' linear maps, in products of the usual size, a thread each."""
    tokens, weights = torch.randn(TOKENS_PER_BATCH, HIDDEN), torch.randn(WIDE, HIDDEN)
    bias = torch.zeros(WIDE)
    linear = (_float_linear if kind == "float32" else _int8_linear)(weights, bias)
    times = round(n_tokens * n_layers * PER_TOKEN / (tokens.numel() * WIDE))

    def product(_: list[int]) -> None:
        with torch.inference_mode():
            linear(tokens)

    for _ in run_batches([[i] for i in range(times)], product, lambda: False):
        pass


def count_tokens(texts: Sequence[str]) -> int:
    tokenizer = Tokenizer.from_file(str(model_folder() / "tokenizer.json"))
    tokenizer.no_padding()
    tokenizer.enable_truncation(256)
    return sum(len(row.ids) for row in tokenizer.encode_batch(list(texts)))


if __name__ == "__main__":
    print(*run(), sep="\n")
