"""The Ensemble page: two prototypes as the members of an ensemble, and calibration.

Members are made anew from soft labels or logits, distances and lines, one point at a time;
divergences correlations are SciPy's.
"""

from functools import cached_property
from itertools import pairwise

import numpy as np
import pandas as pd
from facts_book import Saying, check, near, subject
from scipy.spatial.distance import jensenshannon
from scipy.special import log_softmax
from scipy.stats import pearsonr

from slp_core.diagnostics import calibration, ensemble_diagnostics, out_of_distribution
from slp_core.diagnostics.members import NOTHING, members_facts
from slp_core.figures.ensemble import AccuracyAlongDisplay
from slp_core.methods.protocols import has_members

LOOSE = 1e-6  # of logits divided by distances that differ in their last digits
READ = 3  # points whose sentence is checked


@subject
def ensemble(case):
    rng = np.random.default_rng(case.seed)
    told = members_facts(case.model, "The method")
    if not has_members(case.model) or case.seed % 3 == 0:
        yield Saying(told, {"both": None})
        return
    temperature = str(rng.choice(["none", "distance"]))
    true = np.array(case.classes)[case.true]
    read = ensemble_diagnostics(case.model, case.X, true, temperature)
    both = Both(case, temperature)
    yield Saying(told, {"both": both})
    if not len(case.X):
        yield Saying(read.facts(), {"both": both})
        return
    points = rng.permutation(len(case.X))[:READ]
    said = (
        *read.facts(),
        *read.nothing_facts(),
        *read.help_facts(),
        *read.divergence_facts(),
        *read.line_facts(),
        *read.vote_facts(),
        *read.most_diverse_facts(),
        *(fact for facts in read.identity_facts() for fact in facts),
        *(fact for point in points for fact in read.point_facts(int(point))),
    )
    yield Saying(said, {"both": both})
    what = str(rng.choice(["w", "distance"]))
    yield Saying(AccuracyAlongDisplay(read.along(what), what).facts())


@subject
def trust(case):
    judged = calibration(case.probability, case.true)
    yield Saying((*judged.facts(), *judged.bin_facts()))
    if case.seed % 4:
        return  # scikit-learn's area under the curve takes its time
    half = len(case.X) // 2
    inside, outside = case.probability[:half], case.probability[half:]
    apart = out_of_distribution(inside, outside)
    context = {"inside": inside, "outside": outside}
    yield Saying((*apart.facts_beside("elsewhere"), *apart.spread_facts()), context)


class Both:
    """Left, right and the two together, from their definitions."""

    def __init__(self, case, temperature):
        model, self.mixture = case.model, hasattr(case.model, "soft_labels_")
        self.true = case.true
        self.alone, self.joint, self.w, self.log_pooled, self.line = [], [], [], [], []
        unit = 1.0 if self.mixture else model.scale_
        self.log_alone, self.log_joint = [], []
        lines = model.place(case.X).line.tolist() if len(case.X) else ()
        logits = () if self.mixture or not len(case.X) else model.logits(case.X)
        for i, (x, line) in enumerate(zip(case.X, lines, strict=True)):
            d = distances_to(model, x, line)
            w = d[1] / (d[0] + d[1])
            if self.mixture:
                labels = model.soft_labels_[line]
                alone, joint = labels, w * labels[0] + (1 - w) * labels[1]
                given = [np.where(p < NOTHING, 0.0, p) for p in labels]
                with np.errstate(divide="ignore"):
                    logs = [np.log(p) for p in (*given, w * given[0] + (1 - w) * given[1])]
                self.log_pooled.append(None)
            else:
                z = logits[i]
                voted = [z[side] / (d[side] / unit) for side in (0, 1)]
                own = z if temperature == "none" else voted
                logs = [log_softmax(own[0]), log_softmax(own[1]), log_softmax(voted[0] + voted[1])]
                cold = unit / d[0] + unit / d[1]
                self.log_pooled.append([log_softmax(cold * z[0]), log_softmax(cold * z[1])])
                alone, joint = np.exp(logs[:2]), np.exp(logs[2])
            self.log_alone.append(logs[:2])
            self.log_joint.append(logs[2])
            self.alone.append(alone)
            self.joint.append(joint)
            self.w.append(w)
            self.line.append(line)

    @cached_property
    def jsd(self):
        # Half of the smallest float is none, and SciPy takes the root of a rounded −0.
        pairs = [np.where(pair < 1e-300, 0.0, pair) for pair in self.alone]
        with np.errstate(invalid="ignore"):
            found = [jensenshannon(left, right) ** 2 for left, right in pairs]
        return np.nan_to_num(np.array(found))

    @cached_property
    def kl(self):
        """The mean of KL(f ‖ F) at each point."""
        found = []
        for i, alone in enumerate(self.alone):
            total = 0.0
            for side, f in enumerate(alone):
                some = f > 0
                if self.mixture:
                    apart = np.log(f[some] / self.joint[i][some])
                else:
                    apart = self.log_alone[i][side][some] - self.log_joint[i][some]
                total += float((f[some] * apart).sum())
            found.append(total / 2)
        return np.array(found)

    @cached_property
    def nlls(self):
        """(m, 3): left, right, together."""
        every = zip(self.log_alone, self.log_joint, self.true, strict=True)
        return np.array([[-one[0][c], -one[1][c], -joint[c]] for one, joint, c in every])


