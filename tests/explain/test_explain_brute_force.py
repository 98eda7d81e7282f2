"""Errors, an example, its counterfactuals and its line by brute force, on random problems.

Recomputed here: centroids and lengths by differences, scores by dividing labels by distances.
"""

import os
from functools import lru_cache
from itertools import pairwise

import numpy as np
import pytest
from errors_by_hand import check_errors
from facts_cases import random_case

from slp_core import NearestCentroidClassifier
from slp_core.explain import counterfactuals, read_point
from slp_core.explain.bands import winning_bands
from slp_core.explain.causes import read_causes
from slp_core.explain.counterfactuals import distance_of_w
from slp_core.explain.places import read_places
from slp_core.explain.profile import half_planes, line_profile
from slp_core.methods.protocols import has_local_soft_labels, predicts_from_lines

CLOSE = 1e-9  # what rounding may do to a distance or a score of size 1
W = np.linspace(0, 1, 201)
# FACT_CASES=50000 looks at more than every run of the tests does.
CASES, PARTS = int(os.environ.get("FACT_CASES", "120")), 4


def near(a, b, slack=1e-6):
    return abs(a - b) <= slack * (1 + abs(b))


def measurable(case):
    """Whether no line is as short as rounding: where points stand along it is noise then."""
    noise = CLOSE * (1 + np.abs(case.support).max())
    lines = case.model.lines_ if predicts_from_lines(case.model) else ()
    return not any(0 < line.length < noise for line in lines)


class At:
    """A point among the lines of a case, measured by hand."""

    def __init__(self, case, row, true):
        self.row, self.x, self.true = row, case.X[row], true
        x = self.x
        self.probability = case.model.predict_proba(x[None])[0]
        self.predicted = int(self.probability.argmax())
        self.away = [apart(x, c) for c in case.centroids]
        self.slack = CLOSE * (1 + max(self.away))
        self.line = None
        if predicts_from_lines(case.model):
            self.lines = [measured(case, x, number) for number in range(len(case.model.lines_))]
            by = "off" if case.model.assignment == "segment" else "nearer_end"
            self.nearness = [line[by] for line in self.lines]
            # Where rounding decides, the library's choice among the nearest.
            self.line = int(case.model.place(x[None]).line[0])
            assert self.nearness[self.line] <= min(self.nearness) + self.slack
            self.labels = labels_at(case, x, self.line)
            self.w = weight(case, self.lines[self.line])
            top = scores(self.labels, self.w)
            assert top[self.predicted] >= top.max() - CLOSE * size(self.labels)


def apart(a, b):
    return float(np.sqrt(((a - b) ** 2).sum()))


def size(labels):
    return 1 + np.abs(labels[np.isfinite(labels)]).max()


def measured(case, x, number):
    """A point's t, r, distances and nearness to one line, by differences of coordinates."""
    classes = case.model.lines_[number].classes
    left, right = case.centroids[classes[0]], case.centroids[classes[-1]]
    length = apart(right, left)
    t = float((x - left) @ (right - left)) / length if length > 0 else 0.0
    foot = left + (right - left) * (t / length) if length > 0 else left
    part = min(max(t / length, 0.0), 1.0) if length > 0 else 0.0
    on = left + (right - left) * part
    ends = [apart(x, end) for end in (left, right)]
    return {
        "length": length,
        "t": t,
        "r": apart(x, foot),
        "off": apart(x, on),
        "nearer_end": min(ends),
        "ends": ends,
    }


@lru_cache(8)
def floor_of(case):
    spread = np.sqrt(np.mean(((case.support - case.support.mean(axis=0)) ** 2).sum(axis=1)))
    share = 1e-2 if has_local_soft_labels(case.model) else 1e-12
    return share * (spread if spread > 0 else 1.0)


def weight(case, line, along=None):
    """w, with distances of the kind that the method takes, or of the kind asked for."""
    along = case.model.distance == "along_line" if along is None else along
    foot = min(max(line["t"], 0.0), line["length"])
    d = (foot, line["length"] - foot) if along else line["ends"]
    if line["length"] <= 1e-12 * np.abs(case.centroids).max():
        return 0.5  # both prototypes are in one place
    d = [max(one, floor_of(case)) for one in d]
    return d[1] / (d[0] + d[1])


def labels_at(case, x, number):
    model = case.model
    if not has_local_soft_labels(model):
        return model.soft_labels_[number]
    return model.coef_[number] @ x + model.intercept_[number]


def scores(labels, w):
    """(..., K) at places w."""
    w = np.asarray(w, dtype=float)[..., None]
    barred = np.isinf(labels).any(axis=0)
    finite = np.where(barred, 0.0, labels)
    return np.where(barred, -np.inf, w * finite[0] + (1 - w) * finite[1])


