"""Our own full run on LEOPARD's tasks, as a file that comes with the package."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any

from slp_core.encoders import list_encoders
from slp_core.errors import SLPError
from slp_core.evaluation.paper import PAPER_ENCODER, encoder_size, paper_results
from slp_core.evaluation.report import DECIMALS, compare, plus_minus, summarise
from slp_core.evaluation.results import COLUMNS
from slp_core.methods.table import METHODS

if TYPE_CHECKING:
    import pandas as pd

STORED = "our_runs.csv.gz"


@dataclass(frozen=True, eq=False)
class StoredRuns:
    """Rows of a results file, and where they came from.

    Attributes
    ----------
    made_by : tuple of str
        The comment lines at the head of the file: the command, and the version it was run with.
    runs : pandas.DataFrame
        The columns of :func:`slp_core.evaluation.read_results`.
    summary : pandas.DataFrame
        From :func:`slp_core.evaluation.summarise`.
    """

    made_by: tuple[str, ...]
    runs: pd.DataFrame
    summary: pd.DataFrame


@cache
def our_results() -> StoredRuns | None:
    """Our stored runs; None where the file does not come with this version.

    The file is a results file, as the command line's ``evaluate`` writes it, below lines that
    start with ``#``, compressed: ``(echo '# COMMAND'; cat FILE.csv) | gzip -9n``.

    Raises
    ------
    SLPError
        The file is not of this form.
    """
    import gzip
    from io import StringIO

    import pandas as pd

    file = files("slp_core.evaluation").joinpath(STORED)
    if not file.is_file():
        return None
    text = gzip.decompress(file.read_bytes()).decode()
    lines = text.splitlines(keepends=True)
    head = [line for line in lines if line.startswith("#")]
    rows = [line for line in lines if not line.startswith("#")]
    if not rows or rows[0].strip() != ",".join(COLUMNS):
        raise SLPError(f"{STORED} is not a results file: its columns are {','.join(COLUMNS)}.")
    runs = pd.read_csv(StringIO("".join(rows)))
    return StoredRuns(tuple(line[1:].strip() for line in head), runs, summarise(runs))


def outcome_counts(comparison: pd.DataFrame) -> pd.DataFrame:
    """How often each method is above, below and level with what it is set beside.

    Parameters
    ----------
    comparison
        From :func:`slp_core.evaluation.compare`.

    Returns
    -------
    pandas.DataFrame
        One row for each (encoder, method, system), methods in the registry's order:
        ``settings``, ``wins``, ``losses``, ``ties``, and ``mean_lead`` in points.
    """
    import pandas as pd

    names = [*METHODS, *sorted(set(comparison["method"]) - set(METHODS))]
    rows = []
    for (encoder, method, system), group in comparison.groupby(["encoder", "method", "system"]):
        counts = group["outcome"].value_counts()
        lead = (group["accuracy_mean"] - group["paper_mean"]).mean()
        outcomes = [int(counts.get(outcome, 0)) for outcome in ("win", "loss", "tie")]
        rows.append((encoder, method, system, len(group), *outcomes, float(lead)))
    rows.sort(key=lambda row: (row[0], names.index(row[1])))
    columns = ["encoder", "method", "system", "settings", "wins", "losses", "ties", "mean_lead"]
    return pd.DataFrame(rows, columns=columns)


def outcome_sentence(counts: pd.Series, title: str) -> str:
    """A row of :func:`outcome_counts` in words, under the method's title."""
    n, wins = int(counts["settings"]), int(counts["wins"])
    often = f"all {n}" if wins == n else f"none of the {n}" if not wins else f"{wins} of the {n}"
    if n == 1:
        often = "the one" if wins else "no"
    others = [
        f"{word} in {count}"
        for word, count in (("below", int(counts["losses"])), ("level", int(counts["ties"])))
        if count
    ]
    lead = f"{abs(counts['mean_lead']):.{DECIMALS}f}"
    more = "more" if counts["mean_lead"] > 0 else "less"
    return (
        f"our {title} is above the paper's {counts['system']} in {often} "
        f"setting{'' if n == 1 else 's'} that we ran"
        + (f", {' and '.join(others)}" if others else "")
        + f"; the mean is {lead} points {more}"
    )


def stored_sentence(stored: StoredRuns | None) -> str:
    """What our stored runs come to beside the paper's: of DeepSLP where it is among them."""
    paper = paper_results()
    n = len(paper[["task", "shots"]].drop_duplicates())
    start = f"The paper's {n} settings ({paper['task'].nunique()} tasks)"
    if stored is None:
        return f"{start}; this version comes without results of ours to set beside them."
    counts = outcome_counts(compare(stored.summary))
    if counts.empty:
        return f"{start}; none of them is among our own results."
    main = counts[(counts["method"] == "deep_slp") & (counts["encoder"] == "minilm-l4")]
    row = (main if len(main) else counts).iloc[0]
    title = f"{method_title(row['method'])} on {encoder_title(row['encoder'])}"
    return f"{start}: {outcome_sentence(row, title)}."


def titled(rows: pd.DataFrame) -> pd.DataFrame:
    """The same rows with titles for the names under ``method`` and ``encoder``."""
    return rows.assign(
        method=rows["method"].map(method_title), encoder=rows["encoder"].map(encoder_title)
    )


def method_title(name: str) -> str:
    """What people read of a method of a results file."""
    return METHODS[name].title if name in METHODS else name.replace("_", " ")


def encoder_title(name: str) -> str:
    """What people read of an encoder of a results file, with its size where it is known."""
    base, _, scaled = name.partition("+")
    title = {info.name: info.title for info in list_encoders()}.get(base, base)
    size = encoder_size(name)
    return ", ".join(filter(None, [title, scaled])) + (f" ({size})" if size else "")


def paper_table(
    summary: pd.DataFrame | None = None, systems: Sequence[str] | None = None
) -> pd.DataFrame:
    """The paper's accuracies by task and shots, with those of a summary beside them.

    Parameters
    ----------
    summary
        From :func:`slp_core.evaluation.summarise`; None for the paper's alone.
    systems
        Of the paper; None for all.

    Returns
    -------
    pandas.DataFrame
        Indexed by ``task`` and ``shots``. Columns are pairs: whose encoder, ``"paper: "`` and
        ``PAPER_ENCODER`` or ``"ours: "`` and a name, and the system or method. Cells are ``mean ±
        std`` in percent, ours with the number of runs; a dash where there is none.
    """
    import pandas as pd

    cells: dict[tuple[str, str], dict[tuple[str, int], str]] = {}
    settings = sorted(set(_rows(paper_results(), "task", "shots")))
    for task, shots, system, mean, std in _rows(
        paper_results(), "task", "shots", "system", "accuracy_mean", "accuracy_std"
    ):
        if systems is not None and system not in systems:
            continue
        column = (f"paper: {PAPER_ENCODER}", system)
        cells.setdefault(column, {})[task, shots] = plus_minus(mean, std)
    if summary is not None:
        for encoder, method, task, shots, mean, std, n in _rows(
            summary, "encoder", "method", "task", "shots", "accuracy_mean", "accuracy_std", "n"
        ):
            if (task, shots) in settings:
                column = (f"ours: {encoder}", method)
                cells.setdefault(column, {})[task, shots] = f"{plus_minus(mean, std)} ({n})"
    index = pd.MultiIndex.from_tuples(settings, names=["task", "shots"])
    table = pd.DataFrame(cells, index=index)
    return table.fillna("–")


def _rows(table: pd.DataFrame, *columns: str) -> Iterator[tuple[Any, ...]]:
    return zip(*(table[column].tolist() for column in columns), strict=True)
