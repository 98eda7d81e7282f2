"""A soft-label prototype classifier as an ensemble of the two prototypes of a line, in nats."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
import pandas as pd
from scipy.special import entr, logsumexp, rel_entr
from scipy.stats import pearsonr

from slp_core.diagnostics.members import Members, Temperature, read_members
from slp_core.errors import SLPError
from slp_core.methods.protocols import HasProbabilities
from slp_core.methods.tables import true_indices

PAPER_JSD = "JSD as in the paper"  # the mean of KL(f ‖ F)
DISAGREEMENT = "disagreement"  # the Jensen–Shannon divergence of the two members
FEWEST = 3  # examples that a correlation needs
EQUAL = 1e-9  # two numbers that differ by less are one
_BY_CHANCE = 1.96  # √m · |correlation|


@dataclass(frozen=True, eq=False)
class EnsembleDiagnostics:
    """In nats, per example; member 0 is prototype A, the left one, and F the joint prediction."""

    classes: tuple[str, ...]
    true: np.ndarray  # (m,)
    members: Members = field(repr=False)
    temperature: Temperature

    @property
    def is_mixture(self) -> bool:
        """Whether F is the average of its members (else their log-linear pool)."""
        return self.members.log_pooled is None

    @cached_property
    def nll(self) -> np.ndarray:
        """(m,) NLL(F); infinite where F gives the true class nothing."""
        return -self.members.log_joint[np.arange(len(self.true)), self.true]

    @cached_property
    def member_nll(self) -> np.ndarray:
        """(m, 2) NLL(f) of A and B; infinite where the member gives the true class nothing."""
        return -np.take_along_axis(self.members.log_alone, self.true[:, None, None], axis=2)[..., 0]

    @property
    def comparable(self) -> np.ndarray:
        """(m,) bool: the NLLs of F and of both members are finite."""
        return np.isfinite(self.nll) & np.isfinite(self.member_nll).all(axis=1)

    @cached_property
    def entropy(self) -> np.ndarray:
        """(m,) H(F), without the factor 1/C of the paper's formula."""
        return entr(self.members.joint).sum(axis=1)

    @cached_property
    def member_entropy(self) -> np.ndarray:
        """(m, 2) H(f)."""
        return entr(self.members.alone).sum(axis=2)

    @cached_property
    def divergence(self) -> np.ndarray:
        """(m, 2) KL(f ‖ F)."""
        members = self.members
        apart = np.subtract(
            members.log_alone,
            members.log_joint[:, None],
            out=np.zeros_like(members.alone),
            where=members.alone > 0,  # 0 · log 0 is 0
        )
        return (members.alone * apart).sum(axis=2)

    @property
    def paper_jsd(self) -> np.ndarray:
        """(m,) the mean of KL(f ‖ F), which the paper calls Jensen–Shannon divergence."""
        return self.divergence.mean(axis=1)

    @cached_property
    def jsd(self) -> np.ndarray:
        """(m,) Jensen–Shannon divergence of A and B, from 0 to ln 2: their disagreement."""
        middle = self.members.alone.mean(axis=1, keepdims=True)
        return _terms(self.members.alone, middle).sum(axis=2).mean(axis=1)

    @property
    def residual(self) -> np.ndarray:
        """(m,) H(F) − mean KL(f ‖ F) − E[H(f)]: the residual of the paper's identity."""
        return self.entropy - self.paper_jsd - self.member_entropy.mean(axis=1)

    @cached_property
    def mixture(self) -> np.ndarray:
        """(m, K) w · f_A + (1 − w) · f_B; F itself for constant soft labels."""
        return np.einsum("ms,msk->mk", self.members.weight, self.members.alone)

    @property
    def mixture_entropy(self) -> np.ndarray:
        """(m,) H of the mixture: exactly the sum of the two parts that follow."""
        return entr(self.mixture).sum(axis=1)

    @property
    def mixture_diversity(self) -> np.ndarray:
        """(m,) Σ w KL(f ‖ mixture)."""
        parts = _terms(self.members.alone, self.mixture[:, None]).sum(axis=2)
        return (self.members.weight * parts).sum(axis=1)

    @property
    def mixture_member_entropy(self) -> np.ndarray:
        """(m,) Σ w H(f)."""
        return (self.members.weight * self.member_entropy).sum(axis=1)

    @cached_property
    def pool_nll(self) -> np.ndarray | None:
        """(m,) Σ α NLL(softmax(z / T)) of the log-linear pool; None for a mixture."""
        logs = self.members.log_pooled
        if logs is None:
            return None
        own = np.take_along_axis(logs, self.true[:, None, None], axis=2)[..., 0]
        return -(self.members.weight * own).sum(axis=1)

    @cached_property
    def pool_diversity(self) -> np.ndarray | None:
        """(m,) −log Σ_y Π f^α, 0 or more: by how much NLL(F) lies below ``pool_nll``."""
        logs = self.members.log_pooled
        if logs is None:
            return None
        barred = np.isinf(logs).any(axis=1)
        powers = (self.members.weight[..., None] * np.where(np.isinf(logs), 0.0, logs)).sum(axis=1)
        return -logsumexp(np.where(barred, -np.inf, powers), axis=1)

    @property
    def correct(self) -> np.ndarray:
        """(m,) bool: the joint prediction is correct."""
        return self.members.joint.argmax(axis=1) == self.true

    @property
    def member_correct(self) -> np.ndarray:
        """(m, 2) bool: A's and B's own predictions are correct."""
        return self.members.alone.argmax(axis=2) == self.true[:, None]

    @property
    def member_confidence(self) -> np.ndarray:
        """(m, 2) the probability that A and B give to their own predictions."""
        return self.members.alone.max(axis=2, initial=0.0)

    @cached_property
    def correlation(self) -> float:
        """Of disagreement with correct predictions; NaN where either does not vary."""
        return correlation(self.jsd, self.correct)

    @property
    def correlation_is_clear(self) -> bool:
        """Whether the correlation is larger than chance brings about in 19 of 20 samples."""
        return abs(self.correlation) * np.sqrt(len(self.true)) >= _BY_CHANCE

    @property
    def average_gap(self) -> float:
        """The largest difference between F and the plain average of its members."""
        return float(np.abs(self.members.joint - self.members.alone.mean(axis=1)).max())

    @property
    def mixture_gap(self) -> float:
        """The largest difference between F and the mixture."""
        return float(np.abs(self.members.joint - self.mixture).max())

    def summary(self, among: np.ndarray | None = None) -> dict[str, float]:
        """The means over the points, by name; of NLLs over some, or else the comparable ones."""
        alone = {"together": "F", "A alone": "A", "B alone": "B"}
        names = {column: f"accuracy of {who}" for column, who in alone.items()}
        means = self._examples(among).mean().rename(names)
        return {str(name): float(mean) for name, mean in means.items()}

    @property
    def most_diverse(self) -> int:
        """The first of the examples with the largest disagreement."""
        if not len(self.jsd):
            raise SLPError("There are no query examples on which the prototypes could disagree.")
        return int(self.at_most_diverse.argmax())

    @property
    def at_most_diverse(self) -> np.ndarray:
        """(m,) bool: the examples with the largest disagreement."""
        return self.jsd >= self.jsd.max(initial=0.0) - EQUAL

    def decompositions(self) -> pd.DataFrame:
        """The decompositions, averaged over the examples; the pool's, where its NLL is finite."""
        members = self.member_entropy.mean(axis=1)
        paper = "the paper's: H(F) = JSD + E[H(f)], where JSD is the mean KL(f ‖ F)"
        mixed = self.mixture_entropy, self.mixture_diversity, self.mixture_member_entropy
        rows = [
            (paper, 1, self.entropy, self.paper_jsd, members),
            ("mixture: H = Σ w KL(f ‖ mixture) + Σ w H(f)", 1, *mixed),
        ]
        if self.pool_nll is not None and self.pool_diversity is not None:
            able = np.isfinite(self.pool_nll)  # the true label is on the line
            parts = self.nll[able], self.pool_diversity[able], self.pool_nll[able]
            rows.append(("pool: NLL(F) = Σ α NLL(softmax(z / T)) − diversity", -1, *parts))
        table = pd.DataFrame(
            [(name, len(parts[0]), *map(_mean, parts), sign) for name, sign, *parts in rows],
            columns=["decomposition", "examples", "total", "diversity", "members", "residual"],
        )
        residual = table["total"] - table["residual"] * table["diversity"] - table["members"]
        return table.assign(residual=residual.round(12) + 0.0)  # no minus zero

    def per_class(self) -> pd.DataFrame:
        """One row a class, over all of its examples; NLLs over the comparable ones."""
        entropies = ["H(F)", "mean H(f)", "residual"]
        groups = self._examples().drop(columns=entropies).groupby(self.true)
        table = groups.mean().assign(**{"NLL over": groups["NLL over"].sum()})
        table.insert(0, "class", np.array(self.classes, dtype=object)[table.index])
        table.insert(1, "examples", groups.size())
        return table.reset_index(drop=True)

    def along(self, what: str, n_bins: int = 8) -> pd.DataFrame:
        """Accuracies in bins of equal counts over w or the distance to the nearer prototype."""
        values = {"w": self.members.weight[:, 0], "distance": self.members.distance}
        if what not in values:
            raise SLPError(f"Bins are made over 'w' or 'distance', not {what!r}.")
        order = np.argsort(values[what], kind="stable")
        parts = np.array_split(order, max(1, min(n_bins, len(order) // 5)))
        place = np.repeat(np.arange(len(parts)), [len(part) for part in parts])
        groups = self._examples().assign(middle=values[what]).iloc[order].groupby(place)
        table = groups[["together", "A alone", "B alone", DISAGREEMENT]].mean()
        table.insert(0, "middle", groups["middle"].median())
        table.insert(1, "examples", groups.size())
        return table

    def _examples(self, among: np.ndarray | None = None) -> pd.DataFrame:
        """One row an example; NLLs of some, or else of the comparable ones."""
        among = self.comparable if among is None else among
        nlls = {"NLL(F)": self.nll, "mean NLL(f)": self.member_nll.mean(axis=1)}
        return pd.DataFrame(
            {
                "together": self.correct,
                "A alone": self.member_correct[:, 0],
                "B alone": self.member_correct[:, 1],
                "NLL over": among,
                **{name: np.where(among, nll, np.nan) for name, nll in nlls.items()},
                DISAGREEMENT: self.jsd,
                PAPER_JSD: self.paper_jsd,
                "H(F)": self.entropy,
                "mean H(f)": self.member_entropy.mean(axis=1),
                "residual": self.residual,
            }
        )


def ensemble_diagnostics(
    model: HasProbabilities, X: np.ndarray, y: np.ndarray, temperature: Temperature = "none"
) -> EnsembleDiagnostics:
    """Evaluate a fitted method as an ensemble of its two prototypes (see the paper's appendix).

    Parameters
    ----------
    model : fitted classifier
        With members.
    X : (m, d) array
    y : (m,) array
        True labels, of those that the method was fitted on.
    temperature : {"none", "distance"}
        Whether a member is softmax(z), the paper's choice, or softmax(z / d).

    Raises
    ------
    SLPError
        For a method without members, or a label that it was not fitted on.

    Examples
    --------
    >>> import slp_core as slp
    >>> X, y = [[-10, 0], [5, 0], [15, 0]], ["A", "B", "C"]
    >>> model = slp.ConstraintSLPClassifier().fit(X, y)
    >>> found = slp.ensemble_diagnostics(model, [[-8, 1], [6, 1]], ["A", "B"])
    >>> found.nll.shape, found.member_nll.shape
    ((2,), (2, 2))
    """
    true = true_indices(model, X, y)
    names = tuple(str(c) for c in model.classes_)
    return EnsembleDiagnostics(names, true, read_members(model, X, temperature), temperature)


def nll(probability: np.ndarray, true: np.ndarray) -> np.ndarray:
    """(m,) −log of the true class's probability; infinite where that is 0."""
    with np.errstate(divide="ignore"):
        return -np.log(probability[np.arange(len(true)), true])


def _mean(values: np.ndarray) -> float:
    """The mean; NaN of nothing."""
    return float(values.mean()) if values.size else float("nan")


def _terms(alone: np.ndarray, mean: np.ndarray) -> np.ndarray:
    """Of KL(f ‖ mean), but 0 for ∞, where f has no weight in it, or too little for a float."""
    return np.where(mean > 0, rel_entr(alone, mean), 0.0)


def correlation(a: np.ndarray, b: np.ndarray) -> float:
    """Pearson's; NaN for fewer than three examples, or where either does not vary."""
    a, b = a.astype(np.float64), b.astype(np.float64)
    if len(a) < FEWEST or np.ptp(a) <= EQUAL or np.ptp(b) <= EQUAL:
        return float("nan")
    return float(pearsonr(a, b).statistic)
