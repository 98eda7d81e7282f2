"""Which answer of a lesson's question is right, and what is to be seen of it: all computed."""

from __future__ import annotations

import numpy as np

from slp_core.explain.bands import Bands
from slp_core.explain.worked_example import papers_labels_midway
from slp_core.facts import ClassName, Facts, class_names, fact
from slp_core.lessons.question_context import QuestionContext
from slp_core.methods.protocols import HasProbabilities, predicts_from_lines

_HALF = 0.5  # the vote of a point that is equally far from both prototypes
_EQUAL = 1e-9  # of distances: what rounding leaves between two that are the same


def where_the_middle_wins(ground: QuestionContext) -> int | None:
    """Where a class between the ends of a line wins: 0 nowhere, 1 at w = ½, 2 elsewhere alone."""
    found = _bands_of_shared_line(ground)
    if found is None:
        return None
    bands, inner = found
    if not set(bands.classes) & inner:
        return 0
    return 1 if bands.classes[bands.at(_HALF)] in inner else 2


def middle_facts(ground: QuestionContext) -> Facts:
    """The bands of the line that the question is about."""
    number, found = ground.shared_line, _bands_of_shared_line(ground)
    return () if number is None or found is None else found[0].facts(ground.classes)


def midway_on_the_papers_labels(ground: QuestionContext) -> int:
    """With the paper's .6 and .4, midway: 0 they are equal, 1 the end has more, 2 the middle."""
    end, middle = papers_labels_midway()
    return 0 if abs(end - middle) <= _EQUAL else 1 if end > middle else 2


def midway_facts(ground: QuestionContext) -> Facts:
    """The two influences that are compared."""
    end, middle = papers_labels_midway()
    template = (
        "Midway between blue and green, the paper's soft labels give blue an influence of "
        "{end:.2f} and green one of {middle:.2f}."
    )
    return (fact("lesson.midway", template, end=end, middle=middle),)


def which_line_is_asked(ground: QuestionContext) -> int | None:
    """The line of a point: 0 the nearest segment's, 1 the nearest prototype's, 2 the fullest."""
    counts = _lines_asked(ground)
    if counts is None:
        return None
    every = [number for number, n in enumerate(counts) if n == len(ground.X)]
    return every[0] if len(every) == 1 else None


def asked_facts(ground: QuestionContext) -> Facts:
    """How many points ask the line of either rule."""
    counts = _lines_asked(ground)
    if counts is None:
        return ()
    template = (
        "Of {m:,} query points, {segment:,} ask the line whose segment is nearest, {prototype:,} "
        "the line of the nearest prototype, and {fullest:,} a line with more classes than any "
        "other."
    )
    segment, prototype, fullest = counts
    values = {"segment": segment, "prototype": prototype, "fullest": fullest}
    return (fact("lesson.asked", template, m=len(ground.X), **values),)


def lines_facts(model: HasProbabilities) -> Facts:
    """How many lines there are, and how many classes have a prototype; nothing without lines."""
    if not predicts_from_lines(model):
        return ()
    lines = model.lines_
    ends = {end for line in lines for end in (line.left, line.right)}
    n, k = len(lines), len(model.classes_)
    template = "{n:,} lines carry {k:,} classes" if n > 1 else "One line carries {k:,} classes"
    inner = k - len(ends)
    template += ": {ends:,} of them " + ("ends" if len(ends) == 1 else "end")
    template += " one and " + ("has" if len(ends) == 1 else "have") + " a prototype, "
    template += "{inner:,} " + ("has none." if inner == 1 else "have none.")
    return (fact("lesson.lines", template, n=n, k=k, ends=len(ends), inner=inner),)


def least_at_the_left(ground: QuestionContext) -> int | None:
    """Whose soft label is least at the left end: 0 the end's own, 1 the next, 2 the furthest."""
    number, model = ground.shared_line, ground.model
    labels = getattr(model, "soft_labels_", None)
    if number is None or labels is None or ground.on_lines is None:
        return None
    order = ground.on_lines.lines_[number].classes
    asked = labels[number][0][[order[0], order[1], order[-1]]]
    least = np.flatnonzero(asked <= asked.min() + _EQUAL)
    return int(least[0]) if len(least) == 1 else None


