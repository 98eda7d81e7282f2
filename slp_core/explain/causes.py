"""What a method's errors are caused by: exactly one cause each."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd

from slp_core.errors import SLPError
from slp_core.explain.voting import read_voting
from slp_core.lines import distances
from slp_core.methods.protocols import (
    HasProbabilities,
    answers_from_lines,
    has_centroids,
    has_local_soft_labels,
)

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
WITHOUT_LINES = {
    "embedding": CAUSES["embedding"],
    "rule": "its own centroid is the nearest, and the method answers otherwise",
}


@dataclass(frozen=True, eq=False)
class Causes:
    """Why each of m query points was answered as it was.

    Attributes
    ----------
    classes : tuple of str
    kinds : dict of str to str
        The causes that this method can have, in the order in which they are asked for, and what
        each means.
    n_lines : int
    true, predicted, nearest : (m,) int arrays
        Indices into ``classes``; ``nearest`` is the class whose centroid is nearest.
    cause : (m,) str array
        "" where the answer is right.
    margin : (m,) array
        Probability of the true class less that of the best other one: below 0 where the answer
        is wrong.
    line : (m,) int array
        The chosen line, counted from 0; −1 for a method without lines, whose other fields of
        place are NaN.
    w, t, r : (m,) arrays
        As in Placement.
    along : (m,) array
        What w is when distances are taken along the line.
    answered_along : (m,) int array
        The answer there; −1 without lines.
    local : bool
        Soft labels depend on the point: what would be answered elsewhere is what they, as they
        are at this point, would give.
    """

    classes: tuple[str, ...]
    kinds: dict[str, str]
    n_lines: int
    true: np.ndarray
    predicted: np.ndarray
    nearest: np.ndarray
    cause: np.ndarray
    margin: np.ndarray
    line: np.ndarray
    w: np.ndarray
    t: np.ndarray
    r: np.ndarray
    along: np.ndarray
    answered_along: np.ndarray
    local: bool

    @property
    def wrong(self) -> np.ndarray:
        """(m,) bool."""
        return self.predicted != self.true

    @property
    def rescued(self) -> np.ndarray:
        """(m,) bool: right although the nearest centroid is another class's."""
        return ~self.wrong & (self.nearest != self.true)

    @property
    def counts(self) -> dict[str, int]:
        """Errors by cause; they sum to all errors."""
        return {kind: int((self.cause == kind).sum()) for kind in self.kinds}

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
        """(m,) bool: every point, or those of the errors that a filter lets through.

        Parameters
        ----------
        cause : str, optional
            Of ``kinds``.
        true : int, optional
            Index into ``classes``.
        line : int, optional
            That the points ask, counted from 0.
        margin : float
            How much of the probability the true class is at least short of.
        """
        if cause is None and true is None and line is None and not margin:
            return np.ones(len(self.true), dtype=bool)
        shown = self.wrong & (-self.margin >= margin - 1e-9)
        for values, asked in ((self.cause, cause), (self.true, true), (self.line, line)):
            if asked is not None:
                shown &= values == asked
        return shown

    def most_telling(self, line: int) -> int | None:
        """The point to open a line on: its surest error, of those that Theorem 2 explains if any.

        One of another line where no point asks this one; None where there is no query point.
        """
        here = self.line == line
        crossed = here & np.isin(self.cause, ("concentration", "off_line"))
        for among in (crossed, here & self.wrong, here, np.ones_like(here)):
            if among.any():
                return int(np.where(among, self.margin, np.inf).argmin())
        return None

    def surest(self, among: np.ndarray, line: int) -> int | None:
        """The surest error among some points, of this line if any of them asks it.

        Parameters
        ----------
        among : (m,) bool array
        line : int
            Counted from 0.

        Returns
        -------
        int or None
            None where no error is among them.
        """
        wrong = among & self.wrong
        here = wrong & (self.line == line)
        found = here if here.any() else wrong
        return int(np.where(found, self.margin, np.inf).argmin()) if found.any() else None

    @property
    def worst_line(self) -> int:
        """The line with the most errors."""
        return int(self.by_line.sum(axis=0).argmax())

    def sentence(self) -> str:
        """What the errors come from, the most frequent cause first."""
        errors, m = int(self.wrong.sum()), len(self.true)
        if not errors:
            return (
                f"None of the {m:,} query points is answered wrongly." if m else "No query point."
            )
        found = sorted(
            ((kind, n) for kind, n in self.counts.items() if n), key=lambda pair: -pair[1]
        )
        parts = [f"{n:,} from *{kind}* ({self.kinds[kind]})" for kind, n in found]
        rescued = int(self.rescued.sum())
        spared = (
            f" In return {rescued:,} {'is' if rescued == 1 else 'are'} right although another "
            "class's centroid is nearer."
            if rescued
            else ""
        )
        if len(parts) == 1:
            whole = "The one error comes" if errors == 1 else f"All {errors:,} errors come"
            return f"{whole} {parts[0].partition(' ')[2]}.{spared}"
        listed = f"{', '.join(parts[:-1])} and {parts[-1]}"
        return f"Of {errors:,} errors {listed.replace(' from', ' come from', 1)}.{spared}"

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
) -> Causes:
    """Find the cause of every error.

    In this order (design of the explanation, each error has exactly one): ``embedding``, the
    nearest centroid is not the true class's; ``line``, it is, but the chosen line does not carry
    the true class; otherwise another class has more influence at this w (Theorem 2):
    ``concentration`` if the answer is right when distances are taken along the line, ``off_line``
    if it is wrong even so. A method without lines has ``embedding`` and ``rule``.

    Parameters
    ----------
    model : fitted classifier
    X : (m, d) array
    true : (m,) int array
        Indices into ``model.classes_``.
    centroids : (K, d) array, optional
        Class means of the support set, for a method that does not keep them.

    Raises
    ------
    SLPError
        Where the method keeps no centroids and none are given.
    """
    X, true = np.asarray(X, dtype=np.float64), np.asarray(true)
    names = tuple(str(c) for c in model.classes_)
    m = len(X)
    probability = model.predict_proba(X) if m else np.empty((0, len(names)))
    predicted = probability.argmax(axis=1)
    nearest = distances(X, _centroids(model, centroids)).argmin(axis=1)
    own = np.take_along_axis(probability, true[:, None], axis=1)[:, 0]
    others = probability.copy()
    np.put_along_axis(others, true[:, None], -np.inf, axis=1)
    margin = own - others.max(axis=1, initial=0.0) if m else np.empty(0)
    cause = np.where(predicted == true, "", "embedding").astype("<U13")
    spared = (predicted != true) & (nearest == true)
    if not answers_from_lines(model):
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
        straight = voting.answered_along == true
        cause[crossing & straight] = "concentration"
        cause[crossing & ~straight] = "off_line"
        place = (at.line, at.w, at.t, at.r, voting.along, voting.answered_along)
        local = has_local_soft_labels(model)
        kinds, n_lines = LOCALLY if local else CAUSES, len(model.lines_)
    line, w, t, r, along, answered_along = place
    return Causes(
        names,
        kinds,
        n_lines,
        true,
        predicted,
        nearest,
        cause,
        margin,
        line,
        w,
        t,
        r,
        along,
        answered_along,
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
    y = np.asarray(y)
    classes = np.asarray(model.classes_)
    true = np.minimum(np.searchsorted(classes, y), len(classes) - 1)
    unknown = ~np.isin(y, classes)
    if unknown.any():
        raise SLPError(f"Label '{y[unknown][0]}' is not one that the method was fitted on.")
    found = read_causes(model, X, true, centroids)
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


def _centroids(model: HasProbabilities, centroids: np.ndarray | None) -> np.ndarray:
    if centroids is not None:
        return np.asarray(centroids)
    if not has_centroids(model):
        raise SLPError(
            f"{type(model).__name__} keeps no class centroids: give those of its support set."
        )
    return model.centroids_
