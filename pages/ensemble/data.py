"""What the Ensemble page computes, kept by content."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import streamlit as st

import slp_core as slp
from pages.session.methods import METHODS
from pages.session.workspace import Workspace, bundled_dataset
from slp_core.diagnostics import (
    Calibration,
    EnsembleDiagnostics,
    OutOfDistribution,
    Temperature,
    calibration,
    ensemble_diagnostics,
    out_of_distribution,
)
from slp_core.methods.protocols import has_lines


def with_members(workspace: Workspace) -> Workspace:
    """The workspace, or the same with constraintSLP where the method has no prototypes."""
    if has_lines(workspace.model):
        return workspace
    return replace(workspace, method=METHODS["constraint_slp"], options={})


def diagnostics_of(workspace: Workspace, temperature: Temperature) -> EnsembleDiagnostics:
    """The query set read as answers of an ensemble."""
    return _diagnostics(f"{workspace.model_key} {temperature}", temperature, workspace)


@st.cache_resource(max_entries=24, show_spinner=False)
def _diagnostics(key: str, _temperature: Temperature, _workspace: Workspace) -> EnsembleDiagnostics:
    episode, model = _workspace.episode, _workspace.model
    return ensemble_diagnostics(
        model, _workspace.X[episode.query], model.classes_[episode.y_query], _temperature
    )


def calibration_of(workspace: Workspace) -> Calibration:
    """Confidence against accuracy on the query set."""
    return calibration(workspace.answers.probability, workspace.answers.true)


def elsewhere(workspace: Workspace) -> dict[str, str]:
    """Titles and names of other bundled datasets that this encoder can see at once."""
    if workspace.dataset.kind == "numeric":
        return {}
    return {
        info.title: info.name
        for info in slp.list_datasets()
        if info.kind != "numeric" and info.title != workspace.dataset.title
    }


def outside(workspace: Workspace, name: str) -> OutOfDistribution | None:
    """How uncertain the method is of another dataset's texts; None if they must be encoded."""
    other = replace(workspace, dataset=bundled_dataset(name))
    if not other.encoded:
        return None
    return _outside(f"{workspace.model_key} {name}", workspace, other)


@st.cache_resource(max_entries=24, show_spinner=False)
def _outside(key: str, _workspace: Workspace, _other: Workspace) -> Any:
    return out_of_distribution(
        _workspace.answers.probability, _workspace.model.predict_proba(_other.X)
    )
