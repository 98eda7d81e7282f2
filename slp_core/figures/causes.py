"""Causes of errors: a picture and a bar each, stacked by true class or by line."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal
from urllib.parse import quote

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from slp_core.explain.causes import CAUSE_NAMES, Causes
from slp_core.explain.text import causes_text
from slp_core.figures.display import Display
from slp_core.figures.style.parts import ON_PAPER, class_name, labelled_bars, note
from slp_core.figures.style.text import labels_of, letters
from slp_core.figures.style.theme import LIGHT, Theme, blend, chart, class_style
from slp_core.sentences import percent

ErrorOrder = Literal["confident", "closest", "w", "row"]

_ROW = 62  # px
_KEY_LINE, _KEY_WIDTH = 18, 44  # px, and letters
_MOST_KEYED = 16  # groups: of more, those with the most errors
_LETTER = 0.045  # of the longest bar, that a letter takes
_PICTURE = 0.24  # of the width
CAUSE_HINTS = {
    "embedding": "another centroid is as near or nearer",
    "line": "the line lacks the true class",
    "concentration": "correct after projection",
    "off_line": "misclassified after projection, too",
    "rule": "its centroid is the nearest",
}
"""Each cause's meaning in a few words."""


@dataclass(frozen=True, eq=False)
class CausesDisplay(Display):
    """One bar a cause, in the order in which causes are checked, stacked by class or by line."""

    name = "causes"
    causes: Causes
    by: Literal["class", "line"] = "class"
    chosen: tuple[int, int | None] | None = None  # (cause, group or None)

    def figure(self, theme: Theme = LIGHT) -> go.Figure:
        counts, kinds, groups, by = self._counts, self.causes.kinds, self._groups, self.by
        totals = counts.sum(axis=1)
        longest = max(int(totals.max(initial=0)), 1)
        rows = np.arange(len(kinds))
        traces: list[dict[str, Any]] = []
        shown = np.flatnonzero(counts.sum(axis=0)).tolist()
        for g in shown:
            color, name = _group_style(g, groups, by, theme)
            faint = blend(color, theme.background, 0.25)
            colors = [color if self._is_lit(row, g) else faint for row in range(len(kinds))]
            texts = [f"{n:,}" for n in counts[:, g]]
            room = counts[:, g] / longest / _LETTER
            text = [text if len(text) < fit else "" for text, fit in zip(texts, room, strict=True)]
            traces.append(
                labelled_bars(counts[:, g], rows + 0.28, colors, text, theme, width=0.34, name=name)
                # Lists: a click would give a pair out of an array as {"0": row, "1": group}.
                | {"customdata": [[row, g] for row in rows.tolist()]}
                | {"textfont": {"color": theme.background, "size": 12}}
                | {"hovertemplate": f"%{{x:,}} errors, {labels_of(groups, 40)[g]}<extra></extra>"}
            )
        errors = max(int(totals.sum()), 1)
        key = _key_lines(shown, counts.sum(axis=0), groups, by, theme)
        below = ON_PAPER | {"yshift": 4, "align": "left"}
        ends = [
            note(f"<b>{total:,}</b> · {percent(total / errors)}", total, row + 0.28, color, 13)
            | {"xanchor": "left", "xshift": 5}
            for row, total in enumerate(totals.tolist())
            for color in [theme.text if total else theme.muted]
        ]
        corner = {"xanchor": "left", "yanchor": "top", "align": "left"}
        grey = f"<span style='color:{theme.muted}'>"
        words = [f"<b>{CAUSE_NAMES[of]}</b><br>{grey}{CAUSE_HINTS[of]}</span>" for of in kinds]
        names = [
            note(text, 0, row - 0.5, theme.text, 13, **corner) for row, text in enumerate(words)
        ]
        return chart(
            theme,
            traces,
            height=_ROW * len(kinds) + 14 + _KEY_LINE * len(key),
            barmode="stack",
            margin={"l": 2, "t": 8 + _KEY_LINE * len(key), "b": 6},
            annotations=[*ends, *names, note("<br>".join(key), 0, 1, theme.text, 12, **below)],
            images=[_image(kind, row, theme) for row, kind in enumerate(kinds)],
            dragmode=False,
            showlegend=False,
            xaxis={"visible": False, "range": [0, 1.4 * longest], "domain": [_PICTURE, 1]},
            yaxis={"visible": False, "range": [len(kinds) - 0.5, -0.5]},
        )

    def table(self) -> pd.DataFrame:
        table = pd.DataFrame(self._counts, columns=list(self._groups))
        table.insert(0, "cause", [CAUSE_NAMES[kind] for kind in self.causes.kinds])
        table["errors"] = self._counts.sum(axis=1)
        return table

    def sentence(self) -> str:
        return causes_text(self.causes)

    @property
    def _counts(self) -> np.ndarray:
        """(C, G) errors of each cause in each group."""
        return self.causes.by_class if self.by == "class" else self.causes.by_line

    @property
    def _groups(self) -> Sequence[str]:
        if self.by == "class":
            return self.causes.classes
        return [f"line {number + 1}" for number in range(self.causes.n_lines)]

    def _is_lit(self, row: int, group: int) -> bool:
        chosen = self.chosen
        return chosen is None or (row == chosen[0] and chosen[1] in (None, group))


