"""The contents of a report, part by part, computed from the current settings."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial

import numpy as np
import pandas as pd

from slp_core.data.images import image_of
from slp_core.diagnostics.calibration import calibration
from slp_core.diagnostics.ensemble import ensemble_diagnostics
from slp_core.diagnostics.text import (
    calibration_text,
    ensemble_text,
    identity_texts,
    nll_text,
)
from slp_core.encoders import vectors_on
from slp_core.errors import Cancelled
from slp_core.evaluation.comparison import costs_table, rank
from slp_core.evaluation.method_runs import MethodRuns, vector_runs
from slp_core.evaluation.text import ranking_text
from slp_core.explain.causes import CAUSE_NAMES, headline
from slp_core.explain.profile import labels_at, line_profile
from slp_core.explain.soft_label_pairs import SoftLabelPairs
from slp_core.explain.soft_label_text import pairs_caption, pairs_text
from slp_core.explain.soft_labels import read_soft_labels
from slp_core.explain.text import (
    cause_text,
    headline_text,
    line_title,
    point_text,
    predictions_text,
    rescued_text,
    surroundings_text,
)
from slp_core.figures.calibration import ReliabilityDisplay
from slp_core.figures.causes import CausesDisplay, errors_table
from slp_core.figures.compare_draws import RunsDisplay
from slp_core.figures.confusion import ConfusionDisplay
from slp_core.figures.line.strip import WStripDisplay
from slp_core.figures.map.data import MapLayers
from slp_core.figures.map.figure import MapDisplay
from slp_core.figures.point import PointDisplay
from slp_core.figures.soft_labels import SoftLabelPairsDisplay
from slp_core.markdown import beginning
from slp_core.methods.protocols import HasLines, HasMembers, predicts_from_lines
from slp_core.methods.table import METHODS
from slp_core.on_demand import OnDemand
from slp_core.progress import Progress, ProgressCallback
from slp_core.report.page import rendered
from slp_core.report.subject import Part, ReportSubject
from slp_core.report.text import errors_shown_text
from slp_core.sentences import count

MOST_LINES = 8  # strips in a report
MOST_ERRORS = 40  # rows of the table of errors
MOST_TEXT = 140  # characters of an example in a table
_MAP, _A_NAME, _FEW = 560, 5, 8  # px of the map, and for each class beyond so many, for their key


def made_report(
    subject: ReportSubject,
    progress: ProgressCallback = lambda _: None,
    cancelled: Callable[[], bool] = lambda: False,
) -> str:
    """The whole report as one page of HTML that needs nothing else."""
    makers, parts = PAGES.get(subject.page, _ALL), list(subject.shown)
    for done, make in enumerate(makers, start=1):
        if cancelled():
            raise Cancelled
        parts.extend(make(subject, cancelled))
        progress(Progress(done, len(makers)))
    return rendered(subject, parts)


def _data(subject: ReportSubject, cancelled: Callable[[], bool]) -> Iterator[Part]:
    dataset, episode = subject.dataset, subject.episode
    rows = pd.DataFrame(
        {
            "class": list(dataset.classes),
            "examples": [dataset.counts[name] for name in dataset.classes],
            "support": np.bincount(episode.y_support, minlength=len(dataset.classes)),
            "query": np.bincount(episode.y_query, minlength=len(dataset.classes)),
        }
    )
    texts = [dataset.size_text(), *dataset.warnings, *episode.warnings]
    yield Part("The data", texts, tables={"Examples of each class": rows}, card=dataset.card)


def _map(subject: ReportSubject, cancelled: Callable[[], bool]) -> Iterator[Part]:
    found, title = subject.predictions, subject.method.title
    height = _MAP + _A_NAME * max(len(subject.dataset.classes) - _FEW, 0)
    display = MapDisplay(
        subject.map_data, MapLayers(), predictions_text(found), subject.row, height=height
    )
    yield Part("The map", [subject.map_text, display.caption(), display.thinned_text()], [display])
    if len(found.true):
        yield Part(
            "Confusion matrix", [], [ConfusionDisplay(found.confusion, found.classes, title)]
        )


def _point(subject: ReportSubject, cancelled: Callable[[], bool]) -> Iterator[Part]:
    reading, query = subject.reading, subject.episode.query.tolist()
    texts = [point_text(reading), surroundings_text(reading)]
    if subject.row in query:
        texts.append(cause_text(subject.causes, query.index(subject.row)))
    dataset, row = subject.dataset, subject.row
    image = image_of(dataset, row)
    yield Part(
        dataset.called(row).capitalize(),
        texts,
        [PointDisplay(reading)],
        plain=dataset.describe(row) if image is None else "",
        image=image,
    )


def _causes(subject: ReportSubject, cancelled: Callable[[], bool]) -> Iterator[Part]:
    if not len(subject.episode.query):
        return
    causes, query = subject.causes, subject.episode.query
    first = headline_text(headline(subject.model, subject.method.title, causes))
    if not causes.wrong.any():
        yield Part("No misclassified example", [first])
        return
    bar = CausesDisplay(causes)
    table = errors_table(causes, query, "confident", causes.where())
    described = map(subject.dataset.describe, table["row"])
    table.insert(0, "text", [beginning(text, MOST_TEXT) for text in described])
    table["cause"] = [CAUSE_NAMES[kind] for kind in table["cause"]]
    if not causes.n_lines:
        table = table.drop(columns=["line", "w"])  # of a method without lines
    images = [image_of(subject.dataset, row) for row in table["row"].head(MOST_ERRORS)]
    n, shown = len(table), subject.dataset.numbered(table.head(MOST_ERRORS))
    if images[0] is not None:
        column = pd.Series(images, index=shown.index, dtype=object)
        shown = shown.assign(text=column).rename(columns={"text": "image"})
    texts = [first, rescued_text(causes), errors_shown_text(len(shown), n)]
    yield Part("Errors and their causes", texts, [bar], {"Errors, the most confident first": shown})


def _strips(subject: ReportSubject, cancelled: Callable[[], bool]) -> Iterator[Part]:
    model = subject.model
    if not predicts_from_lines(model) or not isinstance(model, HasLines):
        return
    errors = subject.causes.by_line.sum(axis=0)
    at, vectors = subject.reading, vectors_on(subject.vectors, subject.episode.support)
    dataset, query = subject.dataset, subject.episode.query
    examples = subject.causes.examples.assign(row=query, shown=True)
    texts = OnDemand(lambda row: beginning(dataset.describe(row), MOST_TEXT), len(dataset))
    for number in np.argsort(-errors, kind="stable")[:MOST_LINES].tolist():
        profile = line_profile(model, number, examples)
        if not len(profile.examples):
            continue
        at_row = subject.row if at.line == number else int(profile.examples["row"].iloc[0])
        labels = labels_at(model, number, vectors[at_row])
        marked = (at.w, at.along) if at.line == number else None
        row = at_row if profile.bands is None else subject.row
        strip = WStripDisplay(profile, labels, texts, marked, row)
        title = line_title(dataset.classes, profile.line, number)
        title = f"{title}, {count(int(errors[number]), 'error')}."
        said = [title, strip.sentence(), strip.thinned_text()]
        yield Part("One line over w", said, [strip])


def _soft_labels(subject: ReportSubject, cancelled: Callable[[], bool]) -> Iterator[Part]:
    if not isinstance(subject.model, HasLines):
        return
    data = subject.arrays
    name = "constraint_slp" if subject.method.name != "constraint_slp" else "deep_slp"
    other = METHODS[name]
    beside = other.make(**subject.options_of(other)).fit(data.X_support, data.y_support)
    pairs = SoftLabelPairs(
        read_soft_labels(subject.model, subject.method.title, data.X_query),
        read_soft_labels(beside, other.title, data.X_query),
    )
    display = SoftLabelPairsDisplay(pairs)
    yield Part(
        "Soft labels",
        [pairs_text(pairs), pairs_caption(pairs)],
        [display],
        {"Soft labels": display.table(), "Divergence": display.distances()},
    )


def _ensemble(subject: ReportSubject, cancelled: Callable[[], bool]) -> Iterator[Part]:
    data = subject.arrays
    if not isinstance(subject.model, HasMembers) or not len(data.y_query):
        return
    read = ensemble_diagnostics(subject.model, data.X_query, data.y_query)
    judged = calibration(subject.predictions.probability, subject.predictions.true)
    table = read.decompositions()
    texts = [
        ensemble_text(read, subject.method.title),
        nll_text(read),
        *identity_texts(read),
        calibration_text(judged),
    ]
    yield Part(
        "Two prototypes as an ensemble",
        texts,
        [ReliabilityDisplay(judged)],
        {"Uncertainty decompositions": table},
    )


def _comparison(subject: ReportSubject, cancelled: Callable[[], bool]) -> Iterator[Part]:
    dataset, shots = subject.dataset, subject.shots
    draws = dataset.available_draws(shots) or (subject.draw,)
    if not len(subject.episode.query):
        return
    runs: dict[str, MethodRuns] = {}
    for name in dict.fromkeys([subject.method.name, *subject.compared]):
        make = partial(METHODS[name].make, **subject.options_of(METHODS[name]))
        each = vector_runs(make, dataset, subject.vectors, shots, draws, cancelled)
        runs[METHODS[name].title] = MethodRuns(shots, dict(each))
    styles = {method.title: place for place, method in enumerate(METHODS.values())}
    display = RunsDisplay(runs, styles)
    yield Part(
        "Methods compared",
        [ranking_text(rank(runs, dataset.title, shots)), display.caption()],
        [display],
        # How many lines there are, and so parameters, differs from draw to draw.
        {f"Accuracy, parameters (support set {draws[0]}) and fit time": costs_table(runs)},
        note="Other options are those of the settings above where a method shares them, else the "
        "defaults.",
    )


Maker = Callable[[ReportSubject, Callable[[], bool]], Iterator[Part]]
_ALL: tuple[Maker, ...] = (
    *(_data, _map, _point, _causes, _strips, _soft_labels, _ensemble, _comparison),
)
PAGES: dict[str, tuple[Maker, ...]] = {
    "explore": (_map, _point, _data),
    "teach": (_data,),
    "train": (_data,),
    "explain": (_causes, _point, _strips),
    "soft_labels": (_data,),
    "ensemble": (_data,),
    "compare": (_data,),
    "encoders": (_data,),
}
"""What the report of a page holds after what is shown there; that of any other page holds all."""
