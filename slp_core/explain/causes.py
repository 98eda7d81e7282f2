"""The causes of a method's errors: exactly one each."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd

from slp_core.errors import SLPError
from slp_core.explain.places import nowhere, read_places
from slp_core.explain.predictions import (
    Predictions,
    margins,
    predict_query_set,
    smallest_margin,
)
from slp_core.methods.protocols import (
    HasLines,
    HasProbabilities,
    has_local_soft_labels,
    predicts_from_lines,
)
from slp_core.methods.tables import check_fitted, true_indices, without_names

CAUSES = {
    "embedding": "another class's centroid is as near or nearer",
    "line": "the assigned line lacks the true class",
    "concentration": "projection onto the line would correct the prediction",
    "off_line": "not even projection onto the line would correct the prediction",
    "rule": "the true class's centroid is the nearest",
}
"""What each cause means."""
CAUSE_NAMES = {
    "embedding": "wrong nearest centroid",
    "line": "class not on this line",
    "concentration": "concentration",
    "off_line": "line-model error",
    "rule": "rule error",
}
"""What each cause is called on screen."""
_WITH_LINES: tuple[str, ...] = ("embedding", "line", "concentration", "off_line")
_WITHOUT_LINES: tuple[str, ...] = ("embedding", "rule")
CROSSING = ("concentration", "off_line")  # what Theorem 2 is about


@dataclass(frozen=True, eq=False)
class Causes:
    """The cause of each error among m query examples."""

    classes: tuple[str, ...]
    kinds: tuple[str, ...]  # that the method can have
    n_lines: int
    local: bool
    examples: pd.DataFrame
    """A row each: ``true``, ``predicted``, ``nearest``, ``tied``, ``margin``, ``cause``, "" of one
    that is correct, and what :func:`read_places` gives."""

    @property
    def wrong(self) -> np.ndarray:
        """(m,) bool."""
        return (self.examples["predicted"] != self.examples["true"]).to_numpy()

    @property
    def rescued(self) -> np.ndarray:
        """(m,) bool: correct although another class's centroid is nearer."""
        each = self.examples
        return ~self.wrong & ((each["nearest"] != each["true"]) & ~each["tied"]).to_numpy()

    @property
    def counts(self) -> dict[str, int]:
        """Errors by cause; they sum to all errors."""
        return {kind: int((self.examples["cause"] == kind).sum()) for kind in self.kinds}

    @property
    def by_class(self) -> np.ndarray:
        """(C, K) int: errors of each cause among each true class."""
        return self._by("true", len(self.classes))

    @property
    def by_line(self) -> np.ndarray:
        """(C, L) int: errors of each cause among the examples assigned to each line."""
        return self._by("line", self.n_lines)

    def where(
        self,
        cause: str | None = None,
        true: int | None = None,
        line: int | None = None,
        margin: float = 0.0,
    ) -> np.ndarray:
        """(m,) bool: every example, or the errors that a filter keeps."""
        if cause is None and true is None and line is None and not margin:
            return np.ones(len(self.examples), dtype=bool)
        shown = self.wrong & (self.examples["margin"] <= 1e-9 - margin).to_numpy()
        for column, wanted in (("cause", cause), ("true", true), ("line", line)):
            if wanted is not None:
                shown &= (self.examples[column] == wanted).to_numpy()
        return shown

    def default_point(self, line: int) -> int | None:
        """An error on a line with the smallest margin, one that Theorem 2 explains if any."""
        here, crossed = self._on(line), self.examples["cause"].isin(CROSSING).to_numpy()
        everything, wrong = np.ones_like(here), self.wrong
        return self._smallest_margin(here & crossed, here & wrong, here, wrong, everything)

    def most_confident_error(self, among: np.ndarray, line: int) -> int | None:
        """The most confident error among some examples, on this line if there is one."""
        wrong = among & self.wrong
        return self._smallest_margin(wrong & self._on(line), wrong)

    def _on(self, line: int) -> np.ndarray:
        return (self.examples["line"] == line).to_numpy()

    def _smallest_margin(self, *groups: np.ndarray) -> int | None:
        return smallest_margin(self.examples["margin"].to_numpy(), *groups)

    def _by(self, group: str, n: int) -> np.ndarray:
        counts = self.examples.groupby(["cause", group]).size().unstack(fill_value=0)
        return counts.reindex(index=list(self.kinds), columns=range(n), fill_value=0).to_numpy()


def read_causes(
    model: HasProbabilities,
    X: np.ndarray,
    true: np.ndarray,
    centroids: np.ndarray | None = None,
    predictions: Predictions | None = None,
) -> Causes:
    """The cause of every error: of ``CAUSES`` the first that applies, in the order of ``kinds``."""
    check_fitted(model)
    given = model
    model, X = without_names(model, X)
    X, true = np.asarray(X, dtype=np.float64), np.asarray(true)
    found = predictions or predict_query_set(model, "", X, true, _centroids(given, X, centroids))
    predicted, nearest = found.predicted, found.nearest
    cause = np.where(predicted == true, "", "embedding").astype("<U13")
    spared = (predicted != true) & (nearest == true)
    if predicts_from_lines(model):
        kinds, n_lines, places = _WITH_LINES, len(model.lines_), read_places(model, X)
        carried = model.carries(places["line"].to_numpy(), true)
        straight = places["predicted_along"].to_numpy() == true
        cause[spared & ~carried] = "line"
        cause[spared & carried & straight] = "concentration"
        cause[spared & carried & ~straight] = "off_line"
    else:
        cause[spared] = "rule"
        kinds, n_lines, places = _WITHOUT_LINES, 0, nowhere(len(X))
    read = {"true": true, "predicted": predicted, "nearest": nearest, "tied": found.tied}
    read |= {"margin": margins(found.probability, true), "cause": cause}
    return Causes(
        tuple(str(c) for c in model.classes_),
        kinds,
        n_lines,
        has_local_soft_labels(model),
        pd.DataFrame(read).join(places),
    )