def wins(labels, w, c, slack=CLOSE):
    """Whether a class has the best score at each w, but for rounding."""
    at = scores(labels, w)
    return at[..., c] >= at.max(axis=-1) - slack * size(labels)


def leads(labels, w, c, slack=CLOSE):
    """Whether it is ahead of all others by more than rounding."""
    at = scores(labels, w)
    others = np.delete(at, c, axis=-1).max(axis=-1, initial=-np.inf)
    return at[..., c] > others + slack * size(labels)


def inside(low, high, n=9):
    """Places between two w, and just inside either."""
    rim = min(1e-7, (high - low) / 4)
    return np.concatenate([[low + rim, high - rim], np.linspace(low, high, n + 2)[1:-1]])


@lru_cache(8)
def asking(case, number):
    """Query examples assigned to a line: those nearest to it."""
    if not len(case.X):
        return []
    chosen = case.model.place(case.X).line
    by = "off" if case.model.assignment == "segment" else "nearer_end"
    for row in np.random.default_rng(case.seed).choice(len(case.X), min(len(case.X), 5)):
        each = [measured(case, case.X[row], n)[by] for n in range(len(case.model.lines_))]
        assert each[chosen[row]] <= min(each) + CLOSE * (1 + max(each))
    return np.flatnonzero(chosen == number).tolist()


@lru_cache(8)
def weights(case, number, along=None):
    """w of every point that asks a line."""
    rows = asking(case, number)
    return [weight(case, measured(case, case.X[row], number), along) for row in rows]


def crossings(labels, low, high):
    """Every w between two others at which two classes have the same score."""
    slope = labels[0] - labels[1]
    with np.errstate(divide="ignore", invalid="ignore"):
        w = (labels[1][None] - labels[1][:, None]) / (slope[:, None] - slope[None])
    return w[(w >= low) & (w <= high)].tolist()


def check_point(case, at):
    reading = read_point(case.model, at.x, case.centroids, at.true)
    assert reading.predicted == at.predicted
    np.testing.assert_allclose(reading.centroid_distance, at.away, atol=100 * at.slack)
    told = [at.away[c] for c in reading.nearest]
    assert all(a <= b + at.slack for a, b in pairwise(told))
    strict, loose = (sum(a <= min(at.away) + s for a in at.away) for s in (0.0, 10 * at.slack))
    assert strict <= len(reading.nearest_alike) <= loose
    if at.line is None:
        assert reading.line is None
        return
    line = at.lines[at.line]
    slack = 1e-6 * (1 + max(at.away))
    assert reading.line == at.line
    assert reading.line_classes == tuple(case.model.lines_[at.line].classes)
    assert near(reading.w, at.w)
    for name in ("t", "r", "length"):
        if name == "length" or line["length"] > 0:
            assert abs(getattr(reading, name) - line[name]) <= slack, name
    others = [off for number, off in enumerate(at.nearness) if number != at.line]
    assert (reading.runner_up is None) == (not others)
    if others:
        assert at.nearness[reading.runner_up] <= min(others) + 100 * at.slack
        lead = at.nearness[reading.runner_up] - at.nearness[at.line]
        assert abs(reading.lead - max(lead, 0.0)) <= 100 * at.slack


def check_counterfactuals(case, at):
    names = np.array(case.classes)[case.y_support]
    other = NearestCentroidClassifier().fit(case.support, names)
    reading = read_point(case.model, at.x, case.model.centroids_, at.true)
    found = counterfactuals(case.model, reading, other, "The other")
    wrong = at.true not in (None, at.predicted)

    def rank(item):
        if wrong and (item.predicted == at.true or item.kind == "never"):
            return 0
        return 2 if item.predicted in (None, at.predicted) else 1

    ranks = [rank(item) for item in found]
    assert ranks == sorted(ranks)
    by_kind = {}
    for item in found:
        by_kind.setdefault(item.kind, []).append(item)
    for item in by_kind.get("w", []):
        check_interval(at, item)
    check_way(at, by_kind.get("w", []))
    if "same" in by_kind:
        assert wins(at.labels, W, at.predicted, 1e-7).all()
    if "never" in by_kind:
        assert wrong
        assert not leads(at.labels, W, at.true).any()
    lines = [line for item in by_kind.get("lines", []) for line in item.lines]
    assert sorted([*lines, at.line]) == list(range(len(case.model.lines_)))
    for item in by_kind.get("lines", []):
        for number in item.lines:
            labels = labels_at(case, at.x, number)
            assert wins(labels, weight(case, at.lines[number]), item.predicted, 1e-7)
    for item in by_kind.get("projected", []):
        w = weight(case, at.lines[at.line], along=True)
        assert case.model.distance != "along_line"
        assert near(reading.along, w)
        assert wins(at.labels, w, item.predicted, 1e-7)
    for item in by_kind["method"]:
        assert at.away[item.predicted] <= min(at.away) + 1e3 * at.slack
    for item in by_kind["nearest"]:
        assert item.predicted == reading.nearest_alike[0]
        for c in reading.nearest_alike:
            assert at.away[c] <= min(at.away) + 10 * at.slack


