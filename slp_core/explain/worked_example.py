"""The paper's toy example and the counter-example of Theorem 2's proof, beside its numbers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from slp_core.explain.theorem2 import Turn, turns_of
from slp_core.explain.way import Way, way_of

TOY_CLASSES = ("blue", "green", "yellow")
TOY_CENTROIDS = np.array([[0.0, 0.0], [1.5, 0.0], [3.0, 0.0]])
TOY_POINT = np.array([1.5, 0.8])
COUNTER_CLASSES = ("A", "B", "C")
COUNTER_CENTROIDS = np.array([[-10.0, 0.0], [5.0, 0.0], [15.0, 0.0]])
PAPERS_FLOOR = 1e-4  # the least soft label that the paper's figures show

# As printed in the paper.
_TOY_LABELS = np.array([[0.6, 0.4, 0.0], [0.0, 0.4, 0.6]])
_TOY_DISTANCE = 1.5
_TOY_SCORES = (0.4, 0.53, 0.4)
_COUNTER_LABELS = ((0.5963, 0.4036, 0.0001), (0.0001, 0.4495, 0.5504))
_COUNTER_ANGLE, _COUNTER_AWAY = 66.84, (9.847, 14.338)


@dataclass(frozen=True)
class WorkedStep:
    """One number of an example, or a few that belong together."""

    name: str
    computed: str
    printed: str = ""
    why: str = ""


@dataclass(frozen=True, eq=False)
class WorkedExample:
    """The toy example, with every number of its prediction."""

    way: Way
    steps: tuple[WorkedStep, ...]


def worked_example() -> WorkedExample:
    """The toy example: blue, green and yellow on one line, and x = (1.5, 0.8) to be classified."""
    # On demand: it imports scikit-learn.
    from slp_core.methods.constraint_slp import ConstraintSLPClassifier

    model = ConstraintSLPClassifier().fit(TOY_CENTROIDS, TOY_CLASSES)
    way = way_of(model, TOY_POINT, TOY_CENTROIDS)
    reading = way.reading
    d_left, d_right = reading.distances.tolist()
    by_paper = (_TOY_LABELS / _TOY_DISTANCE).sum(axis=0)
    papers_labels = (_TOY_LABELS / reading.distances[:, None]).sum(axis=0)
    illustrated = (
        "The paper's soft labels are an illustration. Its linear programme gives 4/7 and 3/7."
    )
    projected = "The paper divides by the distance of x's projection on the line, (1.5, 0)."
    steps = (
        WorkedStep("distances from A and B", _numbers((d_left, d_right), 3), "1.5, 1.5", projected),
        WorkedStep("weight w of A", f"{reading.w:.3f}"),
        WorkedStep(
            "soft label of A",
            _numbers(reading.soft_labels[0], 3),
            _numbers(_TOY_LABELS[0], 1),
            illustrated,
        ),
        WorkedStep(
            "soft label of B",
            _numbers(reading.soft_labels[1], 3),
            _numbers(_TOY_LABELS[1], 1),
            illustrated,
        ),
        WorkedStep(
            "class scores",
            _numbers(reading.influence, 3),
            _numbers(_TOY_SCORES, 2),
            "Both of the above.",
        ),
        WorkedStep(
            "class scores with the paper's soft labels and distances",
            _numbers(by_paper, 3),
            _numbers(_TOY_SCORES, 2),
        ),
        WorkedStep(
            "class scores with the paper's soft labels at x itself", _numbers(papers_labels, 3)
        ),
        WorkedStep(
            "prediction", reading.classes[reading.predicted], TOY_CLASSES[np.argmax(_TOY_SCORES)]
        ),
    )
    return WorkedExample(way, steps)


def papers_labels_midway() -> tuple[float, float]:
    """Influence of blue and of green midway between their centroids, by the paper's labels."""
    midway = TOY_CENTROIDS[:2].mean(axis=0)
    away = np.linalg.norm(TOY_CENTROIDS[[0, 2]] - midway, axis=1)
    blue, green, _ = (_TOY_LABELS / away[:, None]).sum(axis=0).tolist()
    return blue, green


def counter_example() -> tuple[Turn, tuple[WorkedStep, ...]]:
    """The proof's counter-example: A at −10, B at 5 and C at 15, and where A and B tie."""
    # On demand: it imports scikit-learn.
    from slp_core.methods.constraint_slp import ConstraintSLPClassifier

    model = ConstraintSLPClassifier(floor=PAPERS_FLOOR).fit(COUNTER_CENTROIDS, COUNTER_CLASSES)
    free = ConstraintSLPClassifier().fit(COUNTER_CENTROIDS, COUNTER_CLASSES)
    turn = next(turn for turn in turns_of(model) if turn.left == 0)
    at = np.radians(_COUNTER_ANGLE)
    length = model.lines_[0].length
    place = length * np.cos(at) * np.array([np.cos(at), np.sin(at)]) + COUNTER_CENTROIDS[0]
    printed = np.linalg.norm(place - COUNTER_CENTROIDS[:2], axis=1)
    beyond = COUNTER_CENTROIDS[0] + [turn.t + 0.01, turn.r]
    predicted = str(model.predict(beyond[None])[0])
    cut = "The paper cuts after three digits."
    angle = (
        f"The printed distances belong to the angle computed here; {_COUNTER_ANGLE}° would give "
        f"{printed[0]:.3f} and {printed[1]:.3f}."
    )
    steps = (
        *(
            WorkedStep(
                f"soft label at {COUNTER_CLASSES[end]}, none below {PAPERS_FLOOR}",
                _numbers(model.soft_labels_[0, side], 4),
                _numbers(_COUNTER_LABELS[side], 4),
                "" if _same(model.soft_labels_[0, side], _COUNTER_LABELS[side]) else "Rounding.",
            )
            for side, end in enumerate((0, 2))
        ),
        *(
            WorkedStep(
                f"soft label at {COUNTER_CLASSES[end]}, without that floor",
                _numbers(free.soft_labels_[0, side], 4),
            )
            for side, end in enumerate((0, 2))
        ),
        WorkedStep("θ at which A and B tie", f"{turn.angle:.2f}°", f"{_COUNTER_ANGLE}°", angle),
        WorkedStep("distance from A", f"{turn.to_left:.4f}", f"{_COUNTER_AWAY[0]}", cut),
        WorkedStep("distance from B", f"{turn.to_right:.4f}", f"{_COUNTER_AWAY[1]}", cut),
        WorkedStep("prediction 0.01 further along", predicted, COUNTER_CLASSES[1]),
    )
    return turn, steps


def _same(labels: np.ndarray, printed: Sequence[float]) -> bool:
    return bool(np.all(np.round(labels, 4) == np.array(printed)))


def _numbers(values: Sequence[float] | np.ndarray, digits: int) -> str:
    return ", ".join(f"{value:.{digits}f}" for value in values)
