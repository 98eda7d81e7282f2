"""The ensemble of two prototypes in pictures: by draw, by point, over w, and class by class."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from slp_core.diagnostics import EnsembleDiagnostics, EnsembleOverDraws
from slp_core.figures.style.text import shortened, wrapped
from slp_core.figures.style.theme import LIGHT, Theme, base_layout, blend, class_style

_MOST_POINTS = 4_000  # drawn
_MOST_CLASSES = 8


def nll_figure(over: EnsembleOverDraws, theme: Theme = LIGHT) -> go.Figure:
    """NLL(F) and the mean NLL of the members, draw by draw, joined where they belong together."""
    table = over.table
    draws = table["draw"].to_numpy()
    joint, alone = (table[name].to_numpy() for name in ("NLL(F)", "mean NLL(f)"))
    gap = np.full(len(draws), np.nan)
    threads = {
        "type": "scatter",
        "mode": "lines",
        "x": np.repeat(draws, 3),
        "y": np.column_stack([joint, alone, gap]).ravel().astype(np.float32),
        "line": {"color": theme.muted, "width": 1.5},
        "hoverinfo": "skip",
        "showlegend": False,
    }
    marks = [
        _marks(draws, alone, "members alone, mean", "diamond-open", theme.wrong, theme),
        _marks(draws, table["single NLL"], over.single, "line-ew-open", theme.muted, theme),
        _marks(draws, joint, "together", "circle", theme.right, theme),
    ]
    return go.Figure(
        [threads, *marks], _layout(theme, "draw", "NLL, nats", xaxis={"dtick": 1}, height=300)
    )


def uncertainty_figure(over: EnsembleOverDraws, theme: Theme = LIGHT) -> go.Figure:
    """JSD and mean member entropy stacked, with H(F) and the single model's entropy upon them."""
    table = over.table
    draws = table["draw"].to_numpy()
    bars = [
        {
            "type": "bar",
            "x": draws,
            "y": table[name].to_numpy(dtype=np.float32),
            "name": title,
            "marker": {"color": color, "line": {"width": 0}},
            "hovertemplate": f"draw %{{x}}: {title} %{{y:.3f}}<extra></extra>",
        }
        for name, title, color in (
            ("mean H(f)", "members' own entropy", blend(theme.muted, theme.background, 0.55)),
            ("JSD", "JSD, their diversity", blend(theme.right, theme.background, 0.8)),
        )
    ]
    marks = [
        _marks(draws, table["H(F)"], "H(F), together", "circle", theme.text, theme),
        _marks(draws, table["single entropy"], over.single, "line-ew-open", theme.wrong, theme),
    ]
    return go.Figure(
        [*bars, *marks],
        _layout(theme, "draw", "nats", xaxis={"dtick": 1}, height=300) | {"barmode": "stack"},
    )


def decompositions_table(found: EnsembleDiagnostics) -> pd.DataFrame:
    """One row a decomposition: ``what``, the ``total``, its two parts, and what is left over."""
    rows = [
        {
            "decomposition": "the paper's: H(F) = JSD + E[H(f)]",
            "total": found.entropy.mean(),
            "diversity": found.jsd.mean(),
            "members": found.member_entropy.mean(),
            "left over": found.residual.mean(),
        },
        {
            "decomposition": "mixture: H = Σ w KL + Σ w H(f)",
            "total": found.mixture_entropy.mean(),
            "diversity": found.mixture_diversity.mean(),
            "members": found.mixture_member_entropy.mean(),
            "left over": (
                found.mixture_entropy - found.mixture_diversity - found.mixture_member_entropy
            ).mean(),
        },
    ]
    if found.pool_nll is not None and found.pool_diversity is not None:
        able = np.isfinite(found.pool_nll)  # not so where a line cannot answer the true class
        parts = (found.nll[able], -found.pool_diversity[able], found.pool_nll[able])
        total, diversity, members = (part.mean() if able.any() else np.nan for part in parts)
        rows.append(
            {
                "decomposition": "pool: NLL(F) = Σ α NLL(f) − diversity",
                "total": total,
                "diversity": diversity,
                "members": members,
                "left over": total - diversity - members,
            }
        )
    return pd.DataFrame(rows)


def along_figure(bins: pd.DataFrame, what: str, theme: Theme = LIGHT) -> go.Figure:
    """Accuracy together and alone in bins over w or distance, as ``EnsembleDiagnostics.along``."""
    titles = {
        "w": "w: the left prototype's share of the vote",
        "distance": "distance from the nearer prototype",
    }
    x = bins["middle"].to_numpy(dtype=np.float32)
    traces = [
        {
            "type": "scatter",
            "mode": "lines+markers",
            "x": x,
            "y": (100 * bins[name]).to_numpy(dtype=np.float32),
            "name": name,
            "line": {"color": color, "width": width, "dash": dash},
            "marker": {"symbol": symbol, "size": 9, "color": color},
            "customdata": bins["points"].to_numpy(dtype=np.int32),
            "hovertemplate": f"{name}: %{{y:.0f}} % of %{{customdata}} points<extra></extra>",
        }
        for name, color, width, dash, symbol in (
            ("left alone", theme.muted, 1.5, "dot", "triangle-left"),
            ("right alone", theme.muted, 1.5, "dash", "triangle-right"),
            ("together", theme.right, 2.5, "solid", "circle"),
        )
    ]
    return go.Figure(traces, _layout(theme, titles[what], "% right", height=300))