def entropy(p, q=None):
    """H(p), or KL(p ‖ q), over the classes that p gives something."""
    some = np.asarray(p) > 0
    p = np.asarray(p)[some]
    if q is None:
        return float(-(p * np.log(p)).sum())
    with np.errstate(divide="ignore"):  # q gives nothing to what p gives something: KL is infinite
        return float((p * np.log(p / q[some])).sum())


def distances_to(model, x, line):
    left, right = model.prototypes_[line]
    if model.distance == "along_line":
        length = np.linalg.norm(right - left)
        foot = (
            0.0 if length == 0 else float(np.clip((x - left) @ (right - left) / length, 0, length))
        )
        found = foot, length - foot
    else:
        found = np.linalg.norm(x - left), np.linalg.norm(x - right)
    return [max(d, model._floor) for d in found]


def share(flags):
    return sum(map(bool, flags)) / len(flags)


def right_share(probability, true):
    """Bounds of an accuracy, where rounding may decide between classes that tie."""
    sure = [
        p[c] > np.delete(p, c).max(initial=-1) + 1e-9
        for p, c in zip(probability, true, strict=True)
    ]
    can = [p[c] >= p.max() - 1e-9 for p, c in zip(probability, true, strict=True)]
    return share(sure), share(can)


def within(value, bounds):
    assert bounds[0] - 1e-9 <= value <= bounds[1] + 1e-9, (value, bounds)


@check("members.mixture", "members.pool")
def _(fact, case, both):
    both = both or Both(case, "none")
    assert both.mixture == (fact.kind == "members.mixture")
    if len(case.X):
        np.testing.assert_allclose(case.probability, both.joint, atol=LOOSE)


@check("members.not_combined")
def _(fact, case, both):
    assert fact["method"] == "The method"
    assert hasattr(case.model, "lines_")
    for x, p in zip(case.X, case.probability, strict=True):
        away = np.array([-np.linalg.norm(x - centroid) for centroid in case.centroids])
        np.testing.assert_allclose(p, np.exp(log_softmax(away)), atol=LOOSE)


@check("members.no_prototypes")
def _(fact, case, both):
    assert not hasattr(case.model, "prototypes_")


@check("ensemble.no_points")
def _(fact, case, both):
    assert len(case.X) == 0


