"""Runs of DeepSLP: started once whatever is clicked, watched, and taken apart afterwards."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, cast

import streamlit as st

from pages.session import settings
from pages.session.cache import BoundedStore, cached_by
from pages.session.jobs import Job, JobPool
from pages.session.view import View
from pages.session.workspace import Workspace
from slp_core.evaluation.draws import EpisodeArrays, arrays_of
from slp_core.figures.scrubber import Stage
from slp_core.lessons.experiments import Experiment, constant_factor, loss_scaling, two_starts
from slp_core.methods.deep_slp import DeepSLPClassifier
from slp_core.methods.options import PRESET, SEED
from slp_core.methods.table import METHODS
from slp_core.methods.training import Frame, TrainingRun, uses_seed
from slp_core.views.epochs import EpochPicture, epoch_picture

DEEP_SLP = METHODS["deep_slp"]
CUSTOM = "custom"  # hyperparameters that are set one by one
PACES = {
    "20 epochs a second": 20.0,
    "5 epochs a second": 5.0,
    "1 epoch a second": 1.0,
    "as fast as it goes": 0.0,
}
REFERENCES = ("nearest_centroid", "logistic_regression")
_KEPT = 24
_PCA = View("pca")


@dataclass(frozen=True)
class Training:
    """A run on the data of a workspace, whether it was started or not."""

    workspace: Workspace
    options: dict[str, Any]

    @property
    def key(self) -> str:
        """Names the run: the data, the support set and every hyperparameter."""
        data = self.workspace
        return f"{data.data_key} {data.shots} {data.draw} {sorted(self.options.items())}"

    @property
    def title(self) -> str:
        """What to call it among others."""
        data, options = self.workspace, self.options
        preset = next(k for k, v in PRESET.choices.items() if v == options[PRESET.parameter])
        by_hand = settings.RUN_PRESET.value == CUSTOM
        seed = f", seed {options[SEED.parameter]}" if self.seed_used else ""
        how = f"{preset}, set by hand" if by_hand else preset
        return f"{data.dataset.title}, {data.shots_said}, draw {data.draw}, {how}{seed}"

    @property
    def seed_used(self) -> bool:
        """Whether anything of the fit is left to chance."""
        return _seed_used(self)

    @property
    def trained(self) -> Workspace:
        """The workspace with what the run trains, for what its files are called."""
        return replace(self.workspace, method=DEEP_SLP, options=self.options)

    @property
    def arrays(self) -> EpisodeArrays:
        """What it learns from and is judged by."""
        return arrays_of(self.workspace.episode, self.workspace.X)

    @property
    def run(self) -> TrainingRun | None:
        """The run, once it was started."""
        return run_of(self.key)

    @property
    def job(self) -> Job | None:
        """The thread it runs in."""
        return _pool().get(self.key)

    @property
    def under_way(self) -> bool:
        """Whether it was started and has not come to an end, good or bad."""
        return self.run is not None and self.run.under_way

    def start(self, pace: float) -> None:
        """Start it; one that was started already, in whatever tab, goes on as it is."""
        _runs().get_or_make(
            self.key,
            lambda: TrainingRun(_classifier(self.options), *self.arrays, pace),
            good=lambda run: run.state != "failed",
        )
        run = self.run
        assert run is not None
        _pool().start(self.key, f"Training {self.title}", lambda job: run.work(job.cancelled))

    def seen(self) -> None:
        """Keep it among those that can be set beside another, whoever started it."""
        settings.SEEN_RUNS.set(settings.SEEN_RUNS.value | {self.key: self.title})

    def reset(self) -> None:
        """Forget it."""
        run = _runs().pop(self.key)
        if run is not None:
            run.stop()
        _pool().forget(self.key)
        seen = settings.SEEN_RUNS.value
        settings.SEEN_RUNS.set({k: v for k, v in seen.items() if k != self.key})


def run_of(key: str) -> TrainingRun | None:
    """Any run that is still kept."""
    return _runs().get(key)


@st.cache_resource(show_spinner=False)
def _runs() -> BoundedStore[str, TrainingRun]:
    return BoundedStore(_KEPT, may_go=lambda run: run.ended)


@st.cache_resource(show_spinner=False)
def _pool() -> JobPool:
    """Threads of their own: a paused run keeps one, and must not keep others waiting."""
    return JobPool(workers=12)


@cached_by(lambda training, run: training.key, max_entries=12)
def stage_of(training: Training, run: TrainingRun) -> Stage:
    """What stays while a run goes on, from its first epoch."""
    workspace, projection = training.workspace, training.workspace.projection(_PCA)
    others = [METHODS[name] for name in REFERENCES]
    return Stage(
        workspace.dataset.classes,
        run.at(run.frames[0]).lines_,
        projection.points[workspace.episode.query],
        workspace.episode.y_query,
        projection.transform(workspace.centroids),
        {other.title: workspace.with_method(other).answers.accuracy for other in others},
    )


@cached_by(lambda training, run: f"{training.key} {run.epoch}", max_entries=8)
def pictures_of(training: Training, run: TrainingRun) -> list[EpochPicture]:
    """The pictures of all frames of a run that has ended."""
    return [picture_of(training, run, frame) for frame in run.frames]


def picture_of(training: Training, run: TrainingRun, frame: Frame) -> EpochPicture:
    """The picture of an epoch."""
    support = training.arrays.X_support
    return epoch_picture(run, frame, training.workspace.projection(_PCA), support)


@cached_by(lambda training: training.key, max_entries=64)
def _seed_used(training: Training) -> bool:
    arrays = training.arrays
    return uses_seed(_classifier(training.options), arrays.X_support, arrays.y_support)


@cached_by(lambda training: training.key, max_entries=8)
def experiments(training: Training) -> tuple[Experiment, ...]:
    """What three small experiments come to on these data."""
    options = _classifier(training.options).get_params()
    return tuple(
        experiment(*training.arrays, **options)
        for experiment in (loss_scaling, constant_factor, two_starts)
    )


def _classifier(options: dict[str, Any]) -> DeepSLPClassifier:
    return cast("DeepSLPClassifier", DEEP_SLP.make(**options))
