"""The linear programme of constraintSLP on one line, solved by HiGHS or by CVXPY."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.sparse import csr_array, eye_array, hstack, vstack

from slp_core.errors import SLPError

DELTA = 1e-3  # δ / T
_INFEASIBLE = 2  # of SciPy's status
_ROOM = 1e-6
"""Tolerance of the summed violation, absolute if small, else relative; solvers have about 1e-7."""


@dataclass(frozen=True, eq=False)
class LineProgramme:
    """Maximise Σ g and the sum of the two smallest g, with g = 2 · own · labels − Σ own."""

    own: np.ndarray  # (n, 2n): times the labels (a, then c), each class's influence at its centroid
    lead: np.ndarray  # (n (n − 1), 2n): each class's lead over another at its centroid
    tilt: np.ndarray  # (n − 1, 2n): difference of neighbours at their midpoint, which must be 0
    margin: float  # the least lead
    floor: float  # the least label; each prototype's labels sum to 1

    @classmethod
    def of(cls, t: np.ndarray, margin: float, floor: float) -> LineProgramme:
        """Of n ≥ 3 classes at ascending places t (n,) from 0 to 1."""
        n = len(t)
        own = _influence(t + DELTA, 1 - t + DELTA, np.arange(n), n)
        i, j = (~np.eye(n, dtype=bool)).nonzero()
        lead = own[i] - _influence(t[i] + DELTA, 1 - t[i] + DELTA, j, n)
        # The midpoint of two centroids at one end would have infinite influence.
        middle, k = np.clip((t[:-1] + t[1:]) / 2, DELTA, 1 - DELTA), np.arange(n - 1)
        tilt = _influence(middle, 1 - middle, k, n) - _influence(middle, 1 - middle, k + 1, n)
        return cls(own, lead, tilt, margin, floor)

    def by_highs(self) -> tuple[np.ndarray, float]:
        """(2n,) labels and the largest violation; if infeasible, of the smallest sum."""
        labels = self._solve_highs(relaxed=False)
        if labels is not None:
            return labels, 0.0
        labels = self.best_within()
        return labels, self._violation(labels)

    def hard_labels(self) -> np.ndarray:
        """(2n,) labels with all that the floor leaves at the class of the prototype itself."""
        n = len(self.own)
        labels = np.full(2 * n, self.floor)
        labels[[0, -1]] = 1 - (n - 1) * self.floor
        return labels

    def best_within(self, violated: float | None = None) -> np.ndarray:
        """(2n,) labels with the largest goal of those that violate so much in sum, or least."""
        labels = self._solve_highs(relaxed=True, violated_by=violated)
        if labels is None:
            raise SLPError(self._none_found())
        return labels

    def goal(self, labels: np.ndarray) -> float:
        """Σ g and the sum of the two smallest g."""
        gap = 2 * (self.own @ labels) - self.own.sum(axis=1)
        return float(gap.sum() + np.sort(gap)[:2].sum())

    def violated(self, labels: np.ndarray) -> float:
        """By how much constraints are violated, summed."""
        missing = np.maximum(self.margin - self.lead @ labels, 0)
        return float(missing.sum() + np.abs(self.tilt @ labels).sum())

    def _solve_highs(self, relaxed: bool, violated_by: float | None = None) -> np.ndarray | None:
        """Labels, or None if there is no optimum.

        The sum of the two smallest g is the largest 2q − Σ u with u ≥ q − g and u ≥ 0. Variables
        are the labels, q, u and, if relaxed, missing leads and tilts.
        """
        n, pairs = len(self.own), len(self.lead)
        size = 3 * n + 1
        least_violation, cost = None, np.zeros(size)
        cost[: 2 * n], cost[2 * n] = -2 * self.own.sum(axis=0), -2
        cost[2 * n + 1 :] = 1
        at_most = np.block(
            [[-self.lead, np.zeros((pairs, n + 1))], [-2 * self.own, np.ones((n, 1)), -np.eye(n)]]
        )
        most = np.concatenate([np.full(pairs, -self.margin), -self.own.sum(axis=1)])
        equal = np.pad(np.vstack([_sums(n), self.tilt]), [(0, 0), (0, n + 1)])
        exactly = np.concatenate([np.ones(2), np.zeros(n - 1)])
        least = np.zeros(size)
        least[: 2 * n], least[2 * n] = self.floor, -np.inf
        bounds = np.column_stack([least, np.full(size, np.inf)])
        if relaxed:
            missing, differ = eye_array(pairs + n, pairs), eye_array(n + 1, n - 1, k=-2)
            at_most = hstack([csr_array(at_most), -missing, csr_array((pairs + n, 2 * n - 2))])
            equal = hstack([csr_array(equal), csr_array((n + 1, pairs)), -differ, differ])
            violations = pairs + 2 * n - 2
            violated = np.repeat([0.0, 1.0], [size, violations])
            cost = np.append(cost, np.zeros(violations))
            bounds = np.vstack([bounds, np.tile([0, np.inf], (violations, 1))])
            if violated_by is None:
                least_violation = _optimum(violated, at_most, most, equal, exactly, bounds)
                if least_violation is None:
                    return None
                violated_by = _with_room(violated @ least_violation)
            at_most = vstack([at_most, csr_array(violated[None])])
            most = np.append(most, violated_by)
        found = _optimum(cost, at_most, most, equal, exactly, bounds)
        if found is None:
            found = least_violation
        return None if found is None else found[: 2 * n] + 0.0  # no -0.0

    def by_cvxpy(self, solver: str) -> tuple[np.ndarray, float]:
        """The same by a solver that CVXPY knows."""
        import cvxpy as cp

        n = len(self.own)
        labels = cp.Variable(2 * n)
        gap = 2 * (self.own @ labels) - self.own.sum(axis=1)
        # Scaled to influences of at most 1: interior-point solvers are inexact with large numbers.
        goal = cp.Maximize(DELTA * (cp.sum(gap) + cp.sum_smallest(gap, 2)))
        lead, tilt = self.lead @ labels, self.tilt @ labels
        legal = [_sums(n) @ labels == 1, labels >= self.floor]
        strict = cp.Problem(goal, [*legal, lead >= self.margin, tilt == 0])
        if _optimal(strict, solver):
            return np.asarray(labels.value), 0.0
        violated = cp.sum(cp.pos(self.margin - lead)) + cp.norm1(tilt)
        relaxed = cp.Problem(cp.Minimize(violated), legal)
        if _optimal(relaxed, solver):
            relaxed = cp.Problem(goal, [*legal, violated <= _with_room(relaxed.value)])
            if _optimal(relaxed, solver):
                return np.asarray(labels.value), self._violation(np.asarray(labels.value))
        raise SLPError(f"{self._none_found()} {solver} reports: {relaxed.status}.")

    def _none_found(self) -> str:
        return (
            f"No soft labels were found for a line with {len(self.own):,} classes. Choose another "
            "number of lines or another margin."
        )

    def _violation(self, labels: np.ndarray) -> float:
        """The largest: a lead that is missing, or a tilt."""
        missing = self.margin - self.lead @ labels
        return float(max(missing.max(), np.abs(self.tilt @ labels).max(), 0.0))


def _optimum(*programme: Any) -> np.ndarray | None:
    """Where a linear programme has its optimum; an interior point's where a simplex has trouble."""
    from scipy.optimize import linprog

    for method in ("highs", "highs-ipm"):
        found = linprog(*programme, method=method)
        if found.status == 0:
            x: np.ndarray = found.x
            return x
        if found.status == _INFEASIBLE:
            break
    return None


