"""Means over runs and published results, as tables to print."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

from slp_core.encoders.choice import EncoderChoice
from slp_core.errors import SLPError
from slp_core.evaluation.paper import (
    DECIMALS,
    PAPER_DRAWS,
    PAPER_ENCODER,
    compare,
    encoder_size,
    outcome_counts,
    paper_results,
    registered,
    summarise,
)

if TYPE_CHECKING:
    import pandas as pd

_MARKS = re.compile(r"[\\`*\[<|$~&]|(?<![^\W_])_|_(?![^\W_])")
"""What Markdown would read in a name: an underline within a word stays as it is typed."""


def beside_paper(summary: pd.DataFrame) -> pd.DataFrame:
    """A table of one task on one encoder, with the paper's results of the same methods."""
    import pandas as pd

    keys = ["method", "shots"]
    beside = compare(summary)[[*keys, "system", "paper_mean", "paper_std", "outcome"]]
    both = summary.merge(beside, on=keys, how="left")
    ours, paper = (
        [
            "–" if pd.isna(mean) else plus_minus(mean, std, n)
            for mean, std, n in zip(both[f"{whose}_mean"], both[f"{whose}_std"], runs, strict=True)
        ]
        for whose, runs in (("accuracy", both["n"]), ("paper", [PAPER_DRAWS] * len(both)))
    )
    return both[[*keys, "n"]].assign(
        ours=ours,
        **{"the paper's": both["system"].fillna("–")},
        paper=paper,
        outcome=both["outcome"].fillna("–"),
    )


def markdown_report(results: pd.DataFrame, against: str | None = None) -> str:
    """Results as Markdown: ``mean ± std (n runs)`` in percent, the paper's, and wins."""
    if results.empty:
        raise SLPError("There are no results to report: the file holds no rows.")
    summary = summarise(results)
    comparison = compare(summary, against)
    parts = ["Accuracy (%): mean ± standard deviation (runs), over support sets and seeds."]
    for encoder, rows in summary.groupby("encoder"):
        beside = comparison[comparison["encoder"] == encoder]
        size = encoder_size(str(encoder))
        name = _literal(str(encoder)) + (f" ({size})" if size else "")
        if EncoderChoice.of(str(encoder)).transductive:
            name += ", transductive (fitted on all rows, query examples included)"
        parts.append(f"## {name}; the paper's encoder is {PAPER_ENCODER}")
        parts.append(_accuracy_table(rows, beside))
        if not beside.empty:
            parts.append("### Published results (a tie: equal when rounded to 0.1)")
            parts.append(_outcome_table(beside))
    return "\n\n".join(parts) + "\n"


def _accuracy_table(summary: pd.DataFrame, beside: pd.DataFrame) -> str:
    methods = sorted(summary["method"].unique(), key=registered)
    systems = list(dict.fromkeys(beside["system"]))
    cells = {}
    accuracy = ("accuracy_mean", "accuracy_std", "n")
    for *key, mean, std, n in _rows(summary, "task", "shots", "method", *accuracy):
        cells[tuple(key)] = f"{plus_minus(mean, std, n)} ({n})"
    for *key, mean, std in _rows(beside, "task", "shots", "system", "paper_mean", "paper_std"):
        cells[tuple(key)] = plus_minus(mean, std, PAPER_DRAWS)
    settings = summary[["task", "shots"]].drop_duplicates().sort_values(["task", "shots"])
    return _table(
        ["task", "shots", *methods, *(f"paper: {system}" for system in systems)],
        [
            [task, str(shots), *(cells.get((task, shots, name), "–") for name in methods + systems)]
            for task, shots in settings.itertuples(index=False)
        ],
    )


def _outcome_table(comparison: pd.DataFrame) -> str:
    counts = outcome_counts(comparison).drop(columns=["encoder", "settings"])
    lines = [
        [*map(str, row[:-1]), f"{row[-1]:+.{DECIMALS}f}"]
        for row in counts.itertuples(index=False, name=None)
    ]
    return _table(["method", "paper's system", "wins", "losses", "ties", "mean difference"], lines)


def plus_minus(mean: float, std: float, n: int) -> str:
    """In percent, as printed; the mean alone for a single run."""
    return f"{_percent(mean)} ± {_percent(std)}" if n > 1 else _percent(mean)


def _percent(value: float) -> str:
    return f"{value:.{DECIMALS}f}"


def _table(header: list[str], lines: list[list[str]]) -> str:
    rows = [map(_literal, cells) for cells in (header, ["---"] * len(header), *lines)]
    return "\n".join(f"| {' | '.join(cells)} |" for cells in rows)


def _literal(name: str) -> str:
    """Markdown that reads as the name does, also in a terminal."""
    return _MARKS.sub(r"\\\g<0>", name)


def latex_table(summary: pd.DataFrame, comments: Iterable[str] = ()) -> str:
    """A summary as a table for the booktabs package, names escaped."""
    import pandas as pd

    table = pd.DataFrame(
        {
            "task": summary["task"],
            "encoder": summary["encoder"],
            "method": summary["method"],
            "shots": summary["shots"],
            "n": summary["n"],
            "accuracy": _latex_cells(summary, "accuracy"),
            "macro-F1": _latex_cells(summary, "macro_f1"),
        }
    )
    style = table.style.hide(axis="index")
    style = style.format(escape="latex", subset=["task", "encoder", "method"])
    latex: str = style.to_latex(hrules=True)
    return "".join(f"% {' '.join(line.split())}\n" for line in comments) + latex


def _latex_cells(summary: pd.DataFrame, what: str) -> list[str]:
    rows = zip(summary[f"{what}_mean"], summary[f"{what}_std"], summary["n"], strict=True)
    return [rf"${mean:.1f} \pm {std:.1f}$" if n > 1 else f"${mean:.1f}$" for mean, std, n in rows]


def paper_table(summary: pd.DataFrame, systems: Sequence[str]) -> pd.DataFrame:
    """The paper's accuracies by task and shots, with those of a summary beside them."""
    import pandas as pd

    cells: dict[tuple[str, str], dict[tuple[str, int], str]] = {}
    settings = sorted(set(_rows(paper_results(), "task", "shots")))
    for task, shots, system, mean, std in _rows(
        paper_results(), "task", "shots", "system", "accuracy_mean", "accuracy_std"
    ):
        if system in systems:
            column = (f"paper: {PAPER_ENCODER}", system)
            cells.setdefault(column, {})[task, shots] = plus_minus(mean, std, PAPER_DRAWS)
    for encoder, method, task, shots, mean, std, n in _rows(
        summary, "encoder", "method", "task", "shots", "accuracy_mean", "accuracy_std", "n"
    ):
        if (task, shots) in settings:
            column = (f"ours: {encoder}", method)
            cells.setdefault(column, {})[task, shots] = f"{plus_minus(mean, std, n)} ({n})"
    index = pd.MultiIndex.from_tuples(settings, names=["task", "shots"])
    table = pd.DataFrame(cells, index=index)
    return table.fillna("–")


def _rows(table: pd.DataFrame, *columns: str) -> Iterator[tuple[Any, ...]]:
    return zip(*(table[column].tolist() for column in columns), strict=True)
