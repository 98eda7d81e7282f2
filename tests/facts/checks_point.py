"""A point's reading, what would change it, its line, both half-planes and Theorem 2.

Recomputed here: centroids and lengths by differences, votes by dividing labels by distances.
"""

import re
from functools import lru_cache
from itertools import pairwise

import numpy as np
from facts_book import Saying, check, near, subject

from slp_core import NearestCentroidClassifier
from slp_core.explain import counterfactuals, read_causes, read_point
from slp_core.explain.bands import winning_bands
from slp_core.explain.half_plane import half_planes
from slp_core.explain.point import cause_facts
from slp_core.explain.profile import line_profile, line_title
from slp_core.figures.line.bands import BandsDisplay
from slp_core.figures.point import PointDisplay
from slp_core.methods.protocols import has_local_soft_labels, predicts_from_lines

CLOSE = 1e-9  # what rounding may do to a distance or a score of size 1
W = np.linspace(0, 1, 201)


def measurable(case):
    """Whether no line is as short as rounding: where points stand along it is noise then."""
    noise = CLOSE * (1 + np.abs(case.support).max())
    lines = case.model.lines_ if predicts_from_lines(case.model) else ()
    return not any(0 < line.length < noise for line in lines)


@subject
def point(case):
    if not measurable(case):
        return
    rng, m = np.random.default_rng(case.seed), len(case.X)
    for row in rng.choice(m, min(m, 1)).tolist():
        true = None if rng.random() < 0.2 else int(case.true[row])
        reading = read_point(case.model, case.X[row], case.centroids, true)
        told = (*reading.facts(), *reading.surroundings(), *reading.place())
        about = {"at": At(case, row, true)}
        yield Saying((*told, *PointDisplay(reading).key_facts()), about)
        if rng.random() < 0.5:
            causes = read_causes(case.model, case.X, case.true, case.centroids)
            yield Saying(cause_facts(causes, row), about)


@subject
def what_if(case):
    if not predicts_from_lines(case.model) or not measurable(case):
        return
    rng, m = np.random.default_rng(case.seed), len(case.X)
    for row in rng.choice(m, min(m, 1)).tolist():
        true = None if rng.random() < 0.2 else int(case.true[row])
        names = np.array(case.classes)[case.y_support]
        other = NearestCentroidClassifier().fit(case.support, names) if row % 4 == 0 else None
        found = counterfactuals(case.model, case.X[row], other, "The other", true)
        yield Saying(found.facts(), {"at": At(case, row, true), "found": found})


@subject
def line(case):
    if not predicts_from_lines(case.model) or not measurable(case):
        return
    model, m = case.model, len(case.X)
    number = int(np.random.default_rng(case.seed).integers(len(model.lines_)))
    profile = line_profile(model, number, case.X)
    here = asking(case, number)
    assert set(profile.rows) == set(here)
    errors = sum(case.predicted[row] != case.true[row] for row in here)
    facts = [*profile.facts(), line_title(model, number, errors)]
    if not has_local_soft_labels(model):
        labels = model.soft_labels_[number]
        facts += BandsDisplay(labels, case.classes, profile.w, case.true[profile.rows]).facts()
    elif m:
        labels = labels_at(case, case.X[0], number)
        facts += winning_bands(*labels).facts(case.classes)
    else:
        labels = None
    along = model.distance == "along_line"
    rows = profile.rows
    for plane in half_planes(profile, along, case.true[rows], case.predicted[rows]):
        facts += plane.facts()
    yield Saying(tuple(facts), {"number": number, "labels": labels})


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
            self.w = vote(case, self.lines[self.line])
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


def vote(case, line, along=None):
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
    """Query points that ask a line: those that it is nearest to."""
    if not len(case.X):
        return []
    chosen = case.model.place(case.X).line
    by = "off" if case.model.assignment == "segment" else "nearer_end"
    for row in np.random.default_rng(case.seed).choice(len(case.X), min(len(case.X), 5)):
        each = [measured(case, case.X[row], n)[by] for n in range(len(case.model.lines_))]
        assert each[chosen[row]] <= min(each) + CLOSE * (1 + max(each))
    return np.flatnonzero(chosen == number).tolist()


@check("point.read")
def _(fact, case, at, **_):
    assert {"answered", "near"} <= set(fact.values)


