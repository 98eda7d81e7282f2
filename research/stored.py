"""The stored results on LEOPARD's tasks: which runs, and their file."""

from __future__ import annotations

import gzip
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import slp_core
from slp_core.evaluation.protocol import find_tasks
from slp_core.evaluation.results import read_results
from slp_core.evaluation.runner import Outcome, evaluate


class Evaluation(NamedTuple):
    """Encoders and methods that are evaluated together."""

    encoders: tuple[str, ...]
    methods: tuple[str, ...]
    seeds: int = 1


_FIRST = (
    "minilm-l4",
    "metaslp-reptile-minilm-l4",
    "metaslp-fomaml-minilm-l4",
    "reptile-minilm-l4",
    "protonet-minilm-l4",
)
_LINES = ("constraint_slp", "constraint_slp_along_line")
_PLAIN = ("deep_slp", "nearest_centroid")
EVALUATIONS = (
    Evaluation(_FIRST, (*_LINES, *_PLAIN, "one_nn", "logistic_regression")),
    Evaluation(("minilm-l4",), ("deep_slp_paper",), seeds=3),
    Evaluation(("minilm-l4",), ("lora", "fine_tuned", "proto_net", "setfit")),
    Evaluation(("reptile-minilm-l4",), ("fine_tuned",)),
    Evaluation(("leopard-minilm-l4",), ("leopard",)),
    Evaluation(
        (
            "metaslp-reptile-minilm-l4",
            "metaslp-fomaml-minilm-l4",
            "metaslp-mean-minilm-l4",
            "metaslp-mean-minilm-l4+chunks",
            "metaslp-mean3-minilm-l4+chunks",
        ),
        ("meta_slp",),
    ),
    Evaluation(("metaslp-mean-minilm-l4+chunks",), ("deep_slp",)),
    Evaluation(
        (
            "metaslp-mean-minilm-l4",
            "metaslp-mean3-minilm-l4",
            "leopard-minilm-l4",
            "protonet-sentiment-minilm-l4",
            "protonet-mean-minilm-l6",
            "metaslp-reptile-minilm-l4+concatenated",
            "metaslp-fomaml-minilm-l4+concatenated",
            "metaslp-mean-minilm-l4+concatenated",
            "metaslp-mean3-minilm-l4+concatenated",
            "leopard-minilm-l4+concatenated",
            "reptile-minilm-l4+concatenated",
            "protonet-minilm-l4+concatenated",
            "protonet-sentiment-minilm-l4+concatenated",
            "protonet-mean-minilm-l6+concatenated",
            "minilm-l4+chunks",
            "metaslp-mean3-minilm-l4+chunks",
            "protonet-mean-minilm-l6+chunks",
            "metaslp-mean-minilm-l4+weighted+chunks",
            "metaslp-mean3-minilm-l4+weighted+chunks",
            "protonet-mean-minilm-l6+weighted+chunks",
        ),
        _PLAIN,
    ),
)


def run(
    data: Sequence[str],
    results: Path,
    evaluations: Sequence[Evaluation] = EVALUATIONS,
    *,
    shots: Sequence[int] = (4, 8, 16),
    n_draws: int | None = None,
    n_jobs: int = 1,
) -> list[Outcome]:
    """Evaluate into one results file, continuing a stopped run."""
    tasks = find_tasks(data)
    return [
        evaluate(
            tasks,
            each.methods,
            results,
            encoders=each.encoders,
            shots=shots,
            n_draws=n_draws,
            n_seeds=each.seeds,
            n_jobs=n_jobs,
        )
        for each in evaluations
    ]


def pack(results: Path, out: Path, about: Sequence[str], names: Mapping[str, str]) -> None:
    """Write a results file as the library stores it: compressed, below comment lines.

    ``about`` are the comments, and ``names`` what encoders of the file are to be called.
    """
    table = read_results(results)
    table["encoder"] = table["encoder"].replace(dict(names))
    comments = [*about, f"slp_core {slp_core.__version__}"]
    text = "".join(f"# {line}\n" for line in comments) + table.to_csv(index=False)
    out.write_bytes(gzip.compress(text.encode(), 9, mtime=0))