@dataclass(frozen=True)
class Headline:
    """The most common cause of the errors, and the classes that a line never predicts."""

    method: str
    classes: tuple[str, ...]
    n_query: int
    n_errors: int
    cause: str = ""  # the most common one, of several the first
    n_cause: int = 0
    tied: bool = False  # whether a centroid is as near in some of them
    line: int | None = None  # where classes are never predicted; else with the most errors
    never_predicted: tuple[int, ...] = ()  # on that line, where that explains as many errors


def headline(model: HasProbabilities, method: str, causes: Causes) -> Headline:
    """The main cause of errors: classes that a line never predicts, or else one cause."""
    m, errors = len(causes.examples), int(causes.wrong.sum())
    if not errors:
        return Headline(method, causes.classes, m, 0)
    cause = max(causes.counts, key=lambda kind: causes.counts[kind])
    n = causes.counts[cause]
    tied = bool(causes.examples["tied"][causes.examples["cause"] == cause].any())
    if not predicts_from_lines(model):
        return Headline(method, causes.classes, m, errors, cause, n, tied)
    line, most = int(causes.by_line.sum(axis=0).argmax()), n - 1
    never: tuple[int, ...] = ()
    for number in range(causes.n_lines):
        missing, explained = _never_predicted(model, number, causes)
        if missing and explained > most:
            line, never, most = number, missing, explained
    return Headline(method, causes.classes, m, errors, cause, n, tied, line, never)


def _never_predicted(model: HasLines, number: int, causes: Causes) -> tuple[tuple[int, ...], int]:
    """Classes of a line with query examples, never predicted there; the errors that explains."""
    if causes.local:
        return (), 0
    here = causes.examples[causes.examples["line"] == number]
    predicted = here["predicted"].unique()
    wrong = here["predicted"] != here["true"]
    # A line with one predicted class explains all of its errors, whatever their cause.
    due = wrong if len(predicted) == 1 else here["cause"].isin(CROSSING)
    missing = np.setdiff1d(causes.examples["true"], predicted)
    return tuple(c for c in model.lines_[number].classes if c in missing), int(due.sum())


def explain_errors(
    model: HasProbabilities, X: np.ndarray, y: np.ndarray, centroids: np.ndarray | None = None
) -> pd.DataFrame:
    """One row an error, with its cause.

    Parameters
    ----------
    model : fitted classifier
    X : (m, d) array
    y : (m,) array
        True labels, of those that the method was fitted on.
    centroids : (K, d) array, optional
        Class means of the support set, for a method that does not keep them.

    Returns
    -------
    DataFrame
        Columns ``index`` (row of X), ``true`` and ``predicted`` (labels), ``cause``, ``line``
        (counted from 0), ``w``, ``t``, ``r`` (as in Placement) and ``margin`` (probability of the
        true class less that of the predicted one, below 0); line and place only with lines. The
        cause is the first that applies: ``embedding``, another centroid is as near; ``line``, the
        line lacks the true class; ``concentration``, correct if distances are projected onto the
        line; ``off_line``, not even so. A method without lines has ``embedding`` and ``rule``.

    Raises
    ------
    SLPError
        For a label that the method was not fitted on, or missing centroids.

    Examples
    --------
    >>> import slp_core as slp
    >>> model = slp.ConstraintSLPClassifier().fit([[-10, 0], [5, 0], [15, 0]], ["A", "B", "C"])
    >>> slp.explain_errors(model, [[12, 60], [14, 0]], ["C", "C"])["cause"].tolist()
    ['concentration']
    """
    found = read_causes(model, X, true_indices(model, X, y), centroids)
    classes = np.asarray(model.classes_)
    table = found.examples[found.wrong].rename_axis("index").reset_index()
    table = table[["index", "true", "predicted", "cause", "line", "w", "t", "r", "margin"]]
    names = {column: classes[table[column]] for column in ("true", "predicted")}
    lines = table["line"].astype("Int64")
    return table.assign(**names, line=lines.where(lines >= 0))


def _centroids(model: HasProbabilities, X: np.ndarray, centroids: np.ndarray | None) -> np.ndarray:
    if centroids is not None:
        given, needed = np.asarray(centroids), (len(model.classes_), X.shape[-1])
        if given.shape != needed:
            raise SLPError(
                f"centroids has the shape {given.shape}, and {needed} is needed: a row for each of "
                "the method's classes, in their order, with as many numbers as a point."
            )
        if not np.isfinite(given).all():
            raise SLPError("centroids holds a value that is not a finite number.")
        return given
    if not hasattr(model, "centroids_"):
        raise SLPError(
            f"{type(model).__name__} keeps no class centroids: give those of its support set."
        )
    return model.centroids_
