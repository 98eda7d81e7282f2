"""The lessons' questions, each answered from the workspace: the correct choice, and why."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from slp_core.explain.bands import Bands, winning_bands
from slp_core.explain.text import bands_text
from slp_core.explain.worked_example import papers_labels_midway
from slp_core.lines import Placement
from slp_core.meta.episode_steps import EpisodeSteps
from slp_core.methods.protocols import HasLines, HasProbabilities, predicts_from_lines
from slp_core.sentences import class_names, count, number, percent

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
        return self.model if predicts_from_lines(self.model) else None

    @property
    def soft_labels(self) -> np.ndarray | None:
        """(L, 2, K) constant soft labels; None where they depend on the example."""
        return None if self.line_model is None else getattr(self.model, "soft_labels_", None)

    @property
    def classes(self) -> tuple[str, ...]:
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
        busiest = int(np.bincount(self.placement.line).argmax())
        line = self.line_model.lines_[busiest]
        rows = np.flatnonzero(self.placement.line == busiest)
        return (busiest, rows) if len(line.classes) > 1 and line.length > 0 else None

    @cached_property
    def shared_line(self) -> SharedLine | None:
        """The first line that carries three classes, if soft labels are constant."""
        model, labels = self.line_model, self.soft_labels
        if model is None or labels is None:
            return None
        for place, line in enumerate(model.lines_):
            if len(line.classes) > 2 and line.length > 0:
                bands = winning_bands(*labels[place])
                return SharedLine(place, tuple(line.classes), labels[place], bands)
        return None


@dataclass(frozen=True, eq=False)
class SharedLine:
    """A line whose two prototypes serve three classes or more."""

    place: int
    order: tuple[int, ...]  # of its classes
    soft_labels: np.ndarray  # (2, K)
    bands: Bands

    @property
    def winner(self) -> int:
        """The class that wins where both prototypes are equally far."""
        return self.bands.classes[self.bands.at(_HALF)]


@dataclass(frozen=True)
class Answer:
    """The correct choice, None where there is no single one, and the evidence for it."""

    correct: int | None
    evidence: str


def middle_class(context: QuestionContext) -> Answer | None:
    """Where a class between the ends wins: 0 nowhere, 1 at w = ½, 2 elsewhere only."""
    if (line := context.shared_line) is None:
        return None
    inner = set(line.order[1:-1])
    correct = 0
    if inner & set(line.bands.classes):
        correct = 1 if line.winner in inner else 2
    return Answer(correct, bands_text(line.bands, context.classes))


def far_away(context: QuestionContext) -> Answer | None:
    """Which class wins at equal distances: 0 prototype A's, 1 one between, 2 prototype B's."""
    if (line := context.shared_line) is None:
        return None
    ends = {line.order[0]: 0, line.order[-1]: 2}
    correct = ends.get(line.winner, 1 if line.winner in line.order else None)
    name = class_names(context.classes)[line.winner]
    evidence = f"On line {line.place + 1}, {name} wins where both prototypes are equally far."
    return Answer(correct, evidence)


def smallest_share(context: QuestionContext) -> Answer | None:
    """Whose share is smallest at prototype A: 0 its own class, 1 the next, 2 the furthest."""
    if (line := context.shared_line) is None:
        return None
    shares = line.soft_labels[0][[line.order[0], line.order[1], line.order[-1]]]
    smallest = np.flatnonzero(shares <= shares.min() + _EQUAL)
    correct = int(smallest[0]) if len(smallest) == 1 else None
    return Answer(correct, bands_text(line.bands, context.classes))


def midway(_: QuestionContext) -> Answer:
    """The higher class score between blue and green: 0 equal, 1 blue's, 2 green's."""
    blue, green = papers_labels_midway()
    correct = 0 if abs(blue - green) <= _EQUAL else 1 if blue > green else 2
    return Answer(
        correct,
        "Midway between blue and green, the paper's soft labels give blue a score of "
        f"{number(blue)} and green {number(green)}.",
    )


def assignment(context: QuestionContext) -> Answer | None:
    """The one rule that assigns all examples: 0 segment, 1 prototype, 2 most classes."""
    model, placement = context.line_model, context.placement
    if model is None or placement is None or len(model.lines_) < 2:
        return None
    ends = np.asarray(model.prototypes_, dtype=np.float64)  # (L, 2, d)
    to_prototype = np.linalg.norm(context.X[:, None, None, :] - ends, axis=3).min(axis=2)
    chosen, m = placement.line, len(context.X)

    def follow(distance: np.ndarray) -> int:
        least = distance.min(axis=1) * (1 + _EQUAL) + _EQUAL
        return int((distance[np.arange(m), chosen] <= least).sum())

    sizes = np.array([len(line.classes) for line in model.lines_])
    largest = np.flatnonzero(sizes == sizes.max())
    most_classes = int((chosen == largest[0]).sum()) if len(largest) == 1 else 0
    counts = (follow(placement.segment_distance), follow(to_prototype), most_classes)
    rules = [rule for rule, n in enumerate(counts) if n == m]
    return Answer(
        rules[0] if len(rules) == 1 else None,
        f"Of {count(m, 'query example')}, {count(counts[0], 'is', 'are')} assigned to the line "
        f"with the nearest segment, and {counts[1]:,} to the one with the nearest prototype. "
        + (
            f"To the one with the most classes: {most_classes:,}."
            if len(largest) == 1
            else "No line alone has the most classes."
        ),
    )


def deciding(context: QuestionContext) -> Answer | None:
    """What more predictions are: 0 the nearest centroid's, 1 the class that wins at w = ½, 2 equal.

    Equal is within one standard error of the difference, of paired counts on the busiest line.
    """
    busiest, labels = context.busiest_line, context.soft_labels
    if busiest is None or labels is None:
        return None
    line, rows = busiest
    bands = winning_bands(*labels[line])
    winner = bands.classes[bands.at(_HALF)]
    predicted = context.predicted[rows]
    nearest, half = predicted == context.nearest[rows], predicted == winner
    more = half.astype(int) - nearest
    error = np.sqrt(len(rows)) * more.std()
    return Answer(
        2 if abs(more.sum()) <= error else int(more.sum() > 0),
        f"Of {count(len(rows), 'prediction')} on line {line + 1}, "
        f"{count(int(half.sum()), 'is', 'are')} {class_names(context.classes)[winner]}, the class "
        f"that wins at equal distances, and {count(int(nearest.sum()), 'is', 'are')} the class of "
        "the nearest centroid.",
    )


def same_weight(context: QuestionContext) -> Answer | None:
    """How many classes the busiest line would predict, all at w = ½: 0 one class, 1 several."""
    busiest, model = context.busiest_line, context.line_model
    if busiest is None or model is None:
        return None
    line, rows = busiest
    labels = model.prototype_scores(context.X[rows], np.full(len(rows), line))
    n = len(np.unique(labels.sum(axis=1).argmax(axis=1)))
    return Answer(
        int(n > 1),
        f"Classes predicted if all {count(len(rows), 'query example')} of line {line + 1} had "
        f"*w* = ½: {n:,}.",
    )


def jsd_halves(context: QuestionContext) -> Answer | None:
    """Which half of the query set is more accurate: 0 that of lower JSD, 1 of higher, 2 neither.

    Neither, if the difference is within one standard error.
    """
    m = len(context.true)
    if context.jsd is None or m < 2:
        return None
    correct = (context.predicted == context.true)[np.argsort(context.jsd, kind="stable")]
    halves = correct[: m // 2], correct[m // 2 :]
    low, high = (float(half.mean()) for half in halves)
    error = float(np.sqrt(sum(half.var() / len(half) for half in halves)))
    counts = [f"{half.sum():,} of {len(half):,}" for half in halves]
    return Answer(
        2 if abs(low - high) <= error else int(high > low),
        f"Accuracy: {percent(low)} ({counts[0]}) in the half with the lower JSD, {percent(high)} "
        f"({counts[1]}) in the other. The standard error of the difference is "
        f"{number(100 * error, 1)} percentage points.",
    )


def placing(context: QuestionContext) -> Answer | None:
    """Of an episode: 0 the loss's examples place the prototypes, 1 others do, 2 some of each."""
    if (steps := context.episode) is None:
        return None
    pairs = list(zip(steps.for_loss, steps.for_means, strict=True))
    shared = sum(len(np.intersect1d(loss, means)) for loss, means in pairs)
    n = sum(means.size for _, means in pairs)
    return Answer(
        1 if shared == 0 else 0 if shared == n else 2,
        f"In {count(len(pairs), 'step')}, examples placed prototypes {n:,} times; {shared:,} of "
        "these also gave the same step's loss.",
    )
