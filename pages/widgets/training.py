"""Runs of DeepSLP: trained on request, and played in the browser."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, cast

import streamlit as st

from pages.session import settings
from pages.session.cache import cached_by
from pages.session.jobs import Job, job_pool
from pages.session.selection import choose_row
from pages.session.view import PCA
from pages.session.workspace import Workspace
from pages.widgets.chart import data_and_export, theme
from pages.widgets.job_progress import completed
from pages.widgets.player import player, player_page
from slp_core.evaluation.draws import EpisodeArrays, arrays_of, support_of
from slp_core.figures.player import EpochPicture, Stage, epoch_picture, player_data
from slp_core.figures.style.theme import Theme
from slp_core.figures.training import drawn_text, run_text, took_text
from slp_core.lessons.experiments import (
    Experiment,
    constant_factor,
    initial_heads,
    loss_weighting,
)
from slp_core.lines import Line
from slp_core.markdown import unmarked
from slp_core.methods.deep_slp import DeepSLPClassifier
from slp_core.methods.options import PRESET, SEED
from slp_core.methods.table import METHODS
from slp_core.methods.training import TrainingRun, train, uses_seed
from slp_core.sentences import count

if TYPE_CHECKING:
    import numpy as np
    import pandas as pd

DEEP_SLP = METHODS["deep_slp"]
PLAYER = "run player"
CUSTOM = "custom"  # hyperparameters that are set one by one
REFERENCES = ("nearest_centroid", "logistic_regression")
PATIENCE = 2.0  # seconds that a page waits for a run: most take a tenth of one


@dataclass(frozen=True)
class Training:
    """A run on the data of a workspace, started or not."""

    workspace: Workspace
    options: dict[str, Any]

    @property
    def key(self) -> str:
        data = self.workspace
        return f"{data.data_key} {data.support_key} {sorted(self.options.items())}"

    @property
    def by_hand(self) -> bool:
        return settings.RUN_PRESET.value == CUSTOM

    @property
    def title(self) -> str:
        data, options = self.workspace, self.options
        preset = next(
            k for k, v in PRESET.choices.items() if v == options.get(PRESET.parameter, "prototype")
        )
        seed = f", seed {options.get(SEED.parameter, 0)}" if self.seed_used else ""
        how = f"{preset}, custom" if self.by_hand else preset
        shots = count(data.shots, "shot")
        return f"{data.dataset.title}, {shots}, support set {data.draw}, {how}{seed}"

    @property
    @cached_by(lambda self: self.key)
    def seed_used(self) -> bool:
        return uses_seed(_classifier(self.options), *self.support)

    @property
    def trained(self) -> Workspace:
        """The workspace with the trained method, for naming files."""
        return replace(self.workspace, method=DEEP_SLP, options=self.options)

    @property
    def arrays(self) -> EpisodeArrays:
        return arrays_of(self.workspace.episode, self.workspace.X)

    @property
    def support(self) -> tuple[np.ndarray, np.ndarray]:
        """The (n, d) vectors and the class names of the training data."""
        return support_of(self.workspace.episode, self.workspace.X)

    def start(self) -> Job:
        """Train in the background: there may be hundreds of epochs with a frame each."""
        model, arrays = _classifier(self.options), self.arrays
        projection, (support, _) = self.workspace.projection(PCA), self.support

        def look(epoch: int, model: DeepSLPClassifier) -> EpochPicture:
            return epoch_picture(epoch, model, projection, support)

        def work(job: Job) -> TrainingRun:
            return train(model, *arrays, job.report, job.cancelled, look)

        return job_pool().start(("train", self.key), f"Training {self.title}", work)

    def run(self) -> TrainingRun | None:
        """The run, or its progress with a cancel button."""
        run: TrainingRun | None = completed(self.start(), patience=PATIENCE)
        return run


def show_run(training: Training, run: TrainingRun, shots: bool = False) -> None:
    """The player of a run, with its curves as a table; optionally a click selects a shot."""
    data = played(training, run, theme())
    stage = stage_of(training, run) if shots else None
    show_player(data, run.curves, training.trained, stage)


def show_player(
    data: dict[str, Any],
    curves: pd.DataFrame,
    workspace: Workspace,
    shots: Stage | None = None,
) -> None:
    """The player, with the curves as a table and a downloadable page.

    With a stage, a click on one of its shots selects it.
    """
    epochs = [frame["epoch"] for frame in data["frames"]]
    wanted = settings.EPOCH.shows(among=range(epochs[-1] + 1))
    # What is sent stays the same while it is played: where it stands is the browser's
    if PLAYER not in st.session_state or settings.RUN_OPENED.value[:1] != (data["id"],):
        places = range(len(epochs)) if wanted else (0,)
        opened = min(places, key=lambda place: abs(epochs[place] - wanted))
        settings.RUN_OPENED.set((data["id"], opened, not wanted))
    _, opened, playing = settings.RUN_OPENED.value
    now = {"shown": opened, "play": playing, "speed": settings.PACE.shows()}

    def pick(place: int) -> None:
        if shots is not None and place < len(shots.drawn_support):
            choose_row(int(workspace.episode.support[shots.drawn_support[place]]))

    player(data | now, PLAYER, settings.EPOCH.set, None if shots is None else pick)
    at_the_end = data | {"shown": len(epochs) - 1}

    def page(title: str) -> bytes:
        return player_page(at_the_end, title)

    data_and_export("run", "run", lambda: curves, page, data["sentence"], workspace=workspace)


def run_words(training: Training, run: TrainingRun) -> None:
    """The training time, and what the picture leaves out."""
    st.caption(" ".join(filter(None, [took_text(run), drawn_text(stage_of(training, run))])))


def run_headline(training: Training, run: TrainingRun) -> str:
    random = run.settings["init"] == "xavier"
    start = "random start" if random else "nearest-centroid start"
    if random and training.options.get(PRESET.parameter) == "paper" and not training.by_hand:
        start += " as in the paper"
    return run_text(f"DeepSLP, {start}", run, stage_of(training, run).references)


@cached_by(lambda training, run: training.key)
def stage_of(training: Training, run: TrainingRun) -> Stage:
    return stage_on(training.workspace, run.model.lines_)


def stage_on(workspace: Workspace, lines: tuple[Line, ...]) -> Stage:
    """A workspace's examples on the PCA of all vectors."""
    projection, episode = workspace.projection(PCA), workspace.episode
    others = [METHODS[name] for name in REFERENCES]
    return Stage(
        workspace.dataset.classes,
        lines,
        projection.points[episode.query],
        episode.y_query,
        projection.points[episode.support],
        episode.y_support,
        projection.transform(workspace.centroids),
        {other.title: workspace.with_method(other).predictions.accuracy for other in others},
    )


@cached_by(lambda training, run, look: f"{training.key} {look.name}", most=16)
def played(training: Training, run: TrainingRun, look: Theme) -> dict[str, Any]:
    data = player_data(stage_of(training, run), run.curves, run.frames, look)
    return data | {
        "id": f"{training.key} {look.name}",
        "sentence": unmarked(run_headline(training, run)),
    }


@cached_by(lambda training: training.key)
def experiments(training: Training) -> list[Experiment]:
    options, arrays = _classifier(training.options).get_params(), training.arrays
    tried = loss_weighting, constant_factor, initial_heads
    return [experiment(*arrays, **options) for experiment in tried]


def _classifier(options: dict[str, Any]) -> DeepSLPClassifier:
    return cast("DeepSLPClassifier", DEEP_SLP.make(**options))