def answer_far_away(ground: QuestionContext) -> int | None:
    """Which class wins at w = ½: 0 that of the left end, 1 one between, 2 that of the right end."""
    found, number = _bands_of_shared_line(ground), ground.shared_line
    if found is None or number is None or ground.on_lines is None:
        return None
    bands, inner = found
    won = bands.classes[bands.at(_HALF)]
    if won in inner:
        return 1
    line = ground.on_lines.lines_[number]
    return {line.left: 0, line.right: 2}.get(won)


def far_facts(ground: QuestionContext) -> Facts:
    """The class that wins where both prototypes are equally far."""
    number = ground.shared_line
    bands = None if number is None else ground.bands(number)
    if number is None or bands is None:
        return ()
    won = bands.classes[bands.at(_HALF)]
    name = class_names(ground.classes)[won]
    template = "On line {line}, {name} wins where both prototypes are equally far away."
    return (fact("lesson.far", template, line=number + 1, name=name),)


def answered_in_high_dimensions(ground: QuestionContext) -> int | None:
    """What decides most answers: 0 the nearest centroid, 1 the class that wins at w = ½."""
    counts = _at_half(ground)
    if counts is None:
        return None
    _, _, nearest, half, _ = counts
    return None if nearest == half else 0 if nearest > half else 1


def half_facts(ground: QuestionContext) -> Facts:
    """How many answers each of the two explains."""
    counts = _at_half(ground)
    if counts is None:
        return ()
    number, m, nearest, half, name = counts
    template = (
        "Of the {m:,} query points that ask line {line}, {half:,} are answered {name}, which wins "
        "at equal distances, and {nearest:,} are answered the class of the nearest centroid."
    )
    if m == 1:
        template = (
            "One query point asks line {line}. Answered {name}, which wins at equal distances: "
            "{half:,}; answered the class of the nearest centroid: {nearest:,}."
        )
    values = {"m": m, "line": number + 1, "half": half, "nearest": nearest, "name": name}
    return (fact("lesson.half", template, **values),)


def same_w_same_answer(ground: QuestionContext) -> int | None:
    """Whether one w has one answer: 0 yes, 1 no; None without a line that is asked."""
    counts = _answers_at_half(ground)
    return None if counts is None else 0 if counts[2] == 1 else 1


def same_w_facts(ground: QuestionContext) -> Facts:
    """How many classes the points of a line would be answered if they all had one w."""
    counts = _answers_at_half(ground)
    if counts is None:
        return ()
    number, m, different = counts
    template = "Put at equal distances, the {m:,} query points that ask line {line} "
    if m == 1:
        template = "Put at equal distances, the one query point that asks line {line} "
    template += (
        "would all be answered one class."
        if different == 1 and m > 1
        else "would be answered one class."
        if different == 1
        else "would be answered {different:,} different classes."
    )
    return (fact("lesson.same_w", template, line=number + 1, m=m, different=different),)


def right_by_divergence(ground: QuestionContext) -> int | None:
    """Which half of the points is right more often: 0 the lower JSD, 1 the higher, 2 both alike."""
    halves = _halves(ground)
    if halves is None:
        return None
    (n, right), (n_high, right_high) = halves
    low, high = right * n_high, right_high * n
    return 2 if low == high else 0 if low > high else 1


def divergence_facts(ground: QuestionContext) -> Facts:
    """How many are right in each half."""
    halves = _halves(ground)
    if halves is None:
        return ()
    (n, right), (n_high, right_high) = halves
    template = (
        "Right answers: {right:,} of the {n:,} query points with the lower JSD, {right_high:,} of "
        "the {n_high:,} with the higher."
    )
    values = {"n": n, "right": right, "n_high": n_high, "right_high": right_high}
    return (fact("lesson.divergence", template, **values),)


def who_places_the_prototypes(ground: QuestionContext) -> int | None:
    """Examples that place a step's prototypes: 0 those of its loss, 1 others, 2 some of each."""
    counts = _placing(ground)
    if counts is None:
        return None
    _, shared, placing = counts
    return 1 if shared == 0 else 0 if shared == placing else 2


def placing_facts(ground: QuestionContext) -> Facts:
    """How many examples give the loss and place the prototypes at once."""
    counts = _placing(ground)
    if counts is None:
        return ()
    steps, shared, placing = counts
    template = (
        "Over {steps:,} steps, prototypes were placed {placing:,} times by an example, and "
        "{shared:,} times by one that also gave that step's loss."
    )
    return (fact("lesson.placing", template, steps=steps, shared=shared, placing=placing),)


