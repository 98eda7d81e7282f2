"""Ensemble quantities and calibration of random problems, made anew one example at a time."""

from itertools import pairwise

import numpy as np
import pytest
from facts_cases import random_case
from scipy.spatial.distance import jensenshannon
from scipy.special import log_softmax

from slp_core.diagnostics.calibration import calibration, out_of_distribution
from slp_core.diagnostics.ensemble import ensemble_diagnostics
from slp_core.diagnostics.members import NOTHING
from slp_core.methods.protocols import HasMembers

LOOSE = 1e-6  # of logits divided by distances that differ in their last digits
CASES, PARTS = 60, 3


def distances_to(model, x, line):
    a, b = model.prototypes_[line]
    if model.distance == "along_line":
        length = np.linalg.norm(b - a)
        foot = 0.0 if length == 0 else float(np.clip((x - a) @ (b - a) / length, 0, length))
        found = foot, length - foot
    else:
        found = np.linalg.norm(x - a), np.linalg.norm(x - b)
    return [max(d, model._floor) for d in found]


class Example:
    """A, B and both at one example, from their definitions."""

    def __init__(self, model, x, line, logits, temperature):
        self.d = distances_to(model, x, line)
        self.w = self.d[1] / sum(self.d)
        self.pooled = None
        if logits is None:
            labels = model.soft_labels_[line]
            given = [np.where(p < NOTHING, 0.0, p) for p in labels]
            with np.errstate(divide="ignore"):
                self.logs = [np.log(p) for p in (*given, self.mix(given))]
            self.alone, self.joint = labels, self.mix(labels)
            return
        cold = [model.scale_ / d for d in self.d]
        scores = [z * c for z, c in zip(logits, cold, strict=True)]
        own = logits if temperature == "none" else scores
        self.logs = [log_softmax(own[0]), log_softmax(own[1]), log_softmax(scores[0] + scores[1])]
        self.pooled = [log_softmax(sum(cold) * z) for z in logits]
        self.alone, self.joint = np.exp(self.logs[:2]), np.exp(self.logs[2])

    def mix(self, members):
        return self.w * members[0] + (1 - self.w) * members[1]

    def kl_to_joint(self, side):
        some = self.alone[side] > 0
        if self.pooled is None:
            apart = np.log(self.alone[side][some] / self.joint[some])
        else:
            apart = self.logs[side][some] - self.logs[2][some]
        return float((self.alone[side][some] * apart).sum())


def entropy(p):
    p = np.asarray(p)[np.asarray(p) > 0]
    return float(-(p * np.log(p)).sum())


def read(case, temperature):
    model = case.model
    lines = model.place(case.X).line.tolist()
    local = not hasattr(model, "soft_labels_")
    logits = model.logits(case.X) if local else [None] * len(lines)
    each = [Example(model, *one, temperature) for one in zip(case.X, lines, logits, strict=True)]
    true = np.array(case.classes)[case.true]
    return each, ensemble_diagnostics(model, case.X, true, temperature)


def near(found, expected, tolerance=LOOSE):
    np.testing.assert_allclose(found, expected, rtol=tolerance, atol=tolerance)


def is_correct(p, true):
    """Whether the prediction is correct; None where rounding may decide."""
    others = np.delete(p, true)
    apart = p[true] - others.max(initial=-1)
    return None if abs(apart) < LOOSE else apart > 0


def check_accuracy(found, flags):
    """An accuracy lies between the shares that are correct for sure, and that may be."""
    sure = np.mean([flag is True or flag == 1 for flag in flags])
    may = np.mean([flag is None or bool(flag) for flag in flags])
    assert sure - 1e-9 <= found <= may + 1e-9


