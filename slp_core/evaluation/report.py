"""Means over runs, set beside the paper's figures, as tables to print."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import TYPE_CHECKING

from slp_core.errors import SLPError
from slp_core.evaluation.paper import (
    PAPER_DRAWS,
    PAPER_ENCODER,
    encoder_size,
    paper_results,
    paper_systems,
)
from slp_core.facts import ClassName, Facts, fact, said
from slp_core.methods.table import METHODS

if TYPE_CHECKING:
    import pandas as pd

DECIMALS = 1
"""Percentages are printed, and compared, to this many decimals."""

_MARKS = re.compile(r"[\\`*\[<|$~&]|(?<![^\W_])_|_(?![^\W_])")
"""What Markdown would read in a name: an underline within a word stays as it is typed."""


def tie_facts() -> Facts:
    """What is counted as a tie."""
    template = "a tie is two means that agree when printed, to {decimals} decimal"
    return (fact("paper.tie", template, decimals=DECIMALS),)


def task_facts(task: str) -> Facts:
    """What stands in a table of one task beside the paper's figures, of :func:`beside_paper`."""
    told = {"task": ClassName(task), "ddof": 0}
    first = "Accuracy in %, mean ± standard deviation (ddof = {ddof}) over the runs; "
    if task in set(paper_results()["task"]):
        return (fact("paper.task", first + "{tie}.", tie=tie_facts()[0], **told),)
    template = first + "the paper has no task called {task}, so ours stand alone."
    return (fact("paper.no_such_task", template, **told),)


def summarise(results: pd.DataFrame) -> pd.DataFrame:
    """Mean and spread of each setting over all its runs (draws × seeds).

    Parameters
    ----------
    results
        Rows of runs, as :func:`slp_core.evaluation.read_results` gives them.

    Returns
    -------
    pandas.DataFrame
        One row for each (encoder, task, shots, method), sorted: ``n`` runs, and ``accuracy_mean``,
        ``accuracy_std``, ``macro_f1_mean``, ``macro_f1_std`` in percent, ``nll_mean`` and
        ``nll_std`` in nats, ``fit_seconds_mean``. Standard deviations have ddof = 0: they describe
        the runs there are.
    """
    runs = results.assign(accuracy=100 * results["accuracy"], macro_f1=100 * results["macro_f1"])
    groups = runs.groupby(["encoder", "task", "shots", "method"])
    means = groups[["accuracy", "macro_f1", "nll", "fit_seconds"]].mean().add_suffix("_mean")
    spreads = groups[["accuracy", "macro_f1", "nll"]].std(ddof=0).add_suffix("_std")
    summary = groups.size().rename("n").to_frame().join([means, spreads])
    return summary.reset_index()


def compare(summary: pd.DataFrame, against: str | None = None) -> pd.DataFrame:
    """Set each mean of a summary beside the paper's for the same task and shots.

    Parameters
    ----------
    summary
        From :func:`summarise`.
    against
        One of the paper's systems for all methods; None takes each method's own counterpart
        (``deep_slp`` beside DeepSLP) and leaves out the methods that have none.

    Returns
    -------
    pandas.DataFrame
        The summary's rows that the paper has a figure for, with ``system``, ``paper_mean``,
        ``paper_std`` (percent) and ``outcome``: ``"win"``, ``"loss"`` or ``"tie"`` of our mean
        accuracy, rounded to 0.1 points as is the paper's.

    Raises
    ------
    SLPError
        ``against`` is not a system of the paper.
    """
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
    theirs = paper_results().rename(
        columns={"accuracy_mean": "paper_mean", "accuracy_std": "paper_std"}
    )
    both = ours.dropna(subset="system").merge(
        theirs.drop(columns="classes"), on=["task", "shots", "system"]
    )
    outcome = [
        _outcome(float(_percent(mine)), float(_percent(paper)))
        for mine, paper in zip(both["accuracy_mean"], both["paper_mean"], strict=True)
    ]
    return both.assign(outcome=outcome)


