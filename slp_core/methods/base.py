"""The base of soft-label prototype classifiers: centroids, lines, and points on them."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils.validation import check_is_fitted, validate_data

from slp_core.allowed import Count, NotNegative
from slp_core.errors import SLPError
from slp_core.lines import (
    Line,
    LineFit,
    LineMethod,
    Placement,
    distances,
    find_lines,
    project_on_segments,
)
from slp_core.methods.tables import class_indices
from slp_core.methods.validation import (
    ValidatesParameters,
    classes_of,
    dense,
    refuse_missing,
    relative_weights,
)

Assignment = Literal["segment", "prototype"]
Distance = Literal["euclidean", "along_line"]

_ROUNDING = 4 * float(np.finfo(np.float64).eps)  # of distances, as a share of the spread
_SMALLEST, _LARGEST = 1e-150, 1e150  # spreads whose squares have full precision
_FURTHEST = 1e153  # largest distance from a prototype; its square is finite


@contextmanager
def all_or_nothing(model: Any) -> Iterator[None]:
    """Restore a model's attributes if fitting fails: used by every ``fit``."""
    before = model.__dict__.copy()
    try:
        yield
    except BaseException:
        model.__dict__ = before
        raise


class PredictionMixin(ClassifierMixin):
    """Predictions from ``predict_proba``."""

    classes_: np.ndarray

    def predict_proba(self, X: Any) -> np.ndarray:
        """(m, K) distribution over ``classes_``."""
        raise TypeError(f"{type(self).__name__} has no probabilities")

    def predict(self, X: Any) -> np.ndarray:
        """(m,) the most probable class; ties go to the first."""
        index = class_indices(self, X)
        return self.classes_[index]

    def predict_log_proba(self, X: Any) -> np.ndarray:
        """(m, K) logarithms of the probabilities."""
        with np.errstate(divide="ignore"):
            return np.log(self.predict_proba(X))

    def decision_function(self, X: Any) -> np.ndarray:
        """(m, K) log-probabilities; for two classes (m,) log-odds of the second."""
        scores = self.predict_log_proba(X)
        return scores[:, 1] - scores[:, 0] if len(self.classes_) == 2 else scores


@dataclass(kw_only=True, eq=False, repr=False)
class LineOptions:
    """How lines are found, and points assigned to them: parameters of estimators."""

    line_method: LineMethod = "recursive_regression"
    n_lines: Literal["half", "all"] | Count = "half"
    tolerance: NotNegative = 0.1
    tolerance_scale: Literal["relative", "absolute"] = "relative"
    assignment: Assignment = "segment"