def check_members(each, found):
    for side in (0, 1):
        near(found.members.alone[:, side], [one.alone[side] for one in each])
    near(found.members.joint, [one.joint for one in each])
    near(found.members.weight, [[one.w, 1 - one.w] for one in each])
    near(found.members.distance, [min(one.d) for one in each])
    near(found.member_confidence, [[max(p) for p in one.alone] for one in each])
    pairs = [np.where(one.alone < 1e-300, 0.0, one.alone) for one in each]
    with np.errstate(invalid="ignore"):  # SciPy's root of a rounded −0
        jsd = np.nan_to_num([jensenshannon(a, b) ** 2 for a, b in pairs])
    near(found.jsd, jsd)
    kl = [np.mean([one.kl_to_joint(side) for side in (0, 1)]) for one in each]
    near(found.paper_jsd, kl, 1e-5)
    near(found.entropy, [entropy(one.joint) for one in each])
    near(found.residual, found.entropy - kl - [np.mean([*map(entropy, o.alone)]) for o in each])
    average = max(abs(one.joint - (one.alone[0] + one.alone[1]) / 2).max() for one in each)
    mixture = max(abs(one.joint - one.mix(one.alone)).max() for one in each)
    near((found.average_gap, found.mixture_gap), (average, mixture))
    assert found.is_mixture == (each[0].pooled is None)
    if found.is_mixture:
        assert mixture < LOOSE
    near(found.mixture_entropy, found.mixture_diversity + found.mixture_member_entropy)


def nlls_of(each, true):
    """(m, 3) of A, B and both."""
    return np.array([[-log[c] for log in one.logs] for one, c in zip(each, true, strict=True)])


def check_nlls(case, each, found):
    nlls = nlls_of(each, case.true)
    near(np.column_stack([found.member_nll, found.nll]), nlls)
    assert found.comparable.tolist() == np.isfinite(nlls).all(axis=1).tolist()
    table = found.decompositions()
    assert (len(table) == 2) == found.is_mixture
    if found.is_mixture:
        return
    pool = table.iloc[2][["examples", "total", "diversity", "members"]].tolist()
    parts = []
    for one, c in zip(each, case.true, strict=True):
        if np.isinf(one.pooled[0][c]):
            continue
        able = np.isfinite(one.pooled[0])
        powers = one.w * one.pooled[0][able] + (1 - one.w) * one.pooled[1][able]
        diversity = -(powers.max() + np.log(np.exp(powers - powers.max()).sum()))
        parts.append((-one.logs[2][c], diversity, -one.mix([logs[c] for logs in one.pooled])))
    assert pool[0] == len(parts)
    if parts:
        near(pool[1:], np.mean(parts, axis=0), 1e-5)
        assert pool[2] > -1e-6
        near(pool[1], pool[3] - pool[2], 1e-5)


def flags_of(case, each):
    """Of both, A and B at each example whether it is correct, by column name."""
    columns = {"together": lambda one: one.joint}
    columns |= {"A alone": lambda one: one.alone[0], "B alone": lambda one: one.alone[1]}
    return {
        name: [is_correct(p(one), c) for one, c in zip(each, case.true, strict=True)]
        for name, p in columns.items()
    }


