"""A soft-label prototype classifier read as an ensemble of two: what disagreement is, and does."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
import pandas as pd
from scipy.special import entr, logsumexp, rel_entr
from scipy.stats import pearsonr

from slp_core.diagnostics.members import Members, Temperature, read_members
from slp_core.errors import SLPError
from slp_core.markdown import named
from slp_core.methods.protocols import HasProbabilities

# Probabilities are kept this far from 0 in logarithms, as scikit-learn's log_loss does.
FLOOR = np.finfo(np.float64).eps
_FEWEST = 3  # points that a correlation needs


@dataclass(frozen=True, eq=False)
class EnsembleDiagnostics:
    """Quantities of the paper's appendix on ensembles, per point and in the mean. All in nats.

    Attributes
    ----------
    classes : tuple of str
    true : (m,) int array
    members : Members
    temperature : str
        Of the members.
    """

    classes: tuple[str, ...]
    true: np.ndarray
    members: Members = field(repr=False)
    temperature: Temperature

    @property
    def is_mixture(self) -> bool:
        """Whether F is the average of its members (else their log-linear pool)."""
        return self.members.log_pooled is None

    @cached_property
    def nll(self) -> np.ndarray:
        """(m,) NLL(F), floored as scikit-learn's."""
        return nll(self.members.joint, self.true)

    @cached_property
    def member_nll(self) -> np.ndarray:
        """(m, 2) NLL(f) of the left and the right member."""
        alone = self.members.alone
        return np.column_stack([nll(alone[:, side], self.true) for side in (0, 1)])

    @cached_property
    def entropy(self) -> np.ndarray:
        """(m,) H(F)."""
        return entr(self.members.joint).sum(axis=1)

    @cached_property
    def member_entropy(self) -> np.ndarray:
        """(m, 2) H(f)."""
        return entr(self.members.alone).sum(axis=2)

    @cached_property
    def divergence(self) -> np.ndarray:
        """(m, 2) KL(f ‖ F)."""
        return _kl(self.members.alone, self.members.joint)

    @property
    def jsd(self) -> np.ndarray:
        """(m,) the mean of KL(f ‖ F), the paper's Jensen–Shannon divergence."""
        return self.divergence.mean(axis=1)

    @property
    def residual(self) -> np.ndarray:
        """(m,) H(F) − JSD − E[H(f)]: what the paper's identity leaves over.

        It is 0 where F is the plain average of the two, and only there.
        """
        return self.entropy - self.jsd - self.member_entropy.mean(axis=1)

    @cached_property
    def mixture(self) -> np.ndarray:
        """(m, K) w · f_left + (1 − w) · f_right; F itself for constant soft labels."""
        return np.einsum("ms,msk->mk", self.members.weight, self.members.alone)

    @property
    def mixture_entropy(self) -> np.ndarray:
        """(m,) H of the mixture: exactly the sum of the two parts that follow."""
        return entr(self.mixture).sum(axis=1)

    @property
    def mixture_diversity(self) -> np.ndarray:
        """(m,) Σ w KL(f ‖ mixture)."""
        parts = rel_entr(self.members.alone, self.mixture[:, None]).sum(axis=2)
        # A member without weight may give what the mixture gives nothing: 0 · ∞ is 0 here.
        return np.where(self.members.weight > 0, self.members.weight * parts, 0.0).sum(axis=1)

    @property
    def mixture_member_entropy(self) -> np.ndarray:
        """(m,) Σ w H(f)."""
        return (self.members.weight * self.member_entropy).sum(axis=1)

    @cached_property
    def pool_nll(self) -> np.ndarray | None:
        """(m,) Σ α NLL(softmax(z / T)) of the log-linear pool, without a floor; None for a mixture.

        Infinite where the true class is barred from the line.
        """
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
    def right(self) -> np.ndarray:
        """(m,) bool: the joint answer."""
        return self.members.joint.argmax(axis=1) == self.true

    @property
    def member_right(self) -> np.ndarray:
        """(m, 2) bool: the answers of left and right alone."""
        return self.members.alone.argmax(axis=2) == self.true[:, None]

    @cached_property
    def help(self) -> float:
        """Correlation of diversity (JSD) with being right; NaN where either does not vary."""
        jsd, right = self.jsd, self.right
        if len(jsd) < _FEWEST or np.ptp(jsd) == 0 or right.all() or not right.any():
            return float("nan")
        return float(pearsonr(jsd, right).statistic)

    def summary(self) -> dict[str, float]:
        """The means over the points, by name."""
        found = {
            "NLL(F)": self.nll,
            "mean NLL(f)": self.member_nll,
            "H(F)": self.entropy,
            "JSD": self.jsd,
            "mean H(f)": self.member_entropy,
            "residual": self.residual,
            "accuracy of F": self.right,
            "accuracy of left": self.member_right[:, 0],
            "accuracy of right": self.member_right[:, 1],
        }
        return {name: float(np.mean(values)) for name, values in found.items()}

    def sentence(self) -> str:
        """Whether the two together beat either alone."""
        if not len(self.true):
            return "There is no query point to read members at."
        mean = self.summary()
        joint, alone = mean["NLL(F)"], mean["mean NLL(f)"]
        way = "below" if joint < alone else "not below"
        best = max(mean["accuracy of left"], mean["accuracy of right"])
        return (
            f"Together the prototypes have an NLL of {joint:.2f}, {way} the {alone:.2f} that they "
            f"have alone on average, and {mean['accuracy of F']:.0%} right, where the better of "
            f"them alone has {best:.0%}."
        )

    def help_sentence(self) -> str:
        """Whether disagreement goes with being right."""
        if np.isnan(self.help):
            return "Whether disagreement helps cannot be said: it, or being right, does not vary."
        how = "right" if self.help > 0 else "wrong"
        strength = abs(self.help)
        much = "hardly" if strength < 0.1 else "somewhat" if strength < 0.3 else "clearly"
        goes = f"goes {much} with being {how}" if much != "hardly" else "hardly goes with either"
        return f"Disagreement {goes}: its correlation with a right answer is {self.help:+.2f}."

    def point_sentence(self, point: int) -> str:
        """What left, right and the two together answer of a point, and how they disagree."""
        joint, alone = self.members.joint[point], self.members.alone[point]
        true, left, right, both = (
            named(self.classes[k])
            for k in (self.true[point], *alone.argmax(axis=1), joint.argmax())
        )
        return (
            f"It is {true}. Alone the left prototype says {left}, the right one {right}; together "
            f"they say {both}. JSD {self.jsd[point]:.3f}, H(F) {self.entropy[point]:.3f} nats."
        )

    @property
    def most_diverse(self) -> int:
        """The point where the two disagree most."""
        return int(self.jsd.argmax())

    def decompositions(self) -> pd.DataFrame:
        """The three decompositions in the mean over the points.

        Returns
        -------
        DataFrame
            ``decomposition``, ``total``, its parts ``diversity`` and ``members``, and what is
            ``left over``; without the pool where F is a mixture.
        """
        rows: list[tuple[str, float, float, float]] = [
            (
                "the paper's: H(F) = JSD + E[H(f)]",
                self.entropy.mean(),
                self.jsd.mean(),
                self.member_entropy.mean(),
            ),
            (
                "mixture: H = Σ w KL + Σ w H(f)",
                self.mixture_entropy.mean(),
                self.mixture_diversity.mean(),
                self.mixture_member_entropy.mean(),
            ),
        ]
        if self.pool_nll is not None and self.pool_diversity is not None:
            able = np.isfinite(self.pool_nll)  # not so where a line cannot answer the true class
            parts = (self.nll[able], -self.pool_diversity[able], self.pool_nll[able])
            total, diversity, members = (part.mean() if able.any() else np.nan for part in parts)
            rows.append(("pool: NLL(F) = Σ α NLL(f) − diversity", total, diversity, members))
        table = pd.DataFrame(rows, columns=["decomposition", "total", "diversity", "members"])
        return table.assign(**{"left over": table["total"] - table["diversity"] - table["members"]})

    def exactness(self) -> tuple[str, str, str]:
        """A sentence on each of the three decompositions: what is exact, and what is not."""
        left_over = float(np.abs(self.residual).mean()) if len(self.true) else 0.0
        paper = (
            "H(F) = JSD + E[H(f)] holds where F is the plain average of its members. It is not, "
            f"and {left_over:.3f} nats are left over on average, in size."
        )
        mixture = (
            "H = Σ w KL(f ‖ mixture) + Σ w H(f) is exact for the mixture weighted by w, which is "
            + ("F itself here." if self.is_mixture else "not what this method answers with.")
        )
        pool = (
            "NLL(F) = Σ α NLL(f) − diversity is exact for a log-linear pool. F is a mixture here, "
            "and has no such form."
            if self.is_mixture
            else "NLL(F) = Σ α NLL(f) − diversity is exact, F being the log-linear pool of its "
            "members at a common temperature: diversity can only lower it."
        )
        return paper, mixture, pool

    def per_class(self) -> pd.DataFrame:
        """One row a class: its points, the accuracies, the NLLs and the JSD."""
        rows = []
        for k, name in enumerate(self.classes):
            here = self.true == k
            if here.any():
                rows.append(
                    {
                        "class": name,
                        "points": int(here.sum()),
                        "together": self.right[here].mean(),
                        "left alone": self.member_right[here, 0].mean(),
                        "right alone": self.member_right[here, 1].mean(),
                        "NLL(F)": self.nll[here].mean(),
                        "mean NLL(f)": self.member_nll[here].mean(),
                        "JSD": self.jsd[here].mean(),
                    }
                )
        return pd.DataFrame(rows)

    def along(self, what: str, n_bins: int = 8) -> pd.DataFrame:
        """Accuracies in bins of as many points each, over w or the nearer prototype's distance.

        Parameters
        ----------
        what : {"w", "distance"}
        n_bins : int
            At most.

        Returns
        -------
        DataFrame
            ``middle`` (median of the bin), ``points``, ``together``, ``left alone``,
            ``right alone``, ``JSD``.
        """
        values = {"w": self.members.weight[:, 0], "distance": self.members.distance}
        if what not in values:
            raise SLPError(f"Bins are made over 'w' or 'distance', not {what!r}.")
        order = np.argsort(values[what], kind="stable")
        parts = np.array_split(order, max(1, min(n_bins, len(order) // 5)))
        return pd.DataFrame(
            [
                {
                    "middle": float(np.median(values[what][part])),
                    "points": len(part),
                    "together": self.right[part].mean(),
                    "left alone": self.member_right[part, 0].mean(),
                    "right alone": self.member_right[part, 1].mean(),
                    "JSD": self.jsd[part].mean(),
                }
                for part in parts
                if len(part)
            ]
        )


def ensemble_diagnostics(
    model: HasProbabilities, X: np.ndarray, y: np.ndarray, temperature: Temperature = "none"
) -> EnsembleDiagnostics:
    """Read a fitted method as an ensemble of its two prototypes (the paper's appendix on these).

    Parameters
    ----------
    model : fitted classifier
        With lines.
    X : (m, d) array
    y : (m,) array
        True labels, of those that the method was fitted on.
    temperature : {"none", "distance"}
        Whether a member is softmax(z), the paper's choice, or softmax(z / d).

    Raises
    ------
    SLPError
        For a method without prototypes, or a label that it was not fitted on.
    """
    y, classes = np.asarray(y), np.asarray(model.classes_)
    unknown = ~np.isin(y, classes)
    if unknown.any():
        raise SLPError(f"Label '{y[unknown][0]}' is not one that the method was fitted on.")
    names = tuple(str(c) for c in classes)
    true = np.searchsorted(classes, y)
    return EnsembleDiagnostics(names, true, read_members(model, X, temperature), temperature)


def nll(probability: np.ndarray, true: np.ndarray) -> np.ndarray:
    """(m,) −log of the true class's probability, which is kept at least 2.2e-16 from 0.

    Parameters
    ----------
    probability : (m, K) array
    true : (m,) int array
    """
    return -np.log(np.maximum(probability[np.arange(len(true)), true], FLOOR))


def _kl(alone: np.ndarray, joint: np.ndarray) -> np.ndarray:
    return rel_entr(alone, np.maximum(joint, FLOOR)[:, None]).sum(axis=2)