@check("point.answered")
def _(fact, case, at, **_):
    assert at.true is None
    assert fact["answer"] == case.classes[at.predicted]


@check("point.right")
def _(fact, case, at, **_):
    assert fact["answer"] == case.classes[at.predicted] == case.classes[at.true]


@check("point.wrong")
def _(fact, case, at, **_):
    assert at.true != at.predicted
    assert fact["answer"] == case.classes[at.predicted]
    assert fact["true"] == case.classes[at.true]


@check("point.near")
def _(fact, case, at, **_):
    c = fact["nearest"].place
    assert fact["nearest"] == case.classes[c]
    assert at.away[c] <= min(at.away) + at.slack
    assert all(away > at.away[c] - at.slack for away in at.away)
    if "whose" in fact.template:  # "…, but it is TRUE, whose centroid is the nearest"
        assert c == at.true != at.predicted
    elif "though" in fact.template:
        assert c not in (at.true, at.predicted)
    else:
        assert c == at.predicted


@check("point.near_tie")
def _(fact, case, at, **_):
    assert fact["n"] > 1
    strict, loose = (sum(a <= min(at.away) + s for a in at.away) for s in (0.0, 10 * at.slack))
    assert strict <= fact["n"] <= loose


@check("point.votes")
def _(fact, case, at, **_):
    classes = case.model.lines_[at.line].classes
    assert fact["line"] == at.line + 1
    assert len(classes) > 1
    assert fact["left"] == case.classes[classes[0]]
    assert fact["right"] == case.classes[classes[-1]]
    assert near(fact["w"], at.w, 1e-6)
    assert near(fact["rest"], 1 - at.w, 1e-6)


@check("point.alone")
def _(fact, case, at, **_):
    assert fact["line"] == at.line + 1
    assert (fact["name"],) == tuple(case.classes[c] for c in case.model.lines_[at.line].classes)


@check("point.elsewhere")
def _(fact, case, at, **_):
    assert fact["true"] == case.classes[at.true]
    assert at.true not in case.model.lines_[at.line].classes
    assert any(at.true in line.classes for line in case.model.lines_)


@check("point.centroids")
def _(fact, case, at, **_):
    assert fact["k"] == len(case.classes)
    each = [one["name"].place for one in fact["each"].items]
    assert fact["n"] == len(each) == len(set(each)) == min(4, len(case.classes))
    told = [at.away[c] for c in each]
    assert all(a <= b + at.slack for a, b in pairwise(told))
    rest = [away for c, away in enumerate(at.away) if c not in each]
    assert all(away >= told[-1] - at.slack for away in rest)
    first, *others = [str(one).split("\N{NO-BREAK SPACE}")[-1] for one in fact["each"].items]
    if others and told[1] - told[0] > max(1e-8 * told[1], 100 * at.slack):
        assert others[0] != first  # which is said to be the nearest


@check("point.away")
def _(fact, case, at, **_):
    assert fact["name"] == case.classes[fact["name"].place]
    assert abs(fact["away"] - at.away[fact["name"].place]) <= 100 * at.slack


@check("point.runner_up")
def _(fact, case, at, **_):
    line, following = fact["line"] - 1, fact["next"] - 1
    assert line == at.line != following
    others = [off for number, off in enumerate(at.nearness) if number != line]
    assert at.nearness[following] <= min(others) + 100 * at.slack
    lead = at.nearness[following] - at.nearness[line]
    assert abs(fact["lead"] - lead) <= 100 * at.slack
    if "as near as" in fact.template:
        assert lead <= 100 * at.slack
    else:
        assert fact["lead"] > 0
    assert ("segment" in fact.template) == (case.model.assignment == "segment")


@check("point.place")
def _(fact, case, at, **_):
    line = at.lines[at.line]
    slack = 1e-6 * (1 + max(at.away))
    assert fact["line"] == at.line + 1
    assert near(fact["w"], at.w, 1e-6)
    for name in ("t", "r", "length"):
        assert abs(fact[name] - line[name]) <= slack, name
    if "before the left" in fact.template:
        assert line["t"] < slack
        assert abs(fact["beyond"] + line["t"]) <= slack
    elif "beyond the right" in fact.template:
        assert line["t"] > line["length"] - slack
        assert abs(fact["beyond"] - (line["t"] - line["length"])) <= slack
    else:
        assert "beyond" not in fact.template
        assert -slack <= line["t"] <= line["length"] + slack


