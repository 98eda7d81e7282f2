"""The upper part of the w strip: score lines, the bands they win, and where these meet."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from slp_core.explain.bands import Bands
from slp_core.figures.style.text import shortened
from slp_core.figures.style.theme import Theme, blend, class_style, with_opacity

Span = tuple[float, float]
_CHARACTER = 0.018  # of the width of the picture, for a letter of a name


def score_traces(
    soft_labels: np.ndarray, bands: Bands, classes: Sequence[str], span: Span, theme: Theme
) -> list[dict[str, Any]]:
    """A straight line a class, thick where it wins; a class that has no score is left out."""
    left, right = soft_labels
    traces = []
    shown = np.flatnonzero(np.isfinite(soft_labels).all(axis=0) & (soft_labels != 0).any(axis=0))
    for k in shown.tolist():
        ends = np.clip(np.array(span), 0.0, 1.0)
        name = shortened(classes[k], 40)
        traces.append(
            _line(ends, right[k] + ends * (left[k] - right[k]), class_style(k, theme).color, 1.8)
            | {"hovertemplate": f"<b>{name}</b>: %{{y:.3f}} at w = %{{x:.2f}}<extra></extra>"}
        )
    for k, low, high in zip(bands.classes, bands.edges[:-1], bands.edges[1:], strict=True):
        ends = np.clip(np.array([low, high]), *np.clip(span, 0.0, 1.0))
        if ends[1] > ends[0] and np.isfinite(soft_labels[:, k]).all():
            y = right[k] + ends * (left[k] - right[k])
            traces.append(_line(ends, y, class_style(k, theme).color, 4.5) | {"hoverinfo": "skip"})
    return traces


def _line(x: np.ndarray, y: np.ndarray, color: str, width: float) -> dict[str, Any]:
    return {
        "type": "scatter",
        "mode": "lines",
        "x": x,
        "y": y,
        "line": {"color": color, "width": width},
        "showlegend": False,
    }


def band_rects(
    bands: Bands,
    span: Span,
    occupied: Span | None,
    domains: Sequence[Sequence[float]],
    theme: Theme,
) -> list[dict[str, Any]]:
    """Coloured backgrounds: full where points are, pale where none is; and a frame around these."""
    shapes = []
    for k, low, high in zip(bands.classes, bands.edges[:-1], bands.edges[1:], strict=True):
        low, high = max(low, span[0]), min(high, span[1])
        color = class_style(k, theme).color
        for panel, domain in enumerate(domains):
            if panel != 1 and high > low:
                strength = 0.20 if panel == 0 else 0.10
                shapes.append(_rect(low, high, domain, blend(color, theme.background, strength)))
        if occupied and min(high, occupied[1]) > max(low, occupied[0]):
            shapes.append(
                _rect(
                    max(low, occupied[0]),
                    min(high, occupied[1]),
                    domains[0],
                    blend(color, theme.background, 0.45),
                )
            )
    return shapes


def _rect(low: float, high: float, domain: Sequence[float], color: str) -> dict[str, Any]:
    return {
        "type": "rect",
        "x0": low,
        "x1": high,
        "y0": domain[0],
        "y1": domain[1],
        "yref": "paper",
        "layer": "below",
        "line": {"width": 0},
        "fillcolor": color,
    }


def band_names(
    bands: Bands, classes: Sequence[str], span: Span, theme: Theme
) -> list[dict[str, Any]]:
    """Names of the winning classes, in as far as their bands have room."""
    notes = []
    width = span[1] - span[0]
    for k, low, high in zip(bands.classes, bands.edges[:-1], bands.edges[1:], strict=True):
        low, high = max(low, span[0]), min(high, span[1])
        room = (high - low) / width / _CHARACTER
        mark = class_style(k, theme).character
        if room >= 5:
            text = f"{mark} <b>{shortened(classes[k], max(3, min(18, round(room) - 2)))}</b>"
        elif room >= 1.5:
            text = mark
        else:
            continue
        notes.append(
            {
                "x": (low + high) / 2,
                "y": 1.0,
                "yref": "paper",
                "yanchor": "top",
                "showarrow": False,
                "text": text,
                "font": {"size": 13 if len(bands.classes) <= 4 else 11, "color": theme.text},
            }
        )
    return notes


def breakpoint_names(bands: Bands, span: Span, theme: Theme) -> list[dict[str, Any]]:
    """The exact w at which one band ends and the next begins, above the picture."""
    notes: list[dict[str, Any]] = []
    width = span[1] - span[0]
    last = -np.inf
    for edge in bands.edges[1:-1]:
        if not span[0] <= edge <= span[1] or (edge - last) / width < 0.07:
            continue
        last = edge
        notes.append(
            {
                "x": edge,
                "y": 1.0,
                "yref": "paper",
                "yanchor": "bottom",
                "showarrow": False,
                "text": f"{edge:.3f}",
                "font": {"size": 12, "color": theme.muted},
                "bgcolor": with_opacity(theme.background, 0.0),
            }
        )
    return notes
