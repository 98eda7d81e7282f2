"""Small made-up datasets in which one thing about soft-label prototypes can be seen at a time."""

from __future__ import annotations

import operator
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from slp_core.data.dataset import FewShotDataset
from slp_core.data.examples import Examples
from slp_core.errors import DatasetError

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
    card: str
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
    """Make a toy dataset; the same arguments give the same points.

    Parameters
    ----------
    name
        One of `TOYS`.
    dimension
        Dimensions of ``toy_dimensions``, 2 (default) to 512; a lower dimension keeps the first
        coordinates of the same points. The other toys have two.
    n_per_class
        Points a class, at least 2.
    seed
        Seed of the noise.

    Raises
    ------
    DatasetError
        When there is no such toy, or an option does not fit it.
    """
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
        card=f"# {toy.title}\n\n{toy.card}\n",
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
        card=(
            "The paper's first worked example. The class centroids are blue (0, 0), green (1.5, 0) "
            "and yellow (3, 0); each class has normal noise around its centroid (standard "
            "deviation 0.4), and the mean of all its points is exactly the centroid.\n\n"
            "**What to see.** One line runs from blue to yellow. Green has no prototype of its "
            "own: it wins in the middle because both ends lend it some of their vote.\n\n"
            "**Reading mistakes.** The paper illustrates with soft labels .6 and .4; the linear "
            "programme gives 4/7 and 3/7, for which blue needs more than three quarters of the "
            "vote (w > 0.75). Errors between blue and green stand where noise crosses that line."
        ),
        make=_around({"blue": (0, 0), "green": (1.5, 0), "yellow": (3, 0)}, noise=0.4),
    ),
    "toy_abc": Toy(
        title="A, B and C",
        description="The paper's derivation: three unevenly spaced centroids on a line.",
        classes=3,
        card=(
            "The paper's derivation of soft labels. The centroids are A (−10, 0), B (5, 0) and "
            "C (15, 0); noise is normal with standard deviation 2, and the mean of all points of "
            "a class is exactly its centroid.\n\n"
            "**What to see.** The soft labels are [65, 44, 0]/109 on the left and [0, 49, 60]/109 "
            "on the right, so A wins where w > 0.7, C where w < 0.2 and B between.\n\n"
            "**Reading mistakes.** The gaps are uneven: C keeps only a narrow interval of w, so "
            "most errors are points of C, or points far above or below the line, taken for B."
        ),
        make=_around({name: (x, 0.0) for name, x in _ABC.items()}, noise=_ABC_NOISE),
    ),
    "toy_three_on_a_line": Toy(
        title="Three on a line, with noise",
        description="Three evenly spaced classes whose points overlap.",
        classes=3,
        card=(
            "Centroids at (−3, −1.5), (0, 0) and (3, 1.5), on a slanted line, with normal noise of "
            "standard deviation 1.2 in both directions, so that neighbours overlap. The mean of "
            "all points of a class is exactly its centroid.\n\n"
            "**What to see.** With few shots the centroids wander from the line; redraw and watch "
            "line, prototypes and boundaries move with them.\n\n"
            "**Reading mistakes.** Some points lie nearer to the wrong centroid whatever the "
            "method. The rest are lost to the middle class, whose share grows away from the line."
        ),
        make=_around({"left": (-3, -1.5), "middle": (0, 0), "right": (3, 1.5)}, noise=1.2),
    ),
    "toy_five_on_two_lines": Toy(
        title="Five on two lines",
        description="Five classes that two lines carry: three on one, two on the other.",
        classes=5,
        card=(
            "A (−4, 2), B (−1.3, 2.9) and C (2, 4) lie on one line, D (−1, −4) and E (4, −3) on "
            "another. Noise is normal with standard deviation 0.7, and the mean of all points of a "
            "class is exactly its centroid.\n\n"
            "**What to see.** The line finder has to put the classes on the right lines before any "
            "soft label is learnt; a point is then judged by one line only.\n\n"
            "**Reading mistakes.** A point given to the wrong line cannot be answered rightly. On "
            "the two-class line the prototypes have hard labels, and it behaves like nearest "
            "centroid."
        ),
        make=_around(
            {"A": (-4, 2), "B": (-1.3, 2.9), "C": (2, 4), "D": (-1, -4), "E": (4, -3)}, noise=0.7
        ),
    ),
    "toy_off_line": Toy(
        title="A centroid off its line",
        description="The middle class stands aside from the line that carries it.",
        classes=3,
        card=(
            "A (−4, 0) and C (4, 0) end the line; B (−0.5, 3) belongs to it but stands 3 away. "
            "Noise is normal with standard deviation 1.3, and the mean of all points of a class is "
            "exactly its centroid.\n\n"
            "**What to see.** Soft labels know B only by its foot on the line, so B's region is a "
            "band across the whole plane, below the line as well as above.\n\n"
            "**Reading mistakes.** Compare with nearest centroid, which uses both directions: "
            "points between B and an end are where the two part."
        ),
        make=_around({"A": (-4, 0), "B": (-0.5, 3), "C": (4, 0)}, noise=1.3),
    ),
    "toy_rings": Toy(
        title="Concentric rings",
        description="Three rings around one point: centroids that say nothing.",
        classes=3,
        card=(
            "Rings of radius 1 (inner), 2.5 (middle) and 4 (outer) around the origin, with normal "
            "noise of standard deviation 0.2 in the radius. All three classes have the same "
            "centre, so the centroids differ by chance alone.\n\n"
            "**What to see.** Nothing built on centroids can work here: lines and prototypes jump "
            "about from draw to draw, and accuracy stays near chance.\n\n"
            "**Reading mistakes.** Nearly all are of the embedding: the nearest centroid is not "
            "the true class's. A vector that held the radius would mend them all."
        ),
        make=_rings({"inner": 1.0, "middle": 2.5, "outer": 4.0}, noise=0.2),
    ),
    "toy_dimensions": Toy(
        title="A, B and C in many dimensions",
        description="The same three classes with noise in 2 to 512 dimensions.",
        classes=3,
        card=(
            "Centroids at −10 (A), 5 (B) and 15 (C) on the first axis, as in the toy A, B and C, "
            "and normal noise of standard deviation 2 in every one of the dimensions. The mean of "
            "all points of a class is exactly its centroid; lower dimensions are the first "
            "coordinates of the same points.\n\n"
            "**What to see.** Raise the dimension. A point's distance to both prototypes grows "
            "like 2·√d while the distance between them stays 25, so w closes in on 0.5. C needs "
            "w < 0.2, which ends near 10 dimensions, and A needs w > 0.7, which ends near 35: from "
            "there on constraintSLP answers B always, though the classes are as far apart as "
            "before.\n\n"
            "**Reading mistakes.** They are of concentration: take the distances along the line "
            "and nearly all of them go. Beyond a few hundred dimensions the centroids of a small "
            "support set blur as well, and nearest centroid begins to err."
        ),
        make=_along_first_axis,
        scalable=True,
    ),
}