@check("point.from_one_point")
def _(fact, case, at, **_):
    line = at.lines[at.line]
    assert fact["line"] == at.line + 1
    assert line["length"] <= at.slack
    assert abs(fact["r"] - line["ends"][0]) <= 1e-6 * (1 + max(at.away))


@check("point.bars")
def _(fact, case, at, **_):
    parts = at.labels[:, np.isfinite(at.labels).all(axis=0)]
    assert ("diamond" in fact.template) == (fact["least"] < 0)
    assert fact["least"] >= 0 or parts.min() < 0
    if len(case.classes) <= 8:  # all that have some influence are drawn
        assert (parts.min() < 0) == (fact["least"] < 0)


@check("point.cause")
def _(fact, case, at, **_):
    true = int(case.true[at.row])
    kind = fact["cause"]
    assert at.predicted != true
    assert fact["named"] == kind.replace("_", " ")
    assert fact["meaning"]
    least = min(at.away)
    if kind == "embedding":
        assert at.away[true] >= least - at.slack
        assert any(a <= at.away[true] + at.slack for c, a in enumerate(at.away) if c != true)
        assert ("as near" in fact["meaning"]) == case.ties(at.row)
        return
    assert at.away[true] <= least + at.slack
    if kind == "rule":
        assert at.line is None
        return
    carried = true in case.model.lines_[at.line].classes
    assert carried == (kind != "line")
    if kind != "line":
        w = vote(case, at.lines[at.line], along=True)
        straight = wins(at.labels, w, true, 1e-7), leads(at.labels, w, true, 1e-7)
        assert straight[0] if kind == "concentration" else not straight[1]


@check("point.rescued")
def _(fact, case, at, **_):
    c = fact["nearest"].place
    assert fact["nearest"] == case.classes[c]
    assert at.away[c] <= min(at.away) + at.slack
    assert c != at.predicted == case.true[at.row]
    assert not case.ties(at.row)


@check("what_if.answer", "what_if.right_answer")
def _(fact, case, at, **_):
    c = fact["name"].place
    assert fact["name"] == case.classes[c]
    mended = c == at.true and c != at.predicted
    assert (fact.kind == "what_if.right_answer") == mended == ("rightly" in fact.template)


def answer_of(fact):
    return fact["answer"]["name"].place


def local_is_said(fact, case):
    assert ("soft labels that it has here" in fact.template) == has_local_soft_labels(case.model)


def in_order(fact, case, at, found):
    """What would make the answer right comes first, and what changes nothing last."""

    def rank(item):
        if at.true not in (None, at.predicted) and item.answer == at.true:
            return 0
        if item.fact.kind in ("what_if.not_carried", "what_if.never_right"):
            return 0
        return 2 if item.answer in (None, at.predicted) else 1

    ranks = [rank(item) for item in found.items]
    assert ranks == sorted(ranks)


@check("what_if.w", "what_if.tie")
def _(fact, case, at, found):
    in_order(fact, case, at, found)
    local_is_said(fact, case)
    c, low, high, w = answer_of(fact), float(fact["low"]), float(fact["high"]), at.w
    assert fact["line"] == at.line + 1
    assert wins(at.labels, inside(low, high), c, 1e-8).all()
    # It is the whole interval: beyond either end another class wins.
    for end, step in ((low, -1e-6), (high, 1e-6)):
        if 0 < end < 1 and 0 < end + step < 1:
            assert not leads(at.labels, end + step, c)
    if fact.kind == "what_if.w":
        assert ("above {low" in fact.template) == (high == 1)
        assert ("below {high" in fact.template) == (low == 0)
        assert ("between {low" in fact.template) == (low > 0 and high < 1)
        gap = low - w if low > w else w - high
        assert gap > 0
        assert near(fact["change"], gap, 1e-6)
        assert not leads(at.labels, w, c)
    else:
        above = "above it" in fact.template
        assert abs((low if above else high) - w) <= 1e-6
        assert ("up to {high" in fact.template) == (above and high < 1)
        assert ("down to {low" in fact.template) == (not above and low > 0)
        assert fact["now"] == case.classes[at.predicted]
        assert near(fact["w"], w, 1e-6)
        top = np.sort(scores(at.labels, w))
        assert len(top) > 1
        assert top[-1] - top[-2] <= 1e-6 * size(at.labels)
    # On the way from w to the nearest that is told on its side, nothing else wins.
    told = [item.fact for item in found.items if item.fact.kind in ("what_if.w", "what_if.tie")]
    for up in (True, False):
        ends = [float(f["low"] if up else f["high"]) for f in told]
        ends = [e for e in ends if (e >= w - 1e-6 if up else e <= w + 1e-6)]
        first = (min(ends, default=1.0)) if up else max(ends, default=0.0)
        first = min(max(first, w), 1.0) if up else max(min(first, w), 0.0)
        on_the_way = np.linspace(w, first, 9)[1:-1]
        assert wins(at.labels, on_the_way, at.predicted, 1e-7).all()


