"""What would have been answered if one thing were otherwise: computed, never guessed."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from slp_core.errors import SLPError
from slp_core.explain.bands import THIN, Edge, Share
from slp_core.explain.point import PointReading, read_point
from slp_core.explain.voting import weighed
from slp_core.facts import ClassName, Fact, Facts, Listed, Stated, class_names, fact
from slp_core.methods.protocols import HasLines, HasProbabilities, predicts_from_lines
from slp_core.methods.tables import nameless

_TIE = 1e-9  # between scores, in units of 1 or of the largest one


@dataclass(frozen=True)
class Counterfactual:
    """One change, and what it comes to."""

    kind: str
    answer: int | None
    fact: Fact


@dataclass(frozen=True)
class Counterfactuals(Stated):
    """All changes that were tried on one point."""

    items: tuple[Counterfactual, ...]

    def facts(self) -> Facts:
        """One of each."""
        return tuple(item.fact for item in self.items)


def counterfactuals(
    model: HasLines,
    x: np.ndarray,
    other: HasProbabilities | None = None,
    other_name: str = "DeepSLP",
    true: int | None = None,
) -> Counterfactuals:
    """Change one thing at a time about a point's vote.

    Parameters
    ----------
    model : fitted classifier
        With lines, one of two classes or more.
    x : (d,) array
    other : fitted classifier, optional
        To be asked instead; on the same classes.
    other_name : str
    true : int, optional
        Index into ``model.classes_``: what would make the answer right is then told first.

    Raises
    ------
    SLPError
        For a method without such lines.
    """
    if not predicts_from_lines(model):
        raise SLPError(
            f"{type(model).__name__} has no line with two classes or more, and so no votes to take "
            "apart."
        )
    model, x = nameless(model), np.asarray(x, dtype=np.float64)
    asked = _Asked(model, x, read_point(model, x, model.centroids_, true))
    items = [*asked.other_w(), *asked.other_lines(), *asked.along_the_line()]
    if other is not None:
        answer = int(nameless(other).predict_proba(x[None])[0].argmax())
        told = {"method": other_name, "answer": asked.told(answer)}
        items.append(
            Counterfactual(
                "other", answer, fact("what_if.other", "{method} answers {answer}.", **told)
            )
        )
    items.append(asked.nearest())
    wrong, predicted = true not in (None, asked.reading.predicted), asked.reading.predicted

    def rank(item: Counterfactual) -> int:
        if wrong and (item.answer == true or item.fact.kind in _NEVER):
            return 0
        return 1 if item.answer not in (None, predicted) else 2

    return Counterfactuals(tuple(sorted(items, key=rank)))


_NEVER = ("what_if.not_carried", "what_if.never_right")


@dataclass(frozen=True, eq=False)
class _Asked:
    """A point and the model that answers it."""

    model: HasLines
    x: np.ndarray
    reading: PointReading

    @property
    def names(self) -> tuple[ClassName, ...]:
        return class_names(self.reading.classes)

    @property
    def here(self) -> str:
        """What the facts about w take for granted."""
        return ", with the soft labels that it has here" if self.reading.local else ""

    def told(self, c: int) -> Fact:
        """A class that would be answered, called right where that would mend an error."""
        true = self.reading.true
        if c == true and c != self.reading.predicted:
            return fact("what_if.right_answer", "{name}, rightly", name=self.names[c])
        return fact("what_if.answer", "{name}", name=self.names[c])

    def other_w(self) -> Iterator[Counterfactual]:
        """The bands beside the point's own, and that of its true class."""
        reading, bands = self.reading, self.reading.bands
        if len(reading.line_classes) == 1:
            return
        assert reading.line is not None
        line = reading.line + 1
        below, above = self._beside()
        wanted = [b for b in (below, above) if b is not None]
        wanted.sort(key=lambda b: self._way(b)[1])
        true = reading.true
        if true is not None and true != reading.predicted:
            if true in bands.classes:
                wanted.insert(0, bands.classes.index(true))
            else:
                yield self._never_right(true)
        for band in dict.fromkeys(wanted):
            yield Counterfactual("w", bands.classes[band], self._at_w(band))
        if not wanted:
            template = "No w on line {line} would change the answer" + self.here + "."
            told = {"line": line, "answer": self.names[reading.predicted]}
            yield Counterfactual("w", None, fact("what_if.no_w", template, **told))

    def _beside(self) -> tuple[int | None, int | None]:
        """The bands below and above those w at which the answer stays what it is."""
        reading, bands = self.reading, self.reading.bands
        edges, last = bands.edges, len(bands.classes) - 1
        own = bands.at(reading.w)
        touched = [
            b
            for b in (own - 1, own, own + 1)
            if 0 <= b <= last and edges[b] - THIN <= reading.w <= edges[b + 1] + THIN
        ]
        at_edges = weighed(
            np.broadcast_to(reading.soft_labels, (len(edges), *reading.soft_labels.shape)),
            np.array(edges),
        )
        behind = at_edges.max(axis=1) - at_edges[:, reading.predicted]
        least = _TIE * max(1.0, float(np.abs(at_edges[np.isfinite(at_edges)]).max()))
        for b in touched:
            if max(behind[b], behind[b + 1]) <= least:  # it wins there, or ties all over
                return b - 1 if b > 0 else None, b + 1 if b < last else None
        # It does no more than tie where the bands beside w meet.
        if len(touched) > 1:
            return touched[0], touched[-1]
        return own - 1 if own > 0 else None, own + 1 if own < last else None

    def _way(self, band: int) -> tuple[bool, float]:
        """Whether a band lies above the point's w, and how far off it begins."""
        low, high = self.reading.bands.edges[band : band + 2]
        w = self.reading.w
        above = abs(low - w) < abs(w - high)
        return above, max(low - w if above else w - high, 0.0)

    def _at_w(self, band: int) -> Fact:
        reading, (above, change) = self.reading, self._way(band)
        assert reading.line is not None
        low, high = map(Edge, reading.bands.edges[band : band + 2])
        values = {
            "line": reading.line + 1,
            "low": low,
            "high": high,
            "change": change,
            "answer": self.told(reading.bands.classes[band]),
        }
        end = "." if not reading.local else self.here + "."
        if change <= THIN:
            side = "above it" if above else "below it"
            if above and high < 1:
                side = "above it, up to {high:.3f},"
            elif not above and low > 0:
                side = "below it, down to {low:.3f},"
            template = "At w = {w:.3f} {now} ties with another class: " + side
            template += " line {line} would answer {answer}" + end
            now = self.names[reading.predicted]
            return fact("what_if.tie", template, w=Share(reading.w), now=now, **values)
        where = "between {low:.3f} and {high:.3f}"
        if high == 1:
            where = "above {low:.3f}"
        elif low == 0:
            where = "below {high:.3f}"
        template = "With w " + where + ", about {change:.2g} from here, line {line} would "
        return fact("what_if.w", template + "answer {answer}" + end, **values)

    def _never_right(self, true: int) -> Counterfactual:
        assert self.reading.line is not None
        line, name = self.reading.line + 1, self.names[true]
        if true not in self.reading.line_classes and (
            not self.reading.local or np.isinf(self.reading.soft_labels[:, true]).any()
        ):
            template = "Line {line} does not carry {name}: it would be right at no w."
            return Counterfactual(
                "w", None, fact("what_if.not_carried", template, line=line, name=name)
            )
        template = "At no w would line {line} answer {name}" + self.here + "."
        return Counterfactual(
            "w", None, fact("what_if.never_right", template, line=line, name=name)
        )

    def other_lines(self) -> Iterator[Counterfactual]:
        """What the other lines would answer, those that agree together."""
        agreed: dict[int, list[int]] = {}
        for number in range(len(self.model.lines_)):
            if number != self.reading.line:
                X, line = self.x[None], np.array([number])
                scores = weighed(self.model.vote_labels(X, line), self.model.place(X, line).w)
                agreed.setdefault(int(scores.argmax()), []).append(number + 1)
        for answer, lines in agreed.items():
            template = "Line {lines} would answer {answer}."
            if len(lines) > 1:
                template = "Lines {lines} would answer {answer}."
            told = {"lines": Listed(lines), "answer": self.told(answer)}
            yield Counterfactual("lines", answer, fact("what_if.lines", template, **told))

    def along_the_line(self) -> Iterator[Counterfactual]:
        """What distances along the line would come to, for a method that takes the point's own."""
        reading = self.reading
        if self.model.distance == "along_line" or len(reading.line_classes) == 1:
            return
        scores = weighed(reading.soft_labels[None], np.array([reading.along]))
        answer = int(scores.argmax())
        template = "With distances along the line w would be {w:.2f}, and the answer {answer}"
        told = {"w": Share(reading.along), "answer": self.told(answer)}
        yield Counterfactual(
            "along", answer, fact("what_if.along", template + self.here + ".", **told)
        )

    def nearest(self) -> Counterfactual:
        """The class whose centroid is nearest."""
        alike = self.reading.nearest_alike
        told = {"answer": self.told(alike[0]), "more": len(alike) - 1}
        template = "The nearest centroid is that of {answer}."
        if len(alike) > 1:
            template = "The nearest centroid is that of {answer} ({more:,} more as near)."
        return Counterfactual("nearest", alike[0], fact("what_if.nearest", template, **told))
