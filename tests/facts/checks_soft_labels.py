"""The Soft labels page: what prototypes carry, beside another's, over draws, and edited by hand.

Soft labels are taken anew from models' arrays and logits, and distances from centroids.
"""

from itertools import chain, pairwise

import numpy as np
from facts_book import Saying, check, near, subject
from scipy.spatial.distance import jensenshannon
from scipy.special import softmax

from slp_core import ConstraintSLPClassifier
from slp_core.explain import predict_query_set
from slp_core.explain.difference import compare_answers, spread_facts
from slp_core.explain.soft_label_draws import soft_labels_over_draws
from slp_core.explain.soft_label_edits import SoftLabelEdit, prototype_facts, seen_facts
from slp_core.explain.soft_label_pairs import compare_soft_labels
from slp_core.explain.soft_labels import no_soft_labels_facts, read_soft_labels, soft_label_array
from slp_core.facts import ClassName
from slp_core.methods.edited_prototypes import EditedPrototypes

RISE = 1e-6  # a smaller one is none
LOOSE = 1e-6  # of the softmax of logits that differ in their last digits


@subject
def soft_labels(case):
    rng = np.random.default_rng(case.seed)
    if not hasattr(case.model, "lines_"):
        yield Saying(no_soft_labels_facts("it"))
        return
    labels, own = read_soft_labels(case.model, "it", case.X), Carried(case.model, case)
    yield Saying(labels.facts(), {"own": own})
    for one in labels.theorem1():
        yield Saying(one.facts(), {"own": own})
    yield from _edited(case, labels, rng)
    if case.seed % 4:
        return
    line = rng.choice(["recursive_regression", "attraction"])
    names = np.array(case.classes)[case.y_support]
    model = ConstraintSLPClassifier(line_method=str(line), n_lines=str(rng.choice(["half", "all"])))
    model.fit(case.support, names)
    pairs = compare_soft_labels(labels, read_soft_labels(model, "other", case.X))
    context = {"own": own, "other": Carried(model, case)}
    yield Saying((*pairs.facts(), *pairs.drawn_facts()), context)
    yield from _beside(case, model, rng)
    if case.seed % 8 == 0:
        yield from _draws(case, rng)


def _edited(case, labels, rng):
    made = EditedPrototypes.of(case.model, soft_label_array(labels))
    line = int(rng.integers(len(made.lines)))
    k, side = len(case.classes), int(rng.integers(2))
    changed = made.with_share(line, side, int(rng.integers(k)), float(rng.choice([0, 0.3, 1])))
    touched = bool(rng.random() < 0.7)
    models = [made.classifier(), (changed if touched else made).classifier()]
    answers = [
        predict_query_set(model, "it", case.X, case.true, case.centroids)
        for model in (case.model, *models)
    ]
    edit = SoftLabelEdit(answers[0], labels.constant, *answers[1:], touched)
    end = made.lines[line].classes[-side]
    told = prototype_facts(side, ClassName(case.classes[end], end))
    yield Saying((*edit.facts(), *told), {"models": models, "line": made.lines[line]})
    fitted, judging = (rng.permutation(9)[: rng.integers(1, 5)] for _ in range(2))
    told = seen_facts(int(rng.integers(1, 3)), 3, fitted, judging)
    yield Saying(told, {"fitted": fitted, "judging": judging})


def _beside(case, model, rng):
    """Two draws that share some of their query points."""
    m = len(case.X)
    parts = [np.sort(rng.permutation(m)[: rng.integers(0, m + 1)]) for _ in "ab"]
    answers = [
        predict_query_set(one, "it", case.X[part], case.true[part], case.centroids)
        for one, part in zip((case.model, model), parts, strict=True)
    ]
    rows = tuple(100 + part for part in parts)
    found = compare_answers(*answers, ("one", "other"), rows=rows)
    context = {"models": (case.model, model), "both": sorted(set(parts[0]) & set(parts[1]))}
    yield Saying(found.changes_facts(), context)
    assert found.changed_table()["row"].tolist() == found.rows[found.disagree].tolist()
    accuracy = rng.random(rng.integers(1, 5)).round(2)
    yield Saying(spread_facts("it", accuracy), {"accuracy": accuracy})