@check("what_if.no_w")
def _(fact, case, at, found):
    local_is_said(fact, case)
    assert fact["line"] == at.line + 1
    assert fact["answer"] == case.classes[at.predicted]
    assert wins(at.labels, W, at.predicted, 1e-7).all()


@check("what_if.never_right", "what_if.not_carried")
def _(fact, case, at, found):
    in_order(fact, case, at, found)
    assert fact["line"] == at.line + 1
    assert fact["name"] == case.classes[at.true]
    assert at.true != at.predicted
    assert not leads(at.labels, W, at.true).any()
    labels = at.labels[:, at.true]
    heard = np.isfinite(labels).all() and (has_local_soft_labels(case.model) or labels.any())
    assert heard or fact.kind == "what_if.not_carried"
    if fact.kind == "what_if.not_carried":
        assert at.true not in case.model.lines_[at.line].classes


@check("what_if.lines")
def _(fact, case, at, found):
    in_order(fact, case, at, found)
    lines = fact["lines"].items
    assert ("Lines" in fact.template) == (len(lines) > 1)
    assert at.line + 1 not in lines
    for number in (line - 1 for line in lines):
        labels = labels_at(case, at.x, number)
        assert wins(labels, vote(case, at.lines[number]), answer_of(fact), 1e-7)
    every = [n for item in found.items if item.kind == "lines" for n in item.fact["lines"].items]
    assert sorted([*every, at.line + 1]) == list(range(1, len(case.model.lines_) + 1))


@check("what_if.along")
def _(fact, case, at, found):
    in_order(fact, case, at, found)
    local_is_said(fact, case)
    w = vote(case, at.lines[at.line], along=True)
    assert case.model.distance != "along_line"
    assert near(fact["w"], w, 1e-6)
    assert wins(at.labels, w, answer_of(fact), 1e-7)


@check("what_if.other")
def _(fact, case, at, found):
    assert fact["method"] == "The other"
    assert at.away[answer_of(fact)] <= min(at.away) + 1e3 * at.slack


@check("what_if.nearest")
def _(fact, case, at, found):
    assert at.away[answer_of(fact)] <= min(at.away) + at.slack
    strict, loose = (sum(a <= min(at.away) + s for a in at.away) for s in (0.0, 10 * at.slack))
    assert strict - 1 <= fact["more"] <= loose - 1
    assert ("{more" in fact.template) == (fact["more"] > 0)


@lru_cache(8)
def votes(case, number, along=None):
    """w of every point that asks a line."""
    rows = asking(case, number)
    return [vote(case, measured(case, case.X[row], number), along) for row in rows]


@check("line.nobody", "half_plane.nobody")
def _(fact, case, number, **_):
    assert fact["line"] == number + 1
    assert not asking(case, number)


@check("bands.nobody")
def _(fact, case, number, **_):
    assert not asking(case, number)


@check("line.alone")
def _(fact, case, number, **_):
    assert fact["line"] == number + 1
    assert (fact["name"],) == tuple(case.classes[c] for c in case.model.lines_[number].classes)
    assert fact["n"] == len(asking(case, number)) > 0
    assert ("one query point" in fact.template) == (fact["n"] == 1)


def where(fact, case, number):
    rows = asking(case, number)
    assert fact["n"] == len(rows) > 0
    assert ("one" in fact.template) == (len(rows) == 1)
    each = votes(case, number)
    assert near(fact["low"], min(each), 1e-6)
    assert near(fact["high"], max(each), 1e-6)


@check("line.depends")
def _(fact, case, number, **_):
    assert fact["line"] == number + 1
    where(fact, case, number)
    assert has_local_soft_labels(case.model)


