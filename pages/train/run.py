"""Runs of DeepSLP: started once whatever is clicked, watched, and taken apart afterwards."""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass
from typing import Any

import numpy as np
import streamlit as st

from pages.session import settings
from pages.session.jobs import Job, JobPool
from pages.session.methods import METHODS
from pages.session.workspace import View, Workspace
from pages.train.hyperparameters import make
from slp_core.evaluation.lessons import (
    Lesson,
    constant_factor_lesson,
    loss_scaling_lesson,
    start_lesson,
)
from slp_core.figures.scrubber import EpochPicture, Stage, epoch_picture
from slp_core.methods.training import TrainingRun

PACES = {"20 epochs a second": 20.0, "5 epochs a second": 5.0, "as fast as it goes": 0.0}
REFERENCES = ("nearest_centroid", "logistic_regression")
_KEPT = 24


@dataclass(frozen=True)
class Training:
    """A run on the data of a workspace, whether it was started or not."""

    workspace: Workspace
    options: dict[str, Any]

    @property
    def key(self) -> str:
        """Names the run: the data, the support set and every hyperparameter."""
        own = self.workspace
        return f"{own.data_key} {own.shots} {own.draw} {sorted(self.options.items())}"

    @property
    def title(self) -> str:
        """What to call it among others."""
        own = self.workspace
        preset = settings.RUN_PRESET.value
        seed = " ".join(
            f"{name} {value}" for name, value in self.options.items() if name == "random_state"
        )
        return f"{own.dataset.title}, {own.shots_said}, draw {own.draw}, {preset} {seed}".strip()

    @property
    def run(self) -> TrainingRun | None:
        """The run, once it was started."""
        return _runs().get(self.key)

    @property
    def job(self) -> Job | None:
        """The thread it runs in."""
        return _pool().get(self.key)

    def start(self, pace: float) -> TrainingRun:
        """Start it; one that was started already, in whatever tab, goes on as it is."""
        runs = _runs()
        if self.key not in runs:
            data = self.workspace
            labels, episode = np.array(data.dataset.classes), data.episode
            runs[self.key] = TrainingRun(
                make(self.options),
                data.X[episode.support],
                labels[episode.y_support],
                data.X[episode.query],
                labels[episode.y_query],
                pace,
            )
        run = runs[self.key]
        _pool().start(self.key, f"Training {self.title}", lambda job: run.work(job.cancelled))
        for old in [k for k, r in runs.items() if r.ended][: max(0, len(runs) - _KEPT)]:
            del runs[old]
        settings.STARTED_RUNS.set(dict(settings.STARTED_RUNS.value) | {self.key: self.title})
        return run

    def reset(self) -> None:
        """Forget it."""
        run = _runs().pop(self.key, None)
        if run is not None:
            run.stop()
        _pool().forget(self.key)
        settings.STARTED_RUNS.set(
            {k: v for k, v in settings.STARTED_RUNS.value.items() if k != self.key}
        )


def run_of(key: str) -> TrainingRun | None:
    """Any run that is still kept."""
    return _runs().get(key)


@st.cache_resource(show_spinner=False)
def _runs() -> OrderedDict[str, TrainingRun]:
    return OrderedDict()


@st.cache_resource(show_spinner=False)
def _pool() -> JobPool:
    """Threads of their own: a paused run keeps one, and must not keep others waiting."""
    return JobPool(workers=12)


def stage_of(workspace: Workspace) -> Stage:
    """What stays while a run goes on."""
    return _stage(f"{workspace.data_key} {workspace.shots} {workspace.draw}", workspace)


@st.cache_resource(max_entries=12, show_spinner=False)
def _stage(key: str, _workspace: Workspace) -> Stage:
    own, episode = _workspace, _workspace.episode
    projection = own.projection(View("pca"))
    lines = own.with_method(METHODS["constraint_slp"]).model.lines_
    if own.method.name == "deep_slp":
        lines = own.model.lines_
    return Stage(
        own.dataset.classes,
        tuple(lines),
        projection.points[episode.query],
        episode.y_query,
        projection.transform(own.centroids),
        {
            METHODS[name].title: own.with_method(METHODS[name]).answers.accuracy
            for name in REFERENCES
        },
    )


def pictures_of(training: Training, run: TrainingRun) -> list[EpochPicture]:
    """The pictures of all frames of a run that has ended."""
    return _pictures(f"{training.key} {run.epoch}", training, run)


@st.cache_resource(max_entries=8, show_spinner=False)
def _pictures(key: str, _training: Training, _run: TrainingRun) -> list[EpochPicture]:
    return [_picture(_training, _run, frame) for frame in _run.frames]


def last_picture(training: Training, run: TrainingRun) -> EpochPicture | None:
    """The picture of the newest frame of a run that is under way."""
    frames = run.frames
    return _picture(training, run, frames[-1]) if frames else None


def _picture(training: Training, run: TrainingRun, frame: Any) -> EpochPicture:
    own = training.workspace
    support = own.X[own.episode.support]
    return epoch_picture(run, frame, own.projection(View("pca")), support)


def lessons(training: Training) -> tuple[Lesson, ...]:
    """What the three questions come to on these data."""
    return _lessons(training.key, training)


@st.cache_resource(max_entries=8, show_spinner=False)
def _lessons(key: str, _training: Training) -> tuple[Lesson, ...]:
    own = _training.workspace
    labels, episode = np.array(own.dataset.classes), own.episode
    data = (
        own.X[episode.support],
        labels[episode.y_support],
        own.X[episode.query],
        labels[episode.y_query],
    )
    options = make(_training.options).get_params()
    return tuple(
        lesson(*data, **options)
        for lesson in (loss_scaling_lesson, constant_factor_lesson, start_lesson)
    )
