"""The ensemble of two prototypes: by support set, by example, over w, and class by class."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from slp_core.diagnostics.draws import EnsembleOverDraws
from slp_core.diagnostics.ensemble import DISAGREEMENT, PAPER_JSD, EnsembleDiagnostics
from slp_core.diagnostics.text import (
    confidence_text,
    disagreement_text,
    example_text,
    nll_over_draws_text,
    uncertainty_text,
)
from slp_core.figures.display import Display, Spot
from slp_core.figures.style.parts import (
    ON_PAPER,
    bars,
    broken,
    class_name,
    example_marks,
    note,
    scatter,
    spaced,
    stroke,
    thinned_text,
)
from slp_core.figures.style.text import HOVERED, example_hover, labels_of
from slp_core.figures.style.theme import LIGHT, Theme, blend, chart, class_style
from slp_core.sentences import count

_MOST_POINTS = 4_000  # drawn
_MOST_CLASSES = 8
_KEYED = {"t": 34}  # px above the chart, for the colour key


@dataclass(frozen=True, eq=False)
class _OverDrawsDisplay(Display):
    """Base of those that show a few numbers per support set."""

    over: EnsembleOverDraws

    def table(self) -> pd.DataFrame:
        return self.over.table.rename(columns={"draw": "support set"})

    def _by_draw(self, theme: Theme, traces: list[Any], y: str, **layout: Any) -> go.Figure:
        """With a place for every support set, marks or none."""
        draws = self.over.table["draw"]
        ends = [float(draws.min()) - 0.5, float(draws.max()) + 0.5]
        axes = {"xaxis": {"title": "support set", "dtick": 1, "range": ends}}
        axes["yaxis"] = {"title": y, "nticks": 6}
        return chart(theme, traces, height=300, margin=_KEYED, **axes, **layout)


@dataclass(frozen=True, eq=False)
class NLLDisplay(_OverDrawsDisplay):
    """NLL(F) and the mean NLL of the members on each support set."""

    name = "nll"
    scope = "draws"

    def figure(self, theme: Theme = LIGHT) -> go.Figure:
        over, compared = self.over, self.over.compared
        table = over.table[compared] if compared.any() else over.table
        draws = table["draw"].to_numpy()
        joint = table["NLL(F)"].to_numpy()
        alone = table["mean NLL(f)"].replace(np.inf, np.nan).to_numpy()
        ends = np.dstack([np.column_stack([draws, draws]), np.column_stack([joint, alone])])
        single = table["single NLL"]
        marks = [
            _marks(draws, alone, "members, mean", "diamond-open", theme.wrong, theme),
            _marks(draws, single, over.single, "line-ew-open", theme.muted, theme),
            _marks(draws, joint, "together", "circle", theme.correct, theme),
        ]
        return self._by_draw(theme, [broken(ends, theme.muted, 1.5), *marks], "NLL (nats)")

    def sentence(self) -> str:
        return nll_over_draws_text(self.over)


@dataclass(frozen=True, eq=False)
class UncertaintyDisplay(_OverDrawsDisplay):
    """The paper's two parts stacked, with H(F) and the single model's entropy on top."""

    name = "uncertainty"
    scope = "draws"

    def figure(self, theme: Theme = LIGHT) -> go.Figure:
        table = self.over.table
        draws = table["draw"].to_numpy()
        stack = [
            bars(
                draws,
                table[name],
                name=title,
                marker={"color": color, "line": {"width": 0}},
                hovertemplate=f"support set %{{x}}: {title} %{{y:.3f}}<extra></extra>",
            )
            for name, title, color in (
                ("mean H(f)", "entropy of the members", blend(theme.muted, theme.background, 0.55)),
                (
                    PAPER_JSD,
                    "JSD as in the paper",
                    blend(theme.correct, theme.background, 0.8),
                ),
            )
        ]
        single = table["single entropy"]
        marks = [
            _marks(draws, table["H(F)"], "H(F), together", "circle", theme.text, theme),
            _marks(draws, single, self.over.single, "line-ew-open", theme.wrong, theme),
        ]
        return self._by_draw(theme, [*stack, *marks], "entropy (nats)", barmode="stack")

    def sentence(self) -> str:
        return uncertainty_text(self.over)


@dataclass(frozen=True, eq=False)
class AccuracyAlongDisplay(Display):
    """Accuracy together and alone in bins over w or distance."""

    name = "accuracy along"
    bins: pd.DataFrame
    what: str

    def figure(self, theme: Theme = LIGHT) -> go.Figure:
        bins = self.bins
        titles = {
            "w": "weight w of prototype A",
            "distance": "distance to the nearer prototype",
        }
        traces = [
            scatter(
                bins["middle"],
                100 * bins[name],
                "lines+markers",
                name=name,
                line={"color": color, "width": width, "dash": dash},
                marker={"symbol": symbol, "size": 9, "color": color},
                customdata=bins["examples"].to_numpy(dtype=np.int32),
                hovertemplate=f"{name}: %{{y:.0f}}% of %{{customdata}} examples<extra></extra>",
            )
            for name, color, width, dash, symbol in (
                ("A alone", theme.muted, 1.5, "dot", "triangle-left"),
                ("B alone", theme.muted, 1.5, "dash", "triangle-right"),
                ("together", theme.correct, 2.5, "solid", "circle"),
            )
        ]
        reverse = {"autorange": "reversed"} if self.what == "w" else {}  # A is on the left
        x, y = {"title": titles[self.what], **reverse}, {"title": "accuracy (%)", "nticks": 6}
        return chart(theme, traces, height=300, margin=_KEYED, xaxis=x, yaxis=y)

    def table(self) -> pd.DataFrame:
        return self.bins

    def sentence(self) -> str:
        counts = self.bins["examples"]
        of = f" of {int(counts.min()):,} or more" if len(counts) > 1 else ""
        return (
            f"Accuracy over {self.what}: {count(int(counts.sum()), 'query example')} in "
            f"{count(len(counts), 'bin')}{of}."
        )


@dataclass(frozen=True, eq=False)
class _ExamplesDisplay(Display):
    """Base of those with a mark for every query example, of at most 4,000 evenly spaced ones."""

    diagnostics: EnsembleDiagnostics
    ids: np.ndarray  # (m,)
    texts: Sequence[str]  # of every row of the dataset
    chosen: int | None = None

    @property
    @abstractmethod
    def places(self) -> np.ndarray:
        """(m, 2) where the examples are drawn."""

    @property
    def ring(self) -> tuple[Spot, ...]:
        """Around the selected example, whether or not its mark is among those drawn."""
        places = self.places[np.flatnonzero(self.ids == self.chosen)].tolist()
        return tuple(Spot(x, y) for x, y in places)

    def thinned_text(self) -> str:
        m = len(self.ids)
        return thinned_text(min(m, _MOST_POINTS), m)

    def table(self) -> pd.DataFrame:
        read = self.diagnostics
        names = np.array(read.classes, dtype=object)
        a, b = names[read.members.alone.argmax(axis=2)].T
        columns = {"together": read.members.joint.max(axis=1, initial=0.0)}
        columns |= dict(zip(("A", "B"), read.member_confidence.T, strict=True))
        return pd.DataFrame(
            {
                "id": self.ids,
                "true": names[read.true],
                "together": names[read.members.joint.argmax(axis=1)],
                **{"A alone": a, "B alone": b},
                **{f"confidence, {who}": values for who, values in columns.items()},
                **{DISAGREEMENT: read.jsd, PAPER_JSD: read.paper_jsd},
                **{"H(F)": read.entropy, "NLL(F)": read.nll},
                "mean NLL(f)": read.member_nll.mean(axis=1),
                "text": [self.texts[row] for row in self.ids.tolist()],
            }
        )

    def _marks(self, among: np.ndarray, title: str, symbol: str, color: str) -> dict[str, Any]:
        read = self.diagnostics
        rows = spaced(np.arange(len(self.ids)), _MOST_POINTS)
        here = rows[among[rows]]
        names = labels_of(read.classes, HOVERED)
        predicted = read.members.joint.argmax(axis=1)
        hover = [
            example_hover(names[read.true[i]], names[predicted[i]], self.texts[self.ids[i]])
            for i in here
        ]
        look = {"symbol": symbol, "color": color, "size": 8, "opacity": 0.75}
        key = {"name": f"{title} ({int(among.sum()):,})", "showlegend": True}
        return example_marks(self.places[here], self.ids[here], hover, look, **key)


@dataclass(frozen=True, eq=False)
class ConfidenceDisplay(_ExamplesDisplay):
    """The confidence of A against that of B, marked by which of them are correct."""

    name = "confidence"

    @property
    def places(self) -> np.ndarray:
        """(m, 2) confidences of A and B."""
        return self.diagnostics.member_confidence

    def figure(self, theme: Theme = LIGHT) -> go.Figure:
        a, b = self.diagnostics.member_correct.T
        traces = [
            self._marks(among, title, symbol, color)
            for among, title, symbol, color in (
                (a & b, "both correct", "circle", theme.correct),
                (a & ~b, "only A correct", "triangle-left", theme.text),
                (b & ~a, "only B correct", "triangle-right-open", theme.text),
                (~a & ~b, "both misclassify", "diamond-open", theme.wrong),
            )
        ]
        low = max(0.0, float(self.places.min(initial=1.0)) - 0.04)
        axis = {"fixedrange": False, "nticks": 6, "tickformat": ".0%", "range": [low, 1.03]}
        diagonal = stroke((low, 1), (low, 1), theme.muted, 1, "dash")
        return chart(
            theme,
            traces,
            height=440,
            margin=_KEYED,
            xaxis={"title": "confidence of prototype A", **axis},
            yaxis={"title": "confidence of prototype B", **axis},
            **{"dragmode": "pan", "showlegend": True, "shapes": [diagonal]},
        )

    def sentence(self) -> str:
        return confidence_text(self.diagnostics)


@dataclass(frozen=True, eq=False)
class DiversityDisplay(_ExamplesDisplay):
    """The disagreement of the members against the entropy of their joint prediction."""

    name = "members"

    @property
    def places(self) -> np.ndarray:
        """(m, 2) disagreement and entropy."""
        return np.column_stack([self.diagnostics.jsd, self.diagnostics.entropy])

    def figure(self, theme: Theme = LIGHT) -> go.Figure:
        read, most = self.diagnostics, max(0.05, float(self.diagnostics.jsd.max(initial=0.0)))
        traces = [
            self._marks(read.correct, "correct", "circle", theme.correct),
            self._marks(~read.correct, "misclassified", "diamond-open", theme.wrong),
        ]
        x = {"fixedrange": False, "range": [-0.03 * most, 1.03 * most]}
        y = {"fixedrange": False, "nticks": 6, "range": [-0.03, np.log(len(read.classes)) + 0.03]}
        return chart(
            theme,
            traces,
            height=360,
            margin=_KEYED,
            xaxis={"title": "disagreement: JSD of A and B (nats)", **x},
            yaxis={"title": "entropy H(F) (nats)", **y},
            **{"dragmode": "pan", "showlegend": True},  # also where all are correct, or none
        )

    def sentence(self) -> str:
        return disagreement_text(self.diagnostics)


@dataclass(frozen=True, eq=False)
class MembersDisplay(Display):
    """What A, B and both together predict for one example."""

    name = "distributions"
    diagnostics: EnsembleDiagnostics
    point: int
    row: int | None = None

    def figure(self, theme: Theme = LIGHT) -> go.Figure:
        classes, true = self.diagnostics.classes, self.diagnostics.true[self.point]
        joint, alone = self._probabilities
        shown = np.argsort(-(joint + alone.sum(axis=0)), kind="stable")[:_MOST_CLASSES]
        if true not in shown:
            shown = np.append(shown[:-1], true)
        styles = [class_style(int(k), theme) for k in shown]
        stripes = {"fgcolor": theme.background, "solidity": 0.25}
        ticks = [class_name(k, classes, theme, 14, bold=k == true) for k in shown]
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
                (alone[0], "A alone", 0.55, "/"),
                (joint, "together", 1.0, ""),
                (alone[1], "B alone", 0.55, "\\"),
            )
        ]
        key = note("▨ A alone   ■ together   ▧ B alone", 0, 1.02, theme.muted, 12, **ON_PAPER)
        bar = {"barmode": "group", "bargap": 0.25, "showlegend": False, "annotations": [key]}
        y = {"title": "probability", "nticks": 6}
        return chart(theme, traces, height=250, margin={"t": 28}, yaxis=y, **bar)

    def table(self) -> pd.DataFrame:
        read, (joint, alone) = self.diagnostics, self._probabilities
        columns = {"A alone": alone[0], "B alone": alone[1], "together": joint}
        table = pd.DataFrame({"class": read.classes, **columns})
        if self.row is not None:
            table["row"] = self.row
        table["true"] = read.classes[read.true[self.point]]
        table["predicted"] = read.classes[joint.argmax()]
        table["w"] = float(read.members.weight[self.point, 0])
        return table.sort_values("together", ascending=False, ignore_index=True)

    def sentence(self) -> str:
        return example_text(self.diagnostics, self.point)

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
    hover = f"support set %{{x}}: {name} %{{y:.3f}}<extra></extra>"
    return scatter(x, y, "markers", name=name, marker=mark, hovertemplate=hover)
