"""The first thing to know about a method's errors, as one or two computed sentences."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from slp_core.explain.bands import Bands
from slp_core.explain.causes import Causes, read_causes
from slp_core.explain.profile import LineProfile, line_profile, span
from slp_core.markdown import named
from slp_core.methods.protocols import HasProbabilities, answers_from_lines

_MANY = 4  # classes that a sentence names


@dataclass(frozen=True)
class Headline:
    """What to read first.

    Attributes
    ----------
    text : str
    line : int or None
        The line that it is about.
    """

    text: str
    line: int | None = None

    def sentence(self) -> str:
        """The text."""
        return self.text


def headline(
    model: HasProbabilities,
    X: np.ndarray,
    true: np.ndarray,
    method: str,
    causes: Causes | None = None,
    centroids: np.ndarray | None = None,
) -> Headline:
    """Choose what to tell: a line on which classes go unheard, or else the main cause.

    Parameters
    ----------
    model : fitted classifier
    X : (m, d) array
    true : (m,) int array
        Indices into ``model.classes_``.
    method : str
        What to call it.
    causes : Causes, optional
        Of the same points, if they are at hand.
    centroids : (K, d) array, optional
        As in :func:`read_causes`.
    """
    found = causes if causes is not None else read_causes(model, X, true, centroids)
    m, errors = len(found.true), int(found.wrong.sum())
    if not m:
        return Headline("There is no query point: every example is in the support set.")
    if not errors:
        return Headline(f"{method} answers {_all(m)} rightly.")
    crossed = np.isin(found.cause, ("concentration", "off_line"))
    if crossed.any() and answers_from_lines(model):
        number = int(np.bincount(found.line[crossed]).argmax())
        profile = line_profile(model, number, X)
        heard = np.unique(found.predicted[profile.rows])
        unheard = [c for c in profile.line.classes if c not in heard]
        # One answer to every point is the story whatever else the errors there come from.
        due = found.wrong & (found.line == number) if len(heard) == 1 else crossed
        if unheard and profile.bands is not None and 2 * due.sum() >= errors:
            return Headline(_unheard(profile, unheard, found, method), number)
    kind = max(found.counts, key=lambda name: found.counts[name])
    n = found.counts[kind]
    if crossed.sum() > n:
        return _crossing(found, crossed, method)
    return _main_cause(found, kind, n, method)


def _unheard(profile: LineProfile, unheard: list[int], found: Causes, method: str) -> str:
    """Classes that a line carries and answers to none of its points: where they would win."""
    names, bands = found.classes, profile.bands
    assert bands is not None
    assert profile.occupied is not None
    here, n = found.predicted[profile.rows], len(profile.rows)
    answered, counts = np.unique(here, return_counts=True)
    wins = ""
    if len(answered) == 1:
        points = f"all {n:,} points" if n > 1 else "the one point"
        one = named(names[answered[0]])
        start = f"{method} answers {one} for {points} of line {profile.number + 1}"
        wins = f", where {one} wins"
    else:
        order = np.argsort(-counts)
        said = [f"{named(names[answered[i]])} for {counts[i]:,}" for i in order[:_MANY]]
        if len(order) > _MANY:
            said.append(f"other classes for {counts[order[_MANY:]].sum():,}")
        start = f"On line {profile.number + 1} {method} answers {_listed(said)} of {n:,} points"
    whose = "Every point's w" if n > 1 else "Its w"
    lies = "is" if span(*profile.occupied).startswith("of") else "lies"
    where = span(*profile.occupied).removeprefix("of ")
    return f"{start}. {whose} {lies} {where}{wins}; {_needs(bands, unheard, names)}."


def _needs(bands: Bands, unheard: list[int], names: Sequence[str]) -> str:
    """The w at which each class would win, those that win at none together."""
    told = unheard[:_MANY]
    parts = [_need(bands, c, names[c]) for c in told if c in bands.classes]
    nowhere = [named(names[c]) for c in told if c not in bands.classes]
    if nowhere:
        parts.append(f"{_listed(nowhere)} {'win' if len(nowhere) > 1 else 'wins'} at no w")
    rest = len(unheard) - len(told)
    if rest:
        are = "classes are" if rest > 1 else "class is"
        parts.append(f"{rest} more {are} not answered either")
    return _listed(parts)


def _need(bands: Bands, c: int, name: str) -> str:
    """The w at which a class would win, one that wins somewhere."""
    band = bands.classes.index(c)
    low, high = _edge(bands.edges[band]), _edge(bands.edges[band + 1])
    if band == 0:
        return f"{named(name)} would need w below {high}"
    if band == len(bands.classes) - 1:
        return f"{named(name)} would need w above {low}"
    return f"{named(name)} would need w between {low} and {high}"


def _edge(w: float) -> str:
    """Two decimals, more where they would read as 0 or 1."""
    return f"{w:.2f}" if 0.005 <= w < 0.995 else f"{w:.2g}" if w < 0.5 else f"{w:.6f}"


def _crossing(found: Causes, crossed: np.ndarray, method: str) -> Headline:
    n, m = int(crossed.sum()), int(found.wrong.sum())
    straight = int((found.cause[crossed] == "concentration").sum())
    here = ", with each point's own soft labels" if found.local else ""
    return Headline(
        f"Of {method}'s {_errors(m)} {n:,} {_are(n)} made on the right line, though the nearest "
        f"centroid is right: {straight:,} of them would not be if distances were taken along the "
        f"line{here}.",
        int(np.bincount(found.line[crossed]).argmax()),
    )


def _main_cause(found: Causes, kind: str, n: int, method: str) -> Headline:
    names, m = found.classes, int(found.wrong.sum())
    here = found.cause == kind
    pairs = found.true[here] * len(names) + found.predicted[here]
    true, predicted = divmod(int(np.bincount(pairs).argmax()), len(names))
    times = int((pairs == true * len(names) + predicted).sum())
    here_only = ", with each point's own soft labels" if found.local else ""
    why = {
        "embedding": "another class's centroid is nearer, so that no soft label is to blame",
        "line": "the nearest centroid is right, but the chosen line does not carry its class",
        "concentration": f"the answer would be right with distances along the line{here_only}",
        "off_line": "the nearest centroid is right, its class is on the line, and another one wins "
        f"even with distances along the line{here_only}",
        "rule": "the nearest centroid is right, and the method answers otherwise",
    }[kind]
    which = f"{n:,} of {method}'s {_errors(m)}" if n < m else f"All of {method}'s {_errors(m)}"
    which = f"{method}'s one error" if m == 1 else which
    often = (
        f" Most often {named(names[true])} is taken for {named(names[predicted])}, {times:,} times."
        if times > 1
        else f" One is {named(names[true])}, taken for {named(names[predicted])}."
        if m > 1
        else f" It is {named(names[true])}, taken for {named(names[predicted])}."
    )
    line = found.line[here]
    about = int(np.bincount(line).argmax()) if (line >= 0).all() else None
    return Headline(f"{which} {'have' if n > 1 else 'has'} one cause: {why}.{often}", about)


def _listed(parts: Iterable[str]) -> str:
    parts = list(parts)
    return parts[0] if len(parts) == 1 else f"{', '.join(parts[:-1])} and {parts[-1]}"


def _all(m: int) -> str:
    return f"all {m:,} query points" if m > 1 else "the one query point"


def _errors(m: int) -> str:
    return f"{m:,} errors" if m > 1 else "one error"


def _are(n: int) -> str:
    return "are" if n > 1 else "is"