@check("ensemble.nll")
def _(fact, case, both):
    nlls = both.nlls
    nlls = nlls[np.isfinite(nlls).all(axis=1)]
    joint, alone = nlls[:, 2].mean(), nlls[:, :2].mean()
    assert (fact["n"], fact["m"]) == (len(nlls), len(case.X))
    assert ("both give something" in fact.template) == (len(nlls) < len(case.X))
    assert near(fact["joint"], joint, LOOSE)
    assert near(fact["alone"], alone, LOOSE)
    ways = {"below": joint < alone, "above": joint > alone}
    assert ways.get(fact["way"], False) or near(joint, alone, LOOSE)
    assert fact["way"] != "equal to" or near(joint, alone, LOOSE)


@check("ensemble.nll_infinite")
def _(fact, case, both):
    nlls = both.nlls
    assert np.isinf(nlls[:, :2]).any(axis=1).all()
    finite = nlls[np.isfinite(nlls[:, 2]), 2]
    assert (fact["m"], fact["able"]) == (len(nlls), len(finite))
    assert near(fact["joint"], finite.mean(), LOOSE)
    assert ("where they give" in fact.template) == (len(finite) < len(nlls))


@check("ensemble.nll_impossible")
def _(fact, case, both):
    assert fact["m"] == len(case.X)
    assert np.isinf(both.nlls[:, 2]).all()


@check("ensemble.nothing")
def _(fact, case, both):
    lost = np.isinf(both.nlls)
    assert fact["alone"] == sum(lost[:, 0] | lost[:, 1]) > 0
    assert fact["joint"] == sum(lost[:, 2])
    assert ("the two together" in fact.template) == lost[:, 2].any()
    assert (fact["m"], fact["share"]) == (len(lost), fact["alone"] / len(lost))


@check("ensemble.accuracy", "ensemble.accuracy_alike")
def _(fact, case, both):
    assert fact["m"] == len(case.X)
    within(fact["joint"], right_share(both.joint, case.true))
    for side, name in enumerate(("left", "right")):
        within(fact[name], right_share([alone[side] for alone in both.alone], case.true))
    if fact.kind == "ensemble.accuracy":
        assert fact["best"] == max(fact["left"], fact["right"]) > min(fact["left"], fact["right"])
    else:
        assert near(fact["left"], fact["right"])


def right(case):
    return (case.predicted == case.true).astype(float)


@check("ensemble.help_too_few")
def _(fact, case, both):
    assert fact["m"] == len(case.X) < 3


@check("ensemble.help_fixed")
def _(fact, case, both):
    assert fact["m"] == len(case.X) > 2
    assert max(abs(both.jsd - fact["jsd"])) < LOOSE


@check("ensemble.help_all_alike")
def _(fact, case, both):
    assert fact["m"] == len(case.X)
    assert set(right(case)) == {float(fact["how"] == "right")}


@check("ensemble.help", "ensemble.help_hardly", "ensemble.help_chance")
def _(fact, case, both):
    m, jsd = len(case.X), both.jsd
    assert fact["m"] == m
    if np.ptp(jsd) > 1e-5:  # else rounding has its part in the correlation
        assert near(fact["r"], pearsonr(jsd, right(case)).statistic, 1e-3)
    strength = abs(fact["r"])
    assert (strength < 0.1) == (fact.kind == "ensemble.help_hardly")
    if strength >= 0.1:
        assert fact["how"] == ("right" if fact["r"] > 0 else "wrong")
        assert (strength * m**0.5 < 1.96) == (fact.kind == "ensemble.help_chance")
    if fact.kind == "ensemble.help":
        assert fact["much"] == ("clearly" if strength >= 0.3 else "somewhat")


@check("ensemble.divergences", "ensemble.divergences_correlate")
def _(fact, case, both):
    jsd, kl = both.jsd, both.kl
    assert near(fact["jsd"], jsd.mean(), LOOSE)
    assert near(fact["paper"], kl.mean(), 1e-5)
    assert near(fact["most"], np.log(fact["members"]))
    assert (jsd <= np.log(2) + 1e-9).all()
    if fact.kind == "ensemble.divergences_correlate" and min(np.ptp(jsd), np.ptp(kl)) > 1e-5:
        assert near(fact["r"], pearsonr(jsd, kl).statistic, 1e-3)
    if fact.kind == "ensemble.divergences":
        assert len(jsd) < 3 or min(np.ptp(jsd), np.ptp(kl)) < 1e-8


