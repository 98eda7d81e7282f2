"""Carry out an evaluation: embed each task once, then fit and score every missing run."""

from __future__ import annotations

import os
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from slp_core.data import Examples
from slp_core.encoders import ByDraw
from slp_core.encoders.choice import EncoderChoice
from slp_core.errors import DatasetError, EncoderError, SLPError
from slp_core.evaluation.pools import Inputs, Pool, WorkersLost, open_pool
from slp_core.evaluation.predictions_file import Predictions, PredictionsFile, open_predictions
from slp_core.evaluation.protocol import Run, Task, check_recordable, on_some_classes
from slp_core.evaluation.results import ResultsFile, Scores, check_possible, open_results
from slp_core.markdown import unmarked
from slp_core.memory import return_what_is_free
from slp_core.methods.table import Method, get_method
from slp_core.sentences import count

if TYPE_CHECKING:
    from slp_core.data import Episode, FewShotDataset
    from slp_core.encoders import Encoder, Normalisation
    from slp_core.encoders.trainable import LowerStates
    from slp_core.evaluation.pools import Finished
    from slp_core.methods.protocols import Classifier
    from slp_core.progress import Progress

    Report = Callable[[str, Progress], None]


@dataclass
class Outcome:
    """The outcome of an evaluation; a line for each run that was requested and not done."""

    n_new: int = 0
    n_kept: int = 0
    remarks: list[str] = field(default_factory=list)
    skipped: list[str] = field(default_factory=list)
    failed: list[str] = field(default_factory=list)


def evaluate(
    tasks: Sequence[Task],
    methods: Sequence[str],
    path: str | os.PathLike[str],
    *,
    encoders: Sequence[str] = (),
    normalisation: Normalisation | None = None,
    shots: Sequence[int] = (4, 8, 16),
    n_draws: int | None = None,
    n_seeds: int = 1,
    n_jobs: int = 1,
    dask: str | None = None,
    ways: int | None = None,
    predictions: str | os.PathLike[str] | None = None,
    progress: Report | None = None,
) -> Outcome:
    """Add the missing runs to a results file; the outcome names what cannot be done.

    With ``ways``, each draw is of so many random classes, and the task is called ``NAME (N-way)``.
    A predictions file gets what each run predicts of each query example.
    """
    from slp_core.encoders import load_encoder

    if ways is not None and ways < 2:
        raise SLPError(f"An episode of {ways} classes is none to tell apart: take 2 or more.")
    if predictions is not None and Path(predictions) == Path(path):
        raise SLPError(f"{path} cannot hold both results and predictions: name two files.")
    methods, encoders = (list(dict.fromkeys(names)) for names in (methods, encoders))
    shots = list(dict.fromkeys(shots))
    for name in (*(task.name for task in tasks), *encoders):
        check_recordable(name)
    chosen = [get_method(name) for name in methods]
    for name in encoders:
        load_encoder(name, normalisation=normalisation)  # an unknown one is refused at once
    outcome, report = Outcome(), progress or (lambda label, state: None)
    with ExitStack() as opened:
        results = opened.enter_context(open_results(path))
        kept = opened.enter_context(open_predictions(predictions)) if predictions else None
        pool = opened.enter_context(open_pool(n_jobs, dask))
        for task in tasks:
            try:
                dataset = task.load()
                called = _called(task.name, dataset, ways)
                results.check("task", called, dataset.digest)
            except SLPError as error:
                outcome.failed.append(f"{task.name}: {error}")
                continue
            outcome.remarks.extend(unmarked(remark) for remark in dataset.warnings)
            episodes = _draw_episodes(called, dataset, shots, n_draws, ways, outcome)
            odd = Counter(unmarked(remark) for e in episodes.values() for remark in e.warnings)
            outcome.remarks += [f"{called}, {count(n, 'draw')}: {why}" for why, n in odd.items()]
            for name in encoders or (dataset.default_encoder,):
                label = name if normalisation is None else _scaled(name, normalisation)
                remark = (
                    f"{label} is transductive: it is fitted on all rows, query examples included."
                )
                if EncoderChoice.of(label).transductive and remark not in outcome.remarks:
                    outcome.remarks.append(remark)
                try:
                    encoder = load_encoder(name, normalisation=normalisation)
                    made_by = encoder_digest(encoder)
                    results.check("encoder", label, made_by)
                except SLPError as error:
                    outcome.failed.append(f"{called}, {label}: {error}")
                    continue
                wanted = [
                    Work(run, method, name, dataset.y, at.support, at.query, kept is not None)
                    for (n_shots, draw), at in episodes.items()
                    for method in chosen
                    for seed in method.seeds(n_seeds)
                    for run in [Run(called, label, method.name, n_shots, draw, seed)]
                ]
                missing = [
                    work
                    for work in wanted
                    for found in [results.rows.get(work.run)]
                    if found is None or (kept and not kept.holds(work.run, found))
                ]
                outcome.n_kept += len(wanted) - len(missing)
                encoding = partial(report, f"{called}: encoding")
                # Computed once for all runs: embeddings, or what each method on texts reads.
                readers: dict[str, list[Work]] = defaultdict(list)
                for work in missing:
                    readers[work.method.name if work.method.reads == "texts" else ""].append(work)
                for works in readers.values():
                    method = works[0].method
                    try:
                        if method.reads == "vectors":
                            rows: Inputs = encoder.encode_for_draws(dataset, progress=encoding)
                        else:
                            rows = _text_rows(method, name, normalisation, dataset)
                    except SLPError as error:
                        outcome.failed.append(f"{called}, {label}: {error}")
                        continue
                    results.keep("task", called, dataset.digest)
                    results.keep("encoder", label, made_by)
                    _run_all(works, rows, pool, results, kept, dataset, outcome, report)
                    del rows  # or it would still be held while the next ones are made
                    return_what_is_free()  # thousands of small arrays leave gaps, not room
        results.sort()
    return outcome


