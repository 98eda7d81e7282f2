"""The stage that opens Learn: its centroids and other settings, as a URL has them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

import numpy as np

from slp_core.allowed import ABOVE_0, SHARE, Number
from slp_core.data.toys import MAX_DIMENSION, MIN_DIMENSION, POINTS_PER_CLASS, make_toy
from slp_core.entries import read_entries
from slp_core.errors import SLPError
from slp_core.explain.worked_example import COUNTER_CENTROIDS, TOY_CENTROIDS, TOY_POINT

STAGE = "toy_stage"
CLASSES = {
    3: ("blue", "green", "yellow"),
    4: ("blue", "green", "red", "yellow"),
    5: ("blue", "green", "purple", "red", "yellow"),
}
"""In alphabetical order, as datasets have them: the smaller class is on the left of a line."""
DIMENSIONS = (MIN_DIMENSION, 4, 8, 16, 32, 64, 128, 256, MAX_DIMENSION)
TOLERANCES = (0.02, 0.1, 0.5)  # which the sidebar has too
RULES = {
    "constraint": "constraintSLP",
    "along": "projected distances",
    "nearest": "nearest centroid",
    "deep": "untrained DeepSLP",
}


@dataclass(frozen=True)
class Stage:
    """Centroids of three to five classes, a probe, and what is drawn."""

    centroids: tuple[tuple[float, float], ...]
    probe: tuple[float, float]
    noise: float
    lines: int = 1  # at most
    tolerance: float = 0.1
    dimension: int = MIN_DIMENSION
    rule: str = "constraint"
    against: str = ""
    """The rule whose other predictions are hatched."""
    labels: tuple[tuple[tuple[float, ...], ...], ...] | None = None
    """(L, 2, K) soft labels set by hand; None where they are solved."""

    @property
    def places(self) -> dict[str, tuple[float, float]]:
        return dict(zip(CLASSES[len(self.centroids)], self.centroids, strict=True))


_NUMBER = Number(-1e4, 1e4)
_ENTRIES = {
    "centroids": [[_NUMBER]],
    "probe": [_NUMBER],
    "noise": Number(ABOVE_0, 1e4),
    "lines?": (1, 2),
    "tolerance?": TOLERANCES,
    "dimension?": DIMENSIONS,
    "rule?": tuple(RULES),
    "against?": ("", *RULES),
    "labels?": [[[SHARE]]],
}


def read_stage(text: str) -> Stage | None:
    """A stage from JSON; None if it cannot be drawn."""
    try:
        found = read_entries(text, _ENTRIES)
        stage = Stage(**{name: value for name, value in found.items() if value is not None})
        centroids, probe = _places(stage.centroids), _places([stage.probe])[0]
    except (SLPError, TypeError, ValueError):
        return None
    labels = stage.labels and tuple(tuple(map(tuple, pair)) for pair in stage.labels)
    shares = [sum(label) for pair in labels or () for label in pair]
    if len(centroids) not in CLASSES or any(abs(share - 1) >= 1e-2 for share in shares):
        return None
    return replace(stage, centroids=centroids, probe=probe, labels=labels)


def _places(centroids: Iterable[Any]) -> tuple[tuple[float, float], ...]:
    return tuple((float(x), float(y)) for x, y in centroids)


PRESETS: Mapping[str, Stage] = {
    "The paper's toy": Stage(_places(TOY_CENTROIDS), _places([TOY_POINT])[0], 0.3),
    "Theorem 2's proof": Stage(_places(COUNTER_CENTROIDS), (-6.5, 9.5), 2.0, against="nearest"),
    "Middle class aside": Stage(((-4.0, -1.0), (-0.5, 2.0), (4.0, -1.0)), (-1.5, 0.5), 0.9),
    "Nearly equal centroids": Stage(((0.0, 0.0), (0.3, 0.2), (4.0, 0.0)), (1.5, 1.0), 0.4),
    "Five on two lines": Stage(
        ((-4.0, 2.0), (-1.3, 2.9), (-1.0, -4.0), (4.0, -3.0), (2.0, 4.0)),
        (1.0, 1.0),
        0.7,
        lines=2,
    ),
}
OPENING = PRESETS["The paper's toy"]
_PROOF = PRESETS["Theorem 2's proof"]
LESSON_STAGES: Mapping[str, Stage] = {
    "shared": replace(OPENING, labels=(((0.8, 0.2, 0.0), (0.0, 0.2, 0.8)),)),
    "one prediction": replace(OPENING, labels=(((0.6, 0.4, 0.0), (0.0, 0.4, 0.6)),)),
    "three to move": _PROOF,
    "dimensions": replace(_PROOF, against=""),
}
"""Where lessons begin."""


@cache
def unit_cloud() -> dict[str, Any]:
    """The points of the dataset around any centroids, with a noise of 1, in plain JSON types.

    ``plane`` (K, m, 2) are the first two numbers of each; ``beyond`` (D, K, m) its distance from
    the plane in each of `DIMENSIONS`.
    """
    names = CLASSES[max(CLASSES)]
    nowhere = dict.fromkeys(names, (0.0, 0.0))
    dataset = make_toy(STAGE, centroids=nowhere, noise=1.0, dimension=MAX_DIMENSION)
    points = np.asarray(dataset.examples.features).reshape(len(names), POINTS_PER_CLASS, -1)
    beyond = [np.linalg.norm(points[..., 2:d], axis=2).round(3).tolist() for d in DIMENSIONS]
    return {"plane": points[..., :2].round(3).tolist(), "beyond": beyond}