class LineClassifier(ValidatesParameters, PredictionMixin, BaseEstimator):
    """Base of the classifiers that predict with the prototypes of one line (equation 1)."""

    line_method: Any
    n_lines: Any
    tolerance: Any
    tolerance_scale: Any
    assignment: Any
    distance: Any
    soft_labels_: np.ndarray
    spread_: float  # root mean square distance of the support set from its mean

    # Distances are at least this share of the spread, so that scores are finite.
    _distance_floor = 1e-12

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        return tags

    def _fit_lines(
        self, X: Any, y: Any, sample_weight: Any = None
    ) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Validate, then learn classes, centroids, lines and prototypes; X, codes and weights."""
        self._check_parameters()
        X, codes, weights = self._validate_support(X, y, sample_weight)
        self.line_fit_: LineFit = find_lines(
            self.centroids_, self.line_method, self.n_lines, self.tolerance, self.tolerance_scale
        )
        self._set_lines(self.line_fit_.lines)
        return X, codes, weights

    def _validate_support(
        self, X: Any, y: Any, sample_weight: Any = None
    ) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Validate a support set and learn ``classes_`` and ``centroids_``; rows of weight 0 go."""
        refuse_missing(y)
        X, y = validate_data(self, X, y, dtype=np.float64, accept_sparse="csr")
        X, y, weights = relative_weights(dense(X), y, sample_weight)
        self.classes_, codes = classes_of(y)
        members = weights * (np.arange(len(self.classes_))[:, None] == codes[None, :])
        with np.errstate(over="ignore", invalid="ignore"):
            self.centroids_ = (members @ X) / members.sum(axis=1, keepdims=True)
            away = X - np.average(X, axis=0, weights=weights)
            spread = float(np.sqrt(np.average((away**2).sum(axis=1), weights=weights)))
        if not spread < _LARGEST or (spread < _SMALLEST and bool(np.ptp(X, axis=0).any())):
            raise SLPError(
                f"The numbers are too {'small' if spread < _SMALLEST else 'large'}, so squared "
                f"distances {'underflow' if spread < _SMALLEST else 'overflow'}: rescale them."
            )
        self._set_units(spread if spread > 0 else 1.0, X.shape[1])
        return X, codes, weights

    def _set_units(self, spread: float, n_features: int) -> None:
        self.spread_, self.n_features_in_ = spread, n_features
        self._floor = self._distance_floor * spread

    def _set_lines(self, lines: tuple[Line, ...]) -> None:
        self.lines_ = lines
        ends = np.array([(line.left, line.right) for line in lines])
        self.prototypes_ = self.centroids_[ends]
        self._on_line = np.zeros((len(lines), len(self.classes_)), dtype=bool)
        for number, line in enumerate(lines):
            self._on_line[number, list(line.classes)] = True

    def place(self, X: Any, line: np.ndarray | None = None) -> Placement:
        """Assign (m, d) points to lines, or take given lines (m,); ties go to the first line."""
        return self._place(self._validate_query(X), line)

    def prototype_scores(self, X: Any, line: np.ndarray | None = None) -> np.ndarray:
        """(m, 2, K) what distances divide: soft labels, or logits if they depend on x."""
        X = self._validate_query(X)
        return self._scores(X, self._place(X).line if line is None else line)

    def _scores(self, X: np.ndarray, line: np.ndarray) -> np.ndarray:
        return self.soft_labels_[line]

    @property
    def distance_unit(self) -> float:
        """The unit of distances in ``influence``, in units of the embeddings."""
        return 1.0

    @property
    def distance_floor(self) -> float:
        """The smallest distance in ``influence``, in units of the embeddings."""
        return self._floor

    def carries(self, line: np.ndarray, class_index: np.ndarray) -> np.ndarray:
        """(m,) bool: whether each line (m,) contains the class index (m,)."""
        check_is_fitted(self)
        return self._on_line[line, class_index]

    def _place(self, X: np.ndarray, line: np.ndarray | None = None) -> Placement:
        t, off, to_ends, divided_by = self._measure(X)
        if line is None:
            nearness = off if self.assignment == "segment" else to_ends.min(axis=0)
            # A point on two segments may have a rounding error of distance from one.
            nearest = nearness.min(axis=1, keepdims=True)
            line = (nearness <= nearest + _ROUNDING * self.spread_).argmax(axis=1)
        chosen = np.arange(len(X)), line
        length = np.array([one.length for one in self.lines_])[line]
        beyond = np.abs(t[chosen] - np.clip(t[chosen], 0.0, length))
        further = off[chosen] - beyond  # 0 up to rounding on the axis
        further[further <= _ROUNDING * np.maximum(self.spread_, off[chosen])] = 0.0
        r = np.sqrt(further * (off[chosen] + beyond))
        d_left, d_right = (d[chosen] for d in divided_by)
        return Placement(line, t[chosen], r, d_left, d_right, d_right / (d_left + d_right), off)

    def _measure(self, X: np.ndarray) -> tuple[np.ndarray, ...]:
        """(m, L) positions and distances from segments; (2, m, L) distances from their ends.

        Last (2, m, L), the distances that the left and right soft labels are divided by.
        """
        left, right = self.prototypes_[:, 0], self.prototypes_[:, 1]
        to_ends = self._distances(X, np.concatenate([left, right]))
        to_ends = np.stack(np.split(to_ends, 2, axis=1))
        t, off = project_on_segments(X, left, right, to_ends[0])
        divided_by = to_ends
        if self.distance == "along_line":
            length = np.array([line.length for line in self.lines_])
            foot = np.clip(t, 0.0, length)
            divided_by = np.stack([foot, length - foot])
        return t, off, to_ends, np.maximum(divided_by, self._floor)

    def _distances(self, X: np.ndarray, points: np.ndarray) -> np.ndarray:
        """(m, p) distances of query examples; raises if their squares overflow."""
        with np.errstate(over="ignore", invalid="ignore"):
            away = distances(X, points)
        if not away.max(initial=0.0) < _FURTHEST:
            raise SLPError(
                "The numbers are too large, so squared distances overflow: use the unit of the "
                "numbers that the model was fitted on."
            )
        return away

    def _validate_query(self, X: Any) -> np.ndarray:
        check_is_fitted(self)
        none = {"ensure_min_samples": 0}  # there may be no query example
        X = validate_data(self, X, dtype=np.float64, accept_sparse="csr", reset=False, **none)
        return dense(X)

    def influence(self, X: Any) -> np.ndarray:
        """(m, K) Σ prototype score / distance (equation 1); its argmax is the prediction.

        Distances are in units of ``distance_unit``.
        """
        X = self._validate_query(X)
        at = self._place(X)
        scores = self._scores(X, at.line)
        left, right = scores[:, 0] / at.d_left[:, None], scores[:, 1] / at.d_right[:, None]
        return self.distance_unit * (left + right)

    def decision_function(self, X: Any) -> np.ndarray:
        """(m, K) the influence; of two classes (m,) the log-odds of the second."""
        check_is_fitted(self)
        return super().decision_function(X) if len(self.classes_) == 2 else self.influence(X)
