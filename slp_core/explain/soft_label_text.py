"""Sentences about soft labels: read, compared, edited, and over support sets."""

from __future__ import annotations

import numpy as np

from slp_core.explain.predictions import Predictions
from slp_core.explain.soft_label_draws import SoftLabelDraws
from slp_core.explain.soft_label_pairs import SoftLabelPairs
from slp_core.explain.soft_label_path import SoftLabelPath
from slp_core.explain.soft_labels import SIDES, Prototype, SoftLabelEdit, SoftLabels, Theorem1
from slp_core.glossary import term
from slp_core.sentences import (
    ClassName,
    MethodTitle,
    class_names,
    count,
    listed,
    number,
    percent,
)

_SHOWN = 3  # classes of a soft label that a sentence names
_SHOWN_OFF_LINE = 0.005


def no_soft_labels_text(method: str) -> str:
    """Why a method without prototypes has no soft labels."""
    return f"{MethodTitle(method)} has no prototypes, so it has no soft labels."


def theorem1_text(labels: SoftLabels) -> str:
    """At how many prototypes closer classes have more weight."""
    checks = labels.theorem1()
    holds, method = sum(check.holds for check in checks), MethodTitle(labels.method)
    if not checks:
        return f"{method} has no soft labels that Theorem 1 applies to."
    why = "" if labels.constant else ", about constant soft labels; these are means"
    prototypes = count(len(checks), "prototype")
    return f"{method}: closer classes get more weight at {holds} of {prototypes} (Theorem 1{why})."


def prototype_order_text(check: Theorem1) -> str:
    """The soft label of one prototype in order of distance, and the exception if there is one."""
    one, names = check.prototype, class_names(check.classes)
    weights = listed([f"{names[c]} {_weight(one.mean[c])}" for c in one.order])
    parts = [f"Line {one.line + 1:,}, prototype {SIDES[one.side]}, closest class first: {weights}."]
    if check.exception is not None:
        near, far = (names[c] for c in check.exception)
        parts.append(f"{far} is further away than {near} and has more weight.")
    if not check.constant:
        parts.append(f"In this order at {percent(one.falls)} of the line's query examples.")
    return " ".join(parts)


def pairs_text(pairs: SoftLabelPairs) -> str:
    first, second = MethodTitle(pairs.first.method), MethodTitle(pairs.second.method)
    pair = pairs.furthest
    if pair is None:
        return f"{first} and {second} have no soft labels at the same class to compare."
    at = ClassName(pairs.first.classes[pair.at], pair.at)
    here, there = (_weights(pairs.first.classes, one) for one in (pair.first, pair.second))
    return (
        f"{first} and {second} differ by up to {number(pair.jsd)} bits (JSD), at {at}. "
        f"{first}{_mean(pairs.first)}: {here}. {second}{_mean(pairs.second)}: {there}."
    )


def pairs_caption(pairs: SoftLabelPairs) -> str:
    """What the bars are, and which prototypes have no counterpart."""
    said = "One bar per soft label"
    if not (pairs.first.constant and pairs.second.constant):
        said += "; where it depends on the example, its mean over the line's query examples"
    return " ".join([f"{said}.", *filter(None, [unmatched_text(pairs)])])


def unmatched_text(pairs: SoftLabelPairs) -> str:
    """Which prototypes only one of the two has; nothing if all have a counterpart."""
    names = class_names(pairs.first.classes)
    parts = [
        f"Only {MethodTitle(labels.method)} has a prototype at {listed([names[c] for c in only])}."
        for labels, only in ((pairs.first, pairs.only_first), (pairs.second, pairs.only_second))
        if only
    ]
    return " ".join(parts)


def edit_text(edit: SoftLabelEdit) -> str:
    """Accuracy of the edited soft labels, and how many predictions have changed."""
    before, now = _accuracy(edit.before), _accuracy(edit.now)
    what = "As fitted" if edit.constant else "With mean soft labels"
    if edit.touched:
        changed = count(edit.changed, "prediction")
        return f"Edited: accuracy {now}; {changed} changed. {what}: {before}."
    if edit.constant:
        return f"As fitted: accuracy {before}. Change a {term('soft label')} to move the regions."
    method = MethodTitle(edit.method.method)
    return f"{what}: accuracy {before}; {method} itself: {_accuracy(edit.method)}."


def seen_text(shots: int, draw: int, support: np.ndarray, query: np.ndarray) -> str:
    """That prototypes come from another draw, whose support set is tested on here."""
    seen = int(np.isin(query, support).sum())
    if not seen:
        return ""
    return (
        f"Fitted on support set {draw} at {count(shots, 'shot')}, which holds {seen:,} of the "
        f"{len(query):,} query examples here: accuracy may be too high."
    )


def draws_text(draws: SoftLabelDraws) -> str:
    """Which soft label varies most, and whether the lines stay."""
    sets, method = count(len(draws.draws), "support set"), MethodTitle(draws.method)
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
    """How many dots there are for the prototype at a class, and which of them is ringed."""
    name, sets = class_names(draws.classes)[at], count(len(draws.draws), "support set")
    said = f"{name} ends a line in {int(draws.ends[at])} of {sets}; soft labels in "
    said += f"{int(draws.known[at])}, one dot each. Bar: mean; band: ±1 SD."
    if current in draws.draws and draws.has_dot(current, at):
        said += f" Ringed: support set {current}."
    return said


def path_text(method: str, path: SoftLabelPath, accuracy: np.ndarray) -> str:
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
    names, order = class_names(classes), one.largest_first
    parts = [f"{names[c]} {number(one.mean[c])}" for c in order[:_SHOWN]]
    if rest := order[_SHOWN:]:
        parts.append(f"{len(rest):,} more {number(float(one.mean[list(rest)].sum()))}")
    if one.off_line >= _SHOWN_OFF_LINE:
        parts.append(f"off the line {number(one.off_line)}")
    return listed(parts)


def _weight(weight: float) -> str:
    """Three decimals, four where that would hide a difference from 0."""
    return number(weight, 4 if 5e-5 <= weight < 5e-4 else 3)
