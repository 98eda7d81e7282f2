"""Our own full run on LEOPARD's tasks, as a file that comes with the package."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any

from slp_core.encoders import load_encoder
from slp_core.encoders.choice import EncoderChoice, current_name
from slp_core.errors import EncoderError, SLPError
from slp_core.evaluation.paper import (
    PAPER_DRAWS,
    PAPER_ENCODER,
    PAPER_SEEDS,
    encoder_size,
    paper_results,
)
from slp_core.evaluation.report import outcome_counts, plus_minus, summarise, tie_facts
from slp_core.evaluation.results import COLUMNS
from slp_core.evaluation.wording import Count, Points
from slp_core.facts import Fact, Facts, MethodTitle, fact
from slp_core.methods.table import METHODS

if TYPE_CHECKING:
    import pandas as pd

STORED = "our_runs.csv.gz"
_SAME = 1e-9  # points: what differs less differs by rounding


@dataclass(frozen=True, eq=False)
class StoredRuns:
    """Rows of a results file, and where they came from."""

    # the comment lines at the head of the file: the command, and the version it was run with
    made_by: tuple[str, ...]
    runs: pd.DataFrame  # the columns of :func:`slp_core.evaluation.read_results`
    summary: pd.DataFrame  # from :func:`slp_core.evaluation.summarise`


@cache
def our_results() -> StoredRuns | None:
    """Our stored runs; None where the file does not come with this version.

    The file is a results file, as the command line's ``evaluate`` writes it, below lines that
    start with ``#``, compressed: ``(echo '# COMMAND'; cat FILE.csv) | gzip -9n``.
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
    runs["encoder"] = runs["encoder"].map(current_name)  # it was written before options were
    return StoredRuns(tuple(line[1:].strip() for line in head), runs, summarise(runs))


def outcome_facts(counts: pd.Series) -> Facts:
    """A row of :func:`slp_core.evaluation.report.outcome_counts`: how a method does."""
    wins, losses, ties = (int(counts[name]) for name in ("wins", "losses", "ties"))
    told: dict[str, Any] = {
        "method": MethodTitle(method_title(counts["method"])),
        "encoder": MethodTitle(encoder_title(counts["encoder"])),
        "system": counts["system"],
        "settings": Count(int(counts["settings"]), "setting"),
        "wins": wins,
        "losses": losses,
        "ties": ties,
        "mean": _mean_lead(float(counts["mean_lead"])),
    }
    first = "Our {method:inside} on {encoder} is above the paper's {system} in "
    last = " that we ran"
    last += ", below in {losses:,}" if losses and (wins or ties) else ""
    last += ", level in {ties:,}" if ties else ""
    last += ": {mean}."
    if not losses and not ties:
        template = first + "{settings}, all" + last
        return (fact("paper.all_above", template, **told),)
    if not wins:
        template = first + "none of {settings}" + last
        return (fact("paper.none_above", template, **told),)
    return (fact("paper.some_above", first + "{wins:,} of {settings}" + last, **told),)


def _mean_lead(lead: float, **whose: MethodTitle) -> Fact:
    """By how much a mean leads: of what a sentence is about, or of the ``method`` given here."""
    start, more, less = "the mean over them is {lead} ", "more", "less"
    if whose:
        start = "the mean of {method:inside} over all of them is {lead} "
        more, less = "higher", "lower"
    told: dict[str, Any] = {"lead": Points(lead), **whose}
    if abs(lead) < _SAME:
        return fact("paper.mean_same", "the means over them are equal", **told)
    if lead > 0:
        return fact("paper.mean_more", start + more, **told)
    return fact("paper.mean_less", start + less, **told)


