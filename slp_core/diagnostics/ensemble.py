"""A soft-label prototype classifier read as an ensemble of two: what disagreement is, and does."""

from __future__ import annotations

from typing import Any

import numpy as np

from slp_core.diagnostics.ensemble_quantities import (
    EQUAL,
    FEWEST,
    EnsembleQuantities,
    correlation,
)
from slp_core.diagnostics.members import Temperature, read_members
from slp_core.facts import Facts, Stated, class_names, decimals_apart, fact, noun
from slp_core.methods.protocols import HasProbabilities
from slp_core.methods.tables import true_indices

_HARDLY, _CLEARLY = 0.1, 0.3  # correlations
_BY_CHANCE = 1.96  # √m · |correlation| of what does not go together, in 19 of 20 samples


class EnsembleDiagnostics(EnsembleQuantities, Stated):
    """The quantities of the paper's appendix on ensembles, and what they come to in words."""

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
        way = "equal to" if abs(joint - alone) <= EQUAL else "below" if joint < alone else "above"
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
        if abs(left - right) <= EQUAL:
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
        """At how many points an NLL is infinite, so that no mean can have it."""
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
        if m < FEWEST:
            template = "Whether disagreement helps cannot be said of so few points: {m:,}."
            return (fact("ensemble.help_too_few", template, m=m),)
        if np.ptp(self.jsd) <= EQUAL:
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
        if not len(self.true):
            return ()
        r = correlation(self.jsd, self.paper_jsd)
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

    def most_diverse_facts(self) -> Facts:
        """Why this point is shown; nothing where there is no other, or none at all."""
        m = len(self.jsd)
        if m <= 1:
            return ()
        most = float(self.jsd.max())
        n = int((self.jsd >= most - EQUAL).sum())
        values = {"point": self.most_diverse, "jsd": most, "n": n, "m": m}
        if most <= EQUAL:
            return (fact("ensemble.no_disagreement", "the two disagree nowhere", **values),)
        if n == m:
            template = "the first, as the two disagree equally at all {m:,} points"
            return (fact("ensemble.disagree_alike", template, **values),)
        if n == 1:
            return (fact("ensemble.most_diverse", "where the two disagree most", **values),)
        template = "the first of {n:,} points, of {m:,}, where the two disagree most"
        return (fact("ensemble.most_diverse_among", template, **values),)

    def identity_facts(self) -> tuple[Facts, ...]:
        """What each of the three decompositions says here, and the paper's entropy."""
        if not len(self.true):
            return ()
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
        if gap <= EQUAL:
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
        if gap <= EQUAL:
            return (fact("ensemble.mixture_is_f", start + "is F itself here.", gap=gap),)
        template = start + "F is not here: their probabilities differ by up to {gap:.3f}."
        return (fact("ensemble.mixture_is_not_f", template, gap=gap),)

    def _pool_identity(self) -> Facts:
        pool = self.pool_means()
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
