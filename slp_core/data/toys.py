"""Small synthetic datasets, each showing one property of soft-label prototypes."""

from __future__ import annotations

import operator
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from slp_core.data.dataset import FewShotDataset
from slp_core.data.examples import Examples
from slp_core.errors import DatasetError

MIN_DIMENSION, MAX_DIMENSION = 2, 512
POINTS_PER_CLASS = 60

_ABC = {"A": (-10.0, 0.0), "B": (5.0, 0.0), "C": (15.0, 0.0)}
_COLOURS = {"blue": (0.0, 0.0), "green": (1.5, 0.0), "yellow": (3.0, 0.0)}


@dataclass(frozen=True)
class Toy:
    """The name of a toy, and its classes with normal noise."""

    title: str
    description: str
    classes: Mapping[str, tuple[float, float] | float]
    """Each has a centroid, or is a ring around the origin with a radius."""
    noise: float
    options: tuple[str, ...] = ()
    """What can be chosen: the number of dimensions, the centroids and the noise around them."""


def make_toy(
    name: str,
    *,
    dimension: int | None = None,
    centroids: Mapping[str, Sequence[float]] | None = None,
    noise: float | None = None,
    n_per_class: int = POINTS_PER_CLASS,
    seed: int = 0,
) -> FewShotDataset:
    """Make a toy dataset, of the same points for a seed; a lower dimension keeps the first ones."""
    if name not in TOYS:
        raise DatasetError(f"There is no toy {name!r}: choose one of {', '.join(TOYS)}.")
    toy = TOYS[name]
    dimension = MIN_DIMENSION if dimension is None else operator.index(dimension)
    if not MIN_DIMENSION <= dimension <= MAX_DIMENSION:
        raise DatasetError(
            f"{name} has {MIN_DIMENSION} to {MAX_DIMENSION} dimensions, not {dimension}."
        )
    if n_per_class < 2:
        raise DatasetError(f"A toy needs at least 2 points per class, not {n_per_class}.")
    if centroids is not None:
        toy = replace(toy, classes=_places(centroids))
    if noise is not None:
        toy = replace(toy, noise=noise)
    points = _points(toy, np.random.default_rng(seed), n_per_class, dimension)
    names = ("x", "y") if dimension == 2 else tuple(f"x{j + 1}" for j in range(dimension))
    return FewShotDataset(
        name=name,
        title=toy.title,
        examples=Examples("numeric", features=np.concatenate(list(points.values()))),
        labels=np.repeat(list(points), n_per_class),
        default_encoder="raw",
        feature_names=names,
    )


def _places(centroids: Mapping[str, Sequence[float]]) -> dict[str, tuple[float, float]]:
    """Finite places in the plane of two classes or more."""
    try:
        places = {name: (float(x), float(y)) for name, (x, y) in centroids.items()}
    except (TypeError, ValueError):
        places = {}
    if len(places) < 2 or not np.isfinite(list(places.values())).all():
        raise DatasetError("centroids must name two classes or more, with two numbers each.")
    return places


def _points(
    toy: Toy, rng: np.random.Generator, n: int, dimension: int
) -> dict[str, NDArray[np.float64]]:
    """(n, d) points of each class, of which a centroid is the exact mean."""
    most = MAX_DIMENSION if "dimension" in toy.options else MIN_DIMENSION
    points = {}
    for label, place in toy.classes.items():
        if isinstance(place, tuple):
            drawn = rng.normal(scale=toy.noise, size=(n, most))[:, :dimension]
            points[label] = drawn - drawn.mean(axis=0)
            points[label][:, :2] += place
        else:
            angle = rng.uniform(0, 2 * np.pi, size=n)
            distance = place + rng.normal(scale=toy.noise, size=n)
            points[label] = distance[:, None] * np.column_stack([np.cos(angle), np.sin(angle)])
    return points


TOYS: dict[str, Toy] = {
    "toy_blue_green_yellow": Toy(
        title="Blue, green, yellow",
        description="The paper's first figure: two prototypes, three classes on one line.",
        classes=_COLOURS,
        noise=0.4,
    ),
    "toy_abc": Toy(
        title="A, B and C",
        description="The paper's derivation: three unevenly spaced centroids on a line.",
        classes=_ABC,
        noise=2.0,
    ),
    "toy_three_on_a_line": Toy(
        title="Three on a line, with noise",
        description="Three evenly spaced classes whose points overlap.",
        classes={"left": (-3, -1.5), "middle": (0, 0), "right": (3, 1.5)},
        noise=1.2,
    ),
    "toy_five_on_two_lines": Toy(
        title="Five on two lines",
        description="Five classes on two lines: three on one, two on the other.",
        classes={"A": (-4, 2), "B": (-1.3, 2.9), "C": (2, 4), "D": (-1, -4), "E": (4, -3)},
        noise=0.7,
    ),
    "toy_off_line": Toy(
        title="A centroid off its line",
        description="The middle class's centroid lies off its line.",
        classes={"A": (-4, 0), "B": (-0.5, 3), "C": (4, 0)},
        noise=1.3,
    ),
    "toy_rings": Toy(
        title="Concentric rings",
        description="Three rings around one point: all centroids are alike.",
        classes={"inner": 1.0, "middle": 2.5, "outer": 4.0},
        noise=0.2,
    ),
    "toy_dimensions": Toy(
        title="A, B and C in many dimensions",
        description="The same three classes with noise in 2 to 512 dimensions.",
        classes=_ABC,
        noise=2.0,
        options=("dimension",),
    ),
    "toy_stage": Toy(
        title="The stage of Learn",
        description="Points around the centroids that were dragged on Learn.",
        classes=_COLOURS,
        noise=0.4,
        options=("dimension", "centroids", "noise"),
    ),
}
