"""The ensemble of two prototypes in pictures: by draw, by point, over w, and class by class."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from slp_core.diagnostics import EnsembleDiagnostics
from slp_core.diagnostics.draws import EnsembleOverDraws
from slp_core.diagnostics.ensemble_quantities import DISAGREEMENT, PAPER_JSD
from slp_core.facts import Facts, fact
from slp_core.figures.display import Display
from slp_core.figures.style.parts import SILENT, bars, scatter, small_layout
from slp_core.figures.style.ring import Spot
from slp_core.figures.style.text import HOVERED, labels_of, wrapped
from slp_core.figures.style.theme import LIGHT, Theme, blend, class_style
from slp_core.figures.style.thinning import spaced, thinned_text

_MOST_POINTS = 4_000  # drawn
_MOST_CLASSES = 8
_TOP = 34  # px above the chart, for the colour key
# Nats: numbers no further apart differ by rounding, and are drawn on a scale of so much.
_ROUNDING, _LEVEL = 1e-9, 0.01


@dataclass(frozen=True, eq=False)
class _OverDrawsDisplay(Display):
    """Base of those that show a few numbers a draw."""

    over: EnsembleOverDraws

    def table(self) -> pd.DataFrame:
        """A row a draw, as ``EnsembleOverDraws.table``."""
        return self.over.table


@dataclass(frozen=True, eq=False)
class NLLDisplay(_OverDrawsDisplay):
    """NLL(F) and the mean NLL of the members, draw by draw, joined where they belong together."""

    name = "nll"
    scope = "draws"

    def figure(self, theme: Theme = LIGHT) -> go.Figure:
        """Three marks a draw."""
        over, compared = self.over, self.over.compared
        table = over.table[compared] if compared.any() else over.table
        draws = table["draw"].to_numpy()
        joint = table["NLL(F)"].to_numpy()
        alone = table["mean NLL(f)"].replace(np.inf, np.nan).to_numpy()
        gap = np.full(len(draws), np.nan)
        threads = scatter(
            np.repeat(draws, 3),
            np.column_stack([joint, alone, gap]).ravel(),
            "lines",
            line={"color": theme.muted, "width": 1.5},
            **SILENT,
        )
        single = table["single NLL"]
        marks = [
            _marks(draws, alone, "members alone, mean", "diamond-open", theme.wrong, theme),
            _marks(draws, single, over.single, "line-ew-open", theme.muted, theme),
            _marks(draws, joint, "together", "circle", theme.right, theme),
        ]
        layout = _layout_by_draw(over.table["draw"], theme, "NLL, nats")
        return go.Figure([threads, *marks], layout)

    def facts(self) -> Facts:
        """On how many draws the joint answer is better than its members."""
        return self.over.nll_facts()


@dataclass(frozen=True, eq=False)
class UncertaintyDisplay(_OverDrawsDisplay):
    """The paper's two parts stacked, with H(F) and the single model's entropy upon them."""

    name = "uncertainty"
    scope = "draws"

    def figure(self, theme: Theme = LIGHT) -> go.Figure:
        """A stack and two marks a draw."""
        table = self.over.table
        draws = table["draw"].to_numpy()
        stack = [
            bars(
                draws,
                table[name],
                name=title,
                marker={"color": color, "line": {"width": 0}},
                hovertemplate=f"draw %{{x}}: {title} %{{y:.3f}}<extra></extra>",
            )
            for name, title, color in (
                ("mean H(f)", "members' own entropy", blend(theme.muted, theme.background, 0.55)),
                (
                    PAPER_JSD,
                    "JSD as in the paper: mean KL(f ‖ F)",
                    blend(theme.right, theme.background, 0.8),
                ),
            )
        ]
        single = table["single entropy"]
        marks = [
            _marks(draws, table["H(F)"], "H(F), together", "circle", theme.text, theme),
            _marks(draws, single, self.over.single, "line-ew-open", theme.wrong, theme),
        ]
        layout = _layout_by_draw(table["draw"], theme, "nats", barmode="stack")
        return go.Figure([*stack, *marks], layout)

    def facts(self) -> Facts:
        """Whether it is above a single model's, and what drives it."""
        return self.over.uncertainty_facts()


