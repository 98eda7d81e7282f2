"""Results behind the lessons' questions, by brute force on random few-shot problems."""

import numpy as np
import pytest
from facts_cases import random_case

from slp_core.diagnostics import ensemble_diagnostics
from slp_core.lessons.questions import (
    Deciding,
    FarAway,
    JsdHalves,
    MiddleClass,
    QuestionContext,
    SmallestShare,
    assignment,
    deciding,
    jsd_halves,
    midway,
    placing,
    same_weight,
)
from slp_core.lessons.table import LESSONS
from slp_core.methods.protocols import has_members, predicts_from_lines

SEEDS = range(0, 240, 3)


def context_of(case):
    jsd = None
    if has_members(case.model) and len(case.X):
        y = np.array(case.classes)[case.true]
        jsd = ensemble_diagnostics(case.model, case.X, y, "none").jsd
    return QuestionContext(case.model, case.X, case.true, case.predicted, case.nearest, jsd)


def lines_of(case):
    return case.model.lines_ if predicts_from_lines(case.model) else []


def to_segment(x, a, b):
    way = b - a
    length = float(way @ way)
    t = 0.0 if length == 0 else min(1.0, max(0.0, float((x - a) @ way) / length))
    return float(np.linalg.norm(x - (a + t * way)))


def near(a, b, tolerance=1e-7):
    return abs(a - b) <= tolerance * max(1.0, abs(a), abs(b))


def busiest(case):
    chosen = [int(line) for line in case.model.place(case.X).line]
    number = max(range(len(case.model.lines_)), key=lambda n: (chosen.count(n), -n))
    return number, [i for i, line in enumerate(chosen) if line == number]


@pytest.mark.parametrize("seed", SEEDS)
def test_every_result_is_that_of_a_loop(seed):
    case = random_case(seed)
    context = context_of(case)
    for lesson in LESSONS.values():  # none fails, whatever the data
        assert lesson.question.correct(context) in (None, 0, 1, 2)
        assert isinstance(lesson.question.evidence(context), str)
    if found := assignment(context):
        check_assignment(case, found)
    if (found := MiddleClass.of(context)) is not None:
        check_line_winners(case, context, found)
    if found := deciding(context):
        number, rows = busiest(case)
        score = case.model.soft_labels_[number].sum(axis=0)
        assert score[found.winner] >= score.max() - 1e-9
        half = [case.predicted[i] == found.winner for i in rows]
        close = [case.predicted[i] == case.nearest[i] for i in rows]
        both = sum(a and b for a, b in zip(half, close, strict=True))
        counts = (number, len(rows), sum(close), sum(half), both)
        assert (found.line, found.m, found.nearest, found.at_half, found.both) == counts
    if found := same_weight(context):
        number, rows = busiest(case)
        labels = case.model.prototype_scores(case.X[rows], np.full(len(rows), number))
        winners = {int(np.argmax(pair[0] + pair[1])) for pair in labels}
        assert (found.line, found.m, found.classes) == (number, len(rows), len(winners))
    if found := jsd_halves(context):
        m = len(case.true)
        order = sorted(range(m), key=lambda i: context.jsd[i])
        hits = [int(case.predicted[i] == case.true[i]) for i in order]
        cut = m // 2
        assert (found.n_low, found.correct_low) == (cut, sum(hits[:cut]))
        assert (found.n_high, found.correct_high) == (m - cut, sum(hits[cut:]))


def check_assignment(case, found):
    chosen, ends = case.model.place(case.X).line, case.model.prototypes_
    sizes = [len(line.classes) for line in case.model.lines_]
    segment = prototype = most = 0
    for x, number in zip(case.X, chosen, strict=True):
        away = [to_segment(x, *pair) for pair in ends]
        segment += near(away[number], min(away))
        away = [min(np.linalg.norm(x - end) for end in pair) for pair in ends]
        prototype += near(away[number], min(away))
        most += sizes[number] == max(sizes) and sizes.count(max(sizes)) == 1
    # Where rounding decides, one more or fewer may be counted.
    assert abs(found.nearest_segment - segment) <= 2
    assert abs(found.nearest_prototype - prototype) <= 2
    assert (found.most_classes, found.m) == (most, len(case.X))


def check_line_winners(case, context, found):
    """Which classes win anywhere, by trying many w; and which one wins far away."""
    line, labels = case.model.lines_[found.line], case.model.soft_labels_[found.line]
    assert len(line.classes) > 2
    assert found.order == tuple(line.classes)
    w = np.linspace(0, 1, 501)[:, None]
    scores = w * labels[0] + (1 - w) * labels[1]
    lead = scores - np.sort(scores, axis=1)[:, -2:-1]
    for k in line.classes[1:-1]:
        if (lead[:, k] > 1e-9).any():
            assert k in found.bands.classes
            assert found.correct > 0
    far = FarAway.of(context)
    score = labels.sum(axis=0)
    assert score[far.winner] >= score.max() - 1e-9
    place = 0 if far.winner == line.classes[0] else 2 if far.winner == line.classes[-1] else 1
    assert far.correct in (place, None)
    shares = [labels[0][c] for c in (line.classes[0], line.classes[1], line.classes[-1])]
    smallest = SmallestShare.of(context).correct
    assert smallest is None or shares[smallest] == min(shares)


def test_a_difference_within_one_standard_error_is_none():
    assert JsdHalves(100, 80, 100, 60).correct == 0
    assert JsdHalves(100, 60, 100, 80).correct == 1
    assert JsdHalves(100, 62, 100, 60).correct == 2  # one standard error is 6.9 points
    assert JsdHalves(10, 10, 10, 10).correct == 2
    assert Deciding(0, 0, 100, nearest=30, at_half=90, both=25).correct == 1
    assert Deciding(0, 0, 100, nearest=90, at_half=30, both=25).correct == 0
    assert Deciding(0, 0, 100, nearest=52, at_half=50, both=20).correct == 2
    rng = np.random.default_rng(0)
    one, other = rng.random((2, 100)) < 0.5
    error = np.sqrt(100) * np.std(one.astype(int) - other.astype(int))
    found = Deciding(0, 0, 100, int(one.sum()), int(other.sum()), int((one & other).sum()))
    assert (found.correct == 2) == (abs(int(one.sum()) - int(other.sum())) <= error)


def test_midway_is_what_the_paper_has():
    found = midway(None)
    assert found.blue == pytest.approx(0.6 / 0.75)  # prototype A alone, at a quarter of 3
    assert found.green == pytest.approx(0.4 / 0.75 + 0.4 / 2.25)


def test_placing_counts_examples_that_do_both():
    rng = np.random.default_rng(0)
    for _ in range(40):
        loss, means = rng.integers(0, 12, (2, int(rng.integers(1, 4)), 2, 3))
        steps = type("Steps", (), {"for_loss": loss, "for_means": means})()
        found = placing(QuestionContext(*(None,) * 5, episode=steps))
        shared = sum(
            len({int(i) for i in a.ravel()} & {int(i) for i in b.ravel()})
            for a, b in zip(loss, means, strict=True)
        )
        assert (found.steps, found.placing, found.shared) == (len(loss), means.size, shared)
