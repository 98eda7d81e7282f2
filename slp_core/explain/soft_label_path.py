"""constraintSLP's linear programme step by step: from hard labels to its optimum."""

from __future__ import annotations

import numpy as np

from slp_core.methods.constraint_slp import ConstraintSLPClassifier
from slp_core.methods.line_programme import DELTA, LineProgramme

STEPS = 24
_LONG = 20  # classes on a line, of which each step takes so long that few are solved for


def soft_label_path(
    model: ConstraintSLPClassifier,
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """S optima of every line's programme as the violation that is allowed goes to its least.

    Soft labels (S, L, 2, K), from hard ones on, with the objective and the violation (S,) of each.
    """
    programmes = {
        number: LineProgramme.of(line.positions / line.length, model.margin, model.floor)
        for number, line in enumerate(model.lines_)
        if len(line.classes) > 2 and line.length > 0
    }
    longest = max((len(model.lines_[number].classes) for number in programmes), default=0)
    steps = 1 if not programmes else STEPS if longest <= _LONG else 3
    labels = np.repeat(model.soft_labels_[None], steps, axis=0)
    objective, violation = np.zeros(steps), np.zeros(steps)
    for number, programme in programmes.items():
        classes = list(model.lines_[number].classes)
        last = model.soft_labels_[number][:, classes].ravel()
        hard = programme.hard_labels()
        allowed = np.linspace(programme.violated(hard), programme.violated(last), steps)
        inner = [programme.best_within(each) for each in allowed[1:-1]]
        for step, found in enumerate([hard, *inner, last]):
            labels[step, number][:, classes] = found.reshape(2, -1)
            objective[step] += DELTA * programme.goal(found)
            violation[step] += programme.violated(found)
    return labels, objective, violation