def _key_lines(
    groups: list[int], errors: np.ndarray, names: Sequence[str], by: str, theme: Theme
) -> list[str]:
    """The colour key as lines of marked up text that fit a narrow column."""
    lines, width = [""], 0
    keyed = sorted(sorted(groups, key=lambda g: -errors[g])[:_MOST_KEYED])
    for g in keyed:
        _, mark = _group_style(g, names, by, theme)
        if width and width + letters(mark) > _KEY_WIDTH:
            lines.append("")
            width = 0
        lines[-1] += f"{mark}   "
        width += letters(mark) + 3
    if more := len(groups) - len(keyed):
        lines.append(f"and {more:,} more: point at a piece")
    return lines if groups else []


def _image(kind: str, row: int, theme: Theme) -> dict[str, Any]:
    place = {"xref": "paper", "yref": "y", "x": 0, "y": row - 0.5, "yanchor": "top"}
    size = {"sizex": _PICTURE - 0.03, "sizey": 0.9, "xanchor": "left", "sizing": "contain"}
    return {"source": cause_picture(kind, theme), "layer": "above", **place, **size}


def _group_style(g: int, groups: Sequence[str], by: str, theme: Theme) -> tuple[str, str]:
    if by == "class":
        return class_style(g, theme).color, class_name(g, groups, theme, 22)
    # Lines have no colours of their own: shades, so that nobody takes one for a class.
    shade = 0.95 - 0.6 * g / max(len(groups) - 1, 1)
    color = blend(theme.text, theme.background, shade)
    return color, f"<span style='color:{color}'>■</span> {groups[g]}"


def errors_table(
    causes: Causes, rows: np.ndarray, order: ErrorOrder, shown: np.ndarray
) -> pd.DataFrame:
    """A row an error: ``true``, ``predicted``, ``cause``, ``line``, ``w``, ``margin``, ``row``."""
    names = np.asarray(causes.classes, dtype=object)
    table = causes.examples.assign(row=rows)[causes.wrong & shown]
    table = table.assign(
        true=names[table["true"]], predicted=names[table["predicted"]], line=table["line"] + 1
    )
    by = "margin" if order in ("confident", "closest") else order
    table = table.sort_values(by, ascending=order != "closest", kind="stable", ignore_index=True)
    return table[["true", "predicted", "cause", "line", "w", "margin", "row"]]


def cause_picture(kind: str, theme: Theme) -> str:
    """A data URL: the true class is a circle, another class a square, the example a ring."""
    true, other = (class_style(k, theme).color for k in (0, 1))
    svg = (
        '<svg xmlns="http://www.w3.org/2000/svg" width="72" height="48" viewBox="0 0 72 48" '
        f'fill="none" stroke-width="1.6"><style>.line{{stroke:{theme.text}}}'
        f".away{{stroke:{theme.muted};stroke-dasharray:3 3}}</style><defs>"
        f'<circle id="true" r="5" fill="{true}"/>'
        f'<rect id="other" x="-4.5" y="-4.5" width="9" height="9" fill="{other}"/>'
        f'<circle id="example" r="4" stroke="{true}" stroke-width="2.4"/></defs>'
        f"{_PICTURES[kind]}</svg>"
    )
    return f"data:image/svg+xml,{quote(svg)}"


_PICTURES = {
    "embedding": '<path class="away" d="M44 24H62"/><use href="#true" x="10" y="24"/>'
    '<use href="#other" x="62" y="24"/><use href="#example" x="42" y="24"/>',
    "line": '<path class="line" d="M8 12H64M8 40H64"/><path class="away" d="M36 22V12"/>'
    '<use href="#other" x="8" y="12"/><use href="#other" x="64" y="12"/>'
    '<use href="#true" x="36" y="40"/><use href="#example" x="36" y="23"/>',
    "concentration": '<path class="line" d="M8 42H64"/><path class="away" d="M8 42L26 8L64 42"/>'
    '<use href="#true" x="8" y="42"/><use href="#other" x="36" y="42"/>'
    '<use href="#other" x="64" y="42"/><use href="#example" x="26" y="8"/>',
    "off_line": '<path class="line" d="M8 40H64"/><path class="away" d="M36 18V40"/>'
    '<use href="#other" x="8" y="40"/><use href="#other" x="64" y="40"/>'
    '<use href="#true" x="36" y="16"/><use href="#example" x="48" y="20"/>',
    "rule": '<path class="away" d="M30 4L24 44"/><use href="#true" x="14" y="24"/>'
    '<use href="#other" x="58" y="24"/><use href="#example" x="35" y="24"/>',
}
