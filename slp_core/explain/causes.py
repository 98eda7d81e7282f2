"""What a method's errors are caused by: exactly one cause each."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd

from slp_core.errors import SLPError
from slp_core.explain.opening import Opening, least, margins
from slp_core.explain.predictions import Predictions, predict_query_set
from slp_core.explain.voting import read_voting
from slp_core.facts import Fact, Facts, Listed, Stated, class_names, fact
from slp_core.methods.protocols import (
    HasProbabilities,
    has_local_soft_labels,
    predicts_from_lines,
)
from slp_core.methods.tables import check_fitted, true_indices, without_names

CAUSES = {
    "embedding": "another class's centroid is nearer",
    "line": "the chosen line does not carry the true class",
    "concentration": "right if distances are taken along the line",
    "off_line": "wrong even along the line",
}
LOCALLY = CAUSES | {
    "concentration": "right along the line, with the point's own soft labels",
    "off_line": "wrong even along the line, with the point's own soft labels",
}
TIED = "another class's centroid is as near, and that class comes first"
SOME_TIED = "another class's centroid is nearer, or as near and that class comes first"
WITHOUT_LINES = {
    "embedding": CAUSES["embedding"],
    "rule": "its own centroid is the nearest, and the method answers otherwise",
}


CROSSING = ("concentration", "off_line")  # what Theorem 2 is about


@dataclass(frozen=True, eq=False)
class Causes(Stated):
    """Why each of m query points was answered as it was."""

    classes: tuple[str, ...]
    kinds: dict[str, str]
    n_lines: int
    true: np.ndarray  # (m,)
    predicted: np.ndarray  # (m,)
    nearest: np.ndarray  # (m,)
    tied: np.ndarray  # (m,)
    cause: np.ndarray  # (m,)
    margin: np.ndarray  # (m,)
    line: np.ndarray  # (m,)
    w: np.ndarray  # (m,)
    t: np.ndarray  # (m,)
    r: np.ndarray  # (m,)
    along: np.ndarray  # (m,)
    predicted_along: np.ndarray  # (m,)
    local: bool

    @property
    def wrong(self) -> np.ndarray:
        """(m,) bool."""
        return self.predicted != self.true

    @property
    def rescued(self) -> np.ndarray:
        """(m,) bool: right although another class's centroid is nearer."""
        return ~self.wrong & (self.nearest != self.true) & ~self.tied

    @property
    def counts(self) -> dict[str, int]:
        """Errors by cause; they sum to all errors."""
        return {kind: int((self.cause == kind).sum()) for kind in self.kinds}

    def meaning(self, kind: str, among: np.ndarray | None = None) -> str:
        """What a cause means for all its errors, or for some points."""
        if kind != "embedding":
            return self.kinds[kind]
        tied = self.tied[self.cause == kind if among is None else among]
        return TIED if tied.size and tied.all() else SOME_TIED if tied.any() else self.kinds[kind]

    @property
    def by_class(self) -> np.ndarray:
        """(C, K) int: errors of each cause among each true class."""
        return self._by(self.true, len(self.classes))

    @property
    def by_line(self) -> np.ndarray:
        """(C, L) int: errors of each cause among the points of each line."""
        return self._by(self.line, self.n_lines)

    def where(
        self,
        cause: str | None = None,
        true: int | None = None,
        line: int | None = None,
        margin: float = 0.0,
    ) -> np.ndarray:
        """(m,) bool: every point, or those of the errors that a filter lets through."""
        if cause is None and true is None and line is None and not margin:
            return np.ones(len(self.true), dtype=bool)
        shown = self.wrong & (-self.margin >= margin - 1e-9)
        for values, asked in ((self.cause, cause), (self.true, true), (self.line, line)):
            if asked is not None:
                shown &= values == asked
        return shown

    def opening(self, line: int) -> Opening | None:
        """The point to open a line on: its surest error, one that Theorem 2 explains if any."""
        if not len(self.true):
            return None
        here = self.line == line
        wrong = here & self.wrong
        crossed = wrong & np.isin(self.cause, CROSSING)
        for among in (crossed, wrong, here, self.wrong, np.ones_like(here)):
            if among.any():
                break
        index, alike = least(self.margin, among)
        values = {
            "line": line + 1,
            "index": index,
            "alike": alike,
            "margin": float(self.margin[index]),
        }
        which = "the surest error" if alike == 1 else "one of the {alike:,} surest errors"
        lead = "the smallest lead" if alike == 1 else "the smallest lead, as {alike:,} points have,"
        if wrong.any():
            template = which + " of line {line:,}"
            if least(self.margin, wrong) == (index, alike):
                why = fact("causes.opens_on_error", template, **values)
            else:
                template += " by *concentration* or *off line*"
                why = fact("causes.opens_on_crossing", template, **values)
        elif here.any():
            template = "no point of line {line:,} is answered wrongly; this one is right by " + lead
            why = fact("causes.opens_on_right", template, **values)
        elif self.wrong.any():
            template = "no point asks line {line:,}; this is " + which + " of all lines"
            why = fact("causes.opens_elsewhere_on_error", template, **values)
        else:
            template = (
                "no point asks line {line:,}, and none is answered wrongly; this one is right by "
            )
            why = fact("causes.opens_elsewhere_on_right", template + lead, **values)
        return Opening(index, (why,))

    def most_confident_error(self, among: np.ndarray, line: int) -> int | None:
        """The surest error among some points, of this line if any of them asks it."""
        wrong = among & self.wrong
        here = wrong & (self.line == line)
        found = here if here.any() else wrong
        return int(np.where(found, self.margin, np.inf).argmin()) if found.any() else None

    @property
    def worst_line(self) -> int:
        """The line with the most errors."""
        return int(self.by_line.sum(axis=0).argmax())

    def facts(self) -> Facts:
        """What the errors come from, the most frequent cause first."""
        errors, m = int(self.wrong.sum()), len(self.true)
        if not m:
            return (fact("causes.nothing_asked", "There is no query point."),)
        if not errors:
            template = (
                "None of the {n:,} query points is answered wrongly."
                if m > 1
                else "The one query point is answered rightly."
            )
            return (fact("causes.no_error", template, n=m), *self.rescued_facts())
        counts = self.counts
        found = sorted((kind for kind, n in counts.items() if n), key=lambda kind: -counts[kind])
        parts = [self._part(kind, counts[kind], kind == found[0]) for kind in found]
        if len(parts) > 1:
            template = "Of {errors:,} errors {parts}."
            told = fact("causes.counted", template, errors=errors, parts=Listed(parts))
        else:
            template = (
                "The one error comes from *{cause}* ({meaning})."
                if errors == 1
                else "All {n:,} errors come from *{cause}* ({meaning})."
            )
            told = fact("causes.all_alike", template, **parts[0].values)
        return (told, *self.rescued_facts())

    def _part(self, kind: str, n: int, first: bool) -> Fact:
        comes = ("comes " if n == 1 else "come ") if first else ""
        template = "{n:,} " + comes + "from *{cause}* ({meaning})"
        cause, meaning = kind.replace("_", " "), self.meaning(kind)
        return fact("causes.part", template, n=n, cause=cause, meaning=meaning)

    def rescued_facts(self) -> Facts:
        """How many right answers the nearest centroid would not have given; nothing for none."""
        n = int(self.rescued.sum())
        if not n:
            return ()
        who, what = "points are answered rightly", "these are no errors"
        if n == 1:
            who, what = "point is answered rightly", "this is no error"
        template = (
            f"{{n:,}} other {who} although the centroid of another class is nearer: {what}, and "
            "not in the bars."
        )
        return (fact("causes.rescued", template, n=n),)

    def left_by_facts(
        self,
        cause: str | None = None,
        true: int | None = None,
        line: int | None = None,
        margin: float = 0.0,
    ) -> Facts:
        """How many errors a filter leaves, which is as in :meth:`where`."""
        asked = {"cause": cause, "true": true, "line": line, "margin": margin}
        total = int(self.wrong.sum())
        if not total:
            return (fact("causes.none_to_list", "There is no error."),)
        n = int((self.where(**asked) & self.wrong).sum())  # type: ignore[arg-type]
        if asked == {"cause": None, "true": None, "line": None, "margin": 0.0}:
            template = "All {total:,} errors." if total > 1 else "The one error."
            return (fact("causes.all_listed", template, total=total),)
        filters = []
        values: dict[str, object] = {"n": n, "total": total}
        if cause is not None:
            filters.append("by *{cause}*")
            values["cause"] = cause.replace("_", " ")
        if true is not None:
            filters.append("of {true}")
            values["true"] = class_names(self.classes)[true]
        if line is not None:
            filters.append("on line {line:,}")
            values["line"] = line + 1
        if margin:
            filters.append("short of the answer by {margin:.2f} or more")
            values["margin"] = margin
        who = (
            "None of the {total:,} errors is "
            if not n and total > 1
            else "The one error is not "
            if not n
            else "The one error is "
            if total == 1
            else "{n:,} of {total:,} errors is "
            if n == 1
            else "{n:,} of {total:,} errors are "
        )
        template = who + ", ".join(filters) + "."
        return (fact("causes.listed", template, **values),)

    def shown_facts(self, shown: np.ndarray) -> Facts:
        """How many of the query points a filter lets through, (m,) bool."""
        n, m = int(shown.sum()), len(shown)
        if not m:
            return (fact("causes.nothing_asked", "There is no query point."),)
        points = "all {m:,}" if n == m > 1 else "the one" if n == m else "{n:,} of {m:,}"
        noun = " query point through." if n == m == 1 else " query points through."
        template = "The filter lets " + points + noun
        return (fact("causes.let_through", template, n=n, m=m),)

    def _by(self, group: np.ndarray, n: int) -> np.ndarray:
        table = np.zeros((len(self.kinds), n), dtype=np.int64)
        for row, kind in enumerate(self.kinds):
            here = group[(self.cause == kind) & (group >= 0)]
            table[row] = np.bincount(here, minlength=n)
        return table