def fit_and_score(
    classifier: Classifier, X_support: Any, y_support: np.ndarray, X_query: Any, y_query: np.ndarray
) -> tuple[Scores, Predictions]:
    """Fit a classifier on the support set, and evaluate its predictions of the query set."""
    start = time.perf_counter()
    classifier.fit(X_support, y_support)
    fit_seconds = time.perf_counter() - start
    probabilities = classifier.predict_proba(X_query)
    if isinstance(X_query, np.ndarray):
        predicted = classifier.predict(X_query)
    else:  # texts: asking again would run the encoder again
        predicted = classifier.classes_[probabilities.argmax(axis=1)]
    made = Predictions(classifier.classes_, probabilities, predicted)
    return score(*made, y_query, fit_seconds), made


def score(
    classes: np.ndarray,
    probabilities: np.ndarray,
    predicted: np.ndarray,
    y_query: np.ndarray,
    fit_seconds: float,
) -> Scores:
    """Scores of (m, K) probabilities and of predictions (m,)."""
    from sklearn.metrics import f1_score

    # By hand: log_loss refuses a true class that the support set lacks, and rounds float32
    # probabilities to their own, larger epsilon.
    of_true_class = np.asarray(y_query)[:, None] == np.asarray(classes)[None, :]
    p_true = np.where(of_true_class, probabilities, 0.0).sum(axis=1)
    return Scores(
        accuracy=float(np.mean(predicted == y_query)),
        # Of the classes that can be found: one without query examples would count as 0.
        macro_f1=float(f1_score(y_query, predicted, labels=np.unique(y_query), average="macro")),
        nll=float(-np.log(np.clip(p_true, np.finfo(np.float64).eps, 1.0)).mean()),
        n_query=len(y_query),
        fit_seconds=fit_seconds,
    )


def _text_rows(
    method: Method, encoder: str, normalisation: Normalisation | None, dataset: FewShotDataset
) -> Inputs:
    """All rows as a method on texts reads them: the lower layers' states, or the texts."""
    if normalisation not in (None, "l2"):
        raise SLPError(
            f"{method.name} trains the encoder on vectors of unit length: leave the normalisation "
            "out for it."
        )
    classifier = method.make(0, encoder)
    if hasattr(classifier, "lower_states"):
        states: LowerStates = classifier.lower_states(dataset.examples)
        return states.shared()
    return dataset.examples


def encoder_digest(encoder: Encoder) -> str:
    """Weights and settings of an encoder, as the cache of embeddings names them; "" for none."""
    try:
        made_by = encoder.identity()
    except EncoderError:
        return ""
    return f"{made_by} {encoder.normalisation}" if made_by else ""