def beside_paper(summary: pd.DataFrame) -> pd.DataFrame:
    """A summary of one task through one encoder, with the paper's counterparts, to be read."""
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
    """Write results as Markdown: a table of accuracies for each encoder, then wins and losses.

    Parameters
    ----------
    results
        Rows of runs.
    against
        A system of the paper to set every method beside; None for each method's counterpart.

    Returns
    -------
    str
        Cells are ``mean ± std (n runs)`` of the accuracy in percent, of one run the mean alone; a
        dash is a setting without runs, or one that the paper does not have.

    Raises
    ------
    SLPError
        There are no rows, or ``against`` is not a system of the paper.
    """
    if results.empty:
        raise SLPError("There are no results to report: the file holds no rows.")
    summary = summarise(results)
    comparison = compare(summary, against)
    parts = ["Accuracy in percent: mean ± standard deviation (runs), over draws and seeds."]
    for encoder, rows in summary.groupby("encoder"):
        beside = comparison[comparison["encoder"] == encoder]
        size = encoder_size(str(encoder))
        name = _literal(str(encoder)) + (f" ({size})" if size else "")
        parts.append(f"## {name}; the paper's encoder is {PAPER_ENCODER}")
        parts.append(_accuracy_table(rows, beside))
        if not beside.empty:
            parts.append(f"### Beside the paper ({said(tie_facts())})")
            parts.append(_outcome_table(beside))
    return "\n\n".join(parts) + "\n"


def _outcome(ours: float, paper: float) -> str:
    return "win" if ours > paper else "loss" if ours < paper else "tie"


def _accuracy_table(summary: pd.DataFrame, beside: pd.DataFrame) -> str:
    methods = sorted(summary["method"].unique(), key=_registered)
    systems = list(dict.fromkeys(beside["system"]))
    cells = {}
    for key, mean, std, n in zip(
        _keys(summary, "method"),
        summary["accuracy_mean"],
        summary["accuracy_std"],
        summary["n"],
        strict=True,
    ):
        cells[key] = f"{plus_minus(mean, std, n)} ({n})"
    for key, mean, std in zip(
        _keys(beside, "system"), beside["paper_mean"], beside["paper_std"], strict=True
    ):
        cells[key] = plus_minus(mean, std, PAPER_DRAWS)
    settings = summary[["task", "shots"]].drop_duplicates().sort_values(["task", "shots"])
    return _table(
        ["task", "shots", *methods, *(f"paper: {system}" for system in systems)],
        [
            [task, str(shots), *(cells.get((task, shots, name), "–") for name in methods + systems)]
            for task, shots in settings.itertuples(index=False)
        ],
    )


def outcome_counts(comparison: pd.DataFrame) -> pd.DataFrame:
    """How often each method is above, below and level with what it is set beside."""
    import pandas as pd

    rows = []
    for (encoder, method, system), group in comparison.groupby(["encoder", "method", "system"]):
        counts = group["outcome"].value_counts()
        lead = (group["accuracy_mean"] - group["paper_mean"]).mean()
        outcomes = [int(counts.get(outcome, 0)) for outcome in ("win", "loss", "tie")]
        rows.append((encoder, method, system, len(group), *outcomes, float(lead)))
    rows.sort(key=lambda row: (row[0], _registered(str(row[1])), row[2]))
    columns = ["encoder", "method", "system", "settings", "wins", "losses", "ties", "mean_lead"]
    return pd.DataFrame(rows, columns=columns)


def _outcome_table(comparison: pd.DataFrame) -> str:
    counts = outcome_counts(comparison).drop(columns=["encoder", "settings"])
    lines = [
        [*map(str, row[:-1]), f"{row[-1]:+.{DECIMALS}f}"]
        for row in counts.itertuples(index=False, name=None)
    ]
    return _table(["method", "paper's system", "wins", "losses", "ties", "mean lead"], lines)


def _registered(method: str) -> tuple[int, str]:
    """Order of methods in tables: that of the registry, then any others by name."""
    names = list(METHODS)
    return (names.index(method) if method in METHODS else len(names), method)


def _keys(table: pd.DataFrame, column: str) -> zip[tuple[str, int, str]]:
    return zip(table["task"], table["shots"], table[column], strict=True)


def plus_minus(mean: float, std: float, n: int) -> str:
    """As they are printed, in percent: of one run the mean alone, which has no deviation."""
    return f"{_percent(mean)} ± {_percent(std)}" if n > 1 else _percent(mean)


def _percent(value: float) -> str:
    return f"{value:.{DECIMALS}f}"


def _table(header: list[str], lines: list[list[str]]) -> str:
    rows = [map(_literal, cells) for cells in (header, ["---"] * len(header), *lines)]
    return "\n".join(f"| {' | '.join(cells)} |" for cells in rows)


def _literal(name: str) -> str:
    """As Markdown that reads as the name does: of folders and files, it may hold any mark.

    Not :func:`slp_core.markdown.literal`, which is for the app's Markdown: a report is read in a
    terminal as well, where methods keep their names as they are typed.
    """
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