@check("ensemble.disagreement_a_line")
def _(fact, case, both):
    assert both.mixture
    a_line = dict(zip(both.line, both.jsd, strict=True))
    for line, jsd in zip(both.line, both.jsd, strict=True):
        assert near(jsd, a_line[line], LOOSE)
    assert fact["n"] <= len(a_line)
    apart = np.sort(list(a_line.values()))
    assert fact["n"] >= 1 + int((np.diff(apart) > LOOSE).sum())


@check("ensemble.w_range")
def _(fact, case, both):
    assert both.mixture
    assert near(fact["low"], min(both.w), LOOSE)
    assert near(fact["high"], max(both.w), LOOSE)


@check("ensemble.point")
def _(fact, case, both):
    i = fact["point"]
    assert fact["true"] == case.classes[case.true[i]]
    for name, p in zip(("left", "right", "both"), (*both.alone[i], both.joint[i]), strict=True):
        assert p[case.classes.index(fact[name])] >= max(p) - 1e-7
    assert near(fact["jsd"], both.jsd[i], LOOSE)
    assert near(fact["paper"], both.kl[i], 1e-5)
    assert near(fact["entropy"], entropy(both.joint[i]), LOOSE)


@check("ensemble.no_disagreement")
def _(fact, case, both):
    assert both.jsd.max() < LOOSE
    assert fact["m"] == len(both.jsd) > 1


@check("ensemble.most_diverse", "ensemble.most_diverse_among", "ensemble.disagree_alike")
def _(fact, case, both):
    jsd, n = both.jsd, fact["n"]
    assert jsd[fact["point"]] >= jsd.max() - LOOSE
    assert (jsd[: fact["point"]] < jsd.max() - 1e-10).all()  # it is the first of them
    assert (jsd > jsd.max() - 1e-10).sum() <= n <= (jsd > jsd.max() - 1e-7).sum()
    assert n <= fact["m"] == len(jsd) > 1
    assert (fact.kind == "ensemble.most_diverse") == (n == 1)
    assert (fact.kind == "ensemble.disagree_alike") == (n == fact["m"])


@check("ensemble.paper_exact", "ensemble.paper_left_over")
def _(fact, case, both):
    h = np.array([entropy(p) for p in both.joint])
    members = np.array([np.mean([entropy(f) for f in alone]) for alone in both.alone])
    left_over = abs(h - both.kl - members).mean()
    average = [(alone[0] + alone[1]) / 2 for alone in both.alone]
    gap = max(abs(f - a).max() for f, a in zip(both.joint, average, strict=True))
    assert near(fact["gap"], gap, LOOSE)
    if fact.kind == "ensemble.paper_exact":
        assert max(gap, left_over) < 1e-5
    else:
        assert near(fact["left_over"], left_over, 1e-5)
        assert gap > 0


@check("ensemble.paper_factor")
def _(fact, case, both):
    h = np.mean([entropy(p) for p in both.joint])
    assert fact["k"] == len(case.classes) > 1
    assert near(fact["entropy"], h, LOOSE)
    assert near(fact["scaled"], h / fact["k"], LOOSE)


@check("ensemble.mixture_is_f", "ensemble.mixture_is_not_f")
def _(fact, case, both):
    gap, parts = 0.0, 0.0
    for w, alone, joint in zip(both.w, both.alone, both.joint, strict=True):
        mixture = w * alone[0] + (1 - w) * alone[1]
        gap = max(gap, abs(mixture - joint).max())
        parts = sum(
            share * (entropy(f, mixture) + entropy(f))
            for share, f in zip((w, 1 - w), alone, strict=True)
            if share > 1e-9
        )
        assert near(entropy(mixture), parts, LOOSE)  # it is exact
    assert near(fact["gap"], gap, LOOSE)
    assert (gap < LOOSE) or fact.kind == "ensemble.mixture_is_not_f"
    if both.mixture:
        assert fact.kind == "ensemble.mixture_is_f"