def _draw_episodes(
    task: str,
    dataset: FewShotDataset,
    shots: Sequence[int],
    n_draws: int | None,
    ways: int | None,
    outcome: Outcome,
) -> dict[tuple[int, int], Episode]:
    """Every draw that the data have and no earlier one repeats; the outcome names others."""
    episodes = {}
    for n_shots in shots:
        reasons: dict[int, str] = {}
        chosen: dict[bytes, int] = {}
        numbers = range(n_draws or dataset.n_draws)
        for draw in numbers:
            try:
                episode = dataset.draw(n_shots, draw)
            except DatasetError as error:
                reasons[draw] = str(error)
                continue
            if ways is not None and ways < len(dataset.classes):
                episode = on_some_classes(episode, ways)
            if not len(episode.query):
                reasons[draw] = "no query example is left: ask for fewer shots or add rows."
                continue
            first = chosen.setdefault(np.sort(episode.support).tobytes(), draw)
            if dataset.own_draws is None and first != draw:
                reasons[draw] = f"it chooses the same rows as draw {first}."
            else:
                episodes[n_shots, draw] = episode
        if len(reasons) == len(numbers):
            outcome.failed.append(f"{task}, {n_shots} shots: no draw can be had. {reasons[0]}")
        else:
            outcome.skipped.extend(
                f"{task}, {n_shots} shots, draw {draw}: {reason}"
                for draw, reason in reasons.items()
            )
    return episodes


def _called(task: str, dataset: FewShotDataset, ways: int | None) -> str:
    """What rows call a task; a task on some of its classes has a name of its own."""
    n_classes = len(dataset.classes)
    if ways is None or ways == n_classes:
        return task
    if ways > n_classes:
        raise DatasetError(f"it has {count(n_classes, 'class', 'classes')}: {ways} cannot be had.")
    return f"{task} ({ways}-way)"


@dataclass(frozen=True)
class Work:
    """What a worker needs for one run, beside the task's rows."""

    run: Run
    method: Method
    encoder: str  # of a method that reads texts
    y: np.ndarray  # (n,) classes of all rows of the task
    support: np.ndarray  # row numbers
    query: np.ndarray
    keep: bool = False  # whether predictions are wanted, beside scores


def _scaled(name: str, normalisation: str) -> str:
    """An encoder's name in the rows where a normalisation was asked for; old names keep theirs."""
    choice = EncoderChoice.of(name)
    return f"{name}+{normalisation}" if str(choice) != name else str(choice.scaled(normalisation))


def _run_all(
    works: Sequence[Work],
    rows: Inputs,
    pool: Pool,
    results: ResultsFile,
    kept: PredictionsFile | None,
    dataset: FewShotDataset,
    outcome: Outcome,
    progress: Report,
) -> None:
    """Do the runs of one task and encoder, writing each row as soon as it is finished."""
    from slp_core.progress import Progress

    task, encoder = works[0].run.task, works[0].run.encoder
    start = time.monotonic()
    n_done = 0
    query = {work.run: work.query for work in works}
    try:
        for run, scores, error, made in pool(carry_out, works, rows):
            if scores is None:
                outcome.failed.append(f"{', '.join(map(str, run))}: {error}")
            else:
                if kept and made:  # before its row, which says that the run is done
                    kept.append(run, dataset, query[run], made)
                results.append(run, scores)
                outcome.n_new += 1
            n_done += 1
            progress(f"{task}: evaluating", Progress.since(start, n_done, len(works)))
    except WorkersLost as lost:
        outcome.failed.append(
            f"{task}, {encoder}: {len(works) - n_done} of {len(works)} runs are "
            f"missing, for {lost}; the same command goes on from here."
        )


def carry_out(work: Work, rows: Inputs) -> Finished:
    """Do one run in a worker; returns errors as text."""
    from threadpoolctl import threadpool_limits  # type: ignore[import-untyped]

    support, query, y = work.support, work.query, work.y
    try:
        if isinstance(rows, ByDraw):
            rows = rows.on(support)
        take = rows.take if isinstance(rows, Examples) else rows.__getitem__
        classifier = work.method.make(work.run.seed, work.encoder)
        with threadpool_limits(limits=1):
            data = take(support), y[support], take(query), y[query]
            scores, made = fit_and_score(classifier, *data)
        check_possible(work.run, scores)
    except Exception as error:  # one failed run is named and must not cost the others
        return work.run, None, f"{type(error).__name__}: {error}", None
    return work.run, scores, "", made if work.keep else None
