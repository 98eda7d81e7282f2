"""What can be taken away from a run, and brought back."""

from __future__ import annotations

import json
import platform
from typing import Any

import numpy as np
import streamlit as st

import slp_core as slp
from pages.session.workspace import Workspace
from pages.train.run import Training
from slp_core.errors import SLPError
from slp_core.evaluation.reproduce import reproduce
from slp_core.markdown import literal
from slp_core.methods.saved import load_model, save_model
from slp_core.methods.training import TrainingRun, record


def take_away(training: Training, run: TrainingRun) -> None:
    """Downloads: the record, the model, and the code that fits it again."""
    workspace = training.workspace
    with st.container(horizontal=True):
        st.download_button(
            "Record (JSON)",
            json.dumps(record(run, **_about(workspace)), indent=1),
            "run.json",
            "application/json",
            icon=":material/download:",
        )
        model_and_code(workspace, run.model, "run")


def model_and_code(workspace: Workspace, model: Any, key: str) -> None:
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


def code_of(workspace: Workspace, model: Any) -> str:
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


def bring_back(workspace: Workspace) -> None:
    """Load a saved model and ask it about the present query points."""
    upload = st.file_uploader("Load a saved model", type=["zip"], key="saved model")
    if upload is None:
        return
    try:
        model, about = load_model(upload.getvalue(), upload.name)
        st.markdown(_judged(workspace, model, about))
    except SLPError as error:
        st.error(literal(str(error)), icon=":material/error:")


def _judged(workspace: Workspace, model: Any, about: dict[str, Any]) -> str:
    """What the model is, and how it does here."""
    data, episode = workspace.dataset, workspace.episode
    d, here = model.n_features_in_, workspace.X.shape[1]
    what = f"**{type(model).__name__}**, {len(model.classes_)} classes, {len(model.lines_)} lines"
    origin = (
        f" from {about['dataset']}, draw {about['draw']}"
        if {"dataset", "draw"} <= set(about)
        else ""
    )
    if d != here:
        raise SLPError(
            f"The model reads vectors of {d} numbers, and the encoder in the sidebar makes {here}: "
            f"choose the one it was fitted with ({about.get('encoder', 'unknown')})."
        )
    if list(map(str, model.classes_)) != list(data.classes):
        raise SLPError(
            f"The model answers {', '.join(map(str, model.classes_[:4]))} …, which are not the "
            f"classes of {data.title}: choose its own dataset in the sidebar."
        )
    labels = np.array(data.classes)[episode.y_query]
    share = float((model.predict(workspace.X[episode.query]) == labels).mean())
    return f"{what}{origin}: {share:.1%} of the {len(labels):,} query points here right."


def _about(workspace: Workspace) -> dict[str, Any]:
    import scipy
    import sklearn

    return {
        "dataset": workspace.dataset.title,
        "digest": workspace.dataset.digest,
        "encoder": workspace.encoder_name,
        "normalisation": str(workspace.encoder.normalisation),
        "shots": workspace.shots,
        "draw": workspace.draw,
        "versions": {
            "python": platform.python_version(),
            "slp_core": slp.__version__,
            "numpy": np.__version__,
            "scipy": scipy.__version__,
            "scikit-learn": sklearn.__version__,
        },
    }
