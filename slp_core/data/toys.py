"""Small made-up datasets in which one thing about soft-label prototypes can be seen at a time."""

from __future__ import annotations

import operator
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from slp_core.data.cards import read_card
from slp_core.data.dataset import FewShotDataset
from slp_core.data.examples import Examples
from slp_core.errors import DatasetError
from slp_core.resources import resource

MIN_DIMENSION, MAX_DIMENSION = 2, 512
POINTS_PER_CLASS = 60

_ABC = {"A": -10.0, "B": 5.0, "C": 15.0}
_ABC_NOISE = 2.0

Points = dict[str, NDArray[np.float64]]
Maker = Callable[[np.random.Generator, int, int], Points]
"""(random numbers, points a class, dimension) to (n, d) points by class."""


@dataclass(frozen=True)
class Toy:
    """What a toy is called and how it is made."""

    title: str
    description: str
    classes: int
    make: Maker
    scalable: bool = False
    """Whether the number of dimensions can be chosen."""


def make_toy(
    name: str,
    *,
    dimension: int | None = None,
    n_per_class: int = POINTS_PER_CLASS,
    seed: int = 0,
) -> FewShotDataset:
    """Make a toy dataset, of the same points for a seed; a lower dimension keeps the first ones."""
    if name not in TOYS:
        raise DatasetError(f"There is no toy {name!r}: choose one of {', '.join(TOYS)}.")
    toy = TOYS[name]
    if dimension is None:
        dimension = MIN_DIMENSION
    elif not toy.scalable:
        raise DatasetError(f"{name} has two dimensions: only toy_dimensions lets you choose.")
    dimension = operator.index(dimension)
    if not MIN_DIMENSION <= dimension <= MAX_DIMENSION:
        raise DatasetError(
            f"{name} has {MIN_DIMENSION} to {MAX_DIMENSION} dimensions, not {dimension}."
        )
    if n_per_class < 2:
        raise DatasetError(f"A toy needs at least 2 points a class, not {n_per_class}.")
    points = toy.make(np.random.default_rng(seed), n_per_class, dimension)
    names = ("x", "y") if dimension == 2 else tuple(f"x{j + 1}" for j in range(dimension))
    return FewShotDataset(
        name=name,
        title=toy.title,
        examples=Examples("numeric", features=np.concatenate(list(points.values()))),
        labels=np.repeat(list(points), n_per_class),
        classes=tuple(sorted(points)),
        default_encoder="raw",
        card=read_card(resource("sample_data") / f"{name}.md"),
        feature_names=names,
    )


def _around(centroids: dict[str, tuple[float, float]], noise: float) -> Maker:
    """Normal noise around each centroid, shifted so that the mean of a class is its centroid."""

    def make(rng: np.random.Generator, n: int, dimension: int) -> Points:
        return {
            label: np.array(centroid) + _centred(rng.normal(scale=noise, size=(n, dimension)))
            for label, centroid in centroids.items()
        }

    return make


def _rings(radii: dict[str, float], noise: float) -> Maker:
    """A ring of points for each class, all around the origin."""

    def make(rng: np.random.Generator, n: int, dimension: int) -> Points:
        rings = {}
        for label, radius in radii.items():
            angle = rng.uniform(0, 2 * np.pi, size=n)
            distance = radius + rng.normal(scale=noise, size=n)
            ring = distance[:, None] * np.column_stack([np.cos(angle), np.sin(angle)])
            rings[label] = ring
        return rings

    return make


def _along_first_axis(rng: np.random.Generator, n: int, dimension: int) -> Points:
    """A, B and C on the first axis, with the same noise in every direction."""
    points = {}
    for label, position in _ABC.items():
        noise = rng.normal(scale=_ABC_NOISE, size=(n, MAX_DIMENSION))[:, :dimension]
        points[label] = _centred(noise)
        points[label][:, 0] += position
    return points


def _centred(noise: NDArray[np.float64]) -> NDArray[np.float64]:
    return noise - noise.mean(axis=0)


TOYS: dict[str, Toy] = {
    "toy_blue_green_yellow": Toy(
        title="Blue, green, yellow",
        description="The paper's first picture: two prototypes, three classes on one line.",
        classes=3,
        make=_around({"blue": (0, 0), "green": (1.5, 0), "yellow": (3, 0)}, noise=0.4),
    ),
    "toy_abc": Toy(
        title="A, B and C",
        description="The paper's derivation: three unevenly spaced centroids on a line.",
        classes=3,
        make=_around({name: (x, 0.0) for name, x in _ABC.items()}, noise=_ABC_NOISE),
    ),
    "toy_three_on_a_line": Toy(
        title="Three on a line, with noise",
        description="Three evenly spaced classes whose points overlap.",
        classes=3,
        make=_around({"left": (-3, -1.5), "middle": (0, 0), "right": (3, 1.5)}, noise=1.2),
    ),
    "toy_five_on_two_lines": Toy(
        title="Five on two lines",
        description="Five classes that two lines carry: three on one, two on the other.",
        classes=5,
        make=_around(
            {"A": (-4, 2), "B": (-1.3, 2.9), "C": (2, 4), "D": (-1, -4), "E": (4, -3)}, noise=0.7
        ),
    ),
    "toy_off_line": Toy(
        title="A centroid off its line",
        description="The middle class stands aside from the line that carries it.",
        classes=3,
        make=_around({"A": (-4, 0), "B": (-0.5, 3), "C": (4, 0)}, noise=1.3),
    ),
    "toy_rings": Toy(
        title="Concentric rings",
        description="Three rings around one point: centroids that say nothing.",
        classes=3,
        make=_rings({"inner": 1.0, "middle": 2.5, "outer": 4.0}, noise=0.2),
    ),
    "toy_dimensions": Toy(
        title="A, B and C in many dimensions",
        description="The same three classes with noise in 2 to 512 dimensions.",
        classes=3,
        make=_along_first_axis,
        scalable=True,
    ),
}
