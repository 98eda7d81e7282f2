"""Carry an evaluation out: embed each task once, then fit and score every missing run."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from slp_core.encoders import ByDraw
from slp_core.encoders.choice import EncoderChoice
from slp_core.errors import DatasetError, EncoderError, SLPError
from slp_core.evaluation.inputs import Inputs, Report, by_input, text_rows
from slp_core.evaluation.pools import Pool, WorkersLost, open_pool
from slp_core.evaluation.protocol import (
    Run,
    Task,
    check_count,
    check_jobs,
    check_names,
    check_recordable,
    check_shots,
    check_tasks,
    plan_runs,
)
from slp_core.evaluation.results import Origins, ResultsFile, Scores, impossible
from slp_core.markdown import unmarked
from slp_core.memory import return_what_is_free
from slp_core.methods.table import METHODS, Method, get_method
from slp_core.sentences import count, listed

if TYPE_CHECKING:
    from slp_core.data import Episode, FewShotDataset
    from slp_core.encoders import Encoder, Normalisation
    from slp_core.methods.protocols import Classifier

_SENTENCES = 3
"""The most lines about one thing that is odd in a task's draws."""


@dataclass
class Outcome:
    """What became of an evaluation; what was asked for and not done, a line each."""

    n_new: int = 0
    n_kept: int = 0
    remarks: list[str] = field(default_factory=list)
    skipped: list[str] = field(default_factory=list)
    failed: list[str] = field(default_factory=list)


def evaluate(
    tasks: Task | Sequence[Task],
    methods: str | Sequence[str],
    path: str | os.PathLike[str],
    *,
    encoders: str | Sequence[str] = (),
    normalisation: Normalisation | None = None,
    shots: int | Sequence[int] = (4, 8, 16),
    n_draws: int | None = None,
    n_seeds: int = 1,
    n_jobs: int = 1,
    dask: str | None = None,
    progress: Report | None = None,
) -> Outcome:
    """Run methods on tasks, adding to a results file the rows that it does not hold.

    What cannot be done is named in the outcome, and the rest goes on. ``n_draws`` None is all that
    the dataset counts; a normalisation becomes part of an encoder's name in the rows. ``n_jobs`` is
    joblib's; ``dask``, the address of a scheduler, goes before it.
    """
    from slp_core.encoders import load_encoder

    tasks, shots = check_tasks(tasks), check_shots(shots)
    methods, encoders = check_names("methods", methods), check_names("encoders", encoders)
    if not methods:
        raise SLPError(f"There is no method to run: name one or more of {', '.join(METHODS)}.")
    if n_draws is not None:
        n_draws = check_count("n_draws", n_draws, ", or None for all draws")
    n_seeds, n_jobs = check_count("n_seeds", n_seeds), check_jobs(n_jobs)
    for name in (*(task.name for task in tasks), *encoders):
        check_recordable(name)
    chosen = [get_method(name) for name in methods]
    for name in encoders:
        load_encoder(name, normalisation=normalisation)  # an unknown one is refused at once
    outcome, report = Outcome(), progress or (lambda label, state: None)
    with ResultsFile(path) as results, open_pool(n_jobs, dask) as pool:
        origins = Origins(results)
        for task in tasks:
            try:
                dataset = task.load()
                _check_kept(task.name, dataset, results)
                origins.check("task", task.name, dataset.digest)
            except SLPError as error:
                outcome.failed.append(f"{task.name}: {error}")
                continue
            outcome.remarks.extend(unmarked(remark) for remark in dataset.warnings)
            episodes = _draw_episodes(task.name, dataset, shots, n_draws, outcome)
            outcome.remarks.extend(_odd_draws(task.name, episodes))
            for name in encoders or (dataset.default_encoder,):
                label = name if normalisation is None else _scaled(name, normalisation)
                try:
                    encoder = load_encoder(name, normalisation=normalisation)
                    made_by = encoder_digest(encoder)
                    origins.check("encoder", label, made_by)
                except SLPError as error:
                    outcome.failed.append(f"{task.name}, {label}: {error}")
                    continue
                wanted = [
                    run
                    for run in plan_runs(
                        task.name, label, chosen, shots, n_draws or dataset.n_draws, n_seeds
                    )
                    if (run.shots, run.draw) in episodes
                ]
                missing = [run for run in wanted if run not in results.rows]
                outcome.n_kept += len(wanted) - len(missing)
                if not missing:
                    continue
                encoding = partial(report, f"{task.name}: encoding")
                for method, runs in by_input(missing):
                    try:
                        if method is None:
                            rows: Inputs = encoder.encode_for_draws(dataset, progress=encoding)
                        else:
                            rows = text_rows(method, name, normalisation, dataset)
                    except SLPError as error:
                        outcome.failed.append(f"{task.name}, {label}: {error}")
                        continue
                    origins.keep("task", task.name, dataset.digest)
                    origins.keep("encoder", label, made_by)
                    works = [
                        _work(run, name, dataset.y, episodes[run.shots, run.draw]) for run in runs
                    ]
                    _run_all(works, rows, pool, results, outcome, report)
                    del rows  # or it would still be held while the next ones are made
                    return_what_is_free()  # thousands of small arrays leave gaps, not room
        results.sort()
    return outcome


