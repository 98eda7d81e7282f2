"""The paper's toy example and the counter-example of Theorem 2's proof, beside its numbers."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd

from slp_core.explain.bands import winning_bands
from slp_core.explain.point import PointReading, read_point

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
PRINTED, WHY = "printed in the paper", "why they differ"


def worked_example() -> tuple[PointReading, pd.DataFrame]:
    """The toy example, blue, green and yellow on one line, and how x = (1.5, 0.8) is predicted."""
    # On demand: it imports scikit-learn.
    from slp_core.methods.constraint_slp import ConstraintSLPClassifier

    model = ConstraintSLPClassifier().fit(TOY_CENTROIDS, TOY_CLASSES)
    reading = read_point(model, TOY_POINT, TOY_CENTROIDS)
    by_paper = (_TOY_LABELS / _TOY_DISTANCE).sum(axis=0)
    papers_labels = (_TOY_LABELS / reading.distances[:, None]).sum(axis=0)
    illustrated = (
        "The paper's soft labels are an illustration. Its linear programme gives 4/7 and 3/7."
    )
    projected = "The paper divides by the distance of x's projection on the line, (1.5, 0)."
    scores = _numbers(_TOY_SCORES, 2)
    return reading, _table(
        ("distances from A and B", _numbers(reading.distances, 3), "1.5, 1.5", projected),
        ("weight w of A", f"{reading.w:.3f}"),
        *(
            (
                f"soft label of {side}",
                _numbers(reading.soft_labels[n], 3),
                _numbers(_TOY_LABELS[n], 1),
                illustrated,
            )
            for n, side in enumerate("AB")
        ),
        ("class scores", _numbers(reading.influence, 3), scores, "Both of the above."),
        (
            "class scores with the paper's soft labels and distances",
            _numbers(by_paper, 3),
            scores,
        ),
        ("class scores with the paper's soft labels at x itself", _numbers(papers_labels, 3)),
        ("prediction", reading.classes[reading.predicted], TOY_CLASSES[np.argmax(_TOY_SCORES)]),
    )


def papers_labels_midway() -> tuple[float, float]:
    """Influence of blue and of green midway between their centroids, by the paper's labels."""
    midway = TOY_CENTROIDS[:2].mean(axis=0)
    away = np.linalg.norm(TOY_CENTROIDS[[0, 2]] - midway, axis=1)
    blue, green, _ = (_TOY_LABELS / away[:, None]).sum(axis=0).tolist()
    return blue, green


def counter_example() -> pd.DataFrame:
    """The proof's counter-example: A at −10, B at 5 and C at 15, and where A and B tie.

    From there the ends of the line, of length T, are seen at a right angle: d_left = T cos θ and
    d_right = T sin θ, θ being the angle at the left end, so that tan θ = w / (1 − w).
    """
    # On demand: it imports scikit-learn.
    from slp_core.methods.constraint_slp import ConstraintSLPClassifier

    model = ConstraintSLPClassifier(floor=PAPERS_FLOOR).fit(COUNTER_CENTROIDS, COUNTER_CLASSES)
    free = ConstraintSLPClassifier().fit(COUNTER_CENTROIDS, COUNTER_CLASSES)
    (line,), (labels,), (free_labels,) = model.lines_, model.soft_labels_, free.soft_labels_
    w = winning_bands(*labels).edges[-2]  # between A, which wins up to 1, and B

    def seen_at(angle: float) -> tuple[np.ndarray, np.ndarray]:
        """The place, and its distances from A and B."""
        at = line.length * np.cos(angle) * np.array([np.cos(angle), np.sin(angle)])
        place = COUNTER_CENTROIDS[0] + at
        return place, np.linalg.norm(place - COUNTER_CENTROIDS[:2], axis=1)

    angle = np.arctan(w / (1 - w))
    place, away = seen_at(angle)
    _, printed = seen_at(np.radians(_COUNTER_ANGLE))
    step = np.array([0.01, 0.0])
    cut = "The paper cuts after three digits."
    why = (
        f"The printed distances belong to the angle computed here; {_COUNTER_ANGLE}° would give "
        f"{printed[0]:.3f} and {printed[1]:.3f}."
    )
    return _table(
        *(
            (
                f"soft label at {end}, none below {PAPERS_FLOOR}",
                _numbers(labels[side], 4),
                _numbers(_COUNTER_LABELS[side], 4),
            )
            for side, end in enumerate("AC")
        ),
        *(
            (f"soft label at {end}, without that floor", _numbers(free_labels[side], 4))
            for side, end in enumerate("AC")
        ),
        ("θ at which A and B tie", f"{np.degrees(angle):.2f}°", f"{_COUNTER_ANGLE}°", why),
        ("distance from A", f"{away[0]:.4f}", f"{_COUNTER_AWAY[0]}", cut),
        ("distance from B", f"{away[1]:.4f}", f"{_COUNTER_AWAY[1]}", cut),
        ("prediction 0.01 further along", str(model.predict([place + step])[0]), "B"),
    )


def _table(*rows: tuple[str, ...]) -> pd.DataFrame:
    """What is computed, and where the paper prints it what it has and why the two differ."""
    table = pd.DataFrame(rows, columns=["quantity", "computed here", PRINTED, WHY])
    return table.fillna({PRINTED: "–", WHY: ""})


def _numbers(values: Sequence[float] | np.ndarray, digits: int) -> str:
    return ", ".join(f"{value:.{digits}f}" for value in values)
