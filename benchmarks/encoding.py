"""Encoding speed beside sentence-transformers', on 600 of the sample texts, all in one run.

``python benchmarks/encoding.py`` prints a table; `run` returns its rows.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import torch
from sentence_transformers import SentenceTransformer
from tokenizers import Tokenizer

from slp_core.data import list_datasets, load_dataset
from slp_core.encoders import load_encoder
from slp_core.encoders.minilm import model_folder

N_TEXTS = 600
REPEATS = 5
BESIDE = "sentence-transformers, 6 layers"

HIDDEN, WIDE = 384, 1536
PRODUCTS_PER_TOKEN = 2 * (4 * HIDDEN * HIDDEN + 2 * HIDDEN * WIDE)
"""Floating-point operations of one layer's linear maps: query, key, value, output; up and down."""


@dataclass(frozen=True)
class Timing:
    """One row of the table.

    Parameters
    ----------
    name
        What was timed.
    seconds
        The best of some repeats, which took turns with those of the other rows.
    ratio
        How many times faster than sentence-transformers.
    matmul_share
        Linear maps' operations a second, padding not counted, as a share of what this machine
        reaches in a plain matrix product of the same type; None where that says nothing.
    cosine
        Mean cosine to sentence-transformers' vectors, or to float32's of the same layer.
    """

    name: str
    seconds: float
    ratio: float
    matmul_share: float | None
    cosine: float | None


def run(n_texts: int = N_TEXTS, repeats: int = REPEATS) -> list[Timing]:
    """Time every path, in turns, so that whatever else the machine does hits all alike."""
    texts = sample_texts(n_texts)
    reference = SentenceTransformer(str(model_folder()), device="cpu")
    encoders = {
        "minilm-l6, float32": load_encoder("minilm-l6", cache=False),
        "minilm-l4, float32": load_encoder("minilm-l4", cache=False),
        "minilm-l6, int8": load_encoder("minilm-l6", precision="int8", cache=False),
        "minilm-l4, int8": load_encoder("minilm-l4", precision="int8", cache=False),
    }
    paths: dict[str, Callable[[], np.ndarray]] = {
        BESIDE: lambda: reference.encode(texts, show_progress_bar=False)
    }
    for name, encoder in encoders.items():
        paths[name] = lambda encoder=encoder: encoder.encode(texts)

    vectors = {name: path() for name, path in paths.items()}  # also loads and warms up
    seconds = {name: np.inf for name in paths}
    rate = 0.0
    for _ in range(repeats):
        rate = max(rate, matmul_rate())
        for name, path in paths.items():
            seconds[name] = min(seconds[name], timed(path))

    n_tokens = count_tokens(texts)
    rows = []
    for name in paths:
        layers = 4 if "l4" in name else 6
        exact = BESIDE if layers == 6 else "minilm-l4, float32"
        share = n_tokens * layers * PRODUCTS_PER_TOKEN / seconds[name] / rate
        rows.append(
            Timing(
                name,
                seconds[name],
                seconds[BESIDE] / seconds[name],
                None if "int8" in name else share,
                None if name == exact else float((vectors[name] * vectors[exact]).sum(1).mean()),
            )
        )
    return rows


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


def matmul_rate() -> float:
    """Floating-point operations a second of products of the size that a batch of tokens needs."""
    tokens, weights = torch.randn(1000, HIDDEN), torch.randn(HIDDEN, WIDE)
    times = 100
    elapsed = timed(lambda: [torch.mm(tokens, weights) for _ in range(times)])
    return times * 2 * tokens.numel() * WIDE / elapsed


def count_tokens(texts: Sequence[str]) -> int:
    tokenizer = Tokenizer.from_file(str(model_folder() / "tokenizer.json"))
    tokenizer.no_padding()
    tokenizer.enable_truncation(256)
    return sum(len(row.ids) for row in tokenizer.encode_batch(list(texts)))


def timed(function: Callable[[], object]) -> float:
    start = time.perf_counter()
    function()
    return time.perf_counter() - start


def main() -> None:
    print(f"{N_TEXTS} sample texts, {torch.get_num_threads()} threads, best of {REPEATS}")
    print(f"{'':34}{'seconds':>8}{'times':>8}{'of matmul':>11}{'cosine':>9}")
    for row in run():
        share = "" if row.matmul_share is None else f"{row.matmul_share:.2f}"
        cosine = "" if row.cosine is None else f"{row.cosine:.4f}"
        print(f"{row.name:34}{row.seconds:8.2f}{row.ratio:8.1f}{share:>11}{cosine:>9}")


if __name__ == "__main__":
    main()
