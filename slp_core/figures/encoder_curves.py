"""Meta-training: validation accuracy and loss over the outer steps."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from slp_core.figures.display import Display
from slp_core.figures.style.parts import FIXED, SILENT, scatter, small_layout
from slp_core.figures.style.text import shortened
from slp_core.figures.style.theme import LIGHT, Theme, class_style
from slp_core.sentences import EncoderName, percent

_ROUNDING = 1e-9


@dataclass(frozen=True, eq=False)
class MetaCurve:
    """One run of meta-training, as its card records it."""

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
    """The runs that cards record; a mean of checkpoints has none of its own."""
    return [MetaCurve.of(card) for card in cards if card["curve"]]


@dataclass(frozen=True, eq=False)
class MetaCurvesDisplay(Display):
    """Runs of meta-training: validation accuracy and loss over the outer steps."""

    name = "meta-training"
    scope = ""
    curves: Sequence[MetaCurve]

    def figure(self, theme: Theme = LIGHT) -> go.Figure:
        """Validation accuracy beside loss; a ring marks the best step."""
        traces: list[dict[str, Any]] = []
        for i, curve in enumerate(self.curves):
            style = class_style(i, theme)
            name = shortened(curve.title, 44)
            for values, axis, unit in (
                (100 * curve.validation, "", "accuracy (%)"),
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
            "validation accuracy (%)",
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

    @property
    def best(self) -> list[MetaCurve]:
        """The runs with the highest validation accuracy at their best step."""
        top = max(curve.best_validation for curve in self.curves)
        return [curve for curve in self.curves if curve.best_validation >= top - _ROUNDING]

    def sentence(self) -> str:
        """Which runs have the highest validation accuracy, and what became of their weights."""
        return " ".join(map(_run_text, self.best))


def _run_text(run: MetaCurve) -> str:
    text = (
        f"Highest validation accuracy: {EncoderName(run.title)}, from "
        f"{percent(float(run.validation[0]), 1)} to {percent(run.best_validation, 1)} after outer "
        f"step {run.best_step:,}."
    )
    if run.share is None:
        return text
    return (
        f"{text} Its weights were then moved back to {percent(run.share)} of the way from the "
        f"base's, with accuracy {percent(run.kept, 1)}."
    )
