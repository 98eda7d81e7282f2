"""The paper's two small examples, worked number by number beside what the paper prints.

The toy example of the paper's appendix on classification with constraintSLP, and the
counter-example in its proof of Theorem 2. What is printed is quoted; the rest is computed here.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from slp_core.explain.point import PointReading, read_point
from slp_core.explain.theorem2 import Turn, theorem2
from slp_core.facts import Facts, Stated, class_names, fact
from slp_core.lines import Line

TOY_CLASSES = ("blue", "green", "yellow")
TOY_CENTROIDS = np.array([[0.0, 0.0], [1.5, 0.0], [3.0, 0.0]])
TOY_POINT = np.array([1.5, 0.8])
COUNTER_CLASSES = ("A", "B", "C")
COUNTER_CENTROIDS = np.array([[-10.0, 0.0], [5.0, 0.0], [15.0, 0.0]])
PAPERS_FLOOR = 1e-4  # the least soft label that the paper's figures show

# As printed in the paper.
_TOY_LABELS = np.array([[0.6, 0.4, 0.0], [0.0, 0.4, 0.6]])
_TOY_DISTANCE = 1.5
_TOY_INFLUENCE = (0.4, 0.53, 0.4)
_COUNTER_LABELS = ((0.5963, 0.4036, 0.0001), (0.0001, 0.4495, 0.5504))
_COUNTER_ANGLE, _COUNTER_AWAY = 66.84, (9.847, 14.338)


@dataclass(frozen=True)
class Step:
    """One number of an example, or a few that belong together."""

    name: str
    computed: str
    printed: str = ""
    why: str = ""


@dataclass(frozen=True, eq=False)
class WorkedExample(Stated):
    """The toy example, taken apart."""

    line: Line
    reading: PointReading
    steps: tuple[Step, ...]

    def table(self) -> pd.DataFrame:
        """One row a step, in four columns of words."""
        return steps_table(self.steps)

    def facts(self) -> Facts:
        """What comes out, and where the paper's numbers come from."""
        reading = self.reading
        names = class_names(reading.classes)
        answer = names[reading.predicted]
        papers = names[int(np.argmax(_TOY_INFLUENCE))]
        template = "x is answered {answer}, as the paper has it."
        if answer != papers:
            template = "x is answered {answer}, where the paper has {papers}."
        return (
            fact("worked.answer", template, answer=answer, papers=papers),
            fact(
                "worked.distance",
                "Of its numbers the paper prints a distance of {printed}: that is how far x's foot "
                "on the line is from either prototype ({foot}), and x itself is {away:.3g} away.",
                printed=_TOY_DISTANCE,
                foot=reading.t,
                away=float(reading.distances[0]),
            ),
        )


def steps_table(steps: Sequence[Step]) -> pd.DataFrame:
    """Steps as rows to read."""
    columns = ("step", "computed here", "the paper prints", "why they differ")
    rows = [(step.name, step.computed, step.printed or "–", step.why) for step in steps]
    return pd.DataFrame(rows, columns=columns)


def worked_example() -> WorkedExample:
    """The toy example: blue, green and yellow on one line, and x = (1.5, 0.8) to be classified."""
    from slp_core.methods import ConstraintSLPClassifier  # on demand: it imports scikit-learn

    model = ConstraintSLPClassifier().fit(TOY_CENTROIDS, TOY_CLASSES)
    reading = read_point(model, TOY_POINT, TOY_CENTROIDS)
    line = model.lines_[0]
    d_left, d_right = reading.distances.tolist()
    by_paper = (_TOY_LABELS / _TOY_DISTANCE).sum(axis=0)
    papers_labels = (_TOY_LABELS / reading.distances[:, None]).sum(axis=0)
    band = reading.bands.at(reading.w)
    low, high = reading.bands.edges[band : band + 2]
    illustrated = (
        "The paper's labels are an illustration: its linear programme gives 4/7 and 3/7 here. With "
        "0.6 and 0.4 blue and green are not equal midway between them (0.80 and 0.71), as it asks."
    )
    foot = (
        "1.5 is the distance of x's foot (1.5, 0) on the line. x itself is √(1.5² + 0.8²) away, "
        "which equation 1 divides by."
    )
    steps = (
        Step("centroids", _places(TOY_CENTROIDS), _places(TOY_CENTROIDS)),
        Step(
            "prototypes, left and right",
            _places(model.prototypes_[0]),
            _places(TOY_CENTROIDS[[0, 2]]),
        ),
        Step(
            "soft label, left",
            _numbers(reading.soft_labels[0], 3),
            _numbers(_TOY_LABELS[0], 1),
            illustrated,
        ),
        Step(
            "soft label, right",
            _numbers(reading.soft_labels[1], 3),
            _numbers(_TOY_LABELS[1], 1),
            "As on the left.",
        ),
        Step(
            "distances of x from left and right",
            _numbers((d_left, d_right), 3),
            _numbers((_TOY_DISTANCE, _TOY_DISTANCE), 1),
            foot,
        ),
        Step(
            "influence",
            _numbers(reading.influence, 3),
            _numbers(_TOY_INFLUENCE, 2),
            "Both of the above.",
        ),
        Step(
            "influence, from the paper's labels and distance",
            _numbers(by_paper, 3),
            _numbers(_TOY_INFLUENCE, 2),
        ),
        Step("influence, from the paper's labels at x itself", _numbers(papers_labels, 3)),
        Step("w, the left prototype's share of the vote", f"{reading.w:.3f}"),
        Step(
            f"{reading.classes[reading.bands.classes[band]]} wins for w", f"{low:.3f} to {high:.3f}"
        ),
        Step("answer", reading.classes[reading.predicted], TOY_CLASSES[np.argmax(_TOY_INFLUENCE)]),
    )
    return WorkedExample(line, reading, steps)


