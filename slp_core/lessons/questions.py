"""Results that answer the lessons' questions: each computed, each with its correct choice."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from slp_core.explain.bands import Bands
from slp_core.explain.worked_example import papers_labels_midway
from slp_core.lessons.question_context import QuestionContext

_HALF = 0.5  # w of an example that is equally far from both prototypes
_EQUAL = 1e-9  # relative difference of distances that rounding leaves


@dataclass(frozen=True)
class MiddleClass:
    """The intervals of w on a line, and which classes lie between its ends."""

    line: int
    bands: Bands
    inner: frozenset[int]

    @property
    def correct(self) -> int:
        """Where an inner class wins: 0 nowhere, 1 at w = ½, 2 elsewhere only."""
        if not set(self.bands.classes) & self.inner:
            return 0
        return 1 if self.bands.classes[self.bands.at(_HALF)] in self.inner else 2


def middle_class(context: QuestionContext) -> MiddleClass | None:
    """Of the first line that carries three classes; None without constant soft labels."""
    number, model = context.shared_line, context.line_model
    if number is None or model is None or (bands := context.bands(number)) is None:
        return None
    return MiddleClass(number, bands, frozenset(model.lines_[number].classes[1:-1]))


@dataclass(frozen=True)
class FarAway:
    """The class that wins on a line where both prototypes are equally far."""

    line: int
    winner: int
    correct: int | None  # 0 prototype A's class, 1 one between, 2 prototype B's


def far_away(context: QuestionContext) -> FarAway | None:
    """Of the first line that carries three classes."""
    found, model = middle_class(context), context.line_model
    if found is None or model is None:
        return None
    line, winner = model.lines_[found.line], found.bands.classes[found.bands.at(_HALF)]
    ends = {line.left: 0, line.right: 2}
    return FarAway(found.line, winner, 1 if winner in found.inner else ends.get(winner))


@dataclass(frozen=True)
class SmallestShare:
    """Whose share is smallest at prototype A: 0 its own class, 1 the next, 2 the furthest."""

    correct: int | None


def smallest_share(context: QuestionContext) -> SmallestShare | None:
    """On the first line that carries three classes."""
    number, model = context.shared_line, context.line_model
    labels = getattr(context.model, "soft_labels_", None)
    if number is None or labels is None or model is None:
        return None
    order = model.lines_[number].classes
    shares = labels[number][0][[order[0], order[1], order[-1]]]
    smallest = np.flatnonzero(shares <= shares.min() + _EQUAL)
    return SmallestShare(int(smallest[0]) if len(smallest) == 1 else None)


@dataclass(frozen=True)
class Midway:
    """Class scores midway between blue and green, by the paper's soft labels."""

    blue: float
    green: float

    @property
    def correct(self) -> int:
        """0 equal, 1 blue's is higher, 2 green's."""
        if abs(self.blue - self.green) <= _EQUAL:
            return 0
        return 1 if self.blue > self.green else 2


def midway(_: QuestionContext) -> Midway:
    """The same whatever the workspace."""
    return Midway(*papers_labels_midway())


@dataclass(frozen=True)
class Assignment:
    """Query examples assigned to the line of each rule, of m."""

    m: int
    nearest_segment: int
    nearest_prototype: int
    most_classes: int

    @property
    def correct(self) -> int | None:
        """The one rule that all examples follow: 0 segment, 1 prototype, 2 most classes."""
        counts = (self.nearest_segment, self.nearest_prototype, self.most_classes)
        rules = [rule for rule, n in enumerate(counts) if n == self.m]
        return rules[0] if len(rules) == 1 else None


def assignment(context: QuestionContext) -> Assignment | None:
    """How the query examples were assigned; None with fewer than two lines."""
    model, placement = context.line_model, context.placement
    if model is None or placement is None or len(model.lines_) < 2:
        return None
    ends = np.asarray(model.prototypes_, dtype=np.float64)  # (L, 2, d)
    start, way = ends[:, 0], ends[:, 1] - ends[:, 0]
    length = (way**2).sum(axis=1)
    from_start = context.X[:, None, :] - start[None]
    along = (from_start * way).sum(axis=2) / np.where(length > 0, length, 1.0)
    feet = start + np.clip(along, 0.0, 1.0)[:, :, None] * way
    to_segment = np.linalg.norm(context.X[:, None, :] - feet, axis=2)
    to_prototype = np.linalg.norm(context.X[:, None, None, :] - ends, axis=3).min(axis=2)
    chosen, rows = placement.line, np.arange(len(context.X))

    def follow(distance: np.ndarray) -> int:
        least = distance.min(axis=1) * (1 + _EQUAL) + _EQUAL
        return int((distance[rows, chosen] <= least).sum())

    sizes = np.array([len(line.classes) for line in model.lines_])
    largest = np.flatnonzero(sizes == sizes.max())
    n_largest = int((chosen == largest[0]).sum()) if len(largest) == 1 else 0
    return Assignment(len(rows), follow(to_segment), follow(to_prototype), n_largest)


