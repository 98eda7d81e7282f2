"""The lessons' questions: results computed from the workspace, each with its correct choice."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Self

import numpy as np

from slp_core.explain.bands import Bands, winning_bands
from slp_core.explain.worked_example import papers_labels_midway
from slp_core.lines import Placement
from slp_core.meta.episode_steps import EpisodeSteps
from slp_core.methods.protocols import HasLines, HasProbabilities, predicts_from_lines

_HALF = 0.5  # w of an example that is equally far from both prototypes
_EQUAL = 1e-9  # relative difference of distances that rounding leaves


@dataclass(frozen=True, eq=False)
class QuestionContext:
    """The part of a workspace that a question needs."""

    model: HasProbabilities
    X: np.ndarray  # (m, d)
    true: np.ndarray  # (m,)
    predicted: np.ndarray  # (m,)
    nearest: np.ndarray  # (m,)
    jsd: np.ndarray | None = None  # (m,)
    episode: EpisodeSteps | None = None

    @property
    def line_model(self) -> HasLines | None:
        """The model, if it predicts from lines."""
        return self.model if predicts_from_lines(self.model) else None

    @property
    def soft_labels(self) -> np.ndarray | None:
        """(L, 2, K) constant soft labels; None where they depend on the example."""
        return None if self.line_model is None else getattr(self.model, "soft_labels_", None)

    @property
    def class_names(self) -> tuple[str, ...]:
        return tuple(str(c) for c in self.model.classes_)

    @cached_property
    def placement(self) -> Placement | None:
        """Where the query examples are on the lines; None without lines or examples."""
        model = self.line_model
        return model.place(self.X) if model is not None and len(self.X) else None

    @property
    def busiest_line(self) -> tuple[int, np.ndarray] | None:
        """The line with most query examples, and their rows; None for one class or no length."""
        if self.line_model is None or self.placement is None:
            return None
        number = int(np.bincount(self.placement.line).argmax())
        line = self.line_model.lines_[number]
        rows = np.flatnonzero(self.placement.line == number)
        return (number, rows) if len(line.classes) > 1 and line.length > 0 else None


@dataclass(frozen=True, eq=False)
class MiddleClass:
    """Whether a class between the ends wins, on the first line that carries three classes."""

    line: int
    order: tuple[int, ...]
    soft_labels: np.ndarray  # (2, K)
    classes: tuple[str, ...]

    @classmethod
    def of(cls, context: QuestionContext) -> Self | None:
        """None without such a line, or if soft labels depend on the example."""
        model, labels = context.line_model, context.soft_labels
        if model is None or labels is None:
            return None
        for number, line in enumerate(model.lines_):
            if len(line.classes) > 2 and line.length > 0:
                return cls(number, tuple(line.classes), labels[number], context.class_names)
        return None

    @cached_property
    def bands(self) -> Bands:
        return winning_bands(*self.soft_labels)

    @property
    def winner(self) -> int:
        """The class that wins where both prototypes are equally far."""
        return self.bands.classes[self.bands.at(_HALF)]

    @property
    def correct(self) -> int | None:
        """Where an inner class wins: 0 nowhere, 1 at w = ½, 2 elsewhere only."""
        inner = set(self.order[1:-1])
        if not inner & set(self.bands.classes):
            return 0
        return 1 if self.winner in inner else 2


class FarAway(MiddleClass):
    """Which class wins where both prototypes are equally far."""

    @property
    def correct(self) -> int | None:
        """0 prototype A's class, 1 one between, 2 prototype B's."""
        ends = {self.order[0]: 0, self.order[-1]: 2}
        return ends.get(self.winner, 1 if self.winner in self.order else None)


class SmallestShare(MiddleClass):
    """Whose share is smallest at prototype A."""

    @property
    def correct(self) -> int | None:
        """0 its own class, 1 the next, 2 the furthest."""
        shares = self.soft_labels[0][[self.order[0], self.order[1], self.order[-1]]]
        smallest = np.flatnonzero(shares <= shares.min() + _EQUAL)
        return int(smallest[0]) if len(smallest) == 1 else None


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
    """Independent of the workspace."""
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
    classes: tuple[str, ...] = ()

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
    """What decides most predictions; None if soft labels depend on the example."""
    busiest, labels = context.busiest_line, context.soft_labels
    if busiest is None or labels is None:
        return None
    number, rows = busiest
    bands = winning_bands(*labels[number])
    winner = bands.classes[bands.at(_HALF)]
    predicted = context.predicted[rows]
    nearest, half = predicted == context.nearest[rows], predicted == winner
    counts = (len(rows), int(nearest.sum()), int(half.sum()), int((nearest & half).sum()))
    return Deciding(number, winner, *counts, context.class_names)


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
    busiest, model = context.busiest_line, context.line_model
    if busiest is None or model is None:
        return None
    number, rows = busiest
    labels = model.prototype_scores(context.X[rows], np.full(len(rows), number))
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
