"""Results as a LaTeX table."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import pandas as pd


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
            "accuracy": _plus_minus(summary, "accuracy"),
            "macro-F1": _plus_minus(summary, "macro_f1"),
        }
    )
    style = table.style.hide(axis="index")
    style = style.format(escape="latex", subset=["task", "encoder", "method"])
    latex: str = style.to_latex(hrules=True)
    return "".join(f"% {' '.join(line.split())}\n" for line in comments) + latex


def _plus_minus(summary: pd.DataFrame, what: str) -> list[str]:
    rows = zip(summary[f"{what}_mean"], summary[f"{what}_std"], summary["n"], strict=True)
    return [rf"${mean:.1f} \pm {std:.1f}$" if n > 1 else f"${mean:.1f}$" for mean, std, n in rows]
