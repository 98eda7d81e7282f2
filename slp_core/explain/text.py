"""Sentences about predictions, errors and their causes, in Markdown."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from slp_core.explain.bands import Bands, interval, weight
from slp_core.explain.causes import CAUSE_NAMES, CAUSES, Causes, Headline
from slp_core.explain.counterfactuals import Counterfactual, distance_of_w
from slp_core.explain.misleading import MisleadingShots
from slp_core.explain.point import PointReading
from slp_core.explain.predictions import Predictions
from slp_core.explain.profile import LineProfile
from slp_core.explain.shots import ShotInfluences
from slp_core.glossary import term
from slp_core.lines import Line
from slp_core.markdown import quoted
from slp_core.sentences import (
    MethodTitle,
    class_names,
    count,
    listed,
    percent,
    signed,
    significant,
)

_ALL_LAST = "No shot can be left out: each is the last of its class."
_NAMED = 4  # classes or centroids that a sentence names
_ON_A_LINE = 3  # classes that a line's title names
_QUOTED = 60  # letters of a shot
_EMPTY = "The query set is empty."


# Predictions and errors


def predictions_text(predictions: Predictions) -> str:
    if not len(predictions.true):
        return _EMPTY
    method = f"{MethodTitle(predictions.method)}"
    accuracy = f"accuracy {percent(predictions.accuracy)}"
    if predictions.is_nearest:
        return f"{method}: {accuracy}."
    names, never = class_names(predictions.classes), predictions.never_predicted
    if never:
        method += f" never predicts {listed([names[c] for c in never], _NAMED, 'or')}"
    return f"{method}: {accuracy}, nearest centroid {percent(predictions.nearest_accuracy)}."


def headline_text(found: Headline) -> str:
    method = f"{MethodTitle(found.method)}"
    if not found.n_query:
        return _EMPTY
    if not found.n_errors:
        return f"{method} makes no errors on {count(found.n_query, 'query example')}."
    if found.never_predicted and found.line is not None:
        names = class_names(found.classes)
        never = listed([names[c] for c in found.never_predicted], _NAMED, "or")
        one = len(found.never_predicted) == 1
        intervals = term("decision interval", "decision interval" if one else "decision intervals")
        return (
            f"On line {found.line + 1}, {MethodTitle(found.method):inside} never predicts {never}: "
            f"no example lies in {'its' if one else 'their'} {intervals}."
        )
    some = "all" if found.n_cause == found.n_errors else f"{found.n_cause:,}"
    where = f"; in {some} of them" if found.n_errors > 1 else ":"
    errors = f"{found.n_errors:,} of {found.n_query:,}"
    return f"{method} misclassifies {errors}{where} {_meaning(found.cause, found.tied)}."


def _meaning(cause: str, tied: bool) -> str:
    """What a cause means; centroids at one distance are mentioned only where there are any."""
    return CAUSES[cause] if tied else CAUSES[cause].replace("as near or nearer", "nearer")


def without_lines_text(method: str, other: str) -> str:
    return f"{MethodTitle(method)} has no line with several classes. Shown: {MethodTitle(other)}."


def causes_text(causes: Causes) -> str:
    if not len(causes.examples):
        return _EMPTY
    each = [f"{CAUSE_NAMES[kind]} {n:,}" for kind, n in causes.counts.items()]
    return f"Errors: {causes.wrong.sum():,} of {len(causes.examples):,} ({', '.join(each)})."


def rescued_text(causes: Causes) -> str:
    name, n = term("rescued", "Rescued"), int(causes.rescued.sum())
    return f"{name}: {n:,} correct although another class's centroid is nearer."


def filtered_text(
    causes: Causes,
    cause: str | None = None,
    true: int | None = None,
    line: int | None = None,
    margin: float = 0.0,
) -> str:
    """How many errors a filter keeps, as in :meth:`Causes.where`."""
    n = int((causes.where(cause, true, line, margin) & causes.wrong).sum())
    filters = [
        *([f"cause *{CAUSE_NAMES[cause]}*"] if cause is not None else []),
        *([f"true label {class_names(causes.classes)[true]}"] if true is not None else []),
        *([f"line {line + 1}"] if line is not None else []),
        *([f"margin at least {margin:.2f}"] if margin else []),
    ]
    if not filters:
        return f"Errors: {n:,}."
    return f"Errors: {n:,} of {causes.wrong.sum():,} ({', '.join(filters)})."


def cause_text(causes: Causes, place: int) -> str:
    """Why a query example was misclassified, or that it was rescued; else nothing."""
    kind: Any = causes.examples.at[place, "cause"]
    if kind:
        tied = bool(causes.examples.at[place, "tied"])
        return f"Cause: **{CAUSE_NAMES[kind]}** – {_meaning(kind, tied)}."
    if causes.rescued[place]:
        nearest: Any = causes.examples.at[place, "nearest"]
        name = class_names(causes.classes)[nearest]
        return f"*Rescued*: correct although the centroid of {name} is nearer."
    return ""


# One example


def point_text(reading: PointReading) -> str:
    """The prediction, and the weights of the prototypes."""
    return f"{prediction_text(reading)} {weights_text(reading)}".rstrip()


def prediction_text(reading: PointReading) -> str:
    names = class_names(reading.classes)
    text = f"Predicted {names[reading.predicted]}"
    if reading.true is not None:
        text += f"; true label {names[reading.true]}"
    return f"{text}. Nearest centroid: {listed([names[c] for c in reading.nearest_alike])}."


def weights_text(reading: PointReading) -> str:
    """The line of the example with the weights of both prototypes; nothing without lines."""
    if reading.line is None:
        return ""
    names = class_names(reading.classes)
    carried, text = [names[c] for c in reading.line_classes], f"Line {reading.line + 1}"
    if len(carried) == 1:
        text += f" carries only {carried[0]}."
    else:
        a, b = percent(reading.w), percent(1 - reading.w)
        text += f": weight {a} for prototype A ({carried[0]}), {b} for B ({carried[-1]})."
    if reading.true is not None and reading.true not in reading.line_classes:
        text += f" {names[reading.true]} is not on this line."
    return text


def surroundings_text(reading: PointReading) -> str:
    names, away = class_names(reading.classes), reading.centroid_distance
    each = [f"{names[c]} {significant(away[c])}" for c in reading.nearest]
    text = f"Distance to centroids: {listed(each, _NAMED)}."
    if reading.runner_up is None:
        return text
    lead = significant(reading.lead, 2)
    return f"{text} Next nearest line: {reading.runner_up + 1} ({lead} further away)."


def place_text(reading: PointReading) -> str:
    """Where the example is, seen from its line; nothing for a method without lines."""
    if reading.line is None:
        return ""
    t, length, r = map(significant, (reading.t, reading.length, reading.r))
    return f"Line {reading.line + 1}: w = {weight(reading.w, 3)}, t = {t} of {length}, r = {r}."


def counterfactual_text(item: Counterfactual, reading: PointReading) -> str:
    names = class_names(reading.classes)
    predicted = "" if item.predicted is None else f"{names[item.predicted]}"
    if item.kind == "w":
        low, high = interval(*item.interval)
        change = distance_of_w(reading.w, item.interval)
        return f"w between {low} and {high} ({significant(change, 2)} away): {predicted}"
    if item.kind == "never" and reading.true is not None:
        return f"No w predicts {names[reading.true]}"
    if item.kind == "same":
        return "No w changes the prediction"
    if item.kind == "lines":
        lines = listed([line + 1 for line in item.lines])
        return f"On line{'s' * (len(item.lines) > 1)} {lines}: {predicted}"
    if item.kind == "projected":
        return f"Projected onto the line (w = {weight(reading.along)}): {predicted}"
    if item.kind == "method":
        return f"{MethodTitle(item.method)}: {predicted}"
    return f"Nearest centroid: {listed([names[c] for c in reading.nearest_alike])}"


# Shots


def teaching_text(accuracy: float | None, before: float | None, left_out: bool) -> str:
    what = "The examples you give decide what is learnt"
    if accuracy is None or accuracy != accuracy:
        return f"{what}."
    name = term("leave-one-out accuracy") if left_out else "accuracy"
    change = ""
    if before is not None and before == before:
        change = f" (last edit: {signed(100 * (accuracy - before), 1)} points)"
    return f"{what}: {name} {percent(accuracy, 1)}{change}."


def shots_text(found: ShotInfluences) -> str:
    influence, most = found.influence, int(found.changed.sum(axis=1).max())
    if found.last.all():
        return _ALL_LAST
    changes = f"at most {count(most, 'prediction')}" if most else "no prediction"
    return (
        f"Shots that lower accuracy: {(influence < 0).sum():,} of {len(influence):,}; that raise "
        f"it: {(influence > 0).sum():,}. Removing one changes {changes}."
    )


def shot_text(found: ShotInfluences, shot: int, joined: float | None = None) -> str:
    if found.reasons[shot]:
        return f"No influence: {found.reasons[shot]}."
    before, after = (
        percent(float(each[shot]), 1) for each in (found.accuracy, found.accuracy_without)
    )
    changed = count(int(found.changed[shot].sum()), "prediction")
    on = "" if found.judged[shot].all() else " on the other shots"
    text = f"Without it: accuracy{on} {before} → {after}, {changed} changed."
    return text + ("" if joined is None else f" With it in the query set: {percent(joined, 1)}.")


def correcting_shots_text(found: ShotInfluences, place: int) -> str:
    """How many shots' removal would correct a misclassified query example; else nothing."""
    if found.predicted[place] == found.true[place]:
        return ""
    n = len(found.correcting(place))
    return f"Shots whose removal alone would correct this prediction: {n:,}."