def _draws(case, rng):
    """The method on other support sets of the same size, of which each class keeps its points."""
    models = {}
    for draw in range(int(rng.integers(1, 4))):
        again = [rng.choice(np.flatnonzero(case.y_support == c), 3) for c in case.y_support]
        support = case.support[[rows[0] for rows in again]] if draw else case.support
        model = case.method.make(**case.options)
        models[10 + draw] = model.fit(support, np.array(case.classes)[case.y_support])
    found = soft_labels_over_draws(
        {draw: read_soft_labels(model, "it", case.X) for draw, model in models.items()}
    )
    context = {"carried": {draw: Carried(model, case) for draw, model in models.items()}}
    current = int(rng.integers(9, 14))
    by_class = [found.class_facts(at, current) for at in found.by_frequency[:3]]
    yield Saying((*found.facts(), *(fact for facts in by_class for fact in facts)), context)


class Carried:
    """Soft labels of a model, (points, K) for each line and side: none where no point asks."""

    def __init__(self, model, case):
        self.model, self.constant = model, hasattr(model, "soft_labels_")
        line = model.place(case.X).line if len(case.X) else np.zeros(0, int)
        # The model's own: heads of classes at one place are steep beyond all digits.
        logits = model.logits(case.X) if len(case.X) and not self.constant else None
        self.labels, self.lines = {}, [tuple(one.classes) for one in model.lines_]
        for number in range(len(self.lines)):
            for side in (0, 1):
                if self.constant:
                    every = [model.soft_labels_[number, side]]
                elif logits is None:
                    every = []
                else:
                    every = [softmax(z) for z in logits[line == number, side]]
                self.labels[number, side] = np.array(every)

    def mean(self, number, side):
        every = self.labels[number, side]
        return every.mean(axis=0) if len(every) else None

    def ends(self):
        """(class, line, side) of every prototype."""
        for number, classes in enumerate(self.lines):
            for side in (0, 1)[: len(classes)]:
                yield classes[-side], number, side

    def at(self, c):
        """The mean soft label of the prototype at a class; None without one, or if nobody asks."""
        return next((self.mean(n, side) for end, n, side in self.ends() if end == c), None)

    def distances(self, number, side):
        """How far the classes of a line are from one of its ends, along it."""
        classes = self.lines[number]
        at = [self.model.centroids_[c] for c in classes]
        start, end = at[-side], at[side - 1]
        length = np.linalg.norm(end - start)
        if length == 0:
            return dict.fromkeys(classes, 0.0)
        along = [float((x - start) @ (end - start) / length) for x in at]
        return dict(zip(classes, np.clip(along, 0, length), strict=True))

    def further(self, number, side):
        """(nearer, further) classes that are surely so, and those that rounding may order."""
        far, sure, perhaps = self.distances(number, side), [], []
        slack = 1e-9 * (max(far.values()) + np.abs(self.model.centroids_).max())
        for a in far:
            for b in far:
                if far[b] > far[a] + slack:
                    sure.append((a, b))
                elif a != b and far[b] > far[a] - slack:
                    perhaps.append((a, b))
        return sure, perhaps

    def rise(self, label, pairs):
        return max((label[b] - label[a] for a, b in pairs), default=-1.0)


@check("soft_labels.no_prototypes")
def _(fact, case):
    assert not hasattr(case.model, "prototypes_")


def compared(own):
    """(line, side) of prototypes with classes at different distances, surely and perhaps."""
    sure, perhaps = [], []
    for _, number, side in own.ends():
        if own.mean(number, side) is not None:
            pairs, others = own.further(number, side)
            if pairs:
                sure.append((number, side))
            elif others:
                perhaps.append((number, side))
    return sure, perhaps


@check("soft_labels.nothing_ordered")
def _(fact, case, own):
    assert compared(own)[0] == []
    assert ("asks its line" in fact.template) == (not own.constant)


