"""The soft labels of two methods side by side, prototype by prototype."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from slp_core.explain.soft_label_pairs import AtPoint, SoftLabelPairs
from slp_core.explain.soft_label_text import pairs_text
from slp_core.explain.soft_labels import SIDES, Prototype
from slp_core.figures.display import Display
from slp_core.figures.style.parts import FIXED, ON_PAPER, bars, legend_key, note, rows_axis, scatter
from slp_core.figures.style.text import labels_of, shortened
from slp_core.figures.style.theme import LIGHT, Theme, base_layout, class_style, with_opacity

OFF_LINE = "off the line"
_SHOWN_OFF_LINE = 0.005
_ROW, _HEAD = 36, 50  # px: of a class, and of the title over a line
_HEIGHT = 340  # px: a few classes share at least this
_PALE = 0.38


@dataclass(frozen=True, eq=False)
class SoftLabelPairsDisplay(Display):
    """One panel per prototype of the first method, A beside B."""

    name = "soft labels"
    pairs: SoftLabelPairs
    at_point: AtPoint | None = None

    def figure(self, theme: Theme = LIGHT) -> go.Figure:
        """Two panels per line."""
        pairs, at_point = self.pairs, self.at_point
        first = pairs.first
        rows = [_rows(pairs, number) for number in range(len(first.lines))]
        row = max(_ROW, min(2 * _ROW, _HEIGHT / sum(map(len, rows))))
        heights = np.array([_HEAD + row * len(r) for r in rows])
        bottom_up = 1 - np.concatenate([[0], np.cumsum(heights)]) / heights.sum()
        traces: list[dict[str, Any]] = []
        notes: list[dict[str, Any]] = []
        axes: dict[str, Any] = {}
        for number, shown in enumerate(rows):
            top = float(bottom_up[number] - _HEAD / heights.sum())
            domain = [float(bottom_up[number + 1]), top]
            names = [_row_name(pairs, c, theme) for c in shown]
            for prototype in (p for p in first.prototypes if p.line == number):
                at, side = prototype.at, prototype.side
                axis = str(2 * number + side + 1)
                whole = len(prototype.order) == 1
                middle = [0.0, 1.0] if whole else [0.53 * side, 0.47 + 0.53 * side]
                at_x = (at_point or {}).get(at, (None, None))
                for which, labels in enumerate((prototype, pairs.second.at_class.get(at))):
                    if labels is None:
                        continue
                    traces.append(_bars(pairs, labels, shown, which, axis, theme))
                    if (x := at_x[which]) is not None:
                        traces.append(_diamonds(pairs, x, shown, which, axis, theme))
                axes |= _axes(axis, middle, domain, names, number == len(rows) - 1, theme)
                notes.append(_title(pairs, prototype, middle[0], top, theme))
        traces += _key(pairs, at_point, theme)
        legend = {"orientation": "h", "x": 0, "xanchor": "left", "y": 1.0, "yanchor": "bottom"}
        layout = base_layout(
            theme,
            height=int(heights.sum()) + 64,
            margin={"l": 8, "r": 8, "t": 34, "b": 28},
            **{"barmode": "group", "bargap": 0.22, "bargroupgap": 0.0},
            annotations=notes,
            legend=legend | {"itemclick": False, "itemdoubleclick": False},
            **axes,
        )
        return go.Figure(traces, layout)

    def table(self) -> pd.DataFrame:
        """The paper's table of soft labels: one row per prototype and class on its line."""
        pairs, at_point = self.pairs, self.at_point
        methods = (pairs.first, pairs.second)
        parts = []
        for prototype in pairs.first.prototypes:
            at, rows = prototype.at, _rows(pairs, prototype.line)
            columns: dict[str, Any] = {
                "line": prototype.line + 1,
                "prototype": SIDES[prototype.side],
                "at": pairs.first.classes[at],
                "class": [OFF_LINE if c is None else pairs.first.classes[c] for c in rows],
            }
            both = (prototype, pairs.second.at_class.get(at))
            at_x = (at_point or {}).get(at, (None, None))
            for labels, x, method in zip(both, at_x, methods, strict=True):
                if labels is None:
                    continue
                columns[method.method] = _values(labels.mean, rows)
                if not method.constant:
                    columns[f"± {method.method}"] = _spreads(labels.std, rows)
                    if x is not None:
                        columns[f"{method.method} at x"] = _values(x, rows)
            parts.append(pd.DataFrame(columns))
        return pd.concat(parts, ignore_index=True)

    def distances(self) -> pd.DataFrame:
        """One row per matched prototype."""
        pairs = self.pairs.pairs
        rows = [
            (p.classes[p.at], p.jsd, p.total_variation, "same" if p.same_line else "differ")
            for p in pairs
        ]
        columns = ["at", "JSD (bits)", "total variation", "lines"]
        return pd.DataFrame(rows, columns=columns)

    def sentence(self) -> str:
        """Where the two differ most."""
        return pairs_text(self.pairs)


