"""Runs of DeepSLP: trained on request, and played in the browser."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, TypeAlias, cast

import streamlit as st

from pages.session import settings
from pages.session.cache import cached_by
from pages.session.jobs import Job, job_pool
from pages.session.selection import choose_row
from pages.session.workspace import View, Workspace
from pages.widgets.chart import data_and_export, theme
from pages.widgets.job_progress import completed
from pages.widgets.map import map_display
from pages.widgets.player import player, player_page
from slp_core.explain.soft_label_pairs import SoftLabelPairs
from slp_core.explain.soft_labels import read_soft_labels
from slp_core.figures.map.data import MapLayers
from slp_core.figures.player import (
    INVERSE,
    EpochPicture,
    ProgrammeRun,
    Stage,
    epoch_picture,
    player_data,
)
from slp_core.figures.soft_labels import SoftLabelPairsDisplay
from slp_core.figures.style.theme import Theme
from slp_core.figures.training import CurvesDisplay, drawn_text, run_text, took_text
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
from slp_core.methods.protocols import HasLines
from slp_core.methods.table import METHODS
from slp_core.methods.training import TrainingRun, train, uses_seed
from slp_core.report.subject import Part
from slp_core.sentences import count
from slp_core.views import HeldOut, Projection, held_out_fidelity
from slp_core.views.text import fidelity_text

DEEP_SLP = METHODS["deep_slp"]
PLAYER = "run player"
VIEW = View("centroid_plane", INVERSE)
CUSTOM = "custom"  # hyperparameters that are set one by one
REFERENCES = ("nearest_centroid", "logistic_regression")
_LAST = 10  # epochs or steps that a report lists
PATIENCE = 2.0  # seconds that a page waits for a run: most take a tenth of one
Run: TypeAlias = TrainingRun | ProgrammeRun


def set_by_hand() -> bool:
    return settings.RUN_PRESET.value == CUSTOM


def run_title(trained: Workspace) -> str:
    options = trained.options
    preset = next(
        k for k, v in PRESET.choices.items() if v == options.get(PRESET.parameter, "prototype")
    )
    seed = f", seed {options.get(SEED.parameter, 0)}" if seed_used(trained) else ""
    how = f"{preset}, custom" if set_by_hand() else preset
    shots = count(trained.shots, "shot")
    return f"{trained.dataset.title}, {shots}, support set {trained.draw}, {how}{seed}"


@cached_by(lambda trained: trained.model_key)
def seed_used(trained: Workspace) -> bool:
    X, y, *_ = trained.arrays
    return uses_seed(_classifier(trained), X, y)


def finished_run(trained: Workspace) -> TrainingRun | None:
    """The run of a workspace with DeepSLP, or its progress with a cancel button.

    It is trained in the background: there may be hundreds of epochs with a frame each.
    """
    model, arrays, projection = _classifier(trained), trained.arrays, _projection(trained)

    def look(epoch: int, model: DeepSLPClassifier) -> EpochPicture:
        return epoch_picture(epoch, model, projection, arrays.X_support)

    def work(job: Job) -> TrainingRun:
        return train(model, *arrays, job.report, job.cancelled, look)

    key = ("train", trained.model_key)
    job = job_pool().job(key, f"Training {run_title(trained)}", work)
    run: TrainingRun | None = completed(job, patience=PATIENCE)
    return run


def show_run(trained: Workspace, run: TrainingRun, shots: bool = False) -> None:
    stage, sentence = stage_of(trained, run), run_headline(trained, run)
    show_player(trained, stage, run, sentence, shots)


def show_player(workspace: Workspace, stage: Stage, run: Run, sentence: str, shots: bool) -> None:
    """The player, with the curves as a table and a downloadable page.

    With ``shots``, a click on one of the support examples selects it.
    """
    data, step = _played(workspace, stage, run, sentence, theme()), run.curves.columns[0]
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
        if place < len(stage.drawn_support):
            choose_row(int(workspace.episode.support[stage.drawn_support[place]]))

    player(data | now, PLAYER, settings.EPOCH.set, pick if shots else None)
    if workspace.X.shape[1] > 2:
        st.caption(f"{fidelity_text(_held_out(workspace, run))} Measured at the last {step}.")
    at_the_end = data | {"shown": len(epochs) - 1}

    def page(title: str) -> bytes:
        return player_page(at_the_end, title)

    data_and_export("run", "run", lambda: run.curves, page, data["sentence"], workspace=workspace)


def reported_run(workspace: Workspace, stage: Stage, run: Run, title: str, text: str) -> Part:
    """The page's pictures, as they are at the end."""
    labels = read_soft_labels(_model(workspace, run), "mean", workspace.arrays.X_support)
    displays = [
        map_display(workspace, VIEW, MapLayers(), None, 480),
        CurvesDisplay(run.curves, stage.references),
        SoftLabelPairsDisplay(SoftLabelPairs(labels, labels)),
    ]
    return Part(title, [text], displays, {f"The last {_LAST}": run.curves.tail(_LAST)})


def run_words(trained: Workspace, run: TrainingRun) -> None:
    """The training time, and what the picture leaves out."""
    left_out = drawn_text(stage_of(trained, run))
    st.caption(" ".join(filter(None, [took_text(run), left_out])))


def run_headline(trained: Workspace, run: TrainingRun) -> str:
    random = run.settings["init"] == "xavier"
    start = "random start" if random else "nearest-centroid start"
    if random and trained.options.get(PRESET.parameter) == "paper" and not set_by_hand():
        start += " as in the paper"
    references = stage_of(trained, run).references
    return run_text(f"DeepSLP, {start}", run, references)


def stage_of(trained: Workspace, run: TrainingRun) -> Stage:
    return stage_on(trained, run.model.lines_, _projection(trained))


def _projection(trained: Workspace) -> Projection:
    """Without training first: centroids and prototypes stand where they will."""
    return replace(trained, options={**trained.options, "epochs": 0}).projection(VIEW)


@cached_by(lambda workspace, lines, projection: workspace.model_key)
def stage_on(workspace: Workspace, lines: tuple[Line, ...], projection: Projection) -> Stage:
    """A workspace's examples on a projection."""
    episode = workspace.episode
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


@cached_by(
    lambda workspace, stage, run, sentence, look: f"{workspace.model_key} {look.name}", most=16
)
def _played(
    workspace: Workspace, stage: Stage, run: Run, sentence: str, look: Theme
) -> dict[str, Any]:
    return player_data(stage, run.curves, run.frames, look) | {
        "id": f"{workspace.model_key} {look.name}",
        "sentence": unmarked(sentence),
    }


def _model(workspace: Workspace, run: Run) -> HasLines:
    return run.model if isinstance(run, TrainingRun) else workspace.line_model


@cached_by(lambda workspace, run: workspace.model_key)
def _held_out(workspace: Workspace, run: Run) -> HeldOut:
    model = _model(workspace, run)
    return held_out_fidelity(model, workspace.X, VIEW.method, INVERSE, rows=workspace.episode.query)


@cached_by(lambda trained: trained.model_key)
def experiments(trained: Workspace) -> list[Experiment]:
    options, arrays = _classifier(trained).get_params(), trained.arrays
    tried = loss_weighting, constant_factor, initial_heads
    return [experiment(*arrays, **options) for experiment in tried]


def _classifier(trained: Workspace) -> DeepSLPClassifier:
    return cast("DeepSLPClassifier", DEEP_SLP.make(**trained.options))
