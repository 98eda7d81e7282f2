"""What would have been answered if one thing were otherwise: computed, never guessed."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from slp_core.errors import SLPError
from slp_core.explain.point import PointReading, read_point
from slp_core.explain.voting import weighed
from slp_core.markdown import named
from slp_core.methods.protocols import HasLines, answers_from_lines


@dataclass(frozen=True)
class Counterfactual:
    """One change, and what it comes to.

    Attributes
    ----------
    kind : str
        "w", "line", "along", "other" or "nearest".
    answer : int or None
        The class answered then; None where no such change does anything.
    text : str
    """

    kind: str
    answer: int | None
    text: str


@dataclass(frozen=True)
class Counterfactuals:
    """All changes that were tried on one point.

    Attributes
    ----------
    items : tuple of Counterfactual
    turn : float or None
        The w nearest to the point's own at which another class wins: a breakpoint; None where
        none does.
    """

    items: tuple[Counterfactual, ...]
    turn: float | None

    def sentences(self) -> list[str]:
        """A line each."""
        return [item.text for item in self.items]

    def sentence(self) -> str:
        """All of them."""
        return " ".join(self.sentences())


def counterfactuals(
    model: HasLines,
    x: np.ndarray,
    other: HasLines | None = None,
    other_name: str = "DeepSLP",
    true: int | None = None,
) -> Counterfactuals:
    """Change one thing at a time about a point's vote.

    Parameters
    ----------
    model : fitted classifier
        With lines.
    x : (d,) array
    other : fitted classifier, optional
        With lines, whose soft labels to put in the place of these; on the same classes.
    other_name : str
    true : int, optional
        Index into ``model.classes_``: answers are then called right where they are.

    Raises
    ------
    SLPError
        For a method without lines.
    """
    if not answers_from_lines(model):
        raise SLPError(f"{type(model).__name__} has no lines, and so no votes to take apart.")
    reading = read_point(model, x, model.centroids_, true)
    assert reading.line is not None
    names = reading.classes

    def said(c: int) -> str:
        return named(names[c]) + (", rightly" if c == true and c != reading.predicted else "")

    items = []
    turn, to = _nearest_turn(reading)
    if len(reading.line_classes) > 1:
        here = " (with the soft labels that it has here)" if reading.local else ""
        if turn is None or to is None:
            text = f"No w on line {reading.line + 1} would change the answer{here}."
        elif turn == reading.w:
            text = (
                f"At w = {turn:.3f} {said(reading.predicted)} and {said(to)} tie: on one side of "
                f"it line {reading.line + 1} would answer {said(to)}{here}."
            )
        else:
            way, by = (
                ("above", turn - reading.w) if turn > reading.w else ("below", reading.w - turn)
            )
            text = (
                f"With w {way} {turn:.3f}, a change of {_small(by)}, line {reading.line + 1} "
                f"would answer {said(to)}{here}."
            )
        items.append(Counterfactual("w", to, text))
    for number in range(len(model.lines_)):
        if number != reading.line:
            answer = _on_line(model, x, number)
            text = f"Line {number + 1} would answer {said(answer)}."
            items.append(Counterfactual("line", answer, text))
    if len(reading.line_classes) > 1 and model.distance != "along_line":
        labels = reading.soft_labels[None]
        answer = int(weighed(labels, np.array([reading.along])).argmax())
        text = f"Along the line, w would be {reading.along:.2f} and the answer {said(answer)}."
        items.append(Counterfactual("along", answer, text))
    if other is not None:
        answer = int(other.influence(np.asarray(x)[None]).argmax())
        items.append(
            Counterfactual("other", answer, f"{other_name}'s soft labels answer {said(answer)}.")
        )
    answer = reading.nearest[0]
    items.append(
        Counterfactual("nearest", answer, f"The nearest centroid is that of {said(answer)}.")
    )
    return Counterfactuals(tuple(items), turn)


def _nearest_turn(reading: PointReading) -> tuple[float | None, int | None]:
    """The breakpoint that is nearest to w, and the class that wins beyond it."""
    bands = reading.bands
    band = bands.at(reading.w)
    if bands.classes[band] != reading.predicted:  # on a breakpoint, to rounding
        band = bands.classes.index(reading.predicted)
    turns = []
    if band > 0:
        turns.append(
            (abs(reading.w - bands.edges[band]), bands.edges[band], bands.classes[band - 1])
        )
    if band + 1 < len(bands.classes):
        edge = bands.edges[band + 1]
        turns.append((abs(edge - reading.w), edge, bands.classes[band + 1]))
    if not turns:
        return None, None
    _, turn, to = min(turns)
    return turn, to


def _on_line(model: HasLines, x: np.ndarray, number: int) -> int:
    """What a line would answer if the point were given to it."""
    X, line = np.asarray(x, dtype=np.float64)[None], np.array([number])
    return int(weighed(model.vote_labels(X, line), model.place(X, line).w).argmax())


def _small(share: float) -> str:
    return f"{share:.3f}" if share >= 5e-4 else f"{share:.1e}"