def _with_room(least: float) -> float:
    """The bound of a sum of violations with this minimum."""
    return least + _ROOM * max(least, 1.0)


def _sums(n: int) -> np.ndarray:
    """(2, 2n): each prototype's labels."""
    return np.kron(np.eye(2), np.ones(n))


def _influence(d_left: np.ndarray, d_right: np.ndarray, classes: np.ndarray, n: int) -> np.ndarray:
    """(p, 2n) rows that, times (a, c), give a class's influence at each of p places."""
    place = np.arange(len(classes))
    rows = np.zeros((len(classes), 2 * n))
    rows[place, classes], rows[place, n + classes] = 1 / d_left, 1 / d_right
    return rows


def _optimal(problem: Any, solver: str) -> bool:
    import cvxpy as cp

    if solver not in (usable := cp.installed_solvers()):
        raise SLPError(
            f"The solver {solver!r} is not installed or has no licence here: choose one of "
            f"{', '.join(usable)}."
        )
    try:
        with np.errstate(invalid="ignore"):  # CVXPY multiplies bounds that are 0 and infinite
            problem.solve(solver=solver)
    except cp.SolverError as error:
        raise SLPError(f"The solver {solver} failed: {error}. Try another one.") from error
    except ValueError as error:
        # A solver that gives up between crowded centroids has found nothing.
        if "invalid solution" not in str(error):
            raise
        return False
    return problem.status in (cp.OPTIMAL, cp.OPTIMAL_INACCURATE)
