"""Decision landscapes: a method's predictions over a projection."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cached_property, partial
from typing import Annotated

import numpy as np

from slp_core.allowed import NotNegative, Number, Positive, check_options
from slp_core.methods.protocols import HasLines, HasProbabilities
from slp_core.methods.tables import check_fitted, nameless, row_batches
from slp_core.views.boundaries import region_boundaries
from slp_core.views.fidelity import Fidelity, landscape_fidelity
from slp_core.views.plane import Lifted, on_plane
from slp_core.views.projection import Inverse, Projection

_TILE = 32


@dataclass(frozen=True, eq=False)
class Landscape:
    """A method's predictions on a g × g grid over a projection.

    Attributes
    ----------
    x, y : (g,) arrays
        The grid, in the projection's units.
    labels : (g, g) uint8 array (wider above 256 classes)
        The winning class as an index into ``classes_``; a row has one ``y``.
    confidence : (g, g) float32 array
        The winner's probability.
    margin : (g, g) float32 array
        Its lead over the runner-up's: 0 on a boundary.
    inverse : str
        ``"plane"``, ``"offset"`` (the plane moved off the data by the median distance of the
        examples from it) or ``"surface"``, fitted through the data.
    """

    x: np.ndarray
    y: np.ndarray
    labels: np.ndarray
    confidence: np.ndarray
    margin: np.ndarray
    inverse: Inverse
    _model: HasProbabilities = field(repr=False)
    _projection: Projection = field(repr=False)

    @property
    def line(self) -> np.ndarray:
        """(g, g) uint8 array (wider above 256 lines): the line chosen at each grid point."""
        return self._chosen_line[0]

    @cached_property
    def boundaries(self) -> np.ndarray:
        """(s, 2, 2) float32 array: segments between the regions of the classes."""
        return self._borders(
            self.labels, self.margin, lambda p: self._ask.predict_proba(p).argmax(axis=1)
        )

    @cached_property
    def line_boundaries(self) -> np.ndarray:
        """(s, 2, 2) float32 array: segments between the regions in which each line is chosen."""
        line, lead = self._chosen_line
        return self._borders(line, lead, lambda p: self._ask.place(p).line)

    def _borders(
        self, labels: np.ndarray, margin: np.ndarray, label_at: Callable[[np.ndarray], np.ndarray]
    ) -> np.ndarray:
        # Margins jump where the chosen line changes, and only there do they mislead. Asking again
        # costs nothing on a plane; a surface has too many borders, and too crooked ones, to care.
        exact = None if self.inverse == "surface" else label_at
        return region_boundaries(labels, self.x, self.y, margin, exact)

    @cached_property
    def _ask(self) -> Lifted:
        places = _places(self.x, self.y)
        return _asker(self._model, self._projection, self.inverse, places)

    @cached_property
    def _chosen_line(self) -> tuple[np.ndarray, np.ndarray]:
        """The chosen line, and by how much its segment is nearer than the next."""
        places = _places(self.x, self.y)
        n_lines = len(self._model.lines_) if isinstance(self._model, HasLines) else 0
        line = np.zeros(len(places), dtype=np.min_scalar_type(max(n_lines - 1, 0)))
        lead = np.ones(len(places), dtype=np.float32)
        if isinstance(self._model, HasLines) and n_lines > 1:
            for rows in _batches(self.x, self.y, self._projection.vectors.shape[1]):
                at = self._ask.place(places[rows])
                line[rows] = at.line
                first, second = np.partition(at.segment_distance, 1, axis=1)[:, :2].T
                lead[rows] = second - first
        shape = (len(self.y), len(self.x))
        return line.reshape(shape), lead.reshape(shape)

    @cached_property
    def fidelity_report(self) -> Fidelity:
        """Fidelity: overall, per class, and where the landscape disagrees."""
        return landscape_fidelity(self._model, self._projection, self.inverse)

    @property
    def fidelity(self) -> float:
        """Share of the projected examples at which the landscape shows the prediction."""
        return self.fidelity_report.overall


def decision_landscape(
    model: HasProbabilities,
    projection: Projection,
    grid: Annotated[int, Number(2, 400, whole=True)] = 200,
    inverse: Inverse | None = None,
    margin: NotNegative = 0.08,
    aspect: Positive | None = None,
) -> Landscape:
    """Predict at every point of a grid over a projection.

    Parameters
    ----------
    model : fitted method
        Anything with ``predict_proba`` whose ``predict`` is its argmax; with lines, the chosen
        ones can be had too.
    projection : Projection
    grid : int
        Grid points along each axis, 2 to 400.
    inverse : {"plane", "offset", "surface"}, optional
        The way back into the space; the projection's default if not given.
    margin : float
        Room around the drawn points, as a share of the larger side of their box.
    aspect : float, optional
        Width over height: the shorter side is widened to it.

    Returns
    -------
    Landscape

    Raises
    ------
    NotFittedError
    SLPError
        For a grid, margin or aspect out of bounds, or an inverse that the projection does not have.

    Examples
    --------
    >>> import slp_core as slp
    >>> X = [[-10, 0], [5, 0], [15, 0]]
    >>> model = slp.ConstraintSLPClassifier().fit(X, ["A", "B", "C"])
    >>> landscape = slp.decision_landscape(model, slp.fit_projection(X), grid=50)
    >>> landscape.labels.shape, landscape.fidelity
    ((50, 50), 1.0)
    """
    check_fitted(model)
    check_options({"grid": grid, "margin": margin, "aspect": aspect}, decision_landscape)
    kind = projection.resolve_inverse(inverse)
    x, y = _axes(projection.points, grid, margin, aspect)
    places = _places(x, y)
    model, n_classes = nameless(model), len(model.classes_)
    labels = np.empty(len(places), dtype=np.min_scalar_type(n_classes - 1))
    confidence = np.empty(len(places), dtype=np.float32)
    lead = np.empty(len(places), dtype=np.float32)
    ask = _asker(model, projection, kind, places)
    for rows in _batches(x, y, projection.vectors.shape[1]):
        probabilities = ask.predict_proba(places[rows])
        labels[rows] = probabilities.argmax(axis=1)
        if n_classes == 1:
            confidence[rows] = lead[rows] = 1.0
            continue
        second, first = np.partition(probabilities, -2, axis=1)[:, -2:].T
        confidence[rows], lead[rows] = first, first - second
    shape = (grid, grid)
    return Landscape(
        x,
        y,
        labels.reshape(shape),
        confidence.reshape(shape),
        lead.reshape(shape),
        kind,
        model,
        projection,
    )


def _asker(
    model: HasProbabilities, projection: Projection, inverse: Inverse, places: np.ndarray
) -> Lifted:
    """The fastest way to predict: in the plane's own coordinates where possible."""
    plane = projection.flat(inverse)
    flat = None if plane is None or projection.exact else on_plane(model, plane, places)
    return flat or Lifted(model, partial(projection.inverse, kind=inverse))


