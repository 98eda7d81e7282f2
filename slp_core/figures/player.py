"""Training as data that a browser plays: landscape, curves and soft labels at every step."""

from __future__ import annotations

import base64
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from slp_core.evaluation.draws import EpisodeArrays
from slp_core.explain.soft_label_path import soft_label_path
from slp_core.explain.soft_labels import read_soft_labels
from slp_core.figures.style.parts import class_entries, spaced
from slp_core.figures.style.theme import LIGHT, Theme, blend
from slp_core.lines import Line
from slp_core.methods.base import LineClassifier
from slp_core.methods.constraint_slp import ConstraintSLPClassifier
from slp_core.methods.edited_prototypes import EditedPrototypes
from slp_core.methods.training import accuracy_on
from slp_core.views.landscape import decision_landscape
from slp_core.views.projection import Inverse, Projection

_MOST_POINTS, _MOST_LINES = 600, 12  # drawn on the landscape, and as bars
_TINT = 0.32  # of a class's colour, in its region


@dataclass(frozen=True, eq=False)
class Stage:
    """What stays the same from epoch to epoch."""

    classes: tuple[str, ...]
    lines: tuple[Line, ...]
    points: np.ndarray  # (m, 2) of the query set
    true: np.ndarray  # (m,)
    support: np.ndarray  # (n, 2)
    support_true: np.ndarray  # (n,)
    centroids: np.ndarray  # (K, 2)
    references: Mapping[str, float]  # other methods' accuracies

    @property
    def drawn_rows(self) -> np.ndarray:
        return spaced(np.arange(len(self.points)), _MOST_POINTS)

    @property
    def drawn_support(self) -> np.ndarray:
        return spaced(np.arange(len(self.support)), _MOST_POINTS)

    @property
    def drawn_lines(self) -> list[int]:
        """The lines whose soft labels are drawn: those with the most classes, in their order."""
        sizes = np.array([len(line.classes) for line in self.lines])
        drawn: list[int] = np.sort((-sizes).argsort(kind="stable")[:_MOST_LINES]).tolist()
        return drawn


def player_data(
    stage: Stage, curves: pd.DataFrame, pictures: Sequence[EpochPicture], theme: Theme = LIGHT
) -> dict[str, Any]:
    """All that is drawn, in plain JSON types; a landscape's (g, h) classes as bytes in base 64.

    Curves are by their first column: the accuracies ``support`` and ``query``, and others below.
    """
    classes = class_entries(stage.classes, theme)
    first, rows, lines = pictures[0], stage.drawn_rows, stage.drawn_lines
    ends = [row for line in lines for row in (2 * line, 2 * line + 1)]
    nearby, (step, *measured) = stage.drawn_support, curves.columns
    kind = np.dtype(np.uint8 if len(stage.classes) <= 256 else "<u2")
    points = np.column_stack([stage.points[rows], stage.true[rows]]).round(5)
    support = np.column_stack([stage.support[nearby], stage.support_true[nearby]]).round(5)
    return {
        "classes": [
            each | {"tint": blend(each["color"], theme.background, _TINT)} for each in classes
        ],
        "colors": {
            "background": theme.background,
            "grid": theme.grid,
            "text": theme.text,
            "muted": theme.muted,
            "query": theme.correct,
            "loss": theme.wrong,
        },
        "x": [float(first.x[0]), float(first.x[-1])],
        "y": [float(first.y[0]), float(first.y[-1])],
        "grid": [len(first.x), len(first.y)],
        "bytes": kind.itemsize,  # of a cell of a landscape
        "points": points.tolist(),
        "support": support.tolist(),
        "centroids": stage.centroids.round(5).tolist(),
        "prototypes": [
            f"{number + 1}{side} {classes[end]['mark']} {classes[end]['name']}"
            for number in lines
            for side, end in (("A", stage.lines[number].left), ("B", stage.lines[number].right))
        ],
        "curves": {
            "step": step,
            "at": curves[step].tolist(),
            "support": known(curves["support"]),
            "query": known(curves["query"]),
            "below": [
                {"name": name, "values": known(curves[name])}
                for name in measured
                if name not in ("support", "query")
            ],
        },
        "references": [
            {"name": name, "accuracy": share}
            for name, share in stage.references.items()
            if share == share
        ],
        "frames": [
            {
                "epoch": picture.epoch,
                "labels": base64.b64encode(picture.labels.astype(kind).tobytes()).decode(),
                "soft": picture.soft_labels[ends].round(4).tolist(),
            }
            for picture in pictures
        ],
    }


def known(values: pd.Series) -> list[float | None]:
    """Numbers for JSON, which has no NaN."""
    return [round(float(value), 6) if value == value else None for value in values]


@dataclass(frozen=True, eq=False)
class ProgrammeRun:
    """The solutions from hard labels to the optimum, with what is predicted at each step."""

    curves: pd.DataFrame  # step, support, query, violation, objective
    frames: tuple[EpochPicture, ...]


def programme_run(
    model: ConstraintSLPClassifier, data: EpisodeArrays, projection: Projection
) -> ProgrammeRun:
    """Solve the programme step by step, and predict support and query set at each step."""
    path, objective, violation = soft_label_path(model)
    pictures, accuracies = [], []
    for step, labels in enumerate(path, start=1):
        now = EditedPrototypes.of(model, labels).classifier()
        pictures.append(epoch_picture(step, now, projection, data.X_support))
        sets = (data.X_support, data.y_support), (data.X_query, data.y_query)
        accuracies.append([accuracy_on(now, *each) for each in sets])
    curves = pd.DataFrame(accuracies, columns=["support", "query"])
    curves.insert(0, "step", curves.index + 1)
    return ProgrammeRun(curves.assign(violation=violation, objective=objective), tuple(pictures))


GRID = 72
ASPECT = 1.1
INVERSE: Inverse = "offset"  # about as faithful as the best, and quick enough for every epoch


@dataclass(frozen=True, eq=False)
class EpochPicture:
    """Predictions on a grid, and the mean soft label at each prototype, A and B line by line."""

    epoch: int
    x: np.ndarray  # (g,)
    y: np.ndarray  # (h,)
    labels: np.ndarray  # (h, g)
    soft_labels: np.ndarray  # (2 L, K), over the support points of the line; zeros without any


def epoch_picture(
    epoch: int, model: LineClassifier, projection: Projection, X: np.ndarray
) -> EpochPicture:
    """The classifier after an epoch; soft labels over the (n, d) support set."""
    landscape = decision_landscape(model, projection, GRID, INVERSE, aspect=ASPECT)
    means = np.zeros((len(model.lines_), 2, len(model.classes_)))
    for one in read_soft_labels(model, "", X).prototypes:  # A is followed by B, where there is one
        means[one.line, one.side :] = np.nan_to_num(one.mean)
    return EpochPicture(
        epoch,
        landscape.x,
        landscape.y,
        landscape.labels,
        means.reshape(-1, means.shape[2]),
    )
