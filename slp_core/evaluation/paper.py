"""Published results (the paper's tables, on BERT-base), our own runs, and how they compare."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING

import numpy as np

from slp_core.encoders import load_encoder
from slp_core.encoders.choice import EncoderChoice
from slp_core.errors import EncoderError, SLPError
from slp_core.methods.table import METHODS

if TYPE_CHECKING:
    import pandas as pd

PAPER_ENCODER_NAME = "BERT-base"
PAPER_ENCODER = f"{PAPER_ENCODER_NAME} (12 layers, 110M parameters)"
PAPER_DRAWS = 10
"""Support sets that each of its results is averaged over."""
PAPER_SEEDS = 3
"""Random seeds on each of them, by its appendix on hyperparameters."""
DECIMALS = 1
"""Percentages are printed, and compared, to this many decimals."""
STORED = "our_runs.csv.gz"
_SIZES = {"minilm-l4": "4 layers, 19M parameters", "minilm-l6": "6 layers, 23M parameters"}


def encoder_size(name: str) -> str:
    """Size of one of our encoders, by its name in a results file; "" if unknown."""
    choice = EncoderChoice.of(name)
    if choice.combine:
        return ""  # more than one
    base = choice.name.partition("+")[0]
    return next((size for ending, size in _SIZES.items() if base.endswith(ending)), "")


@cache
def paper_results() -> pd.DataFrame:
    """16 LEOPARD tasks × 3 numbers of shots × 10 systems: accuracies in percent over its draws."""
    import pandas as pd

    with files("slp_core.evaluation").joinpath("paper_results.csv").open(encoding="utf-8") as file:
        return pd.read_csv(file, comment="#")


def paper_systems() -> tuple[str, ...]:
    return tuple(sorted(paper_results()["system"].unique()))


@dataclass(frozen=True, eq=False)
class StoredRuns:
    """Our stored full run on LEOPARD's tasks."""

    # the comment lines at the head of the file: the command, and the version it was run with
    made_by: tuple[str, ...]
    runs: pd.DataFrame  # the columns of :func:`slp_core.evaluation.read_results`
    summary: pd.DataFrame  # from :func:`slp_core.evaluation.summarise`


@cache
def our_results() -> StoredRuns:
    """Our stored runs, a gzipped results file below lines with ``#``."""
    import gzip
    from io import StringIO

    import pandas as pd

    packed = files("slp_core.evaluation").joinpath(STORED).read_bytes()
    text = gzip.decompress(packed).decode()
    made_by = tuple(line[1:].strip() for line in text.splitlines() if line.startswith("#"))
    runs = pd.read_csv(StringIO(text), comment="#")
    # It was written before options were.
    runs["encoder"] = [str(EncoderChoice.of(name)) for name in runs["encoder"]]
    return StoredRuns(made_by, runs, summarise(runs))


def summarise(results: pd.DataFrame) -> pd.DataFrame:
    """Means and SDs (ddof = 0) of each setting; accuracy and macro-F1 in percent."""
    runs = results.assign(accuracy=100 * results["accuracy"], macro_f1=100 * results["macro_f1"])
    groups = runs.groupby(["encoder", "task", "shots", "method"])
    means = groups[["accuracy", "macro_f1", "nll", "fit_seconds"]].mean().add_suffix("_mean")
    spreads = groups[["accuracy", "macro_f1", "nll"]].std(ddof=0).add_suffix("_std")
    summary = groups.size().rename("n").to_frame().join([means, spreads])
    return summary.reset_index()


def compare(summary: pd.DataFrame, against: str | None = None) -> pd.DataFrame:
    """Our means beside the paper's: of the same method, or of one system for all."""
    import pandas as pd

    if against is not None and against not in paper_systems():
        raise SLPError(
            f"The paper has no system called '{against}'; choose from {', '.join(paper_systems())}."
        )
    systems = [
        against or (METHODS[method].counterpart(encoder) if method in METHODS else None)
        for method, encoder in zip(summary["method"], summary["encoder"], strict=True)
    ]
    ours = summary.assign(system=pd.Series(systems, summary.index, dtype=object))
    return _beside(ours, paper_results(), ["task", "shots", "system"])


def compare_methods(summary: pd.DataFrame, other: str) -> pd.DataFrame:
    """Like :func:`compare`, with another of our methods on the same encoder for the paper's."""
    is_other = summary["method"] == other
    ours = summary[~is_other].assign(system=method_title(other))
    return _beside(ours, summary[is_other], ["encoder", "task", "shots"])


def _beside(ours: pd.DataFrame, theirs: pd.DataFrame, keys: list[str]) -> pd.DataFrame:
    theirs = theirs.rename(columns={"accuracy_mean": "paper_mean", "accuracy_std": "paper_std"})
    both = ours.merge(theirs[[*keys, "paper_mean", "paper_std"]], on=keys)
    mean, other = (
        both[name].map(lambda value: float(f"{value:.{DECIMALS}f}"))
        for name in ("accuracy_mean", "paper_mean")
    )
    return both.assign(outcome=np.select([mean > other, mean < other], ["win", "loss"], "tie"))


def outcome_counts(comparison: pd.DataFrame) -> pd.DataFrame:
    """Wins, losses and ties of each method, and its mean difference in percentage points."""
    keys = ["encoder", "method", "system"]
    difference = comparison["accuracy_mean"] - comparison["paper_mean"]
    rows = comparison.assign(settings=1, mean_difference=difference)
    for outcome, name in {"win": "wins", "loss": "losses", "tie": "ties"}.items():
        rows[name] = rows["outcome"] == outcome
    groups = rows.groupby(keys)
    counts = groups[["settings", "wins", "losses", "ties"]].sum()
    table = counts.join(groups["mean_difference"].mean()).reset_index()
    return table.sort_values(
        keys,
        key=lambda names: names.map(registered) if names.name == "method" else names,
        ignore_index=True,
    )


def registered(method: str) -> tuple[int, str]:
    """Order of methods in tables: the registry's, then any others by name."""
    names = list(METHODS)
    return (names.index(method) if method in METHODS else len(names), method)


def titled(rows: pd.DataFrame) -> pd.DataFrame:
    """The same rows with titles for the names under ``method`` and ``encoder``."""
    return rows.assign(
        method=rows["method"].map(method_title), encoder=rows["encoder"].map(encoder_title)
    )


def method_title(name: str) -> str:
    return METHODS[name].title if name in METHODS else name.replace("_", " ")


def encoder_title(name: str, size: bool = True) -> str:
    """Title of an encoder in a results file; with its size where that is known."""
    choice = EncoderChoice.of(name)
    marks = ["transductive"] * choice.transductive
    base, *scaled = choice.name.split("+")
    choice = replace(choice, name=base)
    title = str(choice)
    if not base.startswith(("hf:", "meta:")):
        with suppress(EncoderError):
            title = load_encoder(title).info.title
    title, known = ", ".join([title, *scaled, *marks]), encoder_size(name)
    return f"{title} ({known})" if size and known else title