def diversity_figure(
    found: EnsembleDiagnostics, ids: np.ndarray, texts: Sequence[str], theme: Theme = LIGHT
) -> go.Figure:
    """Every query point by how much its members disagree and how uncertain the joint answer is.

    Parameters
    ----------
    found : EnsembleDiagnostics
    ids : (m,) int array
        What a click on a point reports.
    texts : sequence of str
    theme : Theme
    """
    rows = np.arange(len(ids))
    if len(rows) > _MOST_POINTS:
        rows = np.linspace(0, len(ids) - 1, _MOST_POINTS).round().astype(np.int64)
    traces = []
    for right, title, symbol, color in (
        (True, "answered right", "circle", theme.right),
        (False, "answered wrong", "diamond-open", theme.wrong),
    ):
        here = rows[found.right[rows] == right]
        hover = [f"<b>{found.classes[found.true[i]]}</b><br>{wrapped(texts[i])}" for i in here]
        traces.append(
            {
                "type": "scatter",
                "mode": "markers",
                "x": found.jsd[here].astype(np.float32),
                "y": found.entropy[here].astype(np.float32),
                "name": f"{title} ({int((found.right == right).sum()):,})",
                "customdata": np.asarray(ids)[here].astype(np.int32),
                "hovertext": np.array(hover, dtype=object),
                "hoverinfo": "text",
                "marker": {"symbol": symbol, "color": color, "size": 8, "opacity": 0.75},
                "selected": {"marker": {"opacity": 0.75}},
                "unselected": {"marker": {"opacity": 0.75}},
            }
        )
    layout = _layout(
        theme, "JSD: how much the two disagree, nats", "H(F), nats", height=380, fixed=False
    )
    return go.Figure(traces, layout | {"clickmode": "event+select", "dragmode": "pan"})


def diversity_table(
    found: EnsembleDiagnostics, ids: np.ndarray, texts: Sequence[str]
) -> pd.DataFrame:
    """One row a query point: its id, true class, JSD, entropies, NLLs, whether right, and text."""
    names = np.array(found.classes, dtype=object)
    return pd.DataFrame(
        {
            "id": ids,
            "true": names[found.true],
            "together": names[found.members.joint.argmax(axis=1)],
            "left alone": names[found.members.alone[:, 0].argmax(axis=1)],
            "right alone": names[found.members.alone[:, 1].argmax(axis=1)],
            "JSD": found.jsd,
            "H(F)": found.entropy,
            "NLL(F)": found.nll,
            "mean NLL(f)": found.member_nll.mean(axis=1),
            "text": list(texts),
        }
    )


def members_figure(found: EnsembleDiagnostics, row: int, theme: Theme = LIGHT) -> go.Figure:
    """What left, right and the two together say of one point, a group of bars a class."""
    joint, alone = found.members.joint[row], found.members.alone[row]
    shown = np.argsort(-(joint + alone.sum(axis=0)), kind="stable")[:_MOST_CLASSES]
    if found.true[row] not in shown:
        shown = np.append(shown[:-1], found.true[row])
    styles = [class_style(int(k), theme) for k in shown]
    names = np.array(
        [
            f"{style.character} {'<b>' if k == found.true[row] else ''}"
            f"{shortened(found.classes[k], 14)}{'</b>' if k == found.true[row] else ''}"
            for k, style in zip(shown, styles, strict=True)
        ],
        dtype=object,
    )
    traces = [
        {
            "type": "bar",
            "x": names,
            "y": values[shown].astype(np.float32),
            "name": title,
            "marker": {
                "color": [blend(s.color, theme.background, opacity) for s in styles],
                "pattern": {"shape": shape, "fgcolor": theme.background, "solidity": 0.25},
            },
            "hovertemplate": f"{title}: %{{y:.1%}}<extra></extra>",
        }
        for values, title, opacity, shape in (
            (alone[0], "left alone", 0.55, "/"),
            (joint, "together", 1.0, ""),
            (alone[1], "right alone", 0.55, "\\"),
        )
    ]
    layout = _layout(theme, "", "probability", height=260) | {"barmode": "group", "bargap": 0.25}
    return go.Figure(traces, layout | {"showlegend": False})


def members_table(found: EnsembleDiagnostics, row: int) -> pd.DataFrame:
    """One row a class: what left, right and the two together give it."""
    alone = found.members.alone[row]
    return pd.DataFrame(
        {
            "class": found.classes,
            "left alone": alone[0],
            "right alone": alone[1],
            "together": found.members.joint[row],
        }
    ).sort_values("together", ascending=False, ignore_index=True)


def _marks(
    x: np.ndarray, y: Any, name: str, symbol: str, color: str, theme: Theme
) -> dict[str, Any]:
    return {
        "type": "scatter",
        "mode": "markers",
        "x": x,
        "y": np.asarray(y, dtype=np.float32),
        "name": name,
        "marker": {
            "symbol": symbol,
            "color": color,
            "size": 11,
            "line": {"width": 2, "color": color if "open" in symbol else theme.background},
        },
        "hovertemplate": f"draw %{{x}}: {name} %{{y:.3f}}<extra></extra>",
    }


def _layout(
    theme: Theme, x: str, y: str, height: int, fixed: bool = True, xaxis: Any = None
) -> dict[str, Any]:
    common = {"zeroline": False, "automargin": True, "fixedrange": fixed}
    return base_layout(
        theme,
        height=height,
        margin={"l": 8, "r": 8, "t": 34, "b": 8},
        legend={"orientation": "h", "x": 0, "y": 1.02, "yanchor": "bottom"},
        xaxis={"title": {"text": x}, **common, **(xaxis or {})},
        yaxis={"title": {"text": y}, "nticks": 6, **common},
    )
