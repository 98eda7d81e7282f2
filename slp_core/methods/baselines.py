"""Baseline classifiers on embeddings."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.special import softmax
from sklearn.linear_model import LogisticRegression
from sklearn.neighbors import KNeighborsClassifier
from sklearn.utils.metaestimators import available_if
from sklearn.utils.validation import check_is_fitted, validate_data

from slp_core.allowed import Positive
from slp_core.lines import Line
from slp_core.methods.base import LineClassifier, PredictionMixin, all_or_nothing
from slp_core.methods.protocols import Parameters
from slp_core.methods.validation import ValidatesParameters, classes_of, refuse_missing
from slp_core.sentences import count


class NearestCentroidClassifier(LineClassifier):
    """The class whose centroid is nearest: K one-class lines with hard labels.

    The paper's ProtoNet without its encoder, and constraintSLP with one line per class.

    Attributes
    ----------
    classes_ : (K,) array
    centroids_ : (K, d) array
    lines_, prototypes_, soft_labels_
        As in ConstraintSLPClassifier: K lines, each a point, (K, 2, d) and (K, 2, K).

    Examples
    --------
    >>> import slp_core as slp
    >>> model = slp.NearestCentroidClassifier().fit([[0], [1], [4]], ["low", "low", "high"])
    >>> model.centroids_.tolist(), model.predict([[2]]).tolist()
    ([[4.0], [0.5]], ['low'])
    """

    assignment = "segment"
    distance = "euclidean"

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> NearestCentroidClassifier:
        """Compute the mean of each class of X (n, d), in which rows may have weights (n,)."""
        with all_or_nothing(self):
            self._validate_support(X, y, sample_weight)
            each = range(len(self.classes_))
            self._set_lines(tuple(Line.through([c], self.centroids_) for c in each))
            self.soft_labels_ = np.repeat(np.eye(len(each))[:, None, :], 2, axis=1)
        return self

    def influence(self, X: Any) -> np.ndarray:
        """(m, K) one over the distance to each centroid."""
        X = self._validate_query(X)
        return 1.0 / np.maximum(self._distances(X, self.centroids_), self._floor)

    def linear_scores(self, X: Any) -> np.ndarray:
        """(m, K) x·μ − |μ|²/2, linear in x and largest at the nearest centroid."""
        X = self._validate_query(X)
        return X @ self.centroids_.T - 0.5 * np.einsum("kd,kd->k", *2 * (self.centroids_,))

    def predict_proba(self, X: Any) -> np.ndarray:
        """(m, K) softmax of minus the distance; where these tie, the nearest has the largest."""
        X = self._validate_query(X)
        away = self._distances(X, self.centroids_)
        share: np.ndarray = softmax(-away, axis=1)
        nearest = away.argmin(axis=1)
        lost = np.flatnonzero(share.argmax(axis=1) != nearest)
        winner = lost, nearest[lost]
        share[winner] = np.nextafter(share[winner], 1.0)
        return share

    def parameter_count(self) -> Parameters:
        """None trainable; K centroids."""
        k, d = self.centroids_.shape
        description = f"no training; stores {count(k, 'centroid')} of {d:,} numbers"
        return Parameters(0, k * d, description)


class OneNearestNeighbourClassifier(KNeighborsClassifier):
    """The class of the nearest support example.

    Examples
    --------
    >>> import slp_core as slp
    >>> model = slp.OneNearestNeighbourClassifier().fit([[0], [1], [4]], ["low", "low", "high"])
    >>> model.predict([[2.6]]).tolist()
    ['high']
    """

    def __init__(self) -> None:
        super().__init__(n_neighbors=1)

    def fit(self, X: Any, y: Any) -> OneNearestNeighbourClassifier:
        """Store the support set; y is (n,), or (n, q) for several outputs as in scikit-learn."""
        labels = np.asarray(y)
        with all_or_nothing(self):
            if labels.ndim < 2:
                refuse_missing(y)
                _, self._codes = classes_of(labels)
            return super().fit(X, y)

    predict_log_proba = PredictionMixin.predict_log_proba

    @available_if(lambda self: not getattr(self, "outputs_2d_", False))
    def decision_function(self, X: Any) -> np.ndarray:
        """(m, K) minus the distances to the classes' nearest points; of two, their difference."""
        check_is_fitted(self)
        away, at = self.kneighbors(X, self.n_samples_fit_)
        codes = self._codes[at]
        nearest = [np.where(codes == k, away, np.inf).min(axis=1) for k in np.unique(self._codes)]
        return nearest[0] - nearest[1] if len(nearest) == 2 else -np.stack(nearest, axis=1)

    def parameter_count(self) -> Parameters:
        """None trainable; n support examples."""
        n, d = int(self.n_samples_fit_), int(self.n_features_in_)
        description = f"no training; stores {count(n, 'support example')} of {d:,} numbers"
        return Parameters(0, n * d, description)


class LogisticRegressionClassifier(ValidatesParameters, LogisticRegression):
    """Multinomial logistic regression with an L2 penalty.

    Parameters
    ----------
    C : float
        Inverse strength of the penalty.

    Examples
    --------
    >>> import slp_core as slp
    >>> model = slp.LogisticRegressionClassifier().fit([[0], [1], [4]], ["low", "low", "high"])
    >>> model.predict([[0.2], [5]]).tolist()
    ['low', 'high']
    """

    C: Positive

    def __init__(self, C: float = 1.0):
        super().__init__(C=C, max_iter=1000)

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> LogisticRegressionClassifier:
        """Fit by L-BFGS, with weights (n,) in the loss; a single class is always predicted."""
        self._check_parameters()
        refuse_missing(y)
        with all_or_nothing(self):
            valid, y = validate_data(self, X, y, accept_sparse="csr")
            classes, _ = classes_of(y)
            if len(classes) > 1:
                # X itself keeps a table's column names
                return super().fit(X, y, sample_weight)
            self.classes_, self.n_iter_ = classes, np.zeros(1, dtype=np.int32)
            self.coef_, self.intercept_ = np.empty((0, valid.shape[1])), np.empty(0)
        return self

    def predict_proba(self, X: Any) -> np.ndarray:
        """(m, K) softmax of the K linear functions."""
        check_is_fitted(self)
        if len(self.classes_) > 1:
            return super().predict_proba(X)
        X = validate_data(self, X, accept_sparse="csr", reset=False)
        return np.ones((X.shape[0], 1))

    def decision_function(self, X: Any) -> np.ndarray:
        """(m, K) the linear functions; of two classes (m,) the second's."""
        one = len(getattr(self, "classes_", ())) == 1
        return np.log(self.predict_proba(X)) if one else super().decision_function(X)

    def predict(self, X: Any) -> np.ndarray:
        """(m,) the most probable class."""
        predicted = self.predict_proba(X).argmax(axis=1)
        return self.classes_[predicted]

    def parameter_count(self) -> Parameters:
        """K·(d + 1), or d + 1 for two classes, which share one hyperplane."""
        rows, d = self.coef_.shape
        trainable = self.coef_.size + self.intercept_.size
        planes = f"{count(rows, 'hyperplane')}: {rows} × ({d:,} weights + 1 bias)"
        return Parameters(trainable, trainable, planes)
