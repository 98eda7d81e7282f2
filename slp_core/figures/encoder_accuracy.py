"""Class separation and accuracy by shots under two encoders."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from slp_core.diagnostics.encoders import EncoderChange
from slp_core.diagnostics.text import change_text
from slp_core.evaluation.encoder_accuracy import AccuracyByShots
from slp_core.evaluation.text import encoder_gain_text
from slp_core.figures.display import Display
from slp_core.figures.style.parts import FIXED, SILENT, legend_key, note, scatter, small_layout
from slp_core.figures.style.text import labels_of
from slp_core.figures.style.theme import LIGHT, Theme, class_style


@dataclass(frozen=True, eq=False)
class ClassDistancesDisplay(Display):
    """Class separation before and after: distance between classes over distance within."""

    name = "class distances"
    scope = "data"
    change: EncoderChange

    def figure(self, theme: Theme = LIGHT) -> go.Figure:
        """An open mark before and a full one after, a row a class."""
        classes = self.change.classes
        order = np.arange(len(classes))[::-1]
        names = [
            f"{class_style(int(k), theme).character} {labels_of(classes, 20)[k]}" for k in order
        ]
        y = np.array([*names, "<b>all classes</b>"], dtype=object)
        x = [np.array([*space.ratio[order], space.overall]) for space in self.change.distances]
        colors = [*(class_style(int(k), theme).color for k in order), theme.text]
        gap = np.full(len(y), np.nan)
        threads = scatter(
            np.column_stack([*x, gap]).ravel(),
            np.repeat(y, 3),
            "lines",
            line={"color": theme.muted, "width": 2},
            **SILENT,
        )
        marks = []
        for values, name, symbol in ((x[0], "before", "circle-open"), (x[1], "after", "circle")):
            look = {"symbol": symbol, "size": 11, "line": {"width": 2}}
            mark = {"marker": look | {"color": colors}, "showlegend": False}
            hover = f"%{{y}}, {name}: %{{x:.2f}}<extra></extra>"
            marks.append(scatter(values, y, "markers", **mark, hovertemplate=hover))
            marks.append(legend_key(name, look | {"color": theme.muted}))
        layout = small_layout(
            theme,
            "class separation: between / within",
            "",
            max(220, 120 + 26 * len(y)),
            xaxis={"nticks": 6},
            yaxis={"tickfont": {"color": theme.text}, "zeroline": None, "categoryarray": y},
            legend={"orientation": "h", "x": 0, "y": 1.0, "yanchor": "bottom"},
            margin={"r": 16},  # half of a number that stands at the end
        )
        return go.Figure([threads, *marks], layout)

    def table(self) -> pd.DataFrame:
        """A row a class, as ``EncoderChange.table``."""
        return self.change.table()

    def sentence(self) -> str:
        """Accuracy and class separation under both encoders."""
        return change_text(self.change)

    def before_and_after(self) -> pd.DataFrame:
        """A row a class: ``within`` and ``between`` as "before → after"."""
        table = self.change.table()
        arrows = pd.DataFrame({"class": table["class"]})
        for what in ("within", "between"):
            pairs = zip(table[f"{what}, before"], table[f"{what}, after"], strict=True)
            arrows[what] = [f"{old:.3f} → {new:.3f}" for old, new in pairs]
        return arrows


@dataclass(frozen=True, eq=False)
class AccuracyByShotsDisplay(Display):
    """Accuracy over shots under both encoders."""

    name = "accuracy by shots"
    scope = ""
    accuracy: AccuracyByShots

    def figure(self, theme: Theme = LIGHT) -> go.Figure:
        """A panel a method; whiskers are ± one deviation."""
        table = self.table()
        methods = list(dict.fromkeys(table["method"]))
        shots = sorted(set(table["shots"]))
        places = [str(s) for s in shots]
        n = len(methods)
        looks = (
            ("before", theme.muted, "circle-open", "dot"),
            ("after", theme.right, "circle", "solid"),
        )
        traces, axes, notes = [], {}, []
        for i, method in enumerate(methods):
            part = table[table["method"] == method]
            number = "" if i == 0 else str(i + 1)
            left, right = i / n + 0.02 * (i > 0), (i + 1) / n - 0.02 * (i < n - 1)
            for when, color, symbol, dash in looks:
                spread = (100 * part[f"± {when}"]).to_numpy(dtype=np.float32)
                traces.append(
                    scatter(
                        np.array([str(s) for s in part["shots"]], dtype=object),
                        100 * part[when],
                        "lines+markers",
                        error_y={"array": spread, "color": color, "thickness": 1.2, "width": 3},
                        **{"xaxis": f"x{number}", "yaxis": "y"},
                        **{"name": when, "legendgroup": when, "showlegend": i == 0},
                        line={"color": color, "width": 2, "dash": dash},
                        marker={"symbol": symbol, "size": 9, "color": color, "line": {"width": 2}},
                        hovertemplate=f"{method}, %{{x}} shots, {when}: %{{y:.1f}} ± "
                        "%{error_y.array:.1f}%<extra></extra>",
                    )
                )
            axes[f"xaxis{number}"] = {
                **{"domain": [left, right], "anchor": "y", **FIXED, "zeroline": None},
                **{"type": "category", "categoryorder": "array", "categoryarray": places},
                "title": {"text": "shots per class"} if i == n // 2 else {},
            }
            head, place = f"<b>{method.replace(' ', '<br>')}</b>", (left + right) / 2
            above = {"xref": "paper", "yref": "paper", "xanchor": "center", "yanchor": "bottom"}
            notes.append(note(head, place, 1, theme.text, 11, **above))  # three on a phone
        layout = small_layout(
            theme,
            "",
            "accuracy (%)",
            340,
            76,
            yaxis={"nticks": 6},
            annotations=notes,
            legend={"orientation": "h", "x": 0, "y": 1.17, "yanchor": "bottom"},
            **axes,
        )
        return go.Figure(traces, layout)

    def table(self) -> pd.DataFrame:
        """Means and deviations, as ``AccuracyByShots.table``."""
        return self.accuracy.table()

    def sentence(self) -> str:
        """Wins and losses of the encoder after, and its mean difference."""
        return encoder_gain_text(self.accuracy.summary())


def accuracy_pivot(accuracy: AccuracyByShots) -> pd.DataFrame:
    """One row a method or dataset, one column a number of shots: "before → after" in percent."""
    table = accuracy.table()
    pairs = zip(table["before"], table["after"], strict=True)
    table["both"] = [f"{100 * old:.1f} → {100 * new:.1f}" for old, new in pairs]
    pivot = table.pivot_table(
        index=accuracy.what, columns="shots", values="both", aggfunc="first", sort=False
    )
    pivot = pivot[sorted(pivot.columns)].fillna("")
    pivot.columns = [f"{shots} shot{'s' * (shots != 1)}" for shots in pivot.columns]
    return pivot.reset_index()