def _axes(
    points: np.ndarray, grid: int, margin: float, aspect: float | None
) -> tuple[np.ndarray, np.ndarray]:
    """The grid's x and y: the points' bounding box with a margin, in the given aspect."""
    columns = np.ascontiguousarray(points.T)  # of very many points, several times as quick
    low, high = columns.min(axis=1), columns.max(axis=1)
    side = float((high - low).max()) or 1.0
    size = np.maximum(high - low, side / 4) + 2 * margin * side
    if aspect is not None:
        size = np.maximum(size, size[::-1] * np.array([aspect, 1 / aspect]))
    middle = (low + high) / 2
    start, end = middle - size / 2, middle + size / 2
    return np.linspace(start[0], end[0], grid), np.linspace(start[1], end[1], grid)


def _places(x: np.ndarray, y: np.ndarray) -> np.ndarray:
    """Every grid point as (x, y), row by row."""
    return np.stack(np.meshgrid(x, y), axis=-1).reshape(-1, 2)


def _batches(x: np.ndarray, y: np.ndarray, n_features: int) -> Iterator[np.ndarray]:
    """Indices into the places, tile after tile: near places share most of their neighbours."""
    column, row = np.meshgrid(np.arange(len(x)) // _TILE, np.arange(len(y)) // _TILE)
    order = np.lexsort((column.ravel(), row.ravel()))
    for rows in row_batches(len(order), n_features):
        yield order[rows]