def paper_facts(comparison: pd.DataFrame | None) -> Facts:
    """The paper's settings, and what ours come to beside them."""
    paper = paper_results()
    settings = Count(len(paper[["task", "shots"]].drop_duplicates()), "setting")
    tasks = Count(paper["task"].nunique(), "task")
    whole = {"settings": settings, "tasks": tasks}
    if comparison is None:
        template = (
            "The paper has {settings} ({tasks}); this version comes without results of ours to "
            "set beside them."
        )
        return (fact("paper.nothing_stored", template, **whole),)
    ours = len(comparison[["task", "shots"]].drop_duplicates())
    if not ours:
        template = (
            "The paper has {settings} ({tasks}); none of its systems is the counterpart of what is "
            "chosen: choose one of them to set ours beside."
        )
        return (fact("paper.no_counterpart", template, **whole),)
    template = "The paper has {settings} ({tasks}); ours stand beside {ours:,} of them."
    first = fact("paper.beside", template, ours=ours, **whole)
    counts = outcome_counts(comparison)
    return (first, *outcome_facts(counts.iloc[0])) if len(counts) == 1 else (first,)


def beside_facts(summary: pd.DataFrame, method: str, other: str, encoder: str) -> Facts:
    """In how many of our settings a method is at or above another on the same encoder."""
    both = summary[summary["method"].isin([method, other])]
    means = both.pivot(
        index=["encoder", "task", "shots"], columns="method", values="accuracy_mean"
    ).reindex(columns=[method, other])
    leads = (means[method] - means[other]).dropna()
    encoders = leads.index.get_level_values("encoder")
    here, n = encoders == encoder, encoders.nunique()
    if not n:
        return ()
    among = leads[here] if here.any() else leads
    title = MethodTitle(method_title(method))
    values: dict[str, Any] = {
        "settings": Count(len(among), "setting"),
        "method": title,
        "other": MethodTitle(method_title(other)),
        "at_or_above": int((among > -_SAME).sum()),
        "mean": _mean_lead(float(among.mean()), method=title),
    }
    last = " {method:inside} is at or above {other:inside} in {at_or_above:,}: {mean}."
    if here.any():
        template = "Where we ran both on the paper's tasks with this encoder ({settings}),"
        return (fact("paper.methods_beside", template + last, encoder=encoder, **values),)
    template = (
        "{method} and {other:inside} were not both run on the paper's tasks with this encoder; "
        "with {encoders} ({settings} in all)"
    )
    values["encoders"] = Count(n, "other")
    return (fact("paper.methods_beside_elsewhere", template + last, **values),)


def means_facts(comparison: pd.DataFrame) -> Facts:
    """What the means of a comparison are of; it has rows."""
    least, most = int(comparison["n"].min()), Count(int(comparison["n"].max()), "run")
    first = "Each of our means is over {most}"
    if least != most:
        first = "Our means are over {least:,} to {most} each"
    first += (
        " (draws, and seeds of methods that draw lots), the paper's over {draws} draws and, by its "
        "appendix, {seeds} seeds; "
    )
    told = {"least": least, "most": most, "draws": PAPER_DRAWS, "seeds": PAPER_SEEDS}
    return (fact("paper.means", first + "{tie}.", tie=tie_facts()[0], **told),)


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
    choice = EncoderChoice.of(current_name(name))
    base, *scaled = choice.name.split("+")
    choice = replace(choice, name=base)
    title = str(choice)
    if not base.startswith(("hf:", "meta:")):
        with suppress(EncoderError):
            title = load_encoder(title).info.title
    size = encoder_size(name)
    return ", ".join([title, *scaled]) + (f" ({size})" if size else "")


def paper_table(
    summary: pd.DataFrame | None = None, systems: Sequence[str] | None = None
) -> pd.DataFrame:
    """The paper's accuracies by task and shots, with those of a summary beside them."""
    import pandas as pd

    cells: dict[tuple[str, str], dict[tuple[str, int], str]] = {}
    settings = sorted(set(_rows(paper_results(), "task", "shots")))
    for task, shots, system, mean, std in _rows(
        paper_results(), "task", "shots", "system", "accuracy_mean", "accuracy_std"
    ):
        if systems is not None and system not in systems:
            continue
        column = (f"paper: {PAPER_ENCODER}", system)
        cells.setdefault(column, {})[task, shots] = plus_minus(mean, std, PAPER_DRAWS)
    if summary is not None:
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