@check("soft_labels.rise", "soft_labels.fall", "soft_labels.means_rise", "soft_labels.means_fall")
def _(fact, case, own):
    sure, perhaps = compared(own)
    assert len(sure) <= fact["n"] <= len(sure + perhaps)
    assert own.constant == ("means" not in fact.kind)
    rising = [own.rise(own.mean(*p), own.further(*p)[0]) > RISE + 1e-9 for p in sure]
    might = [
        own.rise(own.mean(*p), [*chain(*own.further(*p))]) > RISE - 1e-9 for p in sure + perhaps
    ]
    assert sum(rising) <= fact["broken"] <= sum(might)
    assert (fact["broken"] > 0) == ("rise" in fact.kind)
    assert fact["theorem"] == 1
    assert ("the one" in fact.template) == (fact["n"] == 1 and fact["broken"] == 0)


def prototype(fact, case, own):
    number, side = fact["line"] - 1, ("left", "right").index(fact["side"])
    end = own.lines[number][-side]
    assert fact["at"] == case.classes[end]
    if not own.constant:
        every = own.labels[number, side]
        sure, perhaps = own.further(number, side)
        least = [own.rise(z, sure + perhaps) <= RISE - 1e-9 for z in every]
        most = [own.rise(z, sure) <= RISE + 1e-9 for z in every]
        assert np.mean(least) - 1e-9 <= fact["falls"] <= np.mean(most) + 1e-9
    return number, side


@check("soft_label.falls")
def _(fact, case, own):
    number, side = prototype(fact, case, own)
    label, far = own.mean(number, side), own.distances(number, side)
    assert own.rise(label, own.further(number, side)[0]) <= RISE + 1e-9
    named = [case.classes.index(item["name"]) for item in fact["shares"].items]
    assert sorted(named) == sorted(own.lines[number])
    along = [far[c] for c in named]
    slack = 1e-9 * (max(along) + np.abs(own.model.centroids_).max())
    assert all(b >= a - slack for a, b in pairwise(along))
    for c, item in zip(named, fact["shares"].items, strict=True):
        assert near(item["share"]["share"], label[c], LOOSE)


@check("soft_label.rises")
def _(fact, case, own):
    number, side = prototype(fact, case, own)
    label, (sure, perhaps) = own.mean(number, side), own.further(number, side)
    near_one, far_one = (case.classes.index(fact[name]) for name in ("near", "far"))
    assert (near_one, far_one) in sure + perhaps
    assert near(fact["more"]["share"], label[far_one], LOOSE)
    assert near(fact["less"]["share"], label[near_one], LOOSE)
    assert fact["more"]["share"] > fact["less"]["share"] + RISE - 1e-9


@check("soft_label.share", "soft_label.small_share")
def _(fact, case, **_):
    small = RISE <= fact["share"] < 5e-4
    assert small == (fact.kind == "soft_label.small_share")


@check("soft_label.share_of", "soft_label.brief_share")
def _(fact, case, **_):
    assert fact["name"] in case.classes


@check("soft_label.other_shares", "soft_label.off_line")
def _(fact, case, **_):
    assert -1e-9 <= fact["share"] <= 1 + 1e-9  # whose it is, the sentence's own check looks at


def comparable(own, other, case):
    """{class: divergence} where both have a prototype whose soft label is known."""
    both = {c: (own.at(c), other.at(c)) for c in range(len(case.classes))}
    known = {c: pair for c, pair in both.items() if not any(label is None for label in pair)}
    with np.errstate(invalid="ignore"):
        return {c: np.nan_to_num(jensenshannon(*p, base=2) ** 2) for c, p in known.items()}


def end_classes(carried):
    return {c for c, *_ in carried.ends()}


@check("pairs.none")
def _(fact, case, own, other):
    assert not end_classes(own) & end_classes(other)


@check("pairs.unread")
def _(fact, case, own, other):
    assert end_classes(own) & end_classes(other)
    assert comparable(own, other, case) == {}


@check("pairs.same")
def _(fact, case, own, other):
    found = comparable(own, other, case)
    assert fact["n"] == len(found) > 0
    assert max(found.values()) < 1e-8
    assert ("mean soft" in fact.template) == (not (own.constant and other.constant))


