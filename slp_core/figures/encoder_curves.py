"""Meta-training in one picture: validation accuracy and loss over the outer steps."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from slp_core.facts import EncoderName, Facts, Listed, fact
from slp_core.figures.display import Display
from slp_core.figures.style.parts import FIXED, SILENT, scatter, small_layout
from slp_core.figures.style.text import shortened
from slp_core.figures.style.theme import LIGHT, Theme, class_style

_ROUNDING = 1e-9


@dataclass(frozen=True, eq=False)
class MetaCurve:
    """One run of meta-training, as its card tells it."""

    title: str
    steps: np.ndarray  # (v,)
    validation: np.ndarray  # (v,)
    loss: np.ndarray  # (v,)
    best_step: int
    kept: float
    share: float | None = None

    @classmethod
    def of(cls, card: Mapping[str, Any]) -> MetaCurve:
        """Out of a checkpoint's card."""
        points = card["curve"]
        validation = np.array([point["validation"] for point in points], float)
        steps = np.array([point["step"] for point in points])
        loss = [np.nan if point.get("loss") is None else point["loss"] for point in points]
        best = card.get("best_step", int(steps[validation.argmax()]))
        share = (card.get("interpolation") or {}).get("share")
        kept = card["validation"]["accuracy"]
        return cls(card["title"], steps, validation, np.array(loss, float), best, kept, share)

    @property
    def best_validation(self) -> float:
        """Accuracy on the validation sets at the best step."""
        return float(self.validation[self.steps == self.best_step][0])


def curves_of(cards: Iterable[Mapping[str, Any]]) -> list[MetaCurve]:
    """The runs that cards tell of; a mean of checkpoints had none of its own."""
    return [MetaCurve.of(card) for card in cards if card["curve"]]


@dataclass(frozen=True, eq=False)
class MetaCurvesDisplay(Display):
    """Runs of meta-training: validation accuracy and loss over the outer steps."""

    name = "meta-training"
    scope = ""
    curves: Sequence[MetaCurve]

    def figure(self, theme: Theme = LIGHT) -> go.Figure:
        """Validation accuracy on the left, loss on the right; a ring marks the best step."""
        traces: list[dict[str, Any]] = []
        for i, curve in enumerate(self.curves):
            style = class_style(i, theme)
            name = shortened(curve.title, 44)
            for values, axis, unit in (
                (100 * curve.validation, "", "% right"),
                (curve.loss, "2", "loss"),
            ):
                traces.append(
                    scatter(
                        curve.steps.astype(np.int32),
                        values,
                        "lines+markers",
                        **{"xaxis": f"x{axis}", "yaxis": f"y{axis}", "showlegend": not axis},
                        **{"name": name, "legendgroup": name},
                        line={"color": style.color, "width": 2},
                        marker={"symbol": style.symbol, "size": 7 * style.scale},
                        hovertemplate=f"{name}<br>outer step %{{x}}: %{{y:.4g}} {unit}"
                        "<extra></extra>",
                    )
                )
            ring = {"symbol": "circle-open", "size": 19, "line": {"width": 2}, "color": theme.text}
            traces.append(
                scatter(
                    np.array([curve.best_step]),
                    np.array([100 * curve.best_validation]),
                    "markers",
                    marker=ring,
                    legendgroup=name,
                    **SILENT,
                )
            )
        step = {"title": {"text": "outer step"}, "domain": [0.66, 1], "anchor": "y2"}
        layout = small_layout(
            theme,
            "outer step",
            "validation, % right",
            360,
            8,
            {"domain": [0, 0.56]},
            {"nticks": 6},
            xaxis2=step | FIXED,
            yaxis2={"title": {"text": "loss"}, "nticks": 6, "anchor": "x2", **FIXED},
        )
        return go.Figure(traces, layout)

    def table(self) -> pd.DataFrame:
        """A row a validation of a run: ``encoder``, ``outer step``, ``validation``, ``loss``."""
        runs = [
            pd.DataFrame(
                {
                    **{"encoder": curve.title, "outer step": curve.steps},
                    **{"validation": curve.validation, "loss": curve.loss},
                    "kept": curve.steps == curve.best_step,
                }
            )
            for curve in self.curves
        ]
        return pd.concat(runs, ignore_index=True)

    def facts(self) -> Facts:
        """Which of the runs came furthest, from where, and what became of its weights."""
        top = max(curve.best_validation for curve in self.curves)
        best = [curve for curve in self.curves if curve.best_validation >= top - _ROUNDING]
        first, n = best[0], len(self.curves)
        come = "{before:.1%} before, {trained:.1%} after outer step {step:,}."
        shared = {
            "n": n,
            "before": float(first.validation[0]),
            "trained": first.best_validation,
            "step": first.best_step,
        }
        if len(best) > 1:
            names = Listed([EncoderName(curve.title) for curve in best])
            template = "Of {n:,} runs of meta-training, {names} came furthest, to {trained:.1%}."
            return (fact("curves.level", template, names=names, n=n, trained=top),)
        name = EncoderName(first.title)
        template = "Of {n:,} runs of meta-training, {name} came furthest: " + come
        if n == 1:
            template = "The {n:,} run of meta-training here is that of {name}: " + come
        told = fact("curves.best", template, name=name, **shared)
        if first.share is None:
            return (told,)
        template = (
            "Its weights were then taken back to {share:.0%} of the way from the base's, where "
            "they have {kept:.1%}: the figure on its card."
        )
        kept = {"share": first.share, "kept": first.kept}
        return told, fact("curves.taken_back", template, name=name, **kept)
