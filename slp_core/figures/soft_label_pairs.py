"""The soft labels of two methods side by side, prototype by prototype."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from slp_core.explain.soft_label_pairs import AtPoint, SoftLabelPairs
from slp_core.explain.soft_label_text import pairs_text
from slp_core.explain.soft_labels import SIDES, Prototype
from slp_core.figures.display import Display
from slp_core.figures.style.parts import bars, rows_axis, small_layout
from slp_core.figures.style.text import labels_of, shortened
from slp_core.figures.style.theme import LIGHT, Theme, class_style, ink_on

_ROW = 26  # px of a bar
_MARKED = 0.06  # weight of which the segment has room for the class's shape


class _Row(NamedTuple):
    """One soft label: the first method's prototype there, what it is of, (K,) weights and SD."""

    at: Prototype
    what: str
    weights: np.ndarray
    std: np.ndarray | None = None


@dataclass(frozen=True, eq=False)
class SoftLabelPairsDisplay(Display):
    """One stacked bar per prototype and method: its weights by class; and those at a point x."""

    name = "soft labels"
    pairs: SoftLabelPairs
    at_point: AtPoint | None = None

    def figure(self, theme: Theme = LIGHT) -> go.Figure:
        """A on top of B, line by line; the first method on top of the second."""
        classes = self.pairs.first.classes
        rows = [row for row in self._rows() if not np.isnan(row.weights).any()]
        weights = np.array([row.weights for row in rows]).reshape(len(rows), len(classes))
        styles = [class_style(k, theme) for k in range(len(classes))]
        traces = [
            bars(
                weights[:, k],
                np.arange(len(rows)),
                **{"orientation": "h", "showlegend": False},
                marker={"color": styles[k].color},
                text=[styles[k].character if w >= _MARKED else "" for w in weights[:, k]],
                textfont={"color": ink_on(styles[k].color)},
                **{"textposition": "inside", "insidetextanchor": "middle", "textangle": 0},
                hovertemplate=f"<b>{name}</b> %{{x:.3f}}<extra></extra>",
            )
            for k, name in enumerate(labels_of(classes, 40))
        ]
        names = [
            f"{row.at.line + 1}{SIDES[row.at.side]} {styles[row.at.at].character} "
            f"{labels_of(classes, 14)[row.at.at]} · {shortened(row.what, 26)} "
            for row in rows
        ]
        layout = small_layout(
            theme,
            None,
            None,
            64 + _ROW * max(len(rows), 1),
            8,
            {"range": [0, 1], "nticks": 6, "title": {"text": "weight", "standoff": 6}},
            rows_axis(names, theme, tickfont={"color": theme.text}),
            **{"barmode": "stack", "bargap": 0.25, "margin": {"r": 12}},
        )
        return go.Figure(traces, layout)

    def table(self) -> pd.DataFrame:
        """One row per prototype, method and class that has weight or is on the line."""
        classes = self.pairs.first.classes
        rows = [
            (
                *(row.at.line + 1, SIDES[row.at.side], classes[row.at.at], row.what, classes[c]),
                *(row.weights[c], np.nan if row.std is None else row.std[c]),
            )
            for row in self._rows()
            for c in np.argsort(-row.weights, kind="stable")
            if row.weights[c] > 0 or c in row.at.order
        ]
        columns = ["line", "prototype", "at", "soft label", "class", "weight", "SD"]
        return pd.DataFrame(rows, columns=columns)

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

    def _rows(self) -> list[_Row]:
        """The first method's prototypes in their order, each with its counterpart."""
        first, second = self.pairs.first, self.pairs.second
        rows = []
        for at in first.prototypes:
            at_x = (self.at_point or {}).get(at.at, (None, None))
            both = ((at, first), (second.at_class.get(at.at), second))
            for (one, labels), x in zip(both, at_x, strict=True):
                if one is not None:
                    spread = None if labels.constant else one.std
                    rows.append(_Row(at, labels.method, one.mean, spread))
                if one is not None and x is not None:
                    rows.append(_Row(at, f"{labels.method} at x", x))
        return rows