@dataclass(frozen=True, eq=False)
class AccuracyAlongDisplay(Display):
    """Accuracy together and alone in bins over w or distance."""

    name = "accuracy along"
    bins: pd.DataFrame
    what: str

    def figure(self, theme: Theme = LIGHT) -> go.Figure:
        """Three curves, with a mark at the middle point of each bin."""
        bins = self.bins
        titles = {
            "w": "w: the left prototype's share of the vote",
            "distance": "distance from the nearer prototype",
        }
        traces = [
            scatter(
                bins["middle"],
                100 * bins[name],
                "lines+markers",
                name=name,
                line={"color": color, "width": width, "dash": dash},
                marker={"symbol": symbol, "size": 9, "color": color},
                customdata=bins["points"].to_numpy(dtype=np.int32),
                hovertemplate=f"{name}: %{{y:.0f}}% of %{{customdata}} points<extra></extra>",
            )
            for name, color, width, dash, symbol in (
                ("left alone", theme.muted, 1.5, "dot", "triangle-left"),
                ("right alone", theme.muted, 1.5, "dash", "triangle-right"),
                ("together", theme.right, 2.5, "solid", "circle"),
            )
        ]
        layout = small_layout(theme, titles[self.what], "% right", 300, _TOP, yaxis={"nticks": 6})
        return go.Figure(traces, layout)

    def table(self) -> pd.DataFrame:
        """A row a bin."""
        return self.bins

    def facts(self) -> Facts:
        """What is drawn."""
        counts = self.bins["points"]
        values = {"n": int(counts.sum()), "what": self.what, "bins": len(counts)}
        if len(counts) == 1:
            template = (
                "Accuracy together and alone: {n:,} query points are too few for bins over {what}, "
                "and stand at their middle one."
            )
            return (fact("ensemble.one_bin", template, **values),)
        template = (
            "Accuracy together and alone over {what}: {n:,} query points in {bins:,} bins of "
            "{fewest:,} or more, each with its marks at its middle point."
        )
        return (fact("ensemble.bins", template, fewest=int(counts.min()), **values),)


def _if_level(nats: np.ndarray) -> dict[str, Any]:
    """An axis range for numbers that differ by rounding alone, which would fill the figure."""
    if not len(nats) or np.ptp(nats) > _ROUNDING:
        return {}
    middle = float(np.mean(nats))
    return {"range": [max(middle - _LEVEL, -0.05 * _LEVEL), middle + _LEVEL]}


@dataclass(frozen=True, eq=False)
class DiversityDisplay(Display):
    """Every query point by how much its members disagree and how uncertain the joint answer is."""

    name = "members"
    diagnostics: EnsembleDiagnostics
    ids: np.ndarray  # (m,)
    texts: Sequence[str]
    chosen: int | None = None

    @property
    def ring(self) -> tuple[Spot, ...]:
        """Around the chosen point, whether or not its mark is among those that are drawn."""
        at = np.flatnonzero(self.ids == self.chosen)
        return tuple(
            Spot(float(self.diagnostics.jsd[i]), float(self.diagnostics.entropy[i])) for i in at
        )

    def figure(self, theme: Theme = LIGHT) -> go.Figure:
        """A mark a point, of at most 4,000 evenly spaced ones."""
        read, m = self.diagnostics, len(self.ids)
        rows = spaced(np.arange(m), _MOST_POINTS)
        pale, traces = {"marker": {"opacity": 0.75}}, []
        for right, title, symbol, color in (
            (True, "answered right", "circle", theme.right),
            (False, "answered wrong", "diamond-open", theme.wrong),
        ):
            here = rows[read.right[rows] == right]
            hover = [
                f"<b>{labels_of(read.classes, HOVERED)[read.true[i]]}</b><br>"
                f"{wrapped(self.texts[i])}"
                for i in here
            ]
            traces.append(
                scatter(
                    read.jsd[here],
                    read.entropy[here],
                    "markers",
                    name=f"{title} ({int((read.right == right).sum()):,})",
                    customdata=np.asarray(self.ids)[here].astype(np.int32),
                    **{"hovertext": np.array(hover, dtype=object), "hoverinfo": "text"},
                    marker={"symbol": symbol, "color": color, "size": 8, "opacity": 0.75},
                    **{"selected": pale, "unselected": pale},
                )
            )
        layout = small_layout(
            theme,
            "disagreement: JSD of left and right, nats",
            "H(F), nats",
            380,
            _TOP,
            {"fixedrange": False, "rangemode": "tozero", **_if_level(read.jsd)},
            {"fixedrange": False, "nticks": 6, **_if_level(read.entropy)},
            **{"dragmode": "pan", "showlegend": True},  # also where all are right, or all are wrong
        )
        return go.Figure(traces, layout)

    def table(self) -> pd.DataFrame:
        """A row a query point: id, true class, answers, divergences, entropy, NLLs and text."""
        read = self.diagnostics
        names = np.array(read.classes, dtype=object)
        left, right = names[read.members.alone.argmax(axis=2)].T
        return pd.DataFrame(
            {
                "id": self.ids,
                "true": names[read.true],
                "together": names[read.members.joint.argmax(axis=1)],
                **{"left alone": left, "right alone": right},
                **{DISAGREEMENT: read.jsd, PAPER_JSD: read.paper_jsd},
                **{"H(F)": read.entropy, "NLL(F)": read.nll},
                "mean NLL(f)": read.member_nll.mean(axis=1),
                "text": list(self.texts),
            }
        )

    def thinned_text(self) -> str:
        """How many of the query points are drawn, where that is not all of them."""
        m = len(self.ids)
        return thinned_text(min(m, _MOST_POINTS), m)

    def facts(self) -> Facts:
        """Whether disagreement goes with being right."""
        return self.diagnostics.help_facts()