def check_tables(case, each, found):
    flags = flags_of(case, each)
    for share, name in zip(found.member_correct.mean(axis=0), ("A alone", "B alone"), strict=True):
        check_accuracy(share, flags[name])
    check_accuracy(found.correct.mean(), flags["together"])
    summary = found.summary()
    for who, name in (("F", "together"), ("A", "A alone"), ("B", "B alone")):
        check_accuracy(summary[f"accuracy of {who}"], flags[name])

    nlls = nlls_of(each, case.true)
    table = found.per_class().set_index("class")
    assert list(table.index) == [c for k, c in enumerate(case.classes) if k in set(case.true)]
    for name, row in table.iterrows():
        here = np.flatnonzero(case.true == case.classes.index(name))
        finite = [i for i in here if np.isfinite(nlls[i]).all()]
        assert (row["examples"], row["NLL over"]) == (len(here), len(finite))
        for column, values in flags.items():
            check_accuracy(row[column], [values[i] for i in here])
        near(row["disagreement"], found.jsd[here].mean())
        if finite:
            near(
                (row["NLL(F)"], row["mean NLL(f)"]),
                (nlls[finite, 2].mean(), nlls[finite, :2].mean()),
            )
        else:
            assert np.isnan(row["NLL(F)"])

    for what, values in (
        ("w", [one.w for one in each]),
        ("distance", [min(one.d) for one in each]),
    ):
        bins = found.along(what)
        assert len(bins) == max(1, min(8, len(each) // 5))
        counts = bins["examples"].tolist()
        assert sum(counts) == len(each)
        assert max(counts) - min(counts) <= 1
        order = np.argsort(values, kind="stable")
        for part, row in zip(np.array_split(order, len(bins)), bins.itertuples(), strict=True):
            near(row.middle, np.median([values[i] for i in part]))
        if np.diff(np.sort(values)).min(initial=1) > LOOSE:  # else which bin is chance
            for part, row in zip(
                np.array_split(order, len(bins)), bins.to_dict("records"), strict=True
            ):
                for column, known in flags.items():
                    check_accuracy(row[column], [known[i] for i in part])


def check_disagreement(found):
    most = found.jsd.max()
    assert found.jsd[found.most_diverse] >= most - LOOSE
    assert (found.jsd[: found.most_diverse] < most - 1e-10).all()
    n = found.at_most_diverse.sum()
    assert (found.jsd > most - 1e-10).sum() <= n <= (found.jsd > most - 1e-7).sum()
    m, varies = len(found.jsd), np.ptp(found.jsd) > 1e-5
    if m > 2 and varies and 0 < found.correct.sum() < m:
        expected = np.corrcoef(found.jsd, found.correct)[0, 1]
        assert found.correlation == pytest.approx(expected, abs=1e-3)
        assert found.correlation_is_clear == (abs(found.correlation) * m**0.5 >= 1.96)
    if m < 3 or found.correct.all() or not found.correct.any():
        assert np.isnan(found.correlation)


@pytest.mark.parametrize("part", range(PARTS))
def test_an_ensemble_is_what_its_definitions_say(part):
    seen = set()
    for seed in range(3 * part, 3 * CASES, 3 * PARTS):
        case = random_case(seed)
        if not len(case.X) or not isinstance(case.model, HasMembers):
            continue
        temperature = ("none", "distance")[seed % 2]
        each, found = read(case, temperature)
        check_members(each, found)
        check_nlls(case, each, found)
        check_tables(case, each, found)
        check_disagreement(found)
        seen |= {found.is_mixture, *found.comparable.tolist()}
    assert seen == {True, False}


def test_calibration_of_random_problems():
    for seed in range(100):
        case = random_case(seed)
        m, found = len(case.X), calibration(case.probability, case.true)
        assert found.n == m
        if not m:
            continue
        sure = np.array([max(p) for p in case.probability])
        correct = case.predicted == case.true
        assert found.mean_confidence == pytest.approx(sure.mean())
        assert found.overall_accuracy == pytest.approx(correct.mean())
        gap = sure.mean() - correct.mean()
        if abs(abs(gap) - 0.005) > 1e-9:
            assert found.bias == (0 if abs(gap) <= 0.005 else np.sign(gap))
        error = 0.0
        for low, high in pairwise(np.linspace(0, 1, 11)):
            inside = (low < sure.round(12)) & (sure.round(12) <= high)
            error += abs((sure[inside] - correct[inside]).sum()) / m
        assert found.ece == pytest.approx(error, abs=1e-8)
        n, accuracy = found.most_confident_half
        least = np.sort(sure.round(9))[::-1][(m + 1) // 2 - 1]
        kept = sure.round(9) >= least
        assert (n, accuracy) == (kept.sum(), pytest.approx(correct[kept].mean()))


def test_entropies_of_random_problems():
    for seed in range(0, 200, 4):
        case = random_case(seed)
        half = len(case.X) // 2
        inside, outside = case.probability[:half], case.probability[half:]
        found = out_of_distribution(inside, outside)
        here, there = ([entropy(p) for p in some] for some in (inside, outside))
        np.testing.assert_allclose(found.inside, here, atol=1e-8)
        np.testing.assert_allclose(found.outside, there, atol=1e-8)
        gaps = np.array([b - a for a in here for b in there])
        assert np.isnan(found.auroc) == (not len(gaps))
        if len(gaps):
            least, most = (gaps > 3e-9).mean(), (gaps > -3e-9).mean()
            assert least - 1e-9 <= found.auroc <= most + 1e-9