def _bands_of_shared_line(ground: QuestionContext) -> tuple[Bands, set[int]] | None:
    number = ground.shared_line
    if number is None or ground.on_lines is None or (bands := ground.bands(number)) is None:
        return None
    return bands, set(ground.on_lines.lines_[number].classes[1:-1])


def _lines_asked(ground: QuestionContext) -> tuple[int, int, int] | None:
    """Query points on the nearest segment's line, the nearest prototype's, the fullest line."""
    model, place = ground.on_lines, ground.place
    if model is None or place is None or len(model.lines_) < 2:
        return None
    ends = np.asarray(model.prototypes_, dtype=np.float64)  # (L, 2, d)
    start, way = ends[:, 0], ends[:, 1] - ends[:, 0]
    length = (way**2).sum(axis=1)
    from_start = ground.X[:, None, :] - start[None]
    along = (from_start * way).sum(axis=2) / np.where(length > 0, length, 1.0)
    feet = start + np.clip(along, 0.0, 1.0)[:, :, None] * way
    to_segment = np.linalg.norm(ground.X[:, None, :] - feet, axis=2)
    to_prototype = np.linalg.norm(ground.X[:, None, None, :] - ends, axis=3).min(axis=2)
    chosen, rows = place.line, np.arange(len(ground.X))

    def least(away: np.ndarray) -> int:
        return int((away[rows, chosen] <= away.min(axis=1) * (1 + _EQUAL) + _EQUAL).sum())

    sizes = np.array([len(line.classes) for line in model.lines_])
    fullest = np.flatnonzero(sizes == sizes.max())
    n_fullest = int((chosen == fullest[0]).sum()) if len(fullest) == 1 else 0
    return least(to_segment), least(to_prototype), n_fullest


def _busiest(ground: QuestionContext) -> tuple[int, np.ndarray] | None:
    """The line that most query points ask, and which of them do; none of one class alone."""
    model, place = ground.on_lines, ground.place
    if model is None or place is None:
        return None
    number = int(np.bincount(place.line).argmax())
    line = model.lines_[number]
    if len(line.classes) < 2 or line.length == 0:
        return None
    return number, np.flatnonzero(place.line == number)


def _at_half(ground: QuestionContext) -> tuple[int, int, int, int, ClassName] | None:
    busiest = _busiest(ground)
    if busiest is None or (bands := ground.bands(busiest[0])) is None:
        return None
    number, rows = busiest
    won = bands.classes[bands.at(_HALF)]
    answers = ground.predicted[rows]
    nearest = int((answers == ground.nearest[rows]).sum())
    name = class_names(ground.classes)[won]
    return number, len(rows), nearest, int((answers == won).sum()), name


def _answers_at_half(ground: QuestionContext) -> tuple[int, int, int] | None:
    busiest = _busiest(ground)
    if busiest is None or ground.on_lines is None:
        return None
    number, rows = busiest
    labels = ground.on_lines.vote_labels(ground.X[rows], np.full(len(rows), number))
    score = labels[:, 0] + labels[:, 1]
    return number, len(rows), len(np.unique(score.argmax(axis=1)))


def _halves(ground: QuestionContext) -> tuple[tuple[int, int], tuple[int, int]] | None:
    """(points, right ones) of the half with the lower JSD and of the rest; None below two."""
    m = len(ground.true)
    if ground.jsd is None or m < 2:
        return None
    order = np.argsort(ground.jsd, kind="stable")
    right = ground.predicted == ground.true
    low, high = order[: m // 2], order[m // 2 :]
    return (len(low), int(right[low].sum())), (len(high), int(right[high].sum()))


def _placing(ground: QuestionContext) -> tuple[int, int, int] | None:
    """Steps; how often an example both placed a prototype and gave the loss, or placed one."""
    steps = ground.episode
    if steps is None:
        return None
    pairs = list(zip(steps.for_loss, steps.for_means, strict=True))
    shared = sum(len(np.intersect1d(loss, means)) for loss, means in pairs)
    return len(pairs), shared, sum(means.size for _, means in pairs)