@dataclass(frozen=True, eq=False)
class MembersDisplay(Display):
    """What left, right and the two together say of one point."""

    name = "distributions"
    diagnostics: EnsembleDiagnostics
    point: int
    row: int | None = None

    def figure(self, theme: Theme = LIGHT) -> go.Figure:
        """A group of bars for each of the classes with the largest probabilities."""
        classes, true = self.diagnostics.classes, self.diagnostics.true[self.point]
        joint, alone = self._probabilities
        shown = np.argsort(-(joint + alone.sum(axis=0)), kind="stable")[:_MOST_CLASSES]
        if true not in shown:
            shown = np.append(shown[:-1], true)
        styles = [class_style(int(k), theme) for k in shown]
        stripes = {"fgcolor": theme.background, "solidity": 0.25}
        names = [labels_of(classes, 14)[k] for k in shown]
        ticks = [
            f"{style.character} {f'<b>{name}</b>' if k == true else name}"
            for k, name, style in zip(shown, names, styles, strict=True)
        ]
        traces = [
            bars(
                np.array(ticks, dtype=object),
                values[shown],
                name=title,
                marker={"color": [blend(s.color, theme.background, opacity) for s in styles]}
                | {"pattern": stripes | {"shape": shape}},
                hovertemplate=f"{title}: %{{y:.1%}}<extra></extra>",
            )
            for values, title, opacity, shape in (
                (alone[0], "left alone", 0.55, "/"),
                (joint, "together", 1.0, ""),
                (alone[1], "right alone", 0.55, "\\"),
            )
        ]
        bar = {"barmode": "group", "bargap": 0.25, "showlegend": False}
        layout = small_layout(theme, "", "probability", 260, _TOP, None, {"nticks": 6}, **bar)
        return go.Figure(traces, layout)

    def table(self) -> pd.DataFrame:
        """A row a class: what left, right and the two together give it; then, the same in every
        row, which point it is, its true class, the answer, and w.
        """
        read, (joint, alone) = self.diagnostics, self._probabilities
        columns = {"left alone": alone[0], "right alone": alone[1], "together": joint}
        table = pd.DataFrame({"class": read.classes, **columns})
        if self.row is not None:
            table["row"] = self.row
        table["true"] = read.classes[read.true[self.point]]
        table["answered"] = read.classes[joint.argmax()]
        table["w"] = float(read.members.weight[self.point, 0])
        return table.sort_values("together", ascending=False, ignore_index=True)

    def facts(self) -> Facts:
        """The three answers and the true class, with divergences and entropy."""
        return self.diagnostics.point_facts(self.point)

    @property
    def _probabilities(self) -> tuple[np.ndarray, np.ndarray]:
        """(K,) and (2, K)."""
        members = self.diagnostics.members
        return members.joint[self.point], members.alone[self.point]


def _marks(
    x: np.ndarray, y: Any, name: str, symbol: str, color: str, theme: Theme
) -> dict[str, Any]:
    outline = {"width": 2, "color": color if "open" in symbol else theme.background}
    mark = {"symbol": symbol, "color": color, "size": 11, "line": outline}
    hover = f"draw %{{x}}: {name} %{{y:.3f}}<extra></extra>"
    return scatter(x, y, "markers", name=name, marker=mark, hovertemplate=hover)


def _layout_by_draw(draws: pd.Series, theme: Theme, y: str, **layout: Any) -> dict[str, Any]:
    """With a place for every draw, marks or none."""
    range_ = [float(draws.min()) - 0.5, float(draws.max()) + 0.5]
    axes: dict[str, Any] = {"xaxis": {"dtick": 1, "range": range_}, "yaxis": {"nticks": 6}}
    return small_layout(theme, "draw", y, 300, _TOP, **axes, **layout)