def fit_and_score(
    classifier: Classifier,
    X_support: Any,
    y_support: np.ndarray,
    X_query: Any,
    y_query: np.ndarray,
) -> Scores:
    """Fit a classifier on the support set, and score it on the query set."""
    start = time.perf_counter()
    classifier.fit(X_support, y_support)
    fit_seconds = time.perf_counter() - start
    probabilities = classifier.predict_proba(X_query)
    if isinstance(X_query, np.ndarray):
        predicted = classifier.predict(X_query)
    else:  # texts: asking again would run the encoder again
        predicted = classifier.classes_[probabilities.argmax(axis=1)]
    return score(classifier.classes_, probabilities, predicted, y_query, fit_seconds)


def score(
    classes: np.ndarray,
    probabilities: np.ndarray,
    predicted: np.ndarray,
    y_query: np.ndarray,
    fit_seconds: float,
) -> Scores:
    """Scores of (m, K) probabilities and of predictions, as `fit_and_score` describes them."""
    from sklearn.metrics import f1_score

    # By hand: log_loss refuses a true class that the support set lacks, and rounds float32
    # probabilities to their own, larger epsilon.
    of_true_class = np.asarray(y_query)[:, None] == np.asarray(classes)[None, :]
    p_true = np.where(of_true_class, probabilities, 0.0).sum(axis=1)
    return Scores(
        accuracy=float(np.mean(predicted == y_query)),
        macro_f1=float(f1_score(y_query, predicted, average="macro")),
        nll=float(-np.log(np.clip(p_true, np.finfo(np.float64).eps, 1.0)).mean()),
        n_query=len(y_query),
        fit_seconds=fit_seconds,
    )


def encoder_digest(encoder: Encoder) -> str:
    """Weights and settings of an encoder, as the cache of embeddings names them; "" for none."""
    try:
        made_by = encoder.identity()
    except EncoderError:
        return ""
    return f"{made_by} {encoder.normalisation}" if made_by else ""


def _check_kept(task: str, dataset: FewShotDataset, results: ResultsFile) -> None:
    """See that the file's rows of a task can be of this dataset, also where it has no digest."""
    of_task = ((run, scores) for run, scores in results.rows.items() if run.task == task)
    kept = {(run.shots, run.draw, scores.n_query) for run, scores in of_task}
    for shots, draw, n_query in sorted(kept):
        try:
            here = len(dataset.draw(shots, draw).query)
        except DatasetError:
            here = 0
        if n_query != here:
            raise SLPError(
                f"{results.path} holds rows of other data under this name (draw {draw} with "
                f"{shots} shots has {n_query:,} query points there, and {here:,} here): delete the "
                "file, or give another one (--out)."
            )


