"""Rows whose label is contradicted by a classifier that was fitted on the others."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from slp_core.methods.tables import check_one_label_each

_FOLDS = 5


def doubtful_labels(X: Any, y: Any, model: Any = None, seed: int = 0) -> pd.DataFrame:
    """Rows whose label the other rows contradict, the most doubtful first.

    Out-of-fold probabilities are compared with each class's threshold, their mean among the rows
    with its label; a row is doubtful where, of the classes above their threshold, the most probable
    is not its own. Rows are ranked by the normalised margin. This is confident learning (Northcutt,
    Jiang and Chuang 2021, "Confident learning: estimating uncertainty in dataset labels", sections
    3.1 and 3.2): a label to check, no proof that it is wrong.

    Parameters
    ----------
    X : (n, d) array
    y : (n,) array
        Labels; a class of one row cannot be judged.
    model : classifier with probabilities, optional
        Default: logistic regression.
    seed : int
        Of the five folds, or as many as the smallest class has rows.

    Returns
    -------
    DataFrame
        For each doubtful label ``row`` (of X), ``label``, ``suggested`` (the most probable of the
        classes above their threshold) and ``margin`` (probability of the label less that of the
        most probable other class, from −1 to 1), ascending.

    Raises
    ------
    SLPError
        Points and labels differ in number, or a label is missing.

    Examples
    --------
    >>> import slp_core as slp
    >>> X = [[0.0], [0.1], [0.2], [0.3], [5.0], [5.1], [5.2], [5.3], [0.15], [5.15]]
    >>> table = slp.doubtful_labels(X, list("aaaabbbbba"), seed=1)
    >>> sorted(table["row"])
    [8, 9]
    """
    from sklearn.model_selection import StratifiedKFold, cross_val_predict

    from slp_core.methods.baselines import LogisticRegressionClassifier
    from slp_core.methods.validation import classes_of, refuse_missing

    refuse_missing(y)
    points, y = np.asarray(X), np.asarray(y)
    check_one_label_each(points, y)
    classes, label = classes_of(y)
    counts = np.bincount(label)
    judged = np.flatnonzero(counts[label] > 1)
    named = np.unique(label[judged])
    if len(named) < 2:
        return _table(y, classes, judged[:0], label[:0], np.empty(0))
    own = np.searchsorted(named, label[judged])
    folds = StratifiedKFold(min(_FOLDS, counts[named].min()), shuffle=True, random_state=seed)
    probability = cross_val_predict(
        LogisticRegressionClassifier() if model is None else model,
        points[judged],
        own,
        cv=folds,
        method="predict_proba",
    )
    places = np.arange(len(own))
    given = probability[places, own]
    threshold = np.bincount(own, given) / np.bincount(own)
    confident = np.where(probability >= threshold, probability, -1.0)
    suggested = confident.argmax(axis=1)
    others = probability.copy()
    others[places, own] = -1.0
    margin = given - others.max(axis=1)
    doubtful = np.flatnonzero((confident.max(axis=1) >= 0) & (suggested != own))
    order = doubtful[margin[doubtful].argsort(kind="stable")]
    return _table(y, classes, judged[order], named[suggested[order]], margin[order])


def _table(
    y: np.ndarray, classes: np.ndarray, rows: np.ndarray, suggested: np.ndarray, margin: np.ndarray
) -> pd.DataFrame:
    return pd.DataFrame(
        {"row": rows, "label": y[rows], "suggested": classes[suggested], "margin": margin}
    )