def correcting_shot_text(found: ShotInfluences, shot: int, words: str) -> str:
    label = class_names(found.classes)[found.label[shot]]
    return f"Without {quoted(words, _QUOTED)}, labelled {label}"


def check_labels_text(n: int) -> str:
    return f"Labels to check, which the other examples contradict: {n:,}." if n else ""


def check_label_text(classes: Sequence[str], suggested: str) -> str:
    name = class_names(classes)[classes.index(suggested)]
    return f"Check this label: the other examples suggest {name}."


def misleading_text(found: MisleadingShots) -> str:
    if not found.tried:
        return _ALL_LAST
    method, names = MethodTitle(found.method), class_names(found.classes)

    def listing(classes: set[int], last: str = "and") -> str:
        return listed([names[k] for k in sorted(classes)], _NAMED, last)

    never, best, text = set(found.never_predicted), found.revealing or found.gaining, ""
    if never and found.revealing is None:
        text = f"No set of shots found makes {method} predict {listing(never, 'or')}. "
    if best is None:
        text += "No removal found raises accuracy."
    else:
        gained, gone = never - set(best.never_predicted), set(best.never_predicted) - never
        does = f"predicts {listing(gained)}" if gained else "is more accurate"
        if gained and gone:
            does += f", and never {listing(gone, 'or')}"
        before, after = (percent(value, 1) for value in (found.accuracy, best.accuracy))
        text += (
            f"Without {count(len(best.shots), 'shot')} {method} {does}: accuracy {before} → "
            f"{after}, {count(best.changed, 'prediction')} changed."
        )
    if found.complete == found.size:
        size = "one shot" if found.size == 1 else f"up to {found.size} shots"
        return f"{text} All sets of {size} were tried."
    return f"{text} Tried: {count(found.tried, 'set')} of up to {found.size} shots."


