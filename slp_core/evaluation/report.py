"""Means over runs and published results, as tables to print."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

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
    keys = ["method", "shots"]
    beside = compare(summary)[[*keys, "system", "paper_mean", "paper_std", "outcome"]]
    beside = beside.assign(paper=_cells(beside, "paper"))
    table = summary.assign(ours=_cells(summary)).merge(beside, on=keys, how="left")
    table = table[[*keys, "n", "ours", "system", "paper", "outcome"]].fillna("–")
    return table.rename(columns={"system": "the paper's"})


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
    import pandas as pd

    ours = summary.assign(column=summary["method"], cell=_cells(summary, runs=True))
    ours = ours.sort_values("method", key=lambda names: names.map(registered), kind="stable")
    theirs = beside.assign(column="paper: " + beside["system"], cell=_cells(beside, "paper"))
    return _table(_by_setting(pd.concat([ours, theirs]), ["column"]).reset_index())


def _by_setting(cells: pd.DataFrame, columns: list[str]) -> pd.DataFrame:
    """A row for each task and number of shots; a dash in each cell that there is not."""
    import pandas as pd

    settings = ["task", "shots"]
    found = cells.drop_duplicates([*settings, *columns], keep="last")
    wide = found.set_index([*settings, *columns])["cell"].unstack(columns, sort=False)
    return pd.DataFrame(wide).sort_index().fillna("–")


def _outcome_table(comparison: pd.DataFrame) -> str:
    counts = outcome_counts(comparison).drop(columns=["encoder", "settings"])
    counts["mean_difference"] = counts["mean_difference"].map(f"{{:+.{DECIMALS}f}}".format)
    names = {"system": "paper's system", "mean_difference": "mean difference"}
    return _table(counts.rename(columns=names))


def plus_minus(mean: float, std: float, n: int) -> str:
    """In percent, as printed; the mean alone for a single run."""
    return f"{mean:.{DECIMALS}f}" + (f" ± {std:.{DECIMALS}f}" if n > 1 else "")


def _table(table: pd.DataFrame) -> str:
    rows = [list(table.columns), ["---"] * table.shape[1], *table.astype(str).to_numpy().tolist()]
    return "\n".join(f"| {' | '.join(map(_literal, cells))} |" for cells in rows)


def _literal(name: str) -> str:
    """Markdown that reads as the name does, also in a terminal."""
    return _MARKS.sub(r"\\\g<0>", name)


def latex_table(summary: pd.DataFrame, comments: Iterable[str] = ()) -> str:
    """A summary as a table for the booktabs package, names escaped."""
    table = summary[["task", "encoder", "method", "shots", "n"]].copy()
    for title, of in {"accuracy": "accuracy", "macro-F1": "macro_f1"}.items():
        table[title] = [f"${cell}$".replace("±", r"\pm") for cell in _cells(summary, of)]
    style = table.style.hide(axis="index")
    style = style.format(escape="latex", subset=["task", "encoder", "method"])
    latex: str = style.to_latex(hrules=True)
    return "".join(f"% {' '.join(line.split())}\n" for line in comments) + latex


def paper_table(summary: pd.DataFrame, systems: Sequence[str]) -> pd.DataFrame:
    """The paper's accuracies by task and shots, with those of a summary beside them."""
    import pandas as pd

    paper = paper_results()
    settings = pd.MultiIndex.from_frame(paper[["task", "shots"]])
    theirs = paper[paper["system"].isin(systems)].assign(of=f"paper: {PAPER_ENCODER}")
    theirs = theirs.assign(method=theirs["system"], cell=_cells(theirs.assign(n=PAPER_DRAWS)))
    ours = summary.assign(of="ours: " + summary["encoder"], cell=_cells(summary, runs=True))
    ours = ours[pd.MultiIndex.from_frame(ours[["task", "shots"]]).isin(settings)]
    table = _by_setting(pd.concat([theirs, ours]), ["of", "method"])
    return table.set_axis(table.columns.set_names([None, None]), axis=1)


def _cells(rows: pd.DataFrame, of: str = "accuracy", runs: bool = False) -> list[str]:
    """Means ± SD as printed, and of how many runs they are."""
    n = [PAPER_DRAWS] * len(rows) if of == "paper" else rows["n"]
    each = zip(rows[f"{of}_mean"], rows[f"{of}_std"], n, strict=True)
    return [plus_minus(mean, std, n) + (f" ({n})" if runs else "") for mean, std, n in each]
