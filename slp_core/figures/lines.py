"""What each line carries, as a table."""

from __future__ import annotations

import pandas as pd


def lines_table(model: object, classes: tuple[str, ...]) -> pd.DataFrame | None:
    """One row a class: its line, its place along it, and how far off it lies."""
    if not hasattr(model, "line_fit_"):
        return None
    fit = model.line_fit_
    rows = [
        {
            "line": number + 1,
            "class": classes[c],
            "at": position / line.length if line.length else 0.0,
            "off": off,
            "> ε": bool(off > fit.tolerance),
        }
        for number, line in enumerate(fit.lines)
        for c, position, off in zip(line.classes, line.positions, line.offsets, strict=True)
    ]
    return pd.DataFrame(rows).round({"at": 3, "off": 3})