@check("line.wins")
def _(fact, case, number, labels):
    assert fact["line"] == number + 1
    where(fact, case, number)
    told = [name.place for name in fact["won"].items]
    assert [case.classes[c] for c in told] == list(fact["won"].items)
    among = np.linspace(float(fact["low"]), float(fact["high"]), 101)
    rim = [float(fact["low"]) - 1e-8, float(fact["high"]) + 1e-8]
    for c in told:
        edge = crossings(labels, *rim)
        assert wins(labels, [*among, *edge, *rim], c, 1e-8).any()
    # Whoever wins by itself somewhere within the range is among them.
    alone = [c for c in range(len(case.classes)) if leads(labels, among[1:-1], c, 1e-7).any()]
    assert set(alone) <= set(told)


def crossings(labels, low, high):
    """Every w between two others at which two classes have the same score."""
    slope = labels[0] - labels[1]
    with np.errstate(divide="ignore", invalid="ignore"):
        w = (labels[1][None] - labels[1][:, None]) / (slope[:, None] - slope[None])
    return w[(w >= low) & (w <= high)].tolist()


@check("line.silent")
def _(fact, case, number, labels):
    told = [name.place for name in fact["names"].items]
    assert [case.classes[c] for c in told] == list(fact["names"].items)
    places = np.array([*W, *crossings(labels, 0, 1)])
    for c in case.model.lines_[number].classes:
        if c in told:
            assert not wins(labels, places, c, 1e-12).any()
        else:
            assert wins(labels, places, c, 1e-8).any()


@check("line.title")
def _(fact, case, number, **_):
    assert fact["line"] == number + 1
    classes = case.model.lines_[number].classes
    assert fact["first"] == case.classes[classes[0]]
    assert fact["last"] == case.classes[classes[-1]]
    assert fact["between"] == len(classes) - 2
    assert ("{last}" in fact.template) == (len(classes) > 1)
    assert ("{between" in fact.template) == (len(classes) > 2)
    wrong = sum(case.predicted[row] != case.true[row] for row in asking(case, number))
    assert fact["errors"] == wrong
    assert ("one error" in fact.template) == (wrong == 1)


@check("bands.one")
def _(fact, case, labels, **_):
    c = fact["name"].place
    assert fact["name"] == case.classes[c]
    assert wins(labels, W, c, 1e-8).all()


@check("bands.all")
def _(fact, case, labels, **_):
    bands = fact["bands"].items
    ends = [(float(band["low"]), float(band["high"])) for band in bands]
    assert len(bands) > 1
    assert ends[0][0] == 0
    assert ends[-1][1] == 1
    assert all(a[1] == b[0] for a, b in pairwise(ends))
    assert len({band["name"].place for band in bands}) == len(bands)


@check("bands.band")
def _(fact, case, labels, **_):
    c, low, high = fact["name"].place, float(fact["low"]), float(fact["high"])
    assert fact["name"] == case.classes[c]
    assert low < high
    assert wins(labels, inside(low, high), c, 1e-8).all()
    assert ("below" in fact.template) == (low == 0)
    assert ("above" in fact.template) == (high == 1)
    assert ("from" in fact.template) == (low > 0 and high < 1)


@check("bands.points")
def _(fact, case, number, **_):
    where(fact, case, number)


@check("half_plane.right", "half_plane.would_be_right")
def _(fact, case, number, labels):
    rows, along = asking(case, number), fact["along_line"]
    assert fact["line"] == number + 1
    assert fact["n"] == len(rows) > 0
    as_it_votes = along == (case.model.distance == "along_line")
    assert (fact.kind == "half_plane.right") == as_it_votes
    would, is_ = "would be" in fact.template, re.search(r"\b(is|are)\b", fact.template)
    assert would == (not as_it_votes)
    assert bool(is_) == as_it_votes
    if len(rows) == 1:
        assert (" not " in fact.template) == (fact["right"] == 0)
    if as_it_votes:
        assert fact["right"] == sum(case.predicted[row] == case.true[row] for row in rows)
        return
    surely = maybe = 0
    for row, w in zip(rows, votes(case, number, along), strict=True):
        at = labels_at(case, case.X[row], number)
        surely += leads(at, w, case.true[row], 1e-7)
        maybe += wins(at, w, case.true[row], 1e-7)
    assert surely <= fact["right"] <= maybe