def read_causes(
    model: HasProbabilities,
    X: np.ndarray,
    true: np.ndarray,
    centroids: np.ndarray | None = None,
    answers: Predictions | None = None,
) -> Causes:
    """Find the cause of every error.

    In this order (design of the explanation, each error has exactly one): ``embedding``, the
    nearest centroid, of several as near the first, is not the true class's; ``line``, it is, but
    the chosen line does not carry the true class; otherwise another class has more influence at
    this w (Theorem 2): ``concentration`` if the answer is right when distances are taken along the
    line, ``off_line`` if it is wrong even so. A method without lines has ``embedding`` and
    ``rule``.

    Parameters
    ----------
    model : fitted classifier
    X : (m, d) array
    true : (m,) int array
        Indices into ``model.classes_``.
    centroids : (K, d) array, optional
        Class means of the support set, for a method that does not keep them.
    answers : Answers, optional
        Of this method to these points, with these centroids, if they are at hand.

    Raises
    ------
    NotFittedError
    SLPError
        Where the method keeps no centroids and none are given, or others than (K, d) finite ones.
    """
    check_fitted(model)
    given = model
    model, X = without_names(model, X)
    X, true = np.asarray(X, dtype=np.float64), np.asarray(true)
    names = tuple(str(c) for c in model.classes_)
    m = len(X)
    found = answers or predict_query_set(model, "", X, true, _centroids(given, X, centroids))
    predicted, nearest = found.predicted, found.nearest
    margin = margins(found.probability, true)
    cause = np.where(predicted == true, "", "embedding").astype("<U13")
    spared = (predicted != true) & (nearest == true)
    if not predicts_from_lines(model):
        cause[spared] = "rule"
        nowhere = np.full(m, np.nan)
        no_line = np.full(m, -1)
        place = (no_line, nowhere, nowhere, nowhere, nowhere, no_line)
        kinds, n_lines, local = WITHOUT_LINES, 0, False
    else:
        voting = read_voting(model, X)
        at = voting.place
        carried = model.carries(at.line, true)
        cause[spared & ~carried] = "line"
        crossing = spared & carried
        straight = voting.predicted_along == true
        cause[crossing & straight] = "concentration"
        cause[crossing & ~straight] = "off_line"
        place = (at.line, at.w, at.t, at.r, voting.along, voting.predicted_along)
        local = has_local_soft_labels(model)
        kinds, n_lines = LOCALLY if local else CAUSES, len(model.lines_)
    line, w, t, r, along, predicted_along = place
    return Causes(
        names,
        kinds,
        n_lines,
        true,
        predicted,
        nearest,
        found.tied,
        cause,
        margin,
        line,
        w,
        t,
        r,
        along,
        predicted_along,
        local,
    )


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
        As in :func:`read_causes`.

    Returns
    -------
    DataFrame
        Columns ``index`` (row of X), ``true`` and ``predicted`` (labels), ``cause`` (see
        :func:`read_causes`), ``line`` (counted from 0), ``w``, ``t``, ``r`` (as in Placement) and
        ``margin`` (probability of the true class less that of the answer, below 0). Line and
        place are missing for a method without lines.

    Raises
    ------
    SLPError
        For a label that the method was not fitted on, or missing centroids.
    """
    found = read_causes(model, X, true_indices(model, X, y), centroids)
    classes = np.asarray(model.classes_)
    rows = np.flatnonzero(found.wrong)
    table = pd.DataFrame(
        {
            "index": rows,
            "true": classes[found.true[rows]],
            "predicted": classes[found.predicted[rows]],
            "cause": found.cause[rows],
            "line": pd.array(found.line[rows], dtype="Int64"),
            "w": found.w[rows],
            "t": found.t[rows],
            "r": found.r[rows],
            "margin": found.margin[rows],
        }
    )
    table.loc[table["line"] < 0, "line"] = pd.NA
    return table


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