@check("ensemble.no_pool")
def _(fact, case, both):
    assert both.mixture


def pool_parts(case, both):
    """NLL(F), Σ α NLL and diversity of each point whose line can answer it."""
    for i, c in enumerate(case.true):
        w, logs = both.w[i], both.log_pooled[i]
        if np.isinf(logs[0][c]):
            continue
        able = np.isfinite(logs[0])
        powers = w * logs[0][able] + (1 - w) * logs[1][able]
        top = powers.max()
        diversity = -(top + np.log(sum(np.exp(powers - top))))
        yield -both.log_joint[i][c], -w * logs[0][c] - (1 - w) * logs[1][c], diversity


@check("ensemble.pool")
def _(fact, case, both):
    parts = np.array(list(pool_parts(case, both)))
    assert (fact["n"], fact["m"]) == (len(parts), len(case.X))
    assert ("can answer" in fact.template) == (len(parts) < len(case.X))
    for name, column in zip(("total", "members", "diversity"), parts.T, strict=True):
        assert near(fact[name], column.mean(), 1e-5), name
    assert (parts[:, 2] > -1e-6).all()
    assert near(fact["total"], fact["members"] - fact["diversity"], LOOSE)


@check("ensemble.pool_barred")
def _(fact, case, both):
    assert not list(pool_parts(case, both))
    assert fact["m"] == len(case.X)


