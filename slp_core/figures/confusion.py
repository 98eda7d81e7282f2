"""The confusion matrix."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from slp_core.figures.display import Display
from slp_core.figures.style.parts import class_name, heatmap, named_ticks
from slp_core.figures.style.text import labels_of, letters
from slp_core.figures.style.theme import LIGHT, Theme, chart
from slp_core.sentences import MethodTitle, class_names, count, listed, percent

_PAIRS = 3  # of classes, that a sentence names
_COLUMNS_ROOM = 42  # letters that fit side by side under the columns
_FEW_COLUMNS = 4  # of which names have room there
_UPENDED, _BELOW = 12, 90  # letters of a name that is read from below, and px that they take
_MOST_SHOWN = 50  # classes: of more, those with the most errors
_MOST_LISTED = 20  # pairs of classes


@dataclass(frozen=True, eq=False)
class ConfusionDisplay(Display):
    """Counts in cells, shaded by their share of the true class, errors in another hue."""

    name = "confusion"
    counts: np.ndarray  # (K, K)
    classes: Sequence[str]
    method: str = "The method"

    def figure(self, theme: Theme = LIGHT) -> go.Figure:
        shown = self._shown
        here, n_classes = np.ix_(shown, shown), len(shown)
        totals = self.counts.sum(axis=1)[shown]
        counts, shares = self.counts[here], _row_shares(self.counts)[here]
        diagonal, text = np.eye(n_classes, dtype=bool), _cell_texts(counts, shares)
        names = [labels_of(self.classes, 40)[k] for k in shown]
        hover = [
            [
                f"{count:,} of {total:,} <b>{true}</b>"
                f"{f' ({percent(share)})' if total else ''}<br>predicted <b>{predicted}</b>"
                for predicted, count, share in zip(names, row, of_row, strict=True)
            ]
            for true, total, row, of_row in zip(names, totals, counts, shares, strict=True)
        ]
        cell, tick = (14, 13) if n_classes <= 6 else (11, 12) if n_classes <= 30 else (9, 10)
        font = {"textfont": {"size": cell}}
        heatmaps = [
            heatmap(np.where(of, shares, np.nan), np.where(of, text, ""), hover, hue, theme, **font)
            for of, hue in ((diagonal, theme.correct), (~diagonal, theme.wrong))
        ]
        axis = named_ticks(
            [class_name(k, self.classes, theme, 18) for k in shown],
            tickfont={"color": theme.text, "size": tick},
            showgrid=False,
            ticks="outside",
        )
        columns = _columns(self.classes, shown, theme)
        below = _BELOW if columns["tickangle"] else 0
        predicted, true = (
            {"title": {"text": x, "standoff": 8}} for x in ("predicted", "true label")
        )
        return chart(
            theme,
            heatmaps,
            height=150 + min(56, 16 + 240 // n_classes) * n_classes + below,
            xaxis={**axis, **predicted, **columns},
            yaxis={**axis, **true, "autorange": "reversed"},
        )

    def table(self) -> pd.DataFrame:
        names = np.asarray(self.classes, dtype=object)
        pairs = {"true": np.repeat(names, len(names)), "predicted": np.tile(names, len(names))}
        cells = {"count": self.counts.ravel(), "share": _row_shares(self.counts).ravel()}
        return pd.DataFrame(pairs | cells)

    def largest(self) -> pd.DataFrame:
        """The most common confusions, the largest first: ``true``, ``predicted``, ``count``."""
        table = self.table()
        wrong = table[(table["true"] != table["predicted"]) & (table["count"] > 0)]
        return wrong.nlargest(_MOST_LISTED, "count")[["true", "predicted", "count"]]

    @property
    def _shown(self) -> list[int]:
        """The classes to draw, in their order."""
        counts = self.counts
        errors = counts.sum(axis=0) + counts.sum(axis=1) - 2 * np.diag(counts)
        shown: list[int] = np.sort((-errors).argsort(kind="stable")[:_MOST_SHOWN]).tolist()
        return shown

    def thinned_text(self) -> str:
        n, shown = len(self.classes), len(self._shown)
        if shown == n:
            return ""
        return f"The {shown} classes with the most errors; the table has all {n}."

    def sentence(self) -> str:
        counts, names = self.counts, class_names(self.classes)
        text = f"{MethodTitle(self.method)}: {np.trace(counts):,} of {counts.sum():,} correct."
        off = counts - np.diag(np.diag(counts))
        times = int(off.max(initial=0))
        if not times:
            return text
        pairs = [f"{names[t]} as {names[p]}" for t, p in np.argwhere(off == times)]
        examples = count(times, "example")
        if len(pairs) == 1:
            return f"{text} Most common confusion ({examples}): {pairs[0]}."
        return f"{text} Most common confusions ({examples} each): {listed(pairs, _PAIRS)}."


def _row_shares(counts: np.ndarray) -> np.ndarray:
    total = counts.sum(axis=1, keepdims=True)
    return np.divide(counts, total, out=np.full(counts.shape, np.nan), where=total > 0)


def _cell_texts(counts: np.ndarray, shares: np.ndarray) -> np.ndarray:
    """Counts, with the share under them where cells are large; nothing for no examples."""
    roomy = len(counts) <= 6
    cells = [
        f"{count:,}<br>{percent(share)}" if roomy else f"{count:,}"
        for count, share in zip(counts.ravel(), shares.ravel(), strict=True)
    ]
    return np.where(counts > 0, np.array(cells, dtype=object).reshape(counts.shape), "")


def _columns(classes: Sequence[str], shown: list[int], theme: Theme) -> dict[str, Any]:
    """Plotly's axis below the columns: marked names where they have room, else rotated ones."""
    n, labels = len(shown), labels_of(classes, _UPENDED)
    names, angle = [labels[k] for k in shown], -90  # no shapes: a tilted one is another class's
    longest = max(map(letters, names), default=0)
    short = longest + 3 <= _COLUMNS_ROOM // max(n, 1)
    if short or n <= _FEW_COLUMNS:
        room = longest if short else min(_COLUMNS_ROOM // n - 4, 18)
        names, angle = [class_name(k, classes, theme, room) for k in shown], 0
    return {"ticktext": np.array(names, dtype=object), "tickangle": angle}
