"""Sentences about soft labels: read, compared, edited, and over support sets."""

from __future__ import annotations

import numpy as np

from slp_core.explain.predictions import Predictions
from slp_core.explain.soft_label_draws import SoftLabelDraws
from slp_core.explain.soft_label_pairs import SoftLabelPairs
from slp_core.explain.soft_labels import SIDES, Prototype, SoftLabels
from slp_core.sentences import (
    MethodTitle,
    class_names,
    count,
    decimals_apart,
    listed,
    number,
    percent,
)

_SHOWN = 3  # classes of a soft label that a sentence names
_SHOWN_OFF_LINE = 0.005


def theorem1_text(labels: SoftLabels) -> str:
    ordered, method = labels.ordered, MethodTitle(labels.method)
    if not ordered:
        return f"{method} has no soft labels that Theorem 1 applies to."
    why = "" if labels.constant else ", about constant soft labels; these are means"
    holds, prototypes = sum(not one.exception for one in ordered), count(len(ordered), "prototype")
    return f"{method}: closer classes get more weight at {holds} of {prototypes} (Theorem 1{why})."


def prototype_order_text(labels: SoftLabels, one: Prototype) -> str:
    names = class_names(labels.classes)
    digits = 3 if one.exception is None else decimals_apart(*one.mean[list(one.exception)])
    weights = listed([f"{names[c]} {_weight(one.mean[c], digits)}" for c in one.order])
    parts = [f"Line {one.line + 1:,}, prototype {SIDES[one.side]}, closest class first: {weights}."]
    if one.exception is not None:
        near, far = (names[c] for c in one.exception)
        parts.append(f"{far} is further away than {near} and has more weight.")
    if not labels.constant:
        parts.append(f"In this order at {percent(one.falls)} of the line's query examples.")
    return " ".join(parts)


def pairs_text(pairs: SoftLabelPairs) -> str:
    first, second = MethodTitle(pairs.first.method), MethodTitle(pairs.second.method)
    if pairs.furthest is None:
        return f"{first} and {second:inside} have no soft labels at the same class to compare."
    at, jsd = pairs.furthest
    classes = pairs.first.classes
    here, there = (_weights(classes, labels.at_class[at]) for labels in (pairs.first, pairs.second))
    return (
        f"{first} and {second:inside} differ by up to {number(jsd)} nats (JSD), at "
        f"{class_names(classes)[at]}. "
        f"{first}{_mean(pairs.first)}: {here}. {second}{_mean(pairs.second)}: {there}."
    )


def pairs_caption(pairs: SoftLabelPairs) -> str:
    said = "One bar per soft label"
    if not (pairs.first.constant and pairs.second.constant):
        said += "; where it depends on the example, its mean over the line's query examples"
    names = class_names(pairs.first.classes)
    only = [
        f"Only {MethodTitle(labels.method):inside} has a prototype at "
        f"{listed([names[c] for c in ends])}."
        for labels, ends in zip((pairs.first, pairs.second), pairs.unmatched, strict=True)
        if ends
    ]
    return " ".join([f"{said}.", *only])


def edit_text(
    method: Predictions, constant: bool, fitted: Predictions, edited: Predictions | None
) -> str:
    """Accuracy of soft labels, held constant as ``fitted`` or edited, and what an edit changes."""
    before, what = _accuracy(fitted), "As fitted" if constant else "With mean soft labels"
    if edited is not None:
        changed = count(int((edited.predicted != fitted.predicted).sum()), "prediction")
        return f"Edited: accuracy {_accuracy(edited)}; {changed} changed. {what}: {before}."
    if constant:
        return f"{what}: accuracy {before}."
    itself = f"{MethodTitle(method.method)} itself: {_accuracy(method)}"
    return f"{what}: accuracy {before}; {itself}."


def seen_text(shots: int, draw: int, support: np.ndarray, query: np.ndarray) -> str:
    seen = int(np.isin(query, support).sum())
    if not seen:
        return ""
    return (
        f"Fitted on support set {draw} at {count(shots, 'shot')}, which holds {seen:,} of the "
        f"{len(query):,} query examples here: accuracy may be too high."
    )


def draws_text(draws: SoftLabelDraws) -> str:
    sets, method = count(draws.n, "support set"), f"{MethodTitle(draws.method):inside}"
    ways = "The grouping of classes into lines is always the same."
    if draws.groupings > 1:
        ways = f"Classes are grouped into lines in {draws.groupings:,} ways."
    if draws.most_moved is None:
        return f"Over {sets}, no soft label of {method} occurs twice at the same class. {ways}"
    at, of = draws.most_moved
    low, high = map(number, draws.range_of(at, of))
    if low == high:
        return f"Over {sets}, the soft labels of {method} stay the same. {ways}"
    names = class_names(draws.classes)
    return (
        f"Over {sets}, no weight in {method} varies more than that of {names[of]} at "
        f"{names[at]}: {low} to {high}. {ways}"
    )


def draws_caption(draws: SoftLabelDraws, at: int, current: int | None = None) -> str:
    name, sets = class_names(draws.classes)[at], count(draws.n, "support set")
    said = f"{name} has a soft label in {draws.known[at]} of {sets}, one dot each. Bar: mean; "
    said += "band: ±1 SD."
    if (current, at) in draws.labels.index:
        said += f" Ringed: support set {current}."
    return said


def path_text(method: str, accuracy: np.ndarray) -> str:
    """From hard labels to the optimum of the linear programme; accuracies (S,) of its steps."""
    title, last = MethodTitle(method), accuracy[-1]
    shown = "no query example" if last != last else f"accuracy {last:.1%}"
    if len(accuracy) == 1:
        return f"{title}: no line has a third class, so all soft labels are hard ({shown})."
    first = "" if last != last else f" (accuracy {accuracy[0]:.1%})"
    return f"{title}: the linear programme moves from hard labels{first} to its optimum ({shown})."


def _accuracy(predictions: Predictions) -> str:
    """In per cent; "not known" where there is no query example."""
    return f"{predictions.accuracy:.1%}" if len(predictions.true) else "not known"


def _mean(labels: SoftLabels) -> str:
    return "" if labels.constant else " (mean)"


def _weights(classes: tuple[str, ...], one: Prototype) -> str:
    """The line's classes with most weight, the others, and what goes to other lines' classes."""
    names, order = class_names(classes), sorted(one.order, key=lambda c: -one.mean[c])
    parts = [f"{names[c]} {number(one.mean[c])}" for c in order[:_SHOWN]]
    if rest := order[_SHOWN:]:
        parts.append(f"{len(rest):,} more {number(float(one.mean[list(rest)].sum()))}")
    off_line = float(1 - one.mean[list(one.order)].sum())
    if off_line >= _SHOWN_OFF_LINE:
        parts.append(f"off the line {number(off_line)}")
    return listed(parts)


def _weight(weight: float, decimals: int) -> str:
    """At least four decimals where fewer would hide a difference from 0."""
    return number(weight, max(decimals, 4 if 5e-5 <= weight < 5e-4 else 3))