def papers_labels_midway() -> tuple[float, float]:
    """Influence of blue and of green midway between their centroids, by the paper's labels."""
    midway = TOY_CENTROIDS[:2].mean(axis=0)
    away = np.linalg.norm(TOY_CENTROIDS[[0, 2]] - midway, axis=1)
    blue, green, _ = (_TOY_LABELS / away[:, None]).sum(axis=0).tolist()
    return blue, green


def counter_example() -> tuple[Turn, tuple[Step, ...]]:
    """The proof's counter-example: A at −10, B at 5 and C at 15, and where A and B tie."""
    from slp_core.methods import ConstraintSLPClassifier  # on demand: it imports scikit-learn

    model = ConstraintSLPClassifier(floor=PAPERS_FLOOR).fit(COUNTER_CENTROIDS, COUNTER_CLASSES)
    free = ConstraintSLPClassifier().fit(COUNTER_CENTROIDS, COUNTER_CLASSES)
    turn = next(turn for turn in theorem2(model).turns if turn.left == 0)
    at = np.radians(_COUNTER_ANGLE)
    length = model.lines_[0].length
    place = length * np.cos(at) * np.array([np.cos(at), np.sin(at)]) + COUNTER_CENTROIDS[0]
    printed = np.linalg.norm(place - COUNTER_CENTROIDS[:2], axis=1)
    beyond = COUNTER_CENTROIDS[0] + [turn.t + 0.01, turn.r]
    answer = str(model.predict(beyond[None])[0])
    rounded = "The last digit: the paper cuts where this rounds."
    angle = (
        f"The printed distances belong to the angle computed here: at {_COUNTER_ANGLE}° they would "
        f"be {printed[0]:.3f} and {printed[1]:.3f}."
    )
    cut = "The paper cuts after three digits."
    steps = (
        Step("centroids", _places(COUNTER_CENTROIDS), _places(COUNTER_CENTROIDS)),
        *(
            Step(
                f"soft label at {COUNTER_CLASSES[end]}, no label below {PAPERS_FLOOR}",
                _numbers(model.soft_labels_[0, side], 4),
                _numbers(_COUNTER_LABELS[side], 4),
                "" if _same(model.soft_labels_[0, side], _COUNTER_LABELS[side]) else rounded,
            )
            for side, end in enumerate((0, 2))
        ),
        *(
            Step(
                f"soft label at {COUNTER_CLASSES[end]}, without such a floor",
                _numbers(free.soft_labels_[0, side], 4),
            )
            for side, end in enumerate((0, 2))
        ),
        Step("θ, where A and B tie", f"{turn.angle:.2f}°", f"{_COUNTER_ANGLE}°", angle),
        Step("distance of that point from A", f"{turn.to_left:.4f}", f"{_COUNTER_AWAY[0]}", cut),
        Step("distance of that point from B", f"{turn.to_right:.4f}", f"{_COUNTER_AWAY[1]}", cut),
        Step("answer a hundredth further on, still nearer to A", answer, COUNTER_CLASSES[1]),
    )
    return turn, steps


def _same(labels: np.ndarray, printed: Sequence[float]) -> bool:
    return bool(np.all(np.round(labels, 4) == np.array(printed)))


def _places(points: np.ndarray) -> str:
    return ", ".join(f"({x:g}, {y:g})" for x, y in points).replace("-", "−")


def _numbers(values: Sequence[float] | np.ndarray, digits: int) -> str:
    return ", ".join(f"{value:.{digits}f}" for value in values)
