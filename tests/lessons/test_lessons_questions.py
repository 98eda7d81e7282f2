"""Results behind the lessons' questions, by brute force on random few-shot problems."""

import re

import numpy as np
import pytest
from facts_cases import random_case

from slp_core import ConstraintSLPClassifier
from slp_core.diagnostics.ensemble import ensemble_diagnostics
from slp_core.explain.worked_example import papers_labels_midway
from slp_core.lessons.questions import (
    QuestionContext,
    assignment,
    deciding,
    far_away,
    jsd_halves,
    middle_class,
    midway,
    placing,
    same_weight,
    smallest_share,
)
from slp_core.lessons.table import LESSONS
from slp_core.methods.protocols import HasMembers, predicts_from_lines
from slp_core.sentences import class_names

SEEDS = range(0, 240, 3)


def context_of(case):
    jsd = None
    if isinstance(case.model, HasMembers) and len(case.X):
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
        found = lesson.question.answer(context)
        assert found is None or found.correct in (None, 0, 1, 2)
    if found := assignment(context):
        check_assignment(case, found)
    if (found := middle_class(context)) is not None:
        check_line_winners(case, context, found)
    if found := deciding(context):
        place, rows = busiest(case)
        score = case.model.soft_labels_[place].sum(axis=0)
        winner = shown_class(case, found)
        assert score[winner] >= score.max() - 1e-9
        half = sum(case.predicted[i] == winner for i in rows)
        close = sum(case.predicted[i] == case.nearest[i] for i in rows)
        assert numbers_in(found)[:2] == [len(rows), place + 1]
        assert (half, close) == (numbers_in(found)[2], numbers_in(found)[-1])
    if found := same_weight(context):
        place, rows = busiest(case)
        labels = case.model.prototype_scores(case.X[rows], np.full(len(rows), place))
        winners = {int(np.argmax(pair[0] + pair[1])) for pair in labels}
        assert numbers_in(found) == [len(rows), place + 1, len(winners)]
        assert found.correct == (len(winners) > 1)
    if found := jsd_halves(context):
        m = len(case.true)
        order = sorted(range(m), key=lambda i: context.jsd[i])
        hits = [int(case.predicted[i] == case.true[i]) for i in order]
        cut = m // 2
        assert f"({sum(hits[:cut])} of {cut}) in the half with the lower JSD" in found.evidence
        assert f"({sum(hits[cut:])} of {m - cut}) in the other" in found.evidence


def numbers_in(found):
    """Those of the evidence, without names of classes."""
    words = re.sub("“[^”]*”", "", found.evidence).replace(",", "")
    return [int(number) for number in re.findall(r"\d+", words)]


def shown_class(case, found):
    """The class that the evidence names, whose quotes and escapes tell it from all others."""
    (winner,) = (
        k for k, name in enumerate(class_names(case.classes)) if f"{name}" in found.evidence
    )
    return winner


def check_assignment(case, found):
    chosen, ends = case.model.place(case.X).line, case.model.prototypes_
    sizes = [len(line.classes) for line in case.model.lines_]
    segment = prototype = most = 0
    for x, number in zip(case.X, chosen, strict=True):
        away = [to_segment(x, *pair) for pair in ends]
        segment += near(away[number], min(away))
        away = [min(np.linalg.norm(x - end) for end in pair) for pair in ends]
        prototype += near(away[number], min(away))
        most += sizes[number] == max(sizes)
    m, nearest_segment, nearest_prototype, *most_classes = numbers_in(found)
    # Where rounding decides, one more or fewer may be counted.
    assert abs(nearest_segment - segment) <= 2
    assert abs(nearest_prototype - prototype) <= 2
    assert (most_classes, m) == ([most] if sizes.count(max(sizes)) == 1 else [], len(case.X))


def check_line_winners(case, context, found):
    """Which classes win anywhere, by trying many w; and which one wins far away."""
    number = next(
        n for n, line in enumerate(case.model.lines_) if len(line.classes) > 2 and line.length > 0
    )
    line, labels = case.model.lines_[number], case.model.soft_labels_[number]
    w = np.linspace(0, 1, 501)[:, None]
    scores = w * labels[0] + (1 - w) * labels[1]
    lead = scores - np.sort(scores, axis=1)[:, -2:-1]
    for k in line.classes[1:-1]:
        if (lead[:, k] > 1e-9).any():
            assert f"{class_names(case.classes)[k]}" in found.evidence
            assert found.correct > 0
    far, score = far_away(context), labels.sum(axis=0)
    winner = shown_class(case, far)
    assert f"On line {number + 1}, " in far.evidence
    assert score[winner] >= score.max() - 1e-9
    place = 0 if winner == line.classes[0] else 2 if winner == line.classes[-1] else 1
    assert far.correct in (place, None)
    shares = [labels[0][c] for c in (line.classes[0], line.classes[1], line.classes[-1])]
    smallest = smallest_share(context).correct
    assert smallest is None or shares[smallest] == min(shares)


@pytest.mark.parametrize(
    ("low", "high", "correct"),
    [(80, 60, 0), (60, 80, 1), (62, 60, 2), (100, 100, 2)],  # one standard error is 6.9 points
)
def test_halves_within_one_standard_error_are_equal(low, high, correct):
    right = np.concatenate([np.arange(100) < low, np.arange(100) < high]).astype(int)
    halves = QuestionContext(None, None, np.ones(200), right, None, np.repeat([0.1, 0.2], 100))
    assert jsd_halves(halves).correct == correct


def test_what_decides_is_judged_by_paired_counts():
    """Of 100 predictions, so many are those of the nearest centroid, of the winner, and of both."""
    X = np.array([[0.0, 0.0], [1.0, 0.0]])
    model, rng = ConstraintSLPClassifier().fit(X, ["a", "b"]), np.random.default_rng(0)
    Q, k = np.tile(X[:1], (100, 1)), np.arange(100)

    def decides(half, nearest):
        predicted = np.where(half, winner, 1 - winner)
        here = QuestionContext(model, Q, k, predicted, np.where(nearest, predicted, 1 - predicted))
        return deciding(here).correct

    winner = int("“b”" in deciding(QuestionContext(model, Q, k, k % 2, k % 2)).evidence)
    assert decides(half=k < 90, nearest=(k < 25) | (k >= 95)) == 1
    assert decides(half=k < 30, nearest=(k < 25) | (k >= 35)) == 0
    assert decides(half=k < 50, nearest=(k < 20) | (k >= 68)) == 2
    for _ in range(20):
        half, nearest = rng.random((2, 100)) < 0.5
        error = np.sqrt(100) * np.std(half.astype(int) - nearest.astype(int))
        apart = abs(int(half.sum()) - int(nearest.sum()))
        assert (decides(half, nearest) == 2) == (apart <= error)


def test_midway_is_what_the_paper_has():
    blue, green = papers_labels_midway()
    assert blue == pytest.approx(0.6 / 0.75)  # prototype A alone, at a quarter of 3
    assert green == pytest.approx(0.4 / 0.75 + 0.4 / 2.25)
    assert midway(None).correct == 1


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
        assert numbers_in(found) == [len(loss), means.size, shared]