def _draw_episodes(
    task: str,
    dataset: FewShotDataset,
    shots: Sequence[int],
    n_draws: int | None,
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


def _odd_draws(task: str, episodes: dict[tuple[int, int], Episode]) -> Iterator[str]:
    """Remarks on support sets, a line for each sentence with all those that it is true of."""
    found: dict[str, list[Episode]] = {}
    for episode in episodes.values():
        for remark in episode.warnings:
            found.setdefault(unmarked(remark), []).append(episode)
    remarks = list(found.items())
    whole = len(remarks) if len(remarks) <= _SENTENCES else _SENTENCES - 1
    for sentence, odd in remarks[:whole]:
        yield f"{task}, {_places(odd)}: {sentence}"
    others = {(e.shots, e.draw): e for _, odd in remarks[whole:] for e in odd}
    if others:
        yield f"{task}, {_places(list(others.values()))}: similar remarks."


def _places(episodes: Sequence[Episode]) -> str:
    """Draws in words: "4 shots, draws 0–2 and 5; 8 shots, draw 1"."""
    draws: dict[int, list[int]] = {}
    for episode in episodes:
        draws.setdefault(episode.shots, []).append(episode.draw)
    shown = []
    for shots, numbers in sorted(draws.items()):
        ranges: list[list[int]] = []
        for draw in sorted(numbers):
            if ranges and draw == ranges[-1][-1] + 1:
                ranges[-1].append(draw)
            else:
                ranges.append([draw])
        noun = "draw" if len(numbers) == 1 else "draws"
        spans = [f"{run[0]}–{run[-1]}" if len(run) > 1 else str(run[0]) for run in ranges]
        shown.append(f"{count(shots, 'shot')}, {noun} {listed(spans)}")
    return "; ".join(shown)


@dataclass(frozen=True)
class Work:
    """What a worker needs to carry one run out, beside the task's rows."""

    run: Run
    method: Method
    encoder: str  # of a method that reads texts
    y: np.ndarray  # (n,) classes of all rows of the task
    support: np.ndarray  # row numbers
    query: np.ndarray


def _scaled(name: str, normalisation: str) -> str:
    """An encoder's name in the rows where a normalisation was asked for; old names keep theirs."""
    choice = EncoderChoice.of(name)
    return f"{name}+{normalisation}" if str(choice) != name else str(choice.scaled(normalisation))


def _work(run: Run, encoder: str, y: np.ndarray, episode: Episode) -> Work:
    return Work(run, get_method(run.method), encoder, y, episode.support, episode.query)


def _run_all(
    works: Sequence[Work],
    rows: Inputs,
    pool: Pool,
    results: ResultsFile,
    outcome: Outcome,
    progress: Report,
) -> None:
    """Do the runs of one task and encoder, writing each row as soon as its worker has it."""
    from slp_core.progress import Progress

    task, encoder = works[0].run.task, works[0].run.encoder
    start = time.monotonic()
    n_done = 0
    try:
        for run, scores, error in pool.run(carry_out, works, rows):
            if scores is None:
                outcome.failed.append(f"{', '.join(map(str, run))}: {error}")
            else:
                results.append(run, scores)
                outcome.n_new += 1
            n_done += 1
            seconds_left = (time.monotonic() - start) / n_done * (len(works) - n_done)
            progress(f"{task}: evaluating", Progress(n_done, len(works), seconds_left))
    except WorkersLost as lost:
        outcome.failed.append(
            f"{task}, {encoder}: {len(works) - n_done} of {len(works)} runs are "
            f"missing, for {lost}; the same command goes on from here."
        )


def carry_out(work: Work, rows: Inputs) -> tuple[Run, Scores | None, str]:
    """Carry one run out, in a worker; what went wrong is returned in words."""
    from threadpoolctl import threadpool_limits  # type: ignore[import-untyped]

    support, query, y = work.support, work.query, work.y
    try:
        if isinstance(rows, ByDraw):
            rows = rows.on(support)
        classifier = work.method.make(work.run.seed, work.encoder)
        with threadpool_limits(limits=1):
            scores = fit_and_score(classifier, rows[support], y[support], rows[query], y[query])
    except Exception as error:  # one failed run is named and must not cost the others
        return work.run, None, f"{type(error).__name__}: {error}"
    if fault := impossible(work.run, scores):
        return work.run, None, f"impossible score: {fault}."
    return work.run, scores, ""
