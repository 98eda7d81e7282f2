"""What the Encoders page computes, kept by content."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import streamlit as st

import slp_core as slp
from pages.session.available_encoders import available_encoders
from pages.session.jobs import Job, job_pool
from pages.session.methods import METHODS
from pages.session.workspace import Workspace, bundled_dataset, encoder
from slp_core.diagnostics.encoders import AccuracyByShots, EncoderChange, class_distances
from slp_core.encoders import Progress
from slp_core.encoders.cards import read_encoder_card
from slp_core.evaluation.draws import accuracy_over_draws
from slp_core.figures.encoder_change import Moves, Parts
from slp_core.markdown import named
from slp_core.views.joint_plane import JointPlane, joint_plane

JUDGED = tuple(METHODS[name] for name in ("nearest_centroid", "deep_slp", "constraint_slp"))
DEFAULT_AFTER = "metaslp-reptile-minilm-l4"


def fitting_encoders(workspace: Workspace) -> dict[str, str]:
    """Titles and names of the encoders that take this dataset's kind, the sidebar's included."""
    own = {workspace.encoder.info.title: workspace.encoder_name}
    return own | {
        info.title: info.name
        for info in available_encoders()
        if workspace.dataset.kind in info.kinds
    }


def defaults(workspace: Workspace) -> tuple[str, str]:
    """Names of the encoders to start with: the sidebar's, and what it was made from or into."""
    name = workspace.encoder_name
    card = read_encoder_card(name).meta
    return (card["encoder"], name) if card else (name, DEFAULT_AFTER)


def seen_through(workspace: Workspace, name: str) -> Workspace:
    """The same dataset and draw under another encoder, with vectors normalised alike."""
    if name == workspace.encoder_name:
        return workspace
    chosen = encoder(name, workspace.encoder.normalisation)
    return replace(workspace, encoder=chosen, encoder_name=name)


def change_of(before: Workspace, after: Workspace) -> EncoderChange:
    """Distances within and between classes under both, and what nearest centroid has right."""
    return _change(
        f"{before.data_key} {after.data_key} {before.shots} {before.draw}", before, after
    )


@st.cache_resource(max_entries=24, show_spinner=False)
def _change(key: str, _before: Workspace, _after: Workspace) -> EncoderChange:
    both, dataset = (_before, _after), _before.dataset
    nearest = [w.with_method(METHODS["nearest_centroid"]).answers for w in both]
    found = [class_distances(w.X, dataset.y, len(dataset.classes)) for w in both]
    names = tuple(named(w.encoder.info.title) for w in both)
    right = np.stack([~answers.wrong for answers in nearest])
    return EncoderChange((names[0], names[1]), dataset.classes, (found[0], found[1]), right)


def moves_of(
    before: Workspace, after: Workspace, change: EncoderChange, by_class: bool, parts: Parts
) -> Moves:
    """Where each row of the dataset goes, on the plane of all points or of the class means."""
    dataset, episode = before.dataset, before.episode
    return Moves(
        _joint_plane(f"{before.data_key} {after.data_key} {by_class}", before, after, by_class),
        dataset.classes,
        dataset.y,
        episode.support,
        episode.query,
        change.right,
        texts_of(before),
        parts,
    )


@st.cache_resource(max_entries=12, show_spinner=False)
def _joint_plane(key: str, _before: Workspace, _after: Workspace, _by_class: bool) -> JointPlane:
    return joint_plane(_before.X, _after.X, _before.dataset.y if _by_class else None)


def texts_of(workspace: Workspace) -> list[str]:
    """A line that a person can read, of each row of the dataset."""
    return _texts(workspace.dataset.digest, workspace)


@st.cache_resource(max_entries=8, show_spinner=False)
def _texts(key: str, _workspace: Workspace) -> list[str]:
    dataset = _workspace.dataset
    return [dataset.describe(row) for row in range(len(dataset))]


def start_accuracy(before: Workspace, after: Workspace) -> Job:
    """Judge three methods under both on every draw of every number of shots, in the background.

    One job for both encoders, so that others find a place beside it.
    """
    both = (before, after)

    def work(job: Job) -> AccuracyByShots:
        first, second = (_accuracies(w.data_key, w, job, i) for i, w in enumerate(both))
        names = (before.encoder.info.title, after.encoder.info.title)
        return AccuracyByShots(names, {key: np.stack([first[key], second[key]]) for key in first})

    key = ("accuracy by shots", before.data_key, after.data_key)
    title = f"Fitting {len(JUDGED)} methods on every draw under both"
    return job_pool().get(key) or job_pool().start(key, title, work)


@st.cache_resource(max_entries=24, show_spinner=False)
def _accuracies(
    key: str, _workspace: Workspace, _job: Job, _place: int
) -> dict[tuple[str, int], np.ndarray]:
    """Of each method and number of shots, on each draw; the second half of the job or the first."""
    dataset, found = _workspace.dataset, {}
    every = [(method, shots) for shots in dataset.shots_available for method in JUDGED]
    for done, (method, shots) in enumerate(every):
        _job.report(Progress(done + _place * len(every), 2 * len(every), None))
        spread = accuracy_over_draws(
            lambda method=method: method.make({}),
            dataset,
            _workspace.X,
            shots,
            dataset.available_draws(shots),
            _job.cancelled,
        )
        found[method.title, shots] = spread.accuracy
    return found


def start_everywhere(before: Workspace, after: Workspace) -> Job:
    """Judge nearest centroid on every bundled dataset of texts that both encoders have seen."""
    encoders = (before.encoder, after.encoder)
    names = (before.encoder.info.title, after.encoder.info.title)
    infos = [info for info in slp.list_datasets() if info.kind != "numeric"]

    def work(job: Job) -> AccuracyByShots:
        found = {}
        for done, info in enumerate(infos):
            job.report(Progress(done, len(infos), None))
            dataset = bundled_dataset(info.name)
            if not all(encoder.is_cached(dataset) for encoder in encoders):
                continue
            spaces = [encoder.encode(dataset) for encoder in encoders]
            for shots in dataset.shots_available:
                draws = dataset.available_draws(shots)
                spreads = [
                    accuracy_over_draws(
                        lambda: JUDGED[0].make({}), dataset, X, shots, draws, job.cancelled
                    )
                    for X in spaces
                ]
                found[info.title, shots] = np.stack([spread.accuracy for spread in spreads])
        return AccuracyByShots(names, found, "dataset")

    normalisation = before.encoder.normalisation
    key = ("accuracy everywhere", before.encoder_name, after.encoder_name, normalisation)
    return job_pool().get(key) or job_pool().start(key, "Judging on every dataset", work)