@check("ensemble.bins", "ensemble.one_bin")
def _(fact, case):
    m, bins = len(case.X), fact["bins"]
    assert fact["n"] == m
    assert bins == max(1, min(8, m // 5))
    if fact.kind == "ensemble.bins":
        assert bins > 1
        assert fact["fewest"] == m // bins
    else:
        assert bins == 1


def sureness(case):
    return [max(row) for row in case.probability]


@check("calibration.no_points")
def _(fact, case):
    assert len(case.X) == 0


@check("calibration.mean")
def _(fact, case):
    sure, m = sureness(case), len(case.X)
    hits = [a == b for a, b in zip(case.predicted, case.true, strict=True)]
    assert fact["n"] == m
    assert near(fact["sure"], sum(sure) / m)
    assert near(fact["right"], share(hits))
    gap = sum(sure) / m - share(hits)
    if abs(abs(gap) - 0.005) > 1e-9:
        expected = "as sure as it should be" if abs(gap) <= 0.005 else "too sure"
        assert fact["way"] == ("not sure enough" if gap < -0.005 else expected)
    error, edges = 0.0, np.linspace(0, 1, 11)
    for low, high in pairwise(edges):
        inside = [i for i in range(m) if low < round(sure[i], 12) <= high]
        if inside:
            gap = np.mean([sure[i] for i in inside]) - share([hits[i] for i in inside])
            error += len(inside) / m * abs(gap)
    assert near(fact["ece"], error, 1e-8)


@check("calibration.one_confidence")
def _(fact, case):
    assert np.ptp(sureness(case)) < 2e-9


@check("calibration.surest")
def _(fact, case):
    sure = np.array(sureness(case))
    kept = sure.round(9) >= fact["least"] - 1e-10  # what differs in later digits is equal
    assert np.ptp(sure) > 0
    assert fact["kept"] == kept.sum() >= len(sure) / 2
    assert ("answers" in str(fact)) == (kept.sum() > 1)
    assert "answers" in str(fact) or ("right" in str(fact)) == (fact["right"] == 1)
    assert near(sure[kept].min(), fact["least"], 1e-8)
    surer = sure.round(9) > fact["least"] + 1e-10
    assert surer.sum() < len(sure) / 2
    assert near(fact["right"], share((case.predicted == case.true)[kept]))


@check("calibration.one_bar", "calibration.one_bar_equal")
def _(fact, case):
    sure = sureness(case)
    low, high = min(sure), max(sure)
    assert len(sure) > 1
    assert np.ceil(round(10 * low, 9)) == np.ceil(round(10 * high, 9))
    assert near(fact["low"], low, 1e-8)
    if fact.kind == "calibration.one_bar":
        assert near(fact["high"], high, 1e-8)
        assert high > low
    else:
        assert high - low < 2e-9


@check("ood.no_points")
def _(fact, case, inside, outside):
    assert not (len(inside) and len(outside))


def entropies(inside, outside):
    return [entropy(p) for p in inside], [entropy(p) for p in outside]


@check("ood.same", "ood.narrow")
def _(fact, case, inside, outside):
    both = np.concatenate(entropies(inside, outside))
    assert near(fact["low"], both.min(), 1e-8)
    assert near(fact["high"], both.max(), 1e-8)
    assert np.ptp(both) < (4e-9 if fact.kind == "ood.same" else 0.05 + 1e-8)


@check("ood.auroc")
def _(fact, case, inside, outside):
    here, there = entropies(inside, outside)
    gaps = [b - a for a in here for b in there]
    least, most = (share([gap > bound for gap in gaps]) for bound in (3e-9, -3e-9))
    within(fact["auroc"], (least, most))
    if not any(0 < abs(gap) < 3e-9 for gap in gaps):
        ties = share([gap == 0 for gap in gaps])
        assert near(fact["auroc"], least + ties / 2)
    assert near(fact["inside"], np.mean(here), 1e-8)
    assert near(fact["outside"], np.mean(there), 1e-8)
    assert fact["chance"] == 0.5
    assert fact["elsewhere"] == "elsewhere"


# Draws are not of one case: test_facts_draws makes tables of them and gives them to these.


@check("ensemble_draws.nll", "ensemble_draws.nll_where_finite")
def _(fact, case, rows, **_):
    able = [row for row in rows if row["mean NLL(f)"] < float("inf")]
    assert fact["n"] == len(able)
    assert ("with a query point" in fact.template) == (len(able) < len(rows))
    assert fact["below"] == sum(row["NLL(F)"] < row["mean NLL(f)"] for row in able)
    for name, column in (("joint", "NLL(F)"), ("alone", "mean NLL(f)")):
        assert near(fact[name], sum(row[column] for row in able) / len(able))
    shares = [row["NLL over"] for row in able]
    assert (min(shares) == 1) == (fact.kind == "ensemble_draws.nll")
    if min(shares) < 1:
        assert near(fact["share"], sum(shares) / len(shares))


@check("ensemble_draws.nll_left_out")
def _(fact, case, rows, **_):
    infinite = sum(row["mean NLL(f)"] == float("inf") for row in rows)
    assert (fact["left_out"], fact["n"]) == (infinite, len(rows))
    assert 0 < infinite < len(rows)


@check("ensemble_draws.nll_infinite")
def _(fact, case, rows, **_):
    assert fact["n"] == len(rows)
    assert not any(row["mean NLL(f)"] < float("inf") for row in rows)


@check("ensemble_draws.entropy")
def _(fact, case, rows, single, **_):
    assert (fact["n"], fact["single"]) == (len(rows), single)
    assert fact["above"] == sum(row["H(F)"] > row["single entropy"] for row in rows)
    for name, column in (("entropy", "H(F)"), ("single_entropy", "single entropy")):
        assert near(fact[name], sum(row[column] for row in rows) / len(rows))


@check("ensemble_draws.larger_part", "ensemble_draws.equal_parts")
def _(fact, case, rows, **_):
    jsd, members = (pd.DataFrame(rows)[c].mean() for c in ("JSD as in the paper", "mean H(f)"))
    assert near(fact["jsd"], jsd)
    assert near(fact["members"], members)
    if fact.kind == "ensemble_draws.larger_part":
        assert ("JSD" in fact["larger"]) == (jsd > members)
        assert jsd != members
    else:
        assert jsd == members


@check("ensemble_draws.made_of")
def _(fact, case, rows, single, shots, **_):
    assert (fact["n"], fact["shots"], fact["single"]) == (len(rows), shots, single)
