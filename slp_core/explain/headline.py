"""The first thing to know about a method's errors, as a few computed sentences."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from slp_core.explain.bands import Bands, Edge, Share
from slp_core.explain.causes import CROSSING, Causes, read_causes
from slp_core.explain.profile import LineProfile, line_profile
from slp_core.facts import ClassName, Fact, Facts, Listed, Stated, class_names, fact
from slp_core.methods.protocols import HasProbabilities, predicts_from_lines

_MANY = 4  # classes that a sentence names
_PAIRS = 3  # pairs of classes
_EDGE = 1e-9  # of w, within which a point lies on a breakpoint


@dataclass(frozen=True)
class Headline(Stated):
    """What to read first."""

    stated: Facts
    line: int | None = None

    def facts(self) -> Facts:
        """What is stated."""
        return self.stated


def headline(
    model: HasProbabilities,
    X: np.ndarray,
    true: np.ndarray,
    method: str,
    causes: Causes | None = None,
) -> Headline:
    """Choose what to tell: a line on which classes go unheard, or else the main cause."""
    found = causes if causes is not None else read_causes(model, X, true)
    m, errors = len(found.true), int(found.wrong.sum())
    if not m:
        return Headline((fact("headline.nothing_asked", "There is no query point."),))
    if not errors:
        points = "all {n:,} query points" if m > 1 else "the one query point"
        template = "{method} answers " + points + " rightly."
        return Headline((fact("headline.all_right", template, method=method, n=m),))
    crossed = np.isin(found.cause, CROSSING)
    if crossed.any() and predicts_from_lines(model):
        number = int(np.bincount(found.line[crossed]).argmax())
        profile = line_profile(model, number, X, found)
        heard = np.unique(found.predicted[profile.rows])
        never_predicted = [c for c in profile.line.classes if c not in heard]
        # One answer to every point is the story whatever else the errors there come from.
        due = found.wrong & (found.line == number) if len(heard) == 1 else crossed
        if never_predicted and profile.bands is not None and 2 * due.sum() >= errors:
            return Headline(_unheard(profile, never_predicted, found, method), number)
    kind = max(found.counts, key=lambda name: found.counts[name])
    n = found.counts[kind]
    if crossed.sum() > n:
        return _crossing(found, crossed, method)
    return _main_cause(found, kind, n, method)


def without_lines(method: str, other: str) -> Facts:
    """That a method has no line of two classes or more, so that another one is explained."""
    template = (
        "{method} has no line that carries several classes: below, {other} is explained on the "
        "same points."
    )
    return (fact("headline.without_lines", template, method=method, other=other),)


def _unheard(profile: LineProfile, never_predicted: list[int], found: Causes, method: str) -> Facts:
    """Classes that a line carries and answers to none of its points: where they would win."""
    names, bands = class_names(found.classes), profile.bands
    assert bands is not None
    assert profile.occupied is not None
    here, n, line = found.predicted[profile.rows], len(profile.rows), profile.number + 1
    low, high = profile.occupied
    answered, counts = np.unique(here, return_counts=True)
    whose = "Every point's w" if n > 1 else "Its w"
    where = " is {low}" if f"{Share(low)}" == f"{Share(high)}" else " lies between {low} and {high}"
    needs = Listed(_needs(bands, never_predicted, names, low, high))
    values = {"line": line, "low": Share(low), "high": Share(high), "needs": needs}
    if len(answered) == 1:
        answer = names[answered[0]]
        points = "all {n:,} points" if n > 1 else "the one point"
        template = "{method} answers {answer} for " + points + " of line {line:,}."
        return (
            fact("headline.one_answer", template, method=method, answer=answer, n=n, line=line),
            fact(
                "headline.one_wins",
                whose + where + ", where {answer} wins; {needs}.",
                answer=answer,
                **values,
            ),
        )
    order = np.argsort(-counts, kind="stable")
    each = [
        fact("headline.answered", "{answer} for {n:,}", answer=names[answered[i]], n=int(counts[i]))
        for i in order[:_MANY]
    ]
    if len(order) > _MANY:
        rest = int(counts[order[_MANY:]].sum())
        more = "other classes for {n:,}" if len(order) > _MANY + 1 else "another class for {n:,}"
        each.append(fact("headline.answered_more", more, n=rest, k=len(order) - _MANY))
    template = "On line {line:,} {method} answers {each} of {n:,} points."
    return (
        fact("headline.answers", template, line=line, method=method, each=Listed(each), n=n),
        fact("headline.some_win", whose + where + "; {needs}.", **values),
    )


def _needs(
    bands: Bands, never_predicted: list[int], names: Sequence[ClassName], low: float, high: float
) -> list[Fact]:
    """The w at which each class would win, those that win at none together."""
    told = never_predicted[:_MANY]
    parts = [_need(bands, c, names[c], low, high) for c in told if c in bands.classes]
    nowhere = [names[c] for c in told if c not in bands.classes]
    if nowhere:
        template = "{classes} win at no w" if len(nowhere) > 1 else "{classes} wins at no w"
        parts.append(fact("headline.wins_nowhere", template, classes=Listed(nowhere)))
    rest = len(never_predicted) - len(told)
    if rest:
        are = "classes of the line are" if rest > 1 else "class of the line is"
        template = "{n:,} more " + are + " not answered either"
        parts.append(fact("headline.more_unheard", template, n=rest, named=len(told)))
    return parts


def _need(bands: Bands, c: int, name: ClassName, low: float, high: float) -> Fact:
    """The w at which a class would win, one that wins somewhere: no point has such a w."""
    band = bands.classes.index(c)
    start, end = bands.edges[band], bands.edges[band + 1]
    values = {"wins": name, "start": Edge(start), "end": Edge(end)}
    if low < start - _EDGE and end + _EDGE < high:
        template = "{wins} wins between {start} and {end}, where none of them lies"
        return fact("headline.wins_among", template, **values)
    if band == 0:
        return fact("headline.wins_below", "{wins} would need w below {end}", **values)
    if band == len(bands.classes) - 1:
        return fact("headline.wins_above", "{wins} would need w above {start}", **values)
    template = "{wins} would need w between {start} and {end}"
    return fact("headline.wins_between", template, **values)


def _crossing(found: Causes, crossed: np.ndarray, method: str) -> Headline:
    n, m = int(crossed.sum()), int(found.wrong.sum())
    straight = int((found.cause[crossed] == "concentration").sum())
    here = ", with each point's own soft labels" if found.local else ""
    template = (
        "Of {method}'s {errors:,} errors {n:,} are made on a line that carries the true class, "
        "though the nearest centroid is right: {straight:,} of them would not be if distances "
        "were taken along the line" + here + "."
    )
    told = fact("headline.crossing", template, method=method, errors=m, n=n, straight=straight)
    return Headline((told,), int(np.bincount(found.line[crossed]).argmax()))


def _main_cause(found: Causes, kind: str, n: int, method: str) -> Headline:
    m, here = int(found.wrong.sum()), found.cause == kind
    local = ", with each point's own soft labels" if found.local else ""
    why = {
        "embedding": found.meaning("embedding"),
        "line": "the nearest centroid is right, but the chosen line does not carry its class",
        "concentration": "the answer would be right with distances along the line" + local,
        "off_line": "the nearest centroid is right, its class is on the line, and another one wins "
        "even with distances along the line" + local,
        "rule": "the nearest centroid is right, and the method answers otherwise",
    }[kind]
    template = (
        "{method}'s one error has one cause: {why}."
        if m == 1
        else "All of {method}'s {errors:,} errors have one cause: {why}."
        if n == m
        else "{n:,} of {method}'s {errors:,} errors has this cause: {why}."
        if n == 1
        else "{n:,} of {method}'s {errors:,} errors have one cause: {why}."
    )
    values = {"method": method, "n": n, "errors": m, "cause": kind, "why": why}
    told = [fact("headline.main_cause", template, **values)]
    if kind == "embedding":
        told.append(_answered_as_nearest(found, here))
    told.append(_pairs(found, here))
    line = found.line[here]
    about = int(np.bincount(line).argmax()) if (line >= 0).all() else None
    return Headline(tuple(told), about)


def _answered_as_nearest(found: Causes, here: np.ndarray) -> Fact:
    """Whether the nearest centroid is what misled: the answer may be a third class."""
    n = int(here.sum())
    as_nearest = int((here & (found.predicted == found.nearest)).sum())
    template = (
        "The answer is that class."
        if n == as_nearest == 1
        else "The answer is a third class."
        if n == 1
        else "All of them are answered with that class."
        if as_nearest == n
        else "None of them is answered with that class, but with a third one."
        if not as_nearest
        else "{as_nearest:,} of them are answered with that class, {others:,} with a third one."
        if as_nearest > 1
        else "{as_nearest:,} of them is answered with that class, {others:,} with a third one."
    )
    values = {"n": n, "as_nearest": as_nearest, "others": n - as_nearest}
    return fact("headline.as_nearest", template, **values)


def _pairs(found: Causes, here: np.ndarray) -> Fact:
    """What is most often taken for what, among some errors."""
    names = class_names(found.classes)
    counts = np.bincount(
        found.true[here] * len(names) + found.predicted[here], minlength=len(names) ** 2
    )
    n, times = int(here.sum()), int(counts.max())
    often = np.flatnonzero(counts == times)
    pairs = [
        fact(
            "headline.pair",
            "{true} for {answer}",
            true=names[pair // len(names)],
            answer=names[pair % len(names)],
            times=times,
        )
        for pair in often[:_PAIRS].tolist()
    ]
    values = {"n": n, "times": times, "k": len(often), "pairs": Listed(pairs)}
    if n == 1:
        return fact("headline.the_pair", "It takes {pairs}.", **values)
    if len(often) == 1:
        whole = "Every time" if times == n else "Most often"
        template = whole + " it takes {pairs}" + ("." if times == n else ", {times:,} times.")
        return fact("headline.most_often", template, **values)
    if times == 1:
        template = "No two take the same class for the same other one: one takes {example}."
        return fact("headline.no_pair_twice", template, example=pairs[0], **values)
    if len(often) <= _PAIRS:
        template = "Most often, {times:,} times each, it takes {pairs}."
        return fact("headline.most_often_alike", template, **values)
    template = (
        "No mistake stands out: {k:,} of them, each one class taken for one other, are made "
        "{times:,} times, and none is made more often."
    )
    return fact("headline.none_stands_out", template, **values)