def _rows(pairs: SoftLabelPairs, number: int) -> list[int | None]:
    """The classes on a line, and on the lines of the prototypes matched; None: off the line."""
    shown = list(pairs.first.lines[number].classes)
    labels = []
    for prototype in (p for p in pairs.first.prototypes if p.line == number):
        labels.append(prototype.mean)
        other = pairs.second.at_class.get(prototype.at)
        if other is not None:
            shown += [c for c in other.order if c not in shown]
            labels.append(other.mean)
    rest = max(float(np.nan_to_num(1 - label[shown].sum())) for label in labels)
    return [*shown, None] if rest >= _SHOWN_OFF_LINE else [*shown]


def _values(label: np.ndarray, rows: list[int | None]) -> np.ndarray:
    rest = 1 - label[[c for c in rows if c is not None]].sum()
    return np.array([rest if c is None else label[c] for c in rows])


def _spreads(std: np.ndarray, rows: list[int | None]) -> np.ndarray:
    return np.array([np.nan if c is None else std[c] for c in rows])


def _row_name(pairs: SoftLabelPairs, c: int | None, theme: Theme) -> str:
    if c is None:
        return f"{OFF_LINE} "
    return f"{class_style(c, theme).character} {labels_of(pairs.first.classes, 15)[c]} "


def _bars(
    pairs: SoftLabelPairs,
    labels: Prototype,
    rows: list[int | None],
    which: int,
    axis: str,
    theme: Theme,
) -> dict[str, Any]:
    method = (pairs.first, pairs.second)[which]
    colors = [theme.muted if c is None else class_style(c, theme).color for c in rows]
    outline = {"color": colors, "width": 1.2 if which else 0}
    fill = [with_opacity(c, _PALE) for c in colors] if which else colors
    trace = bars(
        _values(labels.mean, rows),
        np.arange(len(rows)),
        **{"orientation": "h", "xaxis": f"x{axis}", "yaxis": f"y{axis}"},
        **{"offsetgroup": str(which), "showlegend": False},
        marker={"color": fill, "line": outline},
        hovertemplate=f"<b>{shortened(method.method, 30)}</b> %{{x:.3f}}<extra></extra>",
    )
    if not method.constant:
        whisker = {"array": _spreads(labels.std, rows).astype(np.float32), "thickness": 1.4}
        trace["error_x"] = whisker | {"color": theme.text, "width": 3, "type": "data"}
    return trace


def _diamonds(
    pairs: SoftLabelPairs,
    label: np.ndarray,
    rows: list[int | None],
    which: int,
    axis: str,
    theme: Theme,
) -> dict[str, Any]:
    method = (pairs.first, pairs.second)[which]
    beside = 0.195 if which else -0.195  # the middle of that method's bar
    return scatter(
        _values(label, rows),
        np.arange(len(rows)) + beside,
        "markers",
        **{"xaxis": f"x{axis}", "yaxis": f"y{axis}", "showlegend": False},
        marker=_diamond(theme),
        hovertemplate=f"<b>{shortened(method.method, 30)}</b> at x %{{x:.3f}}<extra></extra>",
    )


def _diamond(theme: Theme) -> dict[str, Any]:
    outline = {"color": theme.text, "width": 1.6}
    return {"symbol": "diamond", "size": 9, "color": theme.background, "line": outline}


def _axes(
    axis: str, across: list[float], up: list[float], names: list[str], last: bool, theme: Theme
) -> dict[str, Any]:
    fixed = FIXED | {"automargin": False}
    left, text = across[0] == 0.0, {"tickfont": {"color": theme.text}}
    return {
        f"xaxis{axis}": {"domain": across, "anchor": f"y{axis}", "range": [0, 1.02], **fixed}
        | {"tickvals": [0, 0.5, 1], "ticktext": ["0", ".5", "1"], "ticks": ""}
        | {"gridcolor": theme.grid, "showticklabels": last}
        | {"tickfont": {"color": theme.muted, "size": 11}},
        f"yaxis{axis}": rows_axis(names, theme, domain=up, anchor=f"x{axis}", **text)
        | {**FIXED, "showticklabels": left},
    }


def _title(
    pairs: SoftLabelPairs, prototype: Prototype, x: float, y: float, theme: Theme
) -> dict[str, Any]:
    name = labels_of(pairs.first.classes, 14)[prototype.at]
    matched = prototype.at in pairs.second.at_class
    text = f"<b>{SIDES[prototype.side]}</b>{'' if matched else ', <i>unmatched</i>'}"
    text += f"<br>{class_style(prototype.at, theme).character} {name}"
    if prototype.side == 0 and len(pairs.first.lines) > 1:
        text = f"line {prototype.line + 1}, {text}"
    return note(text, x, y, theme.muted, 13, align="left", **ON_PAPER)


def _key(pairs: SoftLabelPairs, at_point: AtPoint | None, theme: Theme) -> list[dict[str, Any]]:
    """What dark, light, the whisker and the diamond stand for."""
    entries = []
    for which, method in enumerate((pairs.first, pairs.second)):
        spread = "" if method.constant else " (mean ± SD)"
        color = with_opacity(theme.muted, _PALE) if which else theme.muted
        outline = {"color": theme.muted, "width": 1.2}
        mark = {"symbol": "square", "size": 11, "color": color, "line": outline}
        entries.append((f"{shortened(method.method, 26)}{spread}", mark))
    if at_point:
        entries.append(("at x", _diamond(theme)))
    return [legend_key(name, mark) for name, mark in entries]