@check("pairs.only", "pairs.furthest", "pairs.furthest_of_equals")
def _(fact, case, own, other):
    found, at = comparable(own, other, case), case.classes.index(fact["at"])
    assert (fact["first"], fact["second"], fact["n"]) == ("it", "other", len(found))
    assert near(fact["jsd"], found[at], LOOSE)
    assert found[at] > max(found.values()) - 1e-8
    assert (len(found) == 1) == (fact.kind == "pairs.only")
    equals = [sum(v > found[at] - slack for v in found.values()) for slack in (1e-10, 1e-7)]
    if fact.kind == "pairs.furthest":
        assert equals[0] == 1
    elif fact.kind == "pairs.furthest_of_equals":
        assert equals[1] > 1
    for carried, name in ((own, "here"), (other, "there")):
        number = next(n for c, n, _ in carried.ends() if c == at)
        check_shares(fact[name].items, carried.at(at), carried.lines[number], case)


def check_shares(items, label, line, case):
    """The largest of the line's shares by name, the others and what is off the line summed."""
    brief = [item for item in items if item.kind == "soft_label.brief_share"]
    named = [case.classes.index(item["name"]) for item in brief]
    rest = [c for c in line if c not in named]
    assert len(named) == min(3, len(line)) == len(set(named) & set(line))
    for c, item in zip(named, brief, strict=True):
        assert near(item["share"], label[c], LOOSE)
    shares = [label[c] for c in named]
    assert shares == sorted(shares, reverse=True)
    assert all(label[c] <= min(shares) + 1e-9 for c in rest)
    others = [i for i in items if i.kind == "soft_label.other_shares"]
    assert len(others) == (len(rest) > 0)
    for item in others:
        assert item["n"] == len(rest)
        assert near(item["share"], sum(label[c] for c in rest), LOOSE)
    off = sum(label[c] for c in range(len(label)) if c not in line)
    told = [i["share"] for i in items if i.kind == "soft_label.off_line"]
    assert told == [] if off < 0.005 - 1e-9 else near(told[0], off, LOOSE)


@check("pairs.unmatched")
def _(fact, case, own, other):
    assert end_classes(own) != end_classes(other)
    assert len(fact["parts"].items) in (1, 2)


@check("pairs.only_one")
def _(fact, case, own, other):
    has, lacks = (own, other) if fact["has"] == "it" else (other, own)
    assert {fact["has"], fact["lacks"]} == {"it", "other"}
    expected = {case.classes[c] for c in end_classes(has) - end_classes(lacks)}
    assert set(fact["classes"].items) == expected != set()


@check("pairs.drawn")
def _(fact, case, own, other):
    assert (fact["first"], fact["second"]) == ("it", "other")
    assert fact["constant"] == (own.constant and other.constant)
    assert ("whisker" in fact.template) == (not fact["constant"])


@check("answers_beside.none")
def _(fact, case, models, both):
    assert both == []


@check("answers_beside.changed")
def _(fact, case, models, both):
    first, second = (
        [int(row.argmax()) for row in model.predict_proba(case.X[both])] for model in models
    )
    pairs = list(zip(first, second, case.true[both], strict=True))
    assert fact["n"] == len(both)
    assert near(fact["first"], sum(a == c for a, _, c in pairs) / len(pairs))
    assert near(fact["second"], sum(b == c for _, b, c in pairs) / len(pairs))
    assert fact["changed"] == sum(a != b for a, b, _ in pairs)
    assert fact["gained"] == sum(a != c and b == c for a, b, c in pairs)
    assert fact["lost"] == sum(a == c and b != c for a, b, c in pairs)
    assert ("no answer changes" in fact.template) == (fact["changed"] == 0)


@check("answers_beside.one_draw", "answers_beside.spread")
def _(fact, case, accuracy):
    n = len(accuracy)
    assert (n == 1) == (fact.kind == "answers_beside.one_draw")
    mean = sum(accuracy) / n
    assert near(fact["mean"], mean)
    if n > 1:
        assert fact["n"] == n
        assert near(fact["std"], 100 * (sum((a - mean) ** 2 for a in accuracy) / n) ** 0.5)


@check("soft_label_edit.no_points")
def _(fact, case, **_):
    assert len(case.X) == 0


