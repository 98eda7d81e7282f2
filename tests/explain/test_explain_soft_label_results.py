"""Results about soft labels by brute force: taken anew from models' arrays, on random problems."""

from dataclasses import dataclass, field

import numpy as np
import pytest
from scipy.spatial.distance import jensenshannon
from scipy.special import softmax

from slp_core import ConstraintSLPClassifier, DeepSLPClassifier, NearestCentroidClassifier
from slp_core.explain import predict_query_set
from slp_core.explain.soft_label_draws import soft_labels_over_draws
from slp_core.explain.soft_label_pairs import SoftLabelPairs
from slp_core.explain.soft_label_path import soft_label_path
from slp_core.explain.soft_label_text import edit_text, seen_text
from slp_core.explain.soft_labels import read_soft_labels, soft_label_array
from slp_core.methods.constraint_slp import solve_soft_labels
from slp_core.methods.edited_prototypes import EditedPrototypes

RISE = 1e-6  # a smaller one is none
SEEDS = range(30)


@dataclass
class Problem:
    """A support set and a query set of random size and shape, with ties, lines and lone points."""

    seed: int
    rng: np.random.Generator = field(init=False)

    def __post_init__(self):
        rng = self.rng = np.random.default_rng(self.seed)
        self.k, d = int(rng.integers(1, 8)), int(rng.choice([1, 2, 3, 10]))
        self.means = rng.normal(size=(self.k, d)) * rng.choice([0.0, 1.0, 5.0], p=[0.1, 0.4, 0.5])
        if rng.random() < 0.3:
            self.means = np.outer(rng.permutation(self.k), rng.normal(size=d))
        self.y = np.repeat(np.arange(self.k), rng.integers(1, 5))
        self.true = rng.integers(0, self.k, int(rng.choice([0, 1, 30])))
        self.names = np.array([f"class {c}" for c in range(self.k)])
        self.X, self.Q = self.draw(self.y), self.draw(self.true)

    def draw(self, y):
        return self.means[y] + self.rng.normal(size=(len(y), self.means.shape[1]))

    def classifier(self):
        options = {"line_method": str(self.rng.choice(["recursive_regression", "attraction"]))}
        options["n_lines"] = ["half", "all", 1][self.rng.integers(3)]
        kinds = (ConstraintSLPClassifier, DeepSLPClassifier, NearestCentroidClassifier)
        kind = kinds[self.rng.integers(3)]
        if kind is NearestCentroidClassifier:
            return kind()
        return kind(**options, **({"epochs": 3} if kind is DeepSLPClassifier else {}))

    def fit(self, X=None):
        return self.classifier().fit(self.X if X is None else X, self.names[self.y])


def carried(model, Q):
    """Soft labels (points, K) of each line and side: none where no point is assigned to it."""
    line = model.place(Q).line if len(Q) else np.zeros(0, int)
    found = {}
    for number in range(len(model.lines_)):
        for side in (0, 1):
            if hasattr(model, "soft_labels_"):
                every = [model.soft_labels_[number, side]]
            else:
                every = [softmax(z[side]) for z in (model.logits(Q) if len(Q) else ())]
                every = [z for z, at in zip(every, line, strict=True) if at == number]
            found[number, side] = np.array(every)
    return found


def ends(model):
    """{class: (line, side)} of every prototype."""
    return {
        line.classes[-side]: (number, side)
        for number, line in enumerate(model.lines_)
        for side in (0, 1)[: len(line.classes)]
    }


def rises(model, number, side, label):
    """By how much a class that is surely, or perhaps, further away has more weight, at most."""
    classes = model.lines_[number].classes
    start, end = (model.centroids_[classes[at]] for at in (-side, side - 1))
    length = np.linalg.norm(end - start)
    along = {
        c: float(np.clip((model.centroids_[c] - start) @ (end - start) / length, 0, length))
        if length
        else 0.0
        for c in classes
    }
    slack = 1e-9 * (length + np.abs(model.centroids_).max())
    surely = [(a, b) for a in classes for b in classes if along[b] > along[a] + slack]
    perhaps = [(a, b) for a in classes for b in classes if a != b and along[b] > along[a] - slack]
    return [max((label[b] - label[a] for a, b in each), default=-1) for each in (surely, perhaps)]