@dataclass(frozen=True)
class Deciding:
    """On the busiest line: how many predictions are the nearest centroid's, or the w = ½ class."""

    line: int
    winner: int
    m: int
    nearest: int
    at_half: int
    both: int

    @property
    def correct(self) -> int:
        """0 the nearest centroid, 1 the class that wins at w = ½, 2 within one standard error."""
        difference = self.at_half - self.nearest
        apart = self.at_half + self.nearest - 2 * self.both
        error = np.sqrt(max(apart - difference**2 / self.m, 0.0))  # of paired counts
        if abs(difference) <= error:
            return 2
        return 1 if difference > 0 else 0


def deciding(context: QuestionContext) -> Deciding | None:
    """What decides most predictions; None where soft labels depend on the example."""
    number, placement = context.busiest_line, context.placement
    if number is None or placement is None or (bands := context.bands(number)) is None:
        return None
    rows = np.flatnonzero(placement.line == number)
    winner = bands.classes[bands.at(_HALF)]
    predicted = context.predicted[rows]
    nearest, half = predicted == context.nearest[rows], predicted == winner
    counts = (len(rows), int(nearest.sum()), int(half.sum()), int((nearest & half).sum()))
    return Deciding(number, winner, *counts)


@dataclass(frozen=True)
class SameWeight:
    """How many classes a line's query examples would be predicted, all at w = ½."""

    line: int
    m: int
    classes: int

    @property
    def correct(self) -> int:
        """0 one class, 1 several."""
        return 0 if self.classes == 1 else 1


def same_weight(context: QuestionContext) -> SameWeight | None:
    """Of the busiest line."""
    number, model, placement = context.busiest_line, context.line_model, context.placement
    if number is None or model is None or placement is None:
        return None
    rows = np.flatnonzero(placement.line == number)
    labels = model.vote_labels(context.X[rows], np.full(len(rows), number))
    winners = (labels[:, 0] + labels[:, 1]).argmax(axis=1)
    return SameWeight(number, len(rows), len(np.unique(winners)))


@dataclass(frozen=True)
class JsdHalves:
    """Query examples and correct predictions, in the half with lower and with higher JSD."""

    n_low: int
    correct_low: int
    n_high: int
    correct_high: int

    @property
    def accuracies(self) -> tuple[float, float]:
        """Of the half with the lower and with the higher JSD."""
        return self.correct_low / self.n_low, self.correct_high / self.n_high

    @property
    def standard_error(self) -> float:
        """Of the difference of the two accuracies."""
        low, high = self.accuracies
        return float(np.sqrt(low * (1 - low) / self.n_low + high * (1 - high) / self.n_high))

    @property
    def correct(self) -> int:
        """Which half is more accurate: 0 the lower, 1 the higher, 2 within one standard error."""
        low, high = self.accuracies
        if abs(low - high) <= self.standard_error:
            return 2
        return 0 if low > high else 1


def jsd_halves(context: QuestionContext) -> JsdHalves | None:
    """The query set ordered by JSD and cut in two; None below two examples."""
    m = len(context.true)
    if context.jsd is None or m < 2:
        return None
    order = np.argsort(context.jsd, kind="stable")
    hits = (context.predicted == context.true)[order]
    low, high = hits[: m // 2], hits[m // 2 :]
    return JsdHalves(len(low), int(low.sum()), len(high), int(high.sum()))


@dataclass(frozen=True)
class Placing:
    """Of an episode: how often an example placed a prototype, and gave the same step's loss too."""

    steps: int
    placing: int
    shared: int

    @property
    def correct(self) -> int:
        """0 the loss's examples place the prototypes, 1 others do, 2 some of each."""
        return 1 if self.shared == 0 else 0 if self.shared == self.placing else 2


def placing(context: QuestionContext) -> Placing | None:
    """Of the episode whose steps were computed last."""
    steps = context.episode
    if steps is None:
        return None
    pairs = list(zip(steps.for_loss, steps.for_means, strict=True))
    shared = sum(len(np.intersect1d(loss, means)) for loss, means in pairs)
    return Placing(len(pairs), sum(means.size for _, means in pairs), shared)
