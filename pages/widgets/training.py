"""Runs of DeepSLP: started once whatever is clicked, watched, and taken apart afterwards.

A run belongs to the visit that started it: no other sees it, pauses it or takes it away.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, cast

from pages.session import settings
from pages.session.cache import BoundedStore, cached_by
from pages.session.jobs import Job, job_pool
from pages.session.view import View
from pages.session.visits import current_visit
from pages.session.workspace import Workspace
from slp_core.evaluation.draws import EpisodeArrays, arrays_of, support_of
from slp_core.figures.scrubber import Stage
from slp_core.lessons.experiments import Experiment, constant_factor, loss_scaling, two_starts
from slp_core.methods.deep_slp import DeepSLPClassifier
from slp_core.methods.options import PRESET, SEED
from slp_core.methods.table import METHODS
from slp_core.methods.training import Frame, TrainingRun, uses_seed
from slp_core.views.epochs import EpochPicture, epoch_picture

if TYPE_CHECKING:
    import numpy as np

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
    def support(self) -> tuple[np.ndarray, np.ndarray]:
        """The (n, d) vectors and the class names that it learns from."""
        return support_of(self.workspace.episode, self.workspace.X)

    @property
    def run(self) -> TrainingRun | None:
        """The run, once it was started."""
        return run_of(self.key)

    @property
    def job(self) -> Job | None:
        """What works on it."""
        return job_pool().get(self._job_key)

    @property
    def _job_key(self) -> tuple[str, int, str]:
        return "train", id(current_visit()), self.key

    @property
    def under_way(self) -> bool:
        """Whether it was started and has not come to an end, good or bad."""
        return self.run is not None and self.run.under_way

    def start(self, pace: float) -> None:
        """Start it; one of this visit that was started already goes on as it is."""
        run = _runs().get_or_make(
            self.key,
            lambda: TrainingRun(_classifier(self.options), *self.arrays, pace),
            good=lambda run: run.state != "failed",
        )
        if run.state != "paused":
            job_pool().start(
                self._job_key,
                f"Training {self.title}",
                lambda job: run.work(job.cancelled, job.idle),
            )

    def go_on(self, how: Callable[[TrainingRun], None]) -> None:
        """Have the run resume, step or stop; a paused one is worked on again."""
        run = self.run
        if run is None:
            return
        paused = run.state == "paused"
        how(run)
        if paused:
            job_pool().forget(self._job_key)  # that has ended with the pause
            self.start(run.pace)

    def seen(self) -> None:
        """Keep it among those that can be set beside another."""
        seen_runs()[self.key] = self.title

    def reset(self) -> None:
        """Forget it."""
        run = _runs().pop(self.key)
        if run is not None:
            run.stop()
        job_pool().forget(self._job_key)
        seen_runs().pop(self.key, None)


def run_of(key: str) -> TrainingRun | None:
    """Any run of this visit that is still kept."""
    return _runs().get(key)


def seen_runs() -> dict[str, str]:
    """Titles of the runs that were looked at, by key: of the visit, as the runs are."""
    visit = current_visit()
    return {} if visit is None else visit.kept.setdefault("seen runs", {})


def _runs() -> BoundedStore[str, TrainingRun]:
    """Of the visit; without one, as in a script, none are kept."""
    runs: BoundedStore[str, TrainingRun] = BoundedStore(_KEPT, lambda run: run.ended)
    visit = current_visit()
    return runs if visit is None else visit.kept.setdefault("runs", runs)


@cached_by(lambda training, run: training.key)
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


@cached_by(lambda training, run: f"{training.key} {run.epoch}")
def pictures_of(training: Training, run: TrainingRun) -> list[EpochPicture]:
    """The pictures of all frames of a run that has ended."""
    return [picture_of(training, run, frame) for frame in run.frames]


def picture_of(training: Training, run: TrainingRun, frame: Frame) -> EpochPicture:
    """The picture of an epoch."""
    support, _ = training.support
    return epoch_picture(run, frame, training.workspace.projection(_PCA), support)


@cached_by(lambda training: training.key)
def _seed_used(training: Training) -> bool:
    return uses_seed(_classifier(training.options), *training.support)


@cached_by(lambda training: training.key)
def experiments(training: Training) -> tuple[Experiment, ...]:
    """What three small experiments come to on these data."""
    options = _classifier(training.options).get_params()
    return tuple(
        experiment(*training.arrays, **options)
        for experiment in (loss_scaling, constant_factor, two_starts)
    )


def _classifier(options: dict[str, Any]) -> DeepSLPClassifier:
    return cast("DeepSLPClassifier", DEEP_SLP.make(**options))