# One line


def line_title(classes: Sequence[str], line: Line, place: int) -> str:
    """A line's number, counted from ``place`` 0, and its classes from prototype A to B."""
    names = [f"{class_names(classes)[c]}" for c in line.classes]
    if len(names) > _ON_A_LINE:
        names = [names[0], f"{len(names) - 2:,} more", names[-1]]
    return f"Line {place + 1}: {' – '.join(names)}"


def line_text(profile: LineProfile) -> str:
    text = f"Line {profile.number + 1}: {count(len(profile.examples), 'query example')}"
    if profile.occupied is None:
        return f"{text}."
    names = class_names(profile.classes)
    low, high = interval(*profile.occupied)
    text += f", w from {low} to {high}"
    if profile.bands is None:
        return f"{text}."
    winners = [names[c] for c in reversed(profile.winners)]
    text += f". Predicted there, from A to B: {listed(winners)}."
    never = [names[c] for c in profile.never_predicted]
    return f"{text} No w predicts {listed(never, _NAMED)}." if never else text


def bands_text(bands: Bands, classes: Sequence[str]) -> str:
    """Every decision interval with its ends, as they are drawn: prototype A on the left."""
    names, ends = class_names(classes), map(interval, bands.edges[:-1], bands.edges[1:])
    each = [f"{names[c]} {high}–{low}" for c, (low, high) in zip(bands.classes, ends, strict=True)]
    return f"Decision intervals of w, from A to B: {', '.join(reversed(each))}."


def half_plane_title(along_line: bool, as_fitted: bool) -> str:
    distances = "projected onto the line" if along_line else "full"
    return f"Distances: {distances} ({'as fitted' if as_fitted else 'what if'})"


def half_plane_text(profile: LineProfile) -> str:
    each = profile.examples
    correct = (each["predicted"] == each["true"]).sum()
    return f"Line {profile.number + 1}: {correct:,} of {len(each):,} correct."