@check("soft_label_edit.by_hand", "soft_label_edit.as_fitted", "soft_label_edit.held")
def _(fact, case, models, line):
    before, now = ([int(p.argmax()) for p in model.predict_proba(case.X)] for model in models)
    assert fact["n"] == len(case.X)
    assert near(fact["before"], np.mean(np.array(before) == case.true))
    assert near(fact["now"], np.mean(np.array(now) == case.true))
    assert fact["moved"] == sum(a != b for a, b in zip(before, now, strict=True))
    if fact.kind == "soft_label_edit.by_hand":
        assert ("one answer" in fact.template) == (fact["moved"] == 1)
    else:
        assert fact["moved"] == 0
        constant = hasattr(case.model, "soft_labels_")
        assert constant == (fact.kind == "soft_label_edit.as_fitted")
        assert constant or near(fact["own"], np.mean(case.predicted == case.true))


@check("soft_label_edit.seen")
def _(fact, case, fitted, judging):
    assert fact["n_seen"] == len(set(fitted) & set(judging)) > 0
    assert fact["n"] == len(judging)
    assert (" is of" in fact.template) == (fact["n_seen"] == 1)
    assert (" shot:" in fact.template) == (fact["shots"] == 1)


@check("soft_label_edit.prototype")
def _(fact, case, line, **_):
    ends = {"left": line.classes[0], "right": line.classes[-1]}
    assert fact["at"] == case.classes[ends[fact["side"]]]


@check("soft_label_draws.one")
def _(fact, case, carried):
    assert len(carried) == 1


def over_draws(carried, k):
    """{class: (D', K) soft labels of the prototype there}, of the draws on which there is one."""
    found = {c: [one.at(c) for one in carried.values()] for c in range(k)}
    return {c: np.array([z for z in every if z is not None]) for c, every in found.items()}


def groupings(carried):
    return len({frozenset(map(frozenset, one.lines)) for one in carried.values()})


@check("soft_label_draws.never_twice")
def _(fact, case, carried):
    assert max(map(len, over_draws(carried, len(case.classes)).values())) < 2
    assert fact["n"] == len(carried) > 1


@check("soft_label_draws.still", "soft_label_draws.most_moved")
def _(fact, case, carried):
    found = over_draws(carried, len(case.classes))
    spread = {c: every.std(axis=0) for c, every in found.items() if len(every) > 1}
    most = max(std.max() for std in spread.values())
    assert fact["n"] == len(carried)
    if fact.kind == "soft_label_draws.still":
        assert most < 2e-9
        return
    at, of = (case.classes.index(fact[name]) for name in ("at", "of"))
    assert spread[at][of] > most - 1e-9
    assert near(fact["low"], found[at][:, of].min(), LOOSE)
    assert near(fact["high"], found[at][:, of].max(), LOOSE)
    assert fact["known"] == len(found[at])
    ends = sum(case.classes[at] in names_at_ends(one, case) for one in carried.values())
    assert ("query points ask" in fact.template) == (fact["known"] < ends)


def names_at_ends(carried, case):
    return {case.classes[c] for c, *_ in carried.ends()}


@check("soft_label_draws.same_lines", "soft_label_draws.groupings")
def _(fact, case, carried):
    n = groupings(carried)
    assert (n == 1) == (fact.kind == "soft_label_draws.same_lines")
    assert n == 1 or fact["groupings"] == n


@check("soft_label_draws.ends")
def _(fact, case, carried):
    at = case.classes.index(fact["at"])
    assert fact["ends"] == sum(fact["at"] in names_at_ends(one, case) for one in carried.values())
    assert fact["known"] == sum(one.at(at) is not None for one in carried.values()) > 0
    assert fact["n"] == len(carried)
    assert ("{known" in fact.template) == (fact["known"] < fact["ends"])
    assert ("one mark" in fact.template) == (fact["known"] == 1)


@check("soft_label_draws.ringed", "soft_label_draws.not_on_show", "soft_label_draws.not_asked")
def _(fact, case, carried):
    one, at = carried[fact["draw"]], fact["at"]
    if one.at(at) is not None:
        assert fact.kind == "soft_label_draws.ringed"
    else:
        ends = case.classes[at] in names_at_ends(one, case)
        assert fact.kind.removeprefix("soft_label_draws.") == (
            "not_asked" if ends else "not_on_show"
        )
