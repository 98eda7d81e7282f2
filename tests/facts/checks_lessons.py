"""What lessons say: their questions' evidence, votes of their own, progress, links and guesses."""

import numpy as np
from facts_book import Saying, check, near, subject

from pages.session.links import HIDEABLE, known_words
from pages.session.progress_cookie import read, written
from slp_core.diagnostics import ensemble_diagnostics
from slp_core.lessons.progress import Progress, done_facts, guess_facts, step_facts
from slp_core.lessons.question_context import QuestionContext
from slp_core.lessons.questions import (
    answer_far_away,
    answered_in_high_dimensions,
    asked_facts,
    divergence_facts,
    far_facts,
    half_facts,
    least_at_the_left,
    lines_facts,
    middle_facts,
    midway_facts,
    placing_facts,
    right_by_divergence,
    same_w_facts,
    same_w_same_answer,
    where_the_middle_wins,
    which_line_is_asked,
    who_places_the_prototypes,
)
from slp_core.lessons.toys import OneVote, shared_soft_labels, three_on_axis
from slp_core.methods.protocols import has_members, predicts_from_lines

QUESTIONS = (
    where_the_middle_wins,
    which_line_is_asked,
    least_at_the_left,
    answer_far_away,
    answered_in_high_dimensions,
    same_w_same_answer,
    right_by_divergence,
)


def ground(case):
    members = has_members(case.model) and len(case.X)
    jsd = None
    if members:
        y = np.array(case.classes)[case.true]
        jsd = ensemble_diagnostics(case.model, case.X, y, "none").jsd
    return QuestionContext(case.model, case.X, case.true, case.predicted, case.nearest, jsd)


@subject
def questions(case):
    if case.seed % 3:
        return
    asked = ground(case)
    for right in QUESTIONS:  # none fails, whatever the data
        assert right(asked) in (None, 0, 1, 2)
    for told in (asked_facts, far_facts, half_facts, same_w_facts, middle_facts):
        yield Saying(told(asked), {"soft_labels": shared(asked), "labels": shared(asked)})
    yield Saying(divergence_facts(asked), {"jsd": asked.jsd})
    yield Saying(midway_facts(asked))
    yield Saying(lines_facts(case.model))


def shared(asked):
    number = asked.shared_line
    labels = getattr(asked.model, "soft_labels_", None)
    return None if number is None or labels is None else labels[number]


def lines_of(case):
    return case.model.lines_ if predicts_from_lines(case.model) else []


def to_segment(x, a, b):
    way = b - a
    length = float(way @ way)
    t = 0.0 if length == 0 else min(1.0, max(0.0, float((x - a) @ way) / length))
    return float(np.linalg.norm(x - (a + t * way)))


def busiest(case):
    chosen = [int(line) for line in case.model.place(case.X).line]
    number = max(range(len(case.model.lines_)), key=lambda n: (chosen.count(n), -n))
    return number, [i for i, line in enumerate(chosen) if line == number]


@check("lesson.asked")
def _(fact, case, **_):
    chosen = case.model.place(case.X).line
    ends = case.model.prototypes_
    sizes = [len(line.classes) for line in case.model.lines_]
    segment = prototype = fullest = 0
    for x, number in zip(case.X, chosen, strict=True):
        away = [to_segment(x, *pair) for pair in ends]
        segment += near(away[number], min(away), 1e-7)
        away = [min(np.linalg.norm(x - end) for end in pair) for pair in ends]
        prototype += near(away[number], min(away), 1e-7)
        fullest += sizes[number] == max(sizes) and sizes.count(max(sizes)) == 1
    # Where rounding decides, one more or fewer may be counted.
    assert abs(fact["segment"] - segment) <= 2
    assert abs(fact["prototype"] - prototype) <= 2
    assert (fact["fullest"], fact["m"]) == (fullest, len(case.X))


@check("lesson.lines")
def _(fact, case, **_):
    ends = {c for line in lines_of(case) for c in (line.classes[0], line.classes[-1])}
    every = [c for line in lines_of(case) for c in line.classes]
    assert sorted(every) == list(range(fact["k"])) == list(range(len(case.classes)))
    assert fact["n"] == len(lines_of(case))
    assert (fact["ends"], fact["inner"]) == (len(ends), len(every) - len(ends))


