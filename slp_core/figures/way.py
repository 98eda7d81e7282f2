"""How one example is predicted, as data that a browser draws and lets people change."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from slp_core.data.examples import Examples
from slp_core.encoders.tokens import Token
from slp_core.explain.point import PointReading
from slp_core.figures.style.parts import class_entries
from slp_core.figures.style.theme import LIGHT, Theme

_MOST_CLASSES, _MOST_CENTROIDS, _MOST_LINES = 8, 6, 4  # rows that can be read at a glance
_MOST_FEATURES = 12  # that are named one by one
_MOST_NUMBERS = 2_000  # of a vector, that a stripe can show
_DIGITS = 6  # of what is only shown


@dataclass(frozen=True, eq=False)
class Source:
    """An example before it is a vector: one row, its tokens, and an image if it is one."""

    title: str
    example: Examples
    tokens: tuple[Token, ...] = ()
    feature_names: Sequence[str] = ()
    image: np.ndarray | None = None  # (h, w) from 0 to 1


def way_data(reading: PointReading, source: Source, theme: Theme = LIGHT) -> dict[str, Any]:
    """Everything that is drawn, in plain JSON types; numbers to compute with have every digit."""
    assert reading.line is not None
    line = reading.lines[reading.line]
    centroids = list(reading.nearest[:_MOST_CENTROIDS])
    if reading.true is not None and reading.true not in centroids:
        centroids[-1] = reading.true
    lines = np.argsort(reading.nearness, kind="stable")[:_MOST_LINES].tolist()
    if reading.line not in lines:
        lines[-1] = reading.line
    scored = list(reading.scored)
    shown = scored[:_MOST_CLASSES]
    if reading.true in scored and reading.true not in shown:
        shown[-1] = reading.true
    vector = reading.vector[:_MOST_NUMBERS].round(_DIGITS)
    return {
        "title": source.title,
        "classes": class_entries(reading.classes, theme),
        "colors": {
            "background": theme.background,
            "text": theme.text,
            "low": theme.correct,
            "high": theme.wrong,
        },
        **_input(source, len(reading.vector)),
        "vector": vector.tolist(),
        "size": len(reading.vector),
        "centroids": [
            {"k": k, "distance": _short(reading.centroid_distance[k])} for k in sorted(centroids)
        ],
        "lines": [
            {
                "number": n,
                "classes": list(reading.lines[n].classes),
                "distance": _short(reading.nearness[n]),
            }
            for n in sorted(lines)
        ],
        "allLines": len(reading.lines),
        "line": reading.line,
        "by": reading.assignment,
        "places": [
            {"k": k, "t": _short(t), "off": _short(off)}
            for k, t, off in zip(line.classes, line.positions, line.offsets, strict=True)
        ],
        "length": line.length,
        "t": reading.t,
        "r": reading.r,
        "distances": {rule: away.tolist() for rule, away in reading.away.items()},
        "rule": reading.rule,
        "unit": reading.unit,
        "local": reading.local,
        "scored": scored,
        "shown": shown,
        "labels": reading.soft_labels[:, scored].tolist(),
        "predicted": reading.predicted,
        "true": reading.true,
    }


def _input(source: Source, size: int) -> dict[str, Any]:
    """The example itself: its texts, or its features where they are few and no image."""
    example = source.example
    if example.features is not None:
        row = example.features[0]
        names = source.feature_names or [f"x{i + 1}" for i in range(len(row))]
        few = source.image is None and size == len(row) <= _MOST_FEATURES
        return {
            "texts": [],
            "tokens": [],
            "features": [[n, _short(v)] for n, v in zip(names, row, strict=True)] if few else [],
            "image": None if source.image is None else source.image.round(3).tolist(),
        }
    texts = [row[0] for row in (example.texts, example.pairs) if row is not None]
    parts = [[text, "", ""] for text in texts]
    if example.spans is not None:
        (start, end), text = example.spans[0], texts[0]
        parts = [[text[:start], text[start:end], text[end:]]]
    return {"texts": parts, "tokens": list(map(list, source.tokens)), "features": [], "image": None}


def _short(value: float) -> float:
    """Rounded to what is shown at most; large and small numbers keep their leading digits."""
    return float(f"{value:.9g}")
