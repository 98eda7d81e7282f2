"""What of a run can be downloaded, and a model that was downloaded before."""

from __future__ import annotations

import json
from typing import Any

import streamlit as st

import slp_core as slp
from pages.session.workspace import Workspace
from slp_core.errors import SLPError
from slp_core.evaluation.loaded import judge_loaded
from slp_core.evaluation.reproduce import reproduce, versions
from slp_core.markdown import literal
from slp_core.methods.base import LineClassifier
from slp_core.methods.saved import load_model, save_model
from slp_core.methods.training import TrainingRun, record


def run_downloads(workspace: Workspace, run: TrainingRun) -> None:
    """The record, the model, and the code that fits it again; of a run that has ended."""
    assert run.model is not None
    with st.container(horizontal=True):
        st.download_button(
            "Record (JSON)",
            json.dumps(record(run, **_about(workspace)), indent=1),
            "run.json",
            "application/json",
            icon=":material/download:",
        )
        model_downloads(workspace, run.model, "run")


def model_downloads(workspace: Workspace, model: LineClassifier, key: str) -> None:
    """The fitted model as a file, and the Python code for it; ``key`` tells buttons apart."""
    st.download_button(
        "Model (safetensors + JSON)",
        save_model(model, **_about(workspace)),
        "model.zip",
        "application/zip",
        key=f"{key} model",
        icon=":material/download:",
    )
    st.download_button(
        "Python code",
        code_of(workspace, model),
        "fit_again.py",
        "text/x-python",
        key=f"{key} code",
        icon=":material/code:",
        help="Fits this model again and says whether it came out the same to the last bit.",
    )


def code_of(workspace: Workspace, model: LineClassifier) -> str:
    """A script that fits the model again."""
    data = workspace.dataset
    bundled = data.name in {info.name for info in slp.list_datasets()}
    dimension = {"dimension": workspace.X.shape[1]} if data.name == "toy_dimensions" else {}
    numeric = data.kind == "numeric"
    return reproduce(
        model,
        dataset=data.name,
        shots=workspace.shots,
        draw=workspace.draw,
        encoder=workspace.encoder_name,
        normalisation=None if numeric else workspace.encoder.normalisation,
        dataset_options=dimension,
        file=not bundled,
    )


def saved_model(workspace: Workspace) -> None:
    """Load a saved model and ask it about the present query points."""
    upload = st.file_uploader("Load a saved model", type=["zip"], key="saved model")
    if upload is None:
        return
    try:
        model, about = load_model(upload.getvalue(), upload.name)
        st.markdown(judge_loaded(model, about, workspace.episode, workspace.X).sentence())
    except SLPError as error:
        st.error(literal(str(error)), icon=":material/error:")


def _about(workspace: Workspace) -> dict[str, Any]:
    return {
        "dataset": workspace.dataset.title,
        "digest": workspace.dataset.digest,
        "encoder": workspace.encoder_name,
        "normalisation": str(workspace.encoder.normalisation),
        "shots": workspace.shots,
        "draw": workspace.draw,
        "versions": versions(),
    }