@pytest.mark.parametrize("seed", SEEDS)
def test_soft_labels_and_theorem_1(seed):
    problem = Problem(seed)
    model = problem.fit()
    labels, own = read_soft_labels(model, "it", problem.Q), carried(model, problem.Q)
    assert {one.at: (one.line, one.side) for one in labels.prototypes} == ends(model)
    for one in labels.prototypes:
        every = own[one.line, one.side]
        if not len(every):
            assert np.isnan(one.mean).all()
            continue
        np.testing.assert_allclose(one.mean, every.mean(axis=0), atol=1e-9)
        np.testing.assert_allclose(one.std, every.std(axis=0), atol=1e-9)
        least, most = zip(*(rises(model, one.line, one.side, z) for z in every), strict=True)
        assert np.mean(np.array(most) <= RISE - 1e-9) <= one.falls + 1e-9
        assert one.falls <= np.mean(np.array(least) <= RISE + 1e-9) + 1e-9
    for one in labels.ordered:
        surely, perhaps = rises(model, one.line, one.side, one.mean)
        if one.exception is None:
            assert surely <= RISE + 1e-9
        else:
            near, far = one.exception
            assert perhaps >= one.mean[far] - one.mean[near] > RISE - 1e-9


@pytest.mark.parametrize("seed", SEEDS)
def test_pairs(seed):
    problem = Problem(seed)
    models = [problem.fit(), problem.fit()]
    labels = [read_soft_labels(model, "it", problem.Q) for model in models]
    pairs = SoftLabelPairs(*labels)
    at = [ends(model) for model in models]
    found = pairs.divergence.set_index("at")
    assert set(found.index) == at[0].keys() & at[1].keys()
    first, second = map(set, pairs.unmatched)
    assert (first, second) == (at[0].keys() - at[1].keys(), at[1].keys() - at[0].keys())
    divergence = {}
    for k, pair in found.iterrows():
        means = [
            carried(model, problem.Q)[where[k]] for model, where in zip(models, at, strict=True)
        ]
        if all(map(len, means)):
            p, q = (every.mean(axis=0) for every in means)
            with np.errstate(invalid="ignore"):
                divergence[k] = float(np.nan_to_num(jensenshannon(p, q) ** 2))
            assert pair["jsd"] == pytest.approx(divergence[k], abs=1e-6)
            assert pair["total_variation"] == pytest.approx(np.maximum(p - q, 0).sum(), abs=1e-9)
    assert set(found["jsd"].dropna().index) == divergence.keys()
    assert (pairs.furthest is None) == (not divergence)
    if divergence:
        assert divergence[pairs.furthest[0]] >= max(divergence.values()) - 1e-6


@pytest.mark.parametrize("seed", SEEDS)
def test_edits(seed):
    problem = Problem(seed)
    model, rng = problem.fit(), problem.rng
    labels = read_soft_labels(model, "it", problem.Q)
    made = EditedPrototypes.of(model, soft_label_array(labels))
    share = float(rng.choice([0, 0.3, 1]))
    changed = made.with_share(0, int(rng.integers(2)), int(rng.integers(problem.k)), share)
    centroids = np.stack([problem.X[problem.y == c].mean(axis=0) for c in range(problem.k)])
    own, before, now = (
        predict_query_set(each, "it", problem.Q, problem.true, centroids)
        for each in (model, made.classifier(), changed.classifier())
    )
    one, other = (
        each.classifier().predict(problem.Q) if len(problem.Q) else np.empty(0)
        for each in (made, changed)
    )
    changed = sum(a != b for a, b in zip(one, other, strict=True))
    said = edit_text(own, labels.constant, before, now)
    assert f"; {changed} prediction{'s' * (changed != 1)} changed." in said
    fitted, query = (rng.permutation(9)[: rng.integers(0, 5)] for _ in "ab")
    seen = len(set(fitted.tolist()) & set(query.tolist()))
    said = seen_text(2, 3, fitted, query)
    assert (
        (f"holds {seen} of the {len(query)} query examples" in said) == (said != "") == (seen > 0)
    )


