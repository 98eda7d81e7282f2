"""Predictions, causes and the headline of a random few-shot problem by brute force."""

import numpy as np
import pytest

from slp_core.explain import predict_query_set, read_causes
from slp_core.explain.causes import CROSSING, headline
from slp_core.methods.protocols import HasLines

CLOSE = 1e-9  # scores nearer than this tie


class ByHand:
    """Every example's line, w and cause by loops; more than one cause where scores tie."""

    def __init__(self, case):
        self.case, m = case, len(case.X)
        self.margin = [
            row[true] - max([p for c, p in enumerate(row) if c != true], default=0.0)
            for row, true in zip(case.probability.tolist(), case.true.tolist(), strict=True)
        ]
        self.wrong = [i for i in range(m) if case.predicted[i] != case.true[i]]
        model = case.model
        self.on_lines = (
            isinstance(model, HasLines) and max(len(line.classes) for line in model.lines_) > 1
        )
        self.line = model.place(case.X).line.tolist() if self.on_lines and m else [None] * m
        self.labels = model.prototype_scores(case.X) if self.on_lines and m else None
        self.causes = [self._causes(i) if i in self.wrong else set() for i in range(m)]

    def _causes(self, i):
        case, model = self.case, self.case.model
        true = case.true[i]
        if case.nearest[i] != true:
            return {"embedding"}
        if not self.on_lines:
            return {"rule"}
        if true not in model.lines_[self.line[i]].classes:
            return {"line"}
        scores = self.scores(i, self._w_of(*self._projected(i)))
        others = max((s for c, s in scores.items() if c != true), default=-np.inf)
        if true in scores and abs(scores[true] - others) <= 1e-7 * max(1, abs(others)):
            return set(CROSSING)
        return {"concentration" if true in scores and scores[true] > others else "off_line"}

    def scores(self, i, w):
        """By class, at some w with the soft labels that hold at the example."""
        left, right = self.labels[i]
        able = np.isfinite(left) & np.isfinite(right)
        return {c: w * left[c] + (1 - w) * right[c] for c in np.flatnonzero(able)}

    def w(self, i):
        model, x = self.case.model, self.case.X[i]
        if model.distance == "along_line":
            return self._w_of(*self._projected(i))
        return self._w_of(*(np.linalg.norm(x - end) for end in model.prototypes_[self.line[i]]))

    def _projected(self, i):
        """Distances of the example's projection from the line's ends."""
        left, right = self.case.model.prototypes_[self.line[i]]
        length = np.linalg.norm(right - left)
        to_left = 0.0
        if length > 0:
            to_left = np.clip((self.case.X[i] - left) @ (right - left) / length, 0, length)
        return to_left, length - to_left

    def _w_of(self, to_left, to_right):
        floor = self.case.model.distance_floor
        to_left, to_right = max(to_left, floor), max(to_right, floor)
        return to_right / (to_left + to_right)

    def of_line(self, number):
        return [i for i, line in enumerate(self.line) if line == number]


def check_predictions(case, hand):
    read = predict_query_set(case.model, "M", case.X, case.true, case.centroids)
    m = len(case.X)
    if m:
        assert read.accuracy == pytest.approx(1 - len(hand.wrong) / m)
        own = sum(n == t for n, t in zip(case.nearest, case.true, strict=True))
        assert read.nearest_accuracy == pytest.approx(own / m)
    assert set(read.never_predicted) == set(case.true) - set(case.predicted)
    assert sorted(read.never_predicted) == list(read.never_predicted)
    point = read.default_point()
    assert (point is None) == (m == 0)
    if point is not None:
        spared = [i for i in hand.wrong if case.nearest[i] == case.true[i]]
        check_default(point, (spared, hand.wrong, range(m)), hand)


def check_default(point, groups, hand):
    """It has the smallest margin in the first group that has anything."""
    first = next(among for among in groups if len(among))
    assert point in first
    least = min(hand.margin[i] for i in first)
    assert hand.margin[point] == pytest.approx(least, abs=1e-8)


def check_causes(case, hand):
    read = read_causes(case.model, case.X, case.true, case.centroids)
    for i, found in enumerate(hand.causes):
        cause = read.examples["cause"][i]
        assert cause in found or (not found and cause == "")
        assert read.wrong[i] == bool(found)
        rescued = not found and case.nearest[i] != case.true[i] and not case.ties(i)
        assert read.rescued[i] == rescued
    assert sum(read.counts.values()) == len(hand.wrong)
    for line in range(min(read.n_lines, 3)):
        point = read.default_point(line)
        if point is None:
            continue
        here = hand.of_line(line)
        wrong = [i for i in here if i in hand.wrong]
        if all(len(hand.causes[i]) < 2 for i in here):
            crossing = [i for i in here if hand.causes[i] & set(CROSSING)]
            check_default(point, (crossing, wrong, here, hand.wrong, range(len(case.X))), hand)
    return read


def check_filters(case, hand, read):
    rng = np.random.default_rng(case.seed)
    for _ in range(3):
        values = {
            "cause": str(rng.choice(read.kinds)),
            "true": int(rng.integers(len(case.classes))),
            "line": int(rng.integers(read.n_lines)) if read.n_lines else None,
            "margin": float(rng.choice([0.0, 0.01, 0.3])),
        }
        values = {k: v for k, v in values.items() if v and rng.random() < 0.5}
        shown = read.where(**values)
        for i in range(len(case.X)):
            doubtful = abs(-hand.margin[i] - values.get("margin", 0)) < 1e-8
            expected = not values or (
                i in hand.wrong
                and values.get("cause", read.examples["cause"][i]) == read.examples["cause"][i]
                and values.get("true", case.true[i]) == case.true[i]
                and values.get("line", hand.line[i]) == hand.line[i]
                and -hand.margin[i] >= values.get("margin", 0.0)
            )
            assert shown[i] == expected or doubtful


def of_line(case, hand, read, number):
    """Classes of a line with query examples, never predicted there; the errors that explains."""
    here = hand.of_line(number)
    predicted = {case.predicted[i] for i in here}
    wrong = [i for i in here if i in hand.wrong]
    crossing = [i for i in wrong if read.examples["cause"][i] in CROSSING]
    never = [c for c in case.model.lines_[number].classes if c in case.true and c not in predicted]
    return never, len(wrong if len(predicted) == 1 else crossing)


def check_headline(case, hand, read):
    found = headline(case.model, "M", read)
    assert (found.n_query, found.n_errors) == (len(case.X), len(hand.wrong))
    if not hand.wrong:
        return
    assert found.n_cause == read.counts[found.cause] == max(read.counts.values())
    assert found.cause == next(k for k in read.kinds if read.counts[k] == found.n_cause)
    if found.line is None:
        assert not hand.on_lines
        return
    lines = [of_line(case, hand, read, number) for number in range(read.n_lines)]
    told = max((n for never, n in lines if never), default=0)
    if read.local or told < found.n_cause:
        errors = [sum(i in hand.wrong for i in hand.of_line(n)) for n in range(read.n_lines)]
        assert errors[found.line] == max(errors)
        assert not found.never_predicted
    else:
        assert (list(found.never_predicted), told) == lines[found.line]
        for i in hand.of_line(found.line):  # none of them has the best score at any example's w
            scores = hand.scores(i, hand.w(i))
            best = max(scores.values())
            assert scores[case.predicted[i]] >= best - 1e-7 * (1 + abs(best))


def check_errors(case):
    hand = ByHand(case)
    check_predictions(case, hand)
    read = check_causes(case, hand)
    check_filters(case, hand, read)
    check_headline(case, hand, read)