@check("lesson.far")
def _(fact, case, soft_labels, **_):
    score = soft_labels.sum(axis=0)
    assert score[case.classes.index(str(fact["name"]))] >= score.max() - 1e-9
    line = case.model.lines_[fact["line"] - 1]
    assert len(line.classes) > 2


@check("lesson.half")
def _(fact, case, **_):
    number, rows = busiest(case)
    assert (fact["line"], fact["m"]) == (number + 1, len(rows))
    score = case.model.soft_labels_[number].sum(axis=0)
    won = case.classes.index(str(fact["name"]))
    assert score[won] >= score.max() - 1e-9
    assert fact["half"] == sum(case.predicted[i] == won for i in rows)
    assert fact["nearest"] == sum(case.predicted[i] == case.nearest[i] for i in rows)


@check("lesson.same_w")
def _(fact, case, **_):
    number, rows = busiest(case)
    assert (fact["line"], fact["m"]) == (number + 1, len(rows))
    labels = case.model.vote_labels(case.X[rows], np.full(len(rows), number))
    found = {int(np.argmax(pair[0] + pair[1])) for pair in labels}
    assert fact["different"] == len(found)


@check("lesson.divergence")
def _(fact, case, jsd, **_):
    m = len(case.true)
    order = sorted(range(m), key=lambda i: jsd[i])
    low, high = order[: m // 2], order[m // 2 :]
    right = [int(case.predicted[i] == case.true[i]) for i in range(m)]
    assert (fact["n"], fact["n_high"]) == (len(low), len(high))
    assert fact["right"] == sum(right[i] for i in low)
    assert fact["right_high"] == sum(right[i] for i in high)


@check("lesson.midway")
def _(fact, case, **_):
    assert near(fact["end"], 0.6 / 0.75)  # blue: only the left prototype, at a quarter of 3
    assert near(fact["middle"], 0.4 / 0.75 + 0.4 / 2.25)


@subject
def votes(case):
    rng = np.random.default_rng(case.seed)
    share = float(rng.choice([0.0, 0.3, 0.5, 1.0]))
    distances = rng.choice([0.1, 1.0, 2.0, 7.3], 2).tolist()
    vote = OneVote(shared_soft_labels(share), ("left", "middle", "right"), *distances)
    yield Saying(vote.facts(), {"vote": (share, *distances)})
    if case.seed % 10:
        return
    places = rng.choice([-20.0, -10.0, -3.5, 0.0, 5.0, 15.0, 20.0], 3).tolist()
    three = three_on_axis(*places)
    assert (three is None) == (len(set(places)) < 3)
    if three is not None:
        told = [each for each in three.facts() if each.kind.startswith("lesson.")]
        yield Saying(tuple(told), {"three": three})


def influences(vote):
    share, left, right = vote
    return [(1 - share) / left, share / left + share / right, (1 - share) / right]


@check("lesson.vote")
def _(fact, case, vote, **_):
    _, left, right = vote
    assert (fact["to_left"], fact["to_right"]) == (left, right)
    assert near(fact["w"], right / (left + right))
    said = [part["influence"] for part in fact["parts"].items]
    assert all(near(a, b) for a, b in zip(said, influences(vote), strict=True))


@check("lesson.influence")
def _(fact, case, vote, **_):
    place = ("left", "middle", "right").index(str(fact["name"]))
    assert near(fact["influence"], influences(vote)[place])


@check("lesson.vote_won")
def _(fact, case, vote, **_):
    found = influences(vote)
    place = ("left", "middle", "right").index(str(fact["name"]))
    assert all(found[place] > other - 1e-12 for other in found)


@check("lesson.vote_tied")
def _(fact, case, vote, **_):
    found = influences(vote)
    tied = [
        n for n, v in zip(("left", "middle", "right"), found, strict=True) if v > max(found) - 1e-9
    ]
    assert [str(name) for name in fact["names"].items] == tied


def rebuilt(three, angle):
    """The point on the right angle at an angle of the left end, and its distances."""
    left, right = min(three.places), max(three.places)
    flipped = three.places[three.line.left] > three.places[three.line.right]
    length = right - left
    t, r = length * np.cos(angle) ** 2, length * np.cos(angle) * np.sin(angle)
    x = np.array([right - t if flipped else left + t, r])
    return x, [float(np.hypot(x[0] - place, x[1])) for place in three.places]


@check("lesson.turn")
def _(fact, case, three, **_):
    angle = np.radians(fact["angle"])
    x, away = rebuilt(three, angle)
    taken, other = ("ABC".index(str(fact[who])) for who in ("taken", "other"))
    assert near(fact["near"], away[taken], 1e-6)
    assert near(fact["far"], away[other], 1e-6)
    assert away[taken] < away[other]
    ends = [np.array([three.places[c], 0.0]) for c in (three.line.left, three.line.right)]
    to_ends = [np.linalg.norm(x - end) for end in ends]
    score = three.soft_labels[0] / to_ends[0] + three.soft_labels[1] / to_ends[1]
    assert near(score[taken], score[other], 1e-6)
    assert score.max() <= score[taken] + 1e-6


@subject
def progress(case):
    rng = np.random.default_rng(case.seed)
    names = ["one", "two_2", "three"]
    lengths = dict.fromkeys(names, 4)
    came = {}
    for name in names:
        step, answer = int(rng.integers(0, 5)), [None, 0, 2][rng.integers(3)]
        if rng.random() < 0.7:
            came[name] = Progress(step, max(step, 2), answer, bool(rng.random() < 0.5))
    assert read(written(came), lengths) == came
    yield Saying(done_facts(came, names), {"came": came})
    steps = int(rng.integers(1, 6))
    for at in range(steps + 1):
        yield Saying(step_facts(at, steps), {"at": (at, steps)})


@check("lesson.done")
def _(fact, case, came, **_):
    assert fact["n"] == 3
    assert fact["done"] == len([1 for p in came.values() if p.done])


@check("lesson.at_step")
def _(fact, case, at, **_):
    assert (fact["step"] - 1, fact["steps"]) == at
    assert fact["step"] <= fact["steps"]


@check("lesson.at_question")
def _(fact, case, at, **_):
    assert at == (fact["steps"], fact["steps"])


@subject
def links(case):
    rng = np.random.default_rng(case.seed)
    words = rng.choice(["method", "sidebar", "what", "<b>", "$x$", ":smile:", "", "a", "b", "c"], 8)
    known = known_words(",".join(words), HIDEABLE)
    assert set(known) == {"method", "sidebar"} & set(words)
    for told in case.classes[:2]:
        yield Saying(guess_facts(told, case.classes[0]), {"guess": (told, case.classes[0])})


@check("guess.right")
def _(fact, case, guess, **_):
    assert str(fact["guess"]) == guess[0] == guess[1]


@check("guess.wrong")
def _(fact, case, guess, **_):
    assert (str(fact["guess"]), str(fact["so"])) == guess
    assert guess[0] != guess[1]


@subject
def placing(case):
    rng = np.random.default_rng(case.seed)
    steps, each = int(rng.integers(1, 4)), 3
    loss = rng.integers(0, 12, (steps, 2, each))
    means = rng.integers(0, 12, (steps, 2, each))
    made = Steps(loss, means)
    asked = QuestionContext(
        case.model, case.X, case.true, case.predicted, case.nearest, episode=made
    )
    assert who_places_the_prototypes(asked) in (0, 1, 2)
    yield Saying(placing_facts(asked), {"made": made})


class Steps:
    """As much of an episode as the question reads."""

    def __init__(self, loss, means):
        self.for_loss, self.for_means = loss, means


@check("lesson.placing")
def _(fact, case, made, **_):
    shared = 0
    for loss, means in zip(made.for_loss, made.for_means, strict=True):
        shared += len({int(i) for i in loss.ravel()} & {int(i) for i in means.ravel()})
    assert fact["shared"] == shared
    assert (fact["steps"], fact["placing"]) == (len(made.for_loss), made.for_means.size)