@pytest.mark.parametrize("seed", SEEDS)
def test_draws(seed):
    problem = Problem(seed)
    n = int(problem.rng.integers(1, 4))
    models = {10 + draw: problem.fit(problem.draw(problem.y)) for draw in range(n)}
    draws = soft_labels_over_draws(
        {draw: read_soft_labels(model, "it", problem.Q) for draw, model in models.items()}
    )
    found = {c: {} for c in range(problem.k)}
    for draw, model in models.items():
        for c, where in ends(model).items():
            every = carried(model, problem.Q)[where]
            if len(every):
                found[c][draw] = every.mean(axis=0)
            assert ((draw, c) in draws.labels.index) == bool(len(every))
    assert draws.known.to_dict() == {c: len(each) for c, each in found.items() if each}
    ways = {frozenset(frozenset(line.classes) for line in m.lines_) for m in models.values()}
    assert draws.groupings == len(ways)
    spread = {c: np.ptp(list(each.values()), axis=0) for c, each in found.items() if len(each) > 1}
    assert (draws.most_moved is None) == (not spread)
    if spread:
        at, of = draws.most_moved
        assert spread[at][of] >= max(each.max() for each in spread.values()) - 1e-9
        weights = [label[of] for label in found[at].values()]
        assert draws.range_of(at, of) == pytest.approx((min(weights), max(weights)), abs=1e-6)


@pytest.mark.parametrize("seed", range(24))
def test_the_path_of_the_linear_programme(seed):
    """Each step is a distribution, violates less than the one before, and the last is the model."""
    rng = np.random.default_rng(seed)
    k, floor = int(rng.integers(2, 9)), float(rng.choice([0.0, 1e-4]))
    X = rng.normal(size=(k, int(rng.integers(1, 4))))
    model = ConstraintSLPClassifier(n_lines=int(rng.integers(1, 3)), floor=floor).fit(X, range(k))
    soft_labels, objectives, violations = soft_label_path(model)
    assert (soft_labels[-1] == model.soft_labels_).all()
    assert np.allclose(soft_labels.sum(axis=-1), 1)
    assert soft_labels.min() >= -1e-9
    long = [number for number, line in enumerate(model.lines_) if len(line.classes) > 2]
    assert len(soft_labels) == (24 if long else 1)
    violation, objective = np.zeros(len(violations)), np.zeros(len(violations))
    for number in long:
        line = model.lines_[number]
        t, delta = line.positions / line.length, 1e-3
        for step, pair in enumerate(soft_labels[:, number][:, :, list(line.classes)]):
            a, c = pair

            def influence(j, at, d, a=a, c=c):
                return a[j] / (at + d) + c[j] / (1 - at + d)

            n = range(len(t))
            gaps = [
                2 * influence(i, t[i], delta) - sum(influence(j, t[i], delta) for j in n) for i in n
            ]
            objective[step] += delta * (sum(gaps) + sum(sorted(gaps)[:2]))
            for i in n:
                lead = [influence(i, t[i], delta) - influence(j, t[i], delta) for j in n if j != i]
                violation[step] += sum(max(model.margin - each, 0) for each in lead)
            for i in n[:-1]:
                middle = np.clip((t[i] + t[i + 1]) / 2, delta, 1 - delta)
                violation[step] += abs(influence(i, middle, 0) - influence(i + 1, middle, 0))
        hard = soft_labels[0, number, :, list(line.classes)].T
        assert hard[0].argmax() == 0
        assert hard[1].argmax() == len(line.classes) - 1
        assert hard.max(axis=1) == pytest.approx([1 - (len(t) - 1) * floor] * 2)
        again, _ = solve_soft_labels(line, margin=model.margin, floor=floor)
        np.testing.assert_array_equal(soft_labels[-1, number][:, list(line.classes)], again)
    np.testing.assert_allclose(violations, violation, rtol=1e-6, atol=1e-5)
    np.testing.assert_allclose(objectives, objective, rtol=1e-6, atol=1e-6)
    assert (np.diff(violation) <= 1e-5 + 1e-6 * violation[0]).all()
    assert (np.diff(objective) <= 1e-5).all()
