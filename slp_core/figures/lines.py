"""The classes on each line, as a table."""

from __future__ import annotations

import pandas as pd


def lines_table(model: object, classes: tuple[str, ...]) -> pd.DataFrame | None:
    """One row a class: its line, its position along it, and its distance from it."""
    if not hasattr(model, "line_fit_"):
        return None
    fit = model.line_fit_
    rows = [
        {
            "line": number + 1,
            "class": classes[c],
            "position": position / line.length if line.length else 0.0,
            "distance": off,
            "beyond tolerance": bool(off > fit.tolerance),
        }
        for number, line in enumerate(fit.lines)
        for c, position, off in zip(line.classes, line.positions, line.offsets, strict=True)
    ]
    return pd.DataFrame(rows).round({"position": 3, "distance": 3})