def check_interval(at, item):
    """The class wins all over the interval and not beyond it; the example is as far from it."""
    low, high = item.interval
    assert wins(at.labels, inside(low, high), item.predicted, 1e-8).all()
    for end, step in ((low, -1e-6), (high, 1e-6)):
        if 0 < end < 1 and 0 < end + step < 1:
            assert not leads(at.labels, end + step, item.predicted)
    change = distance_of_w(at.w, item.interval)
    assert near(change, max(low - at.w, at.w - high, 0.0))
    if change > 1e-7:
        assert not leads(at.labels, at.w, item.predicted)


def check_way(at, items):
    """Between w and the nearest interval on each side the prediction stays the same."""
    for up in (True, False):
        ends = [item.interval[0] if up else item.interval[1] for item in items]
        ends = [e for e in ends if (e >= at.w - 1e-6 if up else e <= at.w + 1e-6)]
        first = min(ends, default=1.0) if up else max(ends, default=0.0)
        first = min(max(first, at.w), 1.0) if up else max(min(first, at.w), 0.0)
        if items:
            way = np.linspace(at.w, first, 9)[1:-1]
            assert wins(at.labels, way, at.predicted, 1e-7).all()


def check_line(case):
    model = case.model
    number = int(np.random.default_rng(case.seed).integers(len(model.lines_)))
    read, here = read_causes(model, case.X, case.true), asking(case, number)
    profile = line_profile(model, number, read.examples.assign(**read_places(model, case.X)))
    assert set(profile.examples.index) == set(here)
    assert (profile.occupied is None) == (not here)
    if here:
        each = weights(case, number)
        assert near(profile.occupied[0], min(each))
        assert near(profile.occupied[1], max(each))
    if not has_local_soft_labels(model):
        check_bands(case, number, profile)
    along = model.distance == "along_line"
    for along_line, plane in half_planes(profile, along).items():
        correct = (plane.examples["predicted"] == plane.examples["true"]).sum()
        if along_line == along:
            assert correct == sum(case.predicted[row] == case.true[row] for row in here)
            continue
        surely = maybe = 0
        for row, w in zip(here, weights(case, number, along_line), strict=True):
            labels = labels_at(case, case.X[row], number)
            surely += leads(labels, w, case.true[row], 1e-7)
            maybe += wins(labels, w, case.true[row], 1e-7)
        assert surely <= correct <= maybe


def check_bands(case, number, profile):
    """Every interval is its class's, the winners are those in reach, and the rest never win."""
    labels = case.model.soft_labels_[number]
    bands = winning_bands(*labels)
    assert bands == profile.bands
    assert (bands.edges[0], bands.edges[-1]) == (0, 1)
    for c, low, high in zip(bands.classes, bands.edges[:-1], bands.edges[1:], strict=True):
        assert low < high
        assert wins(labels, inside(low, high), c, 1e-8).all()
    places = np.array([*W, *crossings(labels, 0, 1)])
    for c in case.model.lines_[number].classes:
        never = c in profile.never_predicted
        assert wins(labels, places, c, 1e-12 if never else 1e-8).any() != never
    if profile.occupied is None:
        return
    low, high = profile.occupied
    among, rim = np.linspace(low, high, 101), [low - 1e-8, high + 1e-8]
    for c in profile.winners:
        assert wins(labels, [*among, *crossings(labels, *rim), *rim], c, 1e-8).any()
    alone = [c for c in range(len(case.classes)) if leads(labels, among[1:-1], c, 1e-7).any()]
    assert set(alone) <= set(profile.winners)


@pytest.mark.parametrize("part", range(PARTS))
def test_errors_examples_and_lines_of_random_problems_are_read_as_by_hand(part):
    for seed in range(part, CASES, PARTS):
        case = random_case(seed)
        try:
            check_errors(case)
            if measurable(case):
                check_example_and_line(case)
        except Exception as error:
            raise AssertionError(f"{case}\n{error}") from error


def check_example_and_line(case):
    on_lines, rng = predicts_from_lines(case.model), np.random.default_rng(case.seed)
    for row in rng.choice(len(case.X), min(len(case.X), 1)).tolist():
        at = At(case, row, None if rng.random() < 0.2 else int(case.true[row]))
        check_point(case, at)
        if on_lines:
            check_counterfactuals(case, at)
    if on_lines:
        check_line(case)
