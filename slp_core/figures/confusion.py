"""The confusion matrix: what was answered for the examples of each class."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from slp_core.facts import Facts, class_names, fact
from slp_core.figures.display import Display
from slp_core.figures.style.parts import heatmap, named_ticks, small_layout
from slp_core.figures.style.text import labels_of
from slp_core.figures.style.theme import LIGHT, Theme, class_style

_COLUMNS_ROOM = 42  # letters that fit side by side under the columns
_FEW_COLUMNS = 4  # of which names have room there
_UPENDED, _BELOW = 12, 90  # letters of a name that is read from below, and px that they take
_MOST_COLUMNS = 30  # as broad as a shape, or as a count; of more, shades and the pointer tell


@dataclass(frozen=True, eq=False)
class ConfusionDisplay(Display):
    """Counts in cells, shaded by their share of the true class, errors in another hue."""

    name = "confusion"
    counts: np.ndarray  # (K, K)
    classes: Sequence[str]
    method: str = "The method"

    def figure(self, theme: Theme = LIGHT) -> go.Figure:
        """A heatmap for right answers and one for wrong ones."""
        counts, classes = np.asarray(self.counts), self.classes
        n_classes = len(classes)
        shares = _row_shares(counts)
        diagonal = np.eye(n_classes, dtype=bool)
        text = _cell_texts(counts, shares)
        names = labels_of(classes, 40)
        hover = [
            [
                f"{count:,} of {row.sum():,} <b>{true}</b> ({share:.0%})<br>"
                f"answered <b>{answered}</b>"
                for answered, count, share in zip(names, row, of_row, strict=True)
            ]
            for true, row, of_row in zip(names, counts, shares, strict=True)
        ]
        font = {"size": 14 if n_classes <= 6 else 11}
        heatmaps = [
            heatmap(
                np.where(shown, shares, np.nan),
                np.where(shown, text, ""),
                hover,
                hue,
                theme,
                textfont=font,
            )
            for shown, hue in ((diagonal, theme.right), (~diagonal, theme.wrong))
        ]
        axis = named_ticks(
            [_marked(name, index, theme) for index, name in enumerate(labels_of(classes))],
            tickfont={"color": theme.text, "size": 13 if n_classes <= 6 else 12},
            showgrid=False,
            ticks="outside",
        )
        columns = _columns(classes, theme)
        below = _BELOW if columns["tickangle"] else 0
        answered, true = ({"title": {"text": x, "standoff": 8}} for x in ("answered", "true"))
        layout = small_layout(
            theme,
            None,
            None,
            150 + min(56, 24 + 150 // n_classes) * n_classes + below,
            8,
            {**axis, **answered, **columns},
            {**axis, **true, "autorange": "reversed"},
        )
        return go.Figure(heatmaps, layout)

    def table(self) -> pd.DataFrame:
        """A row a cell: ``true``, ``answered``, ``count``, ``share`` of the true class."""
        names = np.asarray(self.classes, dtype=object)
        counts = np.asarray(self.counts)
        return pd.DataFrame(
            {
                "true": np.repeat(names, len(names)),
                "answered": np.tile(names, len(names)),
                "count": counts.ravel(),
                "share": _row_shares(counts).ravel(),
            }
        )

    def facts(self) -> Facts:
        """How many are on the diagonal, and the largest cell off it."""
        counts, names = np.asarray(self.counts), class_names(self.classes)
        n, right = int(counts.sum()), int(np.trace(counts))
        values = {"method": self.method, "right": right, "n": n}
        template = "{method} answers {right:,} of {n:,} query points rightly."
        told = fact("confusion.right", template, **values)
        off = counts - np.diag(np.diag(counts))
        times = int(off.max(initial=0))
        often = np.argwhere(off == times)
        if not times or len(often) > 1:
            return (told,)
        true, answer = often[0].tolist()
        template = "Most often it takes {true} for {answer}: {times:,} times."
        if times == 1:
            template = "Once it takes {true} for {answer}."
        pair = fact(
            "confusion.most_often", template, true=names[true], answer=names[answer], times=times
        )
        return told, pair


def _row_shares(counts: np.ndarray) -> np.ndarray:
    total = counts.sum(axis=1, keepdims=True)
    return np.divide(counts, total, out=np.full(counts.shape, np.nan), where=total > 0)


def _cell_texts(counts: np.ndarray, shares: np.ndarray) -> np.ndarray:
    """Counts, with the share under them where cells are large; nothing for no examples."""
    if len(counts) > _MOST_COLUMNS:
        return np.full(counts.shape, "", dtype=object)
    roomy = len(counts) <= 6
    cells = [
        f"{count:,}<br>{share:.0%}" if roomy else f"{count:,}"
        for count, share in zip(counts.ravel(), shares.ravel(), strict=True)
    ]
    return np.where(counts > 0, np.array(cells, dtype=object).reshape(counts.shape), "")


def _columns(classes: Sequence[str], theme: Theme) -> dict[str, Any]:
    """Plotly's axis under the columns: marked names of few classes, upended ones of more."""
    n = len(classes)
    if n > _MOST_COLUMNS:
        names, angle = [""] * n, 0
    elif n <= _FEW_COLUMNS:
        labels = labels_of(classes, min(_COLUMNS_ROOM // n - 4, 18))
        names, angle = [_marked(name, index, theme) for index, name in enumerate(labels)], 0
    else:  # without shapes: one that is tilted is another class's
        names, angle = list(labels_of(classes, _UPENDED)), -90
    return {"ticktext": np.array(names, dtype=object), "tickangle": angle}


def _marked(name: str, index: int, theme: Theme) -> str:
    """A class's label with its shape in its colour before it."""
    style = class_style(index, theme)
    return f'<span style="color:{style.color}">{style.character}</span> {name} '
