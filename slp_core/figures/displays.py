"""Displays of a fitted classifier: one call each returns a Plotly figure."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from slp_core.errors import SLPError
from slp_core.explain import read_causes
from slp_core.explain.causes import headline
from slp_core.explain.places import read_places
from slp_core.explain.profile import labels_at, line_profile
from slp_core.explain.shots import ShotInfluences, read_shots
from slp_core.explain.soft_label_pairs import SoftLabelPairs
from slp_core.explain.soft_labels import read_soft_labels
from slp_core.explain.text import shots_text
from slp_core.figures.causes import CausesDisplay
from slp_core.figures.display import Display
from slp_core.figures.line import strip
from slp_core.figures.map.assemble import map_of, map_points
from slp_core.figures.map.data import MapLayers
from slp_core.figures.map.figure import MapDisplay, map_text
from slp_core.figures.soft_labels import SoftLabelPairsDisplay
from slp_core.figures.style.parts import bars, row_axis
from slp_core.figures.style.text import labels_of
from slp_core.figures.style.theme import LIGHT, Theme, chart, class_style
from slp_core.methods.protocols import HasLines
from slp_core.methods.tables import class_indices, true_indices, without_names
from slp_core.views import decision_landscape, fit_projection
from slp_core.views.fidelity import opening_projection
from slp_core.views.projection import ProjectionMethod

_BAR = 16  # px


class DecisionLandscapeDisplay(MapDisplay):
    """The class that is predicted everywhere on a projection, with examples, centroids and lines.

    Examples
    --------
    >>> import slp_core as slp
    >>> X, y = [[-10, 0], [5, 0], [15, 0]], ["A", "B", "C"]
    >>> model = slp.ConstraintSLPClassifier().fit(X, y)
    >>> display = slp.DecisionLandscapeDisplay.from_estimator(model, X, y, grid=50)
    >>> figure = display.plot()
    """

    @classmethod
    def from_estimator(
        cls,
        model: Any,
        X: Any,
        y: Any,
        method: ProjectionMethod | None = None,
        grid: int = 200,
    ) -> DecisionLandscapeDisplay:
        """Project, predict on a grid and put everything in its place.

        Parameters
        ----------
        model : fitted classifier with ``predict_proba``
        X : (m, d) array
            Examples to draw, which the projection is fitted to.
        y : (m,) array
            True labels, of those that the method was fitted on.
        method : optional
            Of :func:`fit_projection`; PCA of the centroids, or of class scores, if not given.
        grid : int
            Points along each axis.

        Raises
        ------
        NotFittedError
        SLPError
        """
        true = true_indices(model, X, y)
        model, X = without_names(model, X)
        inverse = None
        if method is None:
            method, inverse = opening_projection(model, X)
        projection = fit_projection(X, method, model)
        classes = tuple(str(c) for c in model.classes_)
        rows, predicted = np.arange(len(X)), class_indices(model, X)
        points = map_points(projection, rows, true, predicted)
        nothing = map_points(projection, rows[:0], true[:0], predicted[:0])
        landscape = decision_landscape(model, projection, grid, inverse)
        has_centroids = hasattr(model, "centroids_")
        centroids = model.centroids_ if has_centroids else np.zeros((len(classes), X.shape[1]))
        return cls(
            map_of(model, projection, landscape, classes, centroids, nothing, points),
            MapLayers(errors=True, centroids=has_centroids, names=has_centroids),
            map_text(len(X), int((predicted != true).sum())),
        )


class WStripDisplay(strip.WStripDisplay):
    """One line over w, the weight of prototype A: scores, decision intervals and examples.

    Examples
    --------
    >>> import slp_core as slp
    >>> X, y = [[-10, 0], [5, 0], [15, 0]], ["A", "B", "C"]
    >>> model = slp.ConstraintSLPClassifier().fit(X, y)
    >>> slp.WStripDisplay.from_estimator(model, X, y).table()["predicted"].tolist()
    ['C', 'B', 'A']
    """

    @classmethod
    def from_estimator(cls, model: Any, X: Any, y: Any, line: int | None = None) -> WStripDisplay:
        """Place the examples (m, d) with their true labels on the lines, and read one line off.

        Parameters
        ----------
        model : fitted classifier with lines
        X : (m, d) array
        y : (m,) array
        line : int, optional
            Counted from 0; if not given that which :class:`ErrorCausesDisplay` would look at first,
            with the most errors or with classes that are never predicted. Where soft labels depend
            on the example, they are those at the first one of the line.

        Raises
        ------
        NotFittedError
        SLPError
            For a method without lines, or a line that there is not.
        """
        true = true_indices(model, X, y)
        if not isinstance(model, HasLines):
            raise SLPError(f"{type(model).__name__} has no lines.")
        causes = read_causes(model, X, true)
        model, X = without_names(model, X)
        if line is None:
            line = headline(model, "", causes).line or 0
        if not 0 <= line < len(model.lines_):
            raise SLPError(f"There is no line {line}: the method has {len(model.lines_)}, from 0.")
        places = read_places(model, X)  # also of a line of one class, which has no part in causes
        predicted = causes.examples["predicted"]
        examples = places.assign(true=true, predicted=predicted, row=range(len(X)), shown=True)
        profile = line_profile(model, line, examples)
        at = profile.examples.index[0] if len(profile.examples) else 0
        return cls(profile, labels_at(model, line, X[at]))


class SoftLabelDisplay(SoftLabelPairsDisplay):
    """A bar for each prototype: its weights by class.

    Examples
    --------
    >>> import slp_core as slp
    >>> model = slp.ConstraintSLPClassifier().fit([[-10], [5], [15]], ["A", "B", "C"])
    >>> slp.SoftLabelDisplay.from_estimator(model).table()["weight"].round(3).tolist()
    [0.596, 0.404, 0.0, 0.55, 0.45, 0.0]
    """

    @classmethod
    def from_estimator(cls, model: Any, X: Any = None, y: Any = None) -> SoftLabelDisplay:
        """Read the soft labels of a fitted classifier.

        Parameters
        ----------
        model : fitted classifier with lines
        X : (m, d) array, optional
            Needed where soft labels depend on the example: means over those assigned to a line.
        y : ignored

        Raises
        ------
        NotFittedError
        SLPError
            For a method without prototypes.
        """
        name = type(model).__name__
        points = np.empty((0, 0)) if X is None else X
        model, points = without_names(model, points) if len(points) else (model, points)
        found = read_soft_labels(model, name, points)
        if not found.constant and not len(points):
            raise SLPError(f"The soft labels of {name} depend on the example: give X.")
        return cls(SoftLabelPairs(found, replace(found, prototypes=())))

    def sentence(self) -> str:
        """How many prototypes there are."""
        found = self.pairs.first
        return f"Soft labels of {len(found.prototypes)} prototypes on {len(found.lines)} lines."


class ErrorCausesDisplay(CausesDisplay):
    """A bar for each cause of errors, stacked by true class.

    Examples
    --------
    >>> import slp_core as slp
    >>> model = slp.ConstraintSLPClassifier().fit([[-10, 0], [5, 0], [15, 0]], ["A", "B", "C"])
    >>> display = slp.ErrorCausesDisplay.from_estimator(model, [[12, 60], [14, 0]], ["C", "C"])
    >>> display.table()["errors"].tolist()
    [0, 0, 1, 0]
    """

    @classmethod
    def from_estimator(
        cls, model: Any, X: Any, y: Any, by: Literal["class", "line"] = "class"
    ) -> ErrorCausesDisplay:
        """Find the cause of each error, as :func:`explain_errors` does.

        Parameters
        ----------
        model : fitted classifier
        X : (m, d) array
        y : (m,) array
            True labels, of those that the method was fitted on.
        by : {"class", "line"}
            What a bar is made of.

        Raises
        ------
        NotFittedError
        SLPError
        """
        return cls(read_causes(model, X, true_indices(model, X, y)), by)


@dataclass(frozen=True, eq=False)
class ShotInfluenceDisplay(Display):
    """A bar for each shot: the accuracy that it adds, by leaving it out.

    Examples
    --------
    >>> import slp_core as slp
    >>> X, y = [[0], [1], [8], [5], [6]], ["a", "a", "a", "b", "b"]
    >>> model = slp.NearestCentroidClassifier()
    >>> display = slp.ShotInfluenceDisplay.from_estimator(model, X, y, [[1], [3.9]], ["a", "b"])
    >>> display.table()["influence"].tolist()
    [0.0, 0.0, -0.5, 0.0, 0.0]
    """

    name = "influence of shots"

    found: ShotInfluences

    @classmethod
    def from_estimator(
        cls, model: Any, X: Any, y: Any, X_query: Any = None, y_query: Any = None
    ) -> ShotInfluenceDisplay:
        """Fit clones of a classifier without each shot, as :func:`shot_influence` does.

        Parameters
        ----------
        model : classifier, fitted or not
        X, y : (n, d) and (n,) arrays
            The support set.
        X_query, y_query : (m, d) and (m,) arrays, optional
            Where accuracy is measured; the other shots if not given.

        Raises
        ------
        SLPError
        """
        return cls(read_shots(model, X, y, X_query, y_query))

    def figure(self, theme: Theme = LIGHT) -> go.Figure:
        """Bars from 0 to the influence in points, in the colours of their classes."""
        found = self.found
        names = labels_of(found.classes, 14)
        rows = [f"{shot} {names[k]}" for shot, k in enumerate(found.label)]
        trace = bars(
            100 * found.influence,
            np.arange(len(rows)),
            orientation="h",
            marker={"color": [class_style(int(k), theme).color for k in found.label]},
            hovertemplate="%{x:+.1f} points<extra></extra>",
        )
        return chart(
            theme,
            [trace],
            height=64 + _BAR * max(len(rows), 1),
            xaxis={"title": "accuracy that the shot adds, points"},
            yaxis=row_axis(rows, theme, 11),
        )

    def sentence(self) -> str:
        """How many shots help and how many mislead."""
        return shots_text(self.found)

    def table(self) -> pd.DataFrame:
        """One row a shot, as the first columns of :func:`shot_influence`."""
        return self.found.table().loc[:, :"influence"]
