"""A soft-label prototype classifier read as an ensemble of two: what disagreement is, and does."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
import pandas as pd
from scipy.special import entr, logsumexp, rel_entr
from scipy.stats import pearsonr

from slp_core.diagnostics.members import Members, Temperature, read_members
from slp_core.errors import SLPError
from slp_core.facts import Facts, Stated, class_names, decimals_apart, fact, noun
from slp_core.methods.protocols import HasProbabilities
from slp_core.methods.tables import true_indices

PAPER_JSD = "JSD as in the paper"  # the mean of KL(f ‖ F)
DISAGREEMENT = "disagreement"  # the Jensen–Shannon divergence of the two members
_FEWEST = 3  # points that a correlation needs
_EQUAL = 1e-9  # two numbers that differ by less are one
_HARDLY, _CLEARLY = 0.1, 0.3  # correlations
_BY_CHANCE = 1.96  # √m · |correlation| of what does not go together, in 19 of 20 samples


@dataclass(frozen=True, eq=False)
class EnsembleDiagnostics(Stated):
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
        """(m,) NLL(F); infinite where F gives the true class nothing."""
        return -self.members.log_joint[np.arange(len(self.true)), self.true]

    @cached_property
    def member_nll(self) -> np.ndarray:
        """(m, 2) NLL(f) of the left and the right member; infinite as that of F."""
        return -np.take_along_axis(self.members.log_alone, self.true[:, None, None], axis=2)[..., 0]

    @property
    def comparable(self) -> np.ndarray:
        """(m,) bool: where F and both members give the true class something, so NLLs are finite."""
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
        if self.is_mixture:
            return rel_entr(members.alone, members.joint[:, None]).sum(axis=2)
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
        """(m,) Jensen–Shannon divergence of left and right: from 0 to log 2, their disagreement.

        ½ KL(left ‖ mean) + ½ KL(right ‖ mean), whatever F makes of the two.
        """
        middle = self.members.alone.mean(axis=1, keepdims=True)
        return _terms(self.members.alone, middle).sum(axis=2).mean(axis=1)

    @property
    def residual(self) -> np.ndarray:
        """(m,) H(F) − mean KL(f ‖ F) − E[H(f)]: what the paper's identity leaves over.

        It is 0 where F is the plain average of the two, and only there.
        """
        return self.entropy - self.paper_jsd - self.member_entropy.mean(axis=1)

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
        parts = _terms(self.members.alone, self.mixture[:, None]).sum(axis=2)
        # A member without weight may give what the mixture gives nothing: 0 · ∞ is 0 here.
        return np.where(self.members.weight > 0, self.members.weight * parts, 0.0).sum(axis=1)

    @property
    def mixture_member_entropy(self) -> np.ndarray:
        """(m,) Σ w H(f)."""
        return (self.members.weight * self.member_entropy).sum(axis=1)

    @cached_property
    def pool_nll(self) -> np.ndarray | None:
        """(m,) Σ α NLL(softmax(z / T)) of the log-linear pool; None for a mixture.

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
        """Correlation of disagreement with being right; NaN where either does not vary."""
        return _correlation(self.jsd, self.right)

    def summary(self, among: np.ndarray | None = None) -> dict[str, float]:
        """The means over the points, by name.

        Parameters
        ----------
        among : (m,) bool array, optional
            The points over which NLLs are averaged: those that are comparable, if nothing is said.
            NaN where there are none.
        """
        among = self.comparable if among is None else among
        found = {
            "NLL(F)": self.nll[among],
            "mean NLL(f)": self.member_nll[among],
            "NLL over": among,
            "H(F)": self.entropy,
            PAPER_JSD: self.paper_jsd,
            "mean H(f)": self.member_entropy,
            "residual": self.residual,
            DISAGREEMENT: self.jsd,
            "accuracy of F": self.right,
            "accuracy of left": self.member_right[:, 0],
            "accuracy of right": self.member_right[:, 1],
        }
        return {
            name: float(np.mean(values)) if values.size else float("nan")
            for name, values in found.items()
        }

    def facts(self) -> Facts:
        """Whether the two together beat either alone."""
        if not len(self.true):
            return (fact("ensemble.no_points", "There is no query point to read members at."),)
        return (*self._nll_facts(), *self._accuracy_facts())

    def _nll_facts(self) -> Facts:
        m, comparable = len(self.true), self.comparable
        points = noun(m, "query point")
        n, able = int(comparable.sum()), np.isfinite(self.nll)
        if not n:
            if not able.any():
                template = (
                    "At none of {m:,} "
                    + points
                    + " do the two prototypes of its line together give the true "
                    "class any probability."
                )
                return (fact("ensemble.nll_impossible", template, m=m),)
            template = (
                "At each of {m:,} " + points + " at least one of the two prototypes alone gives "
                "the true class no probability, an infinite NLL; together they have {joint:.3f}"
                + ("." if able.all() else " at the {able:,} points where they give it any.")
            )
            joint = float(self.nll[able].mean())
            n_able = int(able.sum())
            return (fact("ensemble.nll_infinite", template, m=m, joint=joint, able=n_able),)
        joint, alone = float(self.nll[comparable].mean()), float(self.member_nll[comparable].mean())
        way = "equal to" if abs(joint - alone) <= _EQUAL else "below" if joint < alone else "above"
        of = f".{decimals_apart(joint, alone)}f"
        template = (
            f"Together the prototypes have an NLL of {{joint:{of}}}, {{way}} the {{alone:{of}}} "
            "that they have alone on average"
            + (
                "."
                if n == m
                else ", at the {n:,} of {m:,} query points to whose class both give something."
            )
        )
        values: dict[str, Any] = {"joint": joint, "alone": alone, "way": way, "n": n, "m": m}
        return (fact("ensemble.nll", template, **values),)

    def _accuracy_facts(self) -> Facts:
        joint = float(self.right.mean())
        left, right = (float(share) for share in self.member_right.mean(axis=0))
        points = noun(len(self.true), "query point")
        values = {"joint": joint, "left": left, "right": right, "m": len(self.true)}
        if abs(left - right) <= _EQUAL:
            template = (
                "Of {m:,} " + points + " they answer {joint:.0%} right together, and either alone "
                "{left:.0%}."
            )
            return (fact("ensemble.accuracy_alike", template, **values),)
        template = (
            "Of {m:,} " + points + " they answer {joint:.0%} right together, and the better of "
            "them alone {best:.0%}."
        )
        return (fact("ensemble.accuracy", template, best=max(left, right), **values),)

    def nothing_facts(self) -> Facts:
        """At how many points an NLL is infinite, so that no mean can have it.

        Nothing where it is so at all or none, which :meth:`facts` has said.
        """
        alone = np.isinf(self.member_nll).any(axis=1)
        if not alone.any() or not self.comparable.any():
            return ()
        joint = ", and at {joint:,} the two together. " if np.isinf(self.nll).any() else ". "
        template = (
            "At {share:.0%} of the query points ({alone:,} of {m:,}) at least one prototype alone "
            "gives the true class no probability" + joint + "An NLL is infinite there, and such "
            "points are left out of mean NLLs."
        )
        values = {
            "share": float(alone.mean()),
            "alone": int(alone.sum()),
            "joint": int(np.isinf(self.nll).sum()),
            "m": len(self.true),
        }
        return (fact("ensemble.nothing", template, **values),)

    def help_facts(self) -> Facts:
        """Whether disagreement goes with being right."""
        r, m = self.help, len(self.true)
        if m < _FEWEST:
            template = "Whether disagreement helps cannot be said of so few points: {m:,}."
            return (fact("ensemble.help_too_few", template, m=m),)
        if np.ptp(self.jsd) <= _EQUAL:
            template = (
                "Whether disagreement helps cannot be said: it is the same at all {m:,} points, "
                "{jsd:.3f} nats."
            )
            return (fact("ensemble.help_fixed", template, m=m, jsd=float(self.jsd[0])),)
        if np.isnan(r):
            how = "right" if self.right.all() else "wrong"
            template = (
                "Whether disagreement helps cannot be said: all {m:,} points are answered {how}."
            )
            return (fact("ensemble.help_all_alike", template, m=m, how=how),)
        values = {"r": r, "m": m}
        told = "its correlation with a right answer is {r:+.2f} over {m:,} points."
        if abs(r) < _HARDLY:
            template = "Disagreement hardly goes with being right or wrong: " + told
            return (fact("ensemble.help_hardly", template, **values),)
        how = "right" if r > 0 else "wrong"
        if abs(r) < _BY_CHANCE / np.sqrt(m):
            template = (
                "Disagreement goes with being {how} no more than chance may bring about: " + told
            )
            return (fact("ensemble.help_chance", template, how=how, **values),)
        much = "clearly" if abs(r) >= _CLEARLY else "somewhat"
        template = "Disagreement goes {much} with being {how}: " + told
        return (fact("ensemble.help", template, much=much, how=how, **values),)

    def divergence_facts(self) -> Facts:
        """The two quantities that are called Jensen–Shannon divergence, beside each other."""
        r = _correlation(self.jsd, self.paper_jsd)
        values = {
            "jsd": float(self.jsd.mean()),
            "most": float(np.log(2)),
            "members": 2,
            "paper": float(self.paper_jsd.mean()),
        }
        template = (
            "Disagreement is the Jensen–Shannon divergence of left and right, {jsd:.3f} nats on "
            "average (it cannot exceed {most:.3f}, ln {members}). The paper takes the mean of "
            "KL(f ‖ F) for it, {paper:.3f}, which also grows as F differs in sharpness from both"
        )
        if np.isnan(r):
            return (fact("ensemble.divergences", template + ".", **values),)
        template += ": over the points the correlation of the two is {r:+.2f}."
        return (fact("ensemble.divergences_correlate", template, r=r, **values),)

    def line_facts(self) -> Facts:
        """Where disagreement cannot vary from point to point, that it does not."""
        values = np.unique(self.jsd.round(9))
        if not self.is_mixture or not len(values):
            return ()
        template = (
            "Soft labels are the same for every point of a line, and so is disagreement: it has "
            "{n:,} value" + ("" if len(values) == 1 else "s") + " here."
        )
        return (fact("ensemble.disagreement_a_line", template, n=len(values)),)

    def vote_facts(self) -> Facts:
        """What all probabilities hang on where soft labels are constant; else nothing."""
        if not self.is_mixture or not len(self.true):
            return ()
        w = self.members.weight[:, 0]
        template = (
            "Soft labels being constant, probabilities depend on the line and on w alone, and w "
            "lies from {low:.2f} to {high:.2f} for all points."
        )
        values = {"low": float(w.min()), "high": float(w.max())}
        return (fact("ensemble.w_range", template, **values),)

    def point_facts(self, point: int) -> Facts:
        """What left, right and the two together answer of a point, and how they disagree."""
        joint, alone = self.members.joint[point], self.members.alone[point]
        names = class_names(self.classes)
        left, right = (names[k] for k in alone.argmax(axis=1))
        template = (
            "It is {true}. Alone the left prototype says {left}, the right one {right}; together "
            "they say {both}. Disagreement {jsd:.3f}, JSD as in the paper {paper:.3f}, H(F) "
            "{entropy:.3f} nats."
        )
        told = fact(
            "ensemble.point",
            template,
            point=point,
            true=names[self.true[point]],
            left=left,
            right=right,
            both=names[joint.argmax()],
            jsd=float(self.jsd[point]),
            paper=float(self.paper_jsd[point]),
            entropy=float(self.entropy[point]),
        )
        return (told,)

    @property
    def most_diverse(self) -> int:
        """A point where the two disagree most: the first of them."""
        return int((self.jsd >= self.jsd.max() - _EQUAL).argmax())

    def most_diverse_facts(self) -> Facts:
        """Why this point is shown; nothing where there is no other."""
        m, most = len(self.jsd), float(self.jsd.max())
        n = int((self.jsd >= most - _EQUAL).sum())
        values = {"point": self.most_diverse, "jsd": most, "n": n, "m": m}
        if m == 1:
            return ()
        if most <= _EQUAL:
            return (fact("ensemble.no_disagreement", "the two disagree nowhere", **values),)
        if n == m:
            template = "the first, as the two disagree equally at all {m:,} points"
            return (fact("ensemble.disagree_alike", template, **values),)
        if n == 1:
            return (fact("ensemble.most_diverse", "where the two disagree most", **values),)
        template = "the first of {n:,} points, of {m:,}, where the two disagree most"
        return (fact("ensemble.most_diverse_among", template, **values),)

    def decompositions(self) -> pd.DataFrame:
        """The three decompositions in the mean over the points.

        Returns
        -------
        DataFrame
            ``decomposition``, the ``points`` that it is over, ``total``, its ``diversity`` and
            ``members``, and what is ``left over`` of the formula; without the pool where F is a
            mixture.
        """
        m = len(self.true)
        rows: list[tuple[str, int, float, float, float, float]] = []
        for name, total, diversity, members in (
            (
                "the paper's: H(F) = JSD + E[H(f)], its JSD being mean KL(f ‖ F)",
                self.entropy.mean(),
                self.paper_jsd.mean(),
                self.member_entropy.mean(),
            ),
            (
                "mixture: H = Σ w KL(f ‖ mixture) + Σ w H(f)",
                self.mixture_entropy.mean(),
                self.mixture_diversity.mean(),
                self.mixture_member_entropy.mean(),
            ),
        ):
            rows.append((name, m, total, diversity, members, total - diversity - members))
        if (pool := self._pool_means()) is not None:
            n, total, diversity, members = pool
            name = "pool: NLL(F) = Σ α NLL(softmax(z / T)) − diversity"
            rows.append((name, n, total, diversity, members, total - members + diversity))
        columns = ["decomposition", "points", "total", "diversity", "members", "left over"]
        table = pd.DataFrame(rows, columns=columns)
        return table.assign(**{"left over": table["left over"].round(12) + 0.0})  # no minus zero

    def _pool_means(self) -> tuple[int, float, float, float] | None:
        """Points whose class their line can answer; NLL(F), diversity and Σ α NLL over these."""
        if self.pool_nll is None or self.pool_diversity is None:
            return None
        able = np.isfinite(self.pool_nll)
        parts = (self.nll[able], self.pool_diversity[able], self.pool_nll[able])
        total, diversity, members = (p.mean() if len(p) else np.nan for p in parts)
        return int(able.sum()), float(total), float(diversity), float(members)

    def identity_facts(self) -> tuple[Facts, ...]:
        """What each of the three decompositions says here, and the paper's entropy."""
        return (
            (*self._paper_identity(), *self._factor_facts()),
            self._mixture_identity(),
            self._pool_identity(),
        )

    def _paper_identity(self) -> Facts:
        left_over = float(np.abs(self.residual).mean())
        average = self.members.alone.mean(axis=1)
        gap = float(np.abs(self.members.joint - average).max())
        start = "H(F) = JSD + E[H(f)] holds where F is the plain average of its members. "
        if gap <= _EQUAL:
            template = start + "Here it is, and nothing is left over."
            return (fact("ensemble.paper_exact", template, gap=gap),)
        template = (
            start + "Here it is not: their probabilities differ by up to {gap:.3f}, and "
            "{left_over:.3f} nats are left over on average, in size."
        )
        return (fact("ensemble.paper_left_over", template, gap=gap, left_over=left_over),)

    def _factor_facts(self) -> Facts:
        k, entropy = len(self.classes), float(self.entropy.mean())
        template = (
            "The paper writes its entropy with a factor of one over the number of classes, {k:,}, "
            "and its divergence without: that factor is left out here, as the identity needs. With "
            "it the mean H(F) would be {scaled:.3f} rather than {entropy:.3f} nats."
        )
        values = {"k": k, "entropy": entropy, "scaled": entropy / k}
        return (fact("ensemble.paper_factor", template, **values),) if k > 1 else ()

    def _mixture_identity(self) -> Facts:
        gap = float(np.abs(self.mixture - self.members.joint).max())
        start = "H = Σ w KL(f ‖ mixture) + Σ w H(f) is exact for the mixture weighted by w, which "
        if gap <= _EQUAL:
            return (fact("ensemble.mixture_is_f", start + "is F itself here.", gap=gap),)
        template = start + "F is not here: their probabilities differ by up to {gap:.3f}."
        return (fact("ensemble.mixture_is_not_f", template, gap=gap),)

    def _pool_identity(self) -> Facts:
        pool = self._pool_means()
        if pool is None:
            template = (
                "NLL(F) = Σ α NLL(softmax(z / T)) − diversity is for log-linear pools of logits z, "
                "and soft labels are mixed here."
            )
            return (fact("ensemble.no_pool", template),)
        n, total, diversity, members = pool
        m = len(self.true)
        if not n:
            template = (
                "NLL(F) = Σ α NLL(softmax(z / T)) − diversity has nothing to say here: the true "
                "class can be answered on the line of none of the {m:,} points."
            )
            return (fact("ensemble.pool_barred", template, m=m),)
        template = (
            "NLL(F) = Σ α NLL(softmax(z / T)) − diversity is exact, F being the log-linear pool of "
            "its members at a common temperature: {total:.4f} = {members:.4f} − {diversity:.4f}"
            + ("." if n == m else ", over the {n:,} of {m:,} points whose line can answer them.")
            + " Diversity is never negative, and so can only lower NLL."
        )
        values = {"total": total, "members": members, "diversity": diversity, "n": n, "m": m}
        return (fact("ensemble.pool", template, **values),)

    def per_class(self) -> pd.DataFrame:
        """One row a class: its points, the accuracies, the NLLs and the divergences.

        NLLs are means over the class's ``NLL over`` points, at which all are finite.
        """
        rows = []
        for k, name in enumerate(self.classes):
            here = self.true == k
            if here.any():
                among = here & self.comparable
                rows.append(
                    {
                        "class": name,
                        "points": int(here.sum()),
                        "together": self.right[here].mean(),
                        "left alone": self.member_right[here, 0].mean(),
                        "right alone": self.member_right[here, 1].mean(),
                        "NLL over": int(among.sum()),
                        "NLL(F)": self.nll[among].mean() if among.any() else np.nan,
                        "mean NLL(f)": self.member_nll[among].mean() if among.any() else np.nan,
                        DISAGREEMENT: self.jsd[here].mean(),
                        PAPER_JSD: self.paper_jsd[here].mean(),
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
            ``right alone``, ``disagreement``.
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
                    DISAGREEMENT: self.jsd[part].mean(),
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
    """
    true = true_indices(model, X, y)
    names = tuple(str(c) for c in model.classes_)
    return EnsembleDiagnostics(names, true, read_members(model, X, temperature), temperature)


def nll(probability: np.ndarray, true: np.ndarray) -> np.ndarray:
    """(m,) −log of the true class's probability; infinite where that is 0.

    Parameters
    ----------
    probability : (m, K) array
    true : (m,) int array
    """
    with np.errstate(divide="ignore"):
        return -np.log(probability[np.arange(len(true)), true])


def _terms(alone: np.ndarray, mean: np.ndarray) -> np.ndarray:
    """Of KL(f ‖ mean); 0 where half of what f gives is too small for a float."""
    return np.where(mean > 0, rel_entr(alone, mean), 0.0)


def _correlation(a: np.ndarray, b: np.ndarray) -> float:
    """Pearson's; NaN for fewer than three points, or where either does not vary."""
    a, b = a.astype(np.float64), b.astype(np.float64)
    if len(a) < _FEWEST or np.ptp(a) <= _EQUAL or np.ptp(b) <= _EQUAL:
        return float("nan")
    return float(pearsonr(a, b).statistic)
