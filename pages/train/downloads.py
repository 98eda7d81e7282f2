"""Downloads of a run, its code, and the upload of a saved model."""

from __future__ import annotations

import json

import streamlit as st

from pages.session.code import fit_again, script
from pages.session.files import file_name, full_origin
from pages.session.public import shown
from pages.session.reading import read_handed_in
from pages.session.workspace import Workspace
from pages.widgets.chart import download
from pages.widgets.say import refuse
from slp_core.errors import SLPError
from slp_core.evaluation.saved_model import evaluate_saved_model
from slp_core.evaluation.text import saved_model_text
from slp_core.methods.base import LineClassifier
from slp_core.methods.model_files import model_from_bytes, model_to_bytes
from slp_core.methods.training import TrainingRun, record

_BODY = """
losses = model.history_["loss"]  # (epochs, lines): NaN where a line had finished
numbers["epochs"] = len(losses)
numbers["loss"] = float(np.nanmean(losses[-1]))

for title, other in (
    ("nearest centroid", slp.NearestCentroidClassifier()),
    ("logistic regression", slp.LogisticRegressionClassifier()),
):
    fitted, X_other, y_other = fit(other, {draw})
    numbers[f"accuracy of {{title}}"] = float((fitted.predict(X_other) == y_other).mean())
"""


def code(trained: Workspace) -> str:
    return script(trained, "Train", _BODY.format(draw=trained.draw))


def run_downloads(workspace: Workspace, run: TrainingRun) -> None:
    with st.container(horizontal=True):
        download(
            "Training log (JSON)",
            lambda: json.dumps(record(run, **full_origin(workspace)), indent=1, allow_nan=False),
            file_name("run", "json", workspace=workspace),
        )
        model_downloads(workspace, run.model, "run")


def model_downloads(workspace: Workspace, model: LineClassifier, key: str) -> None:
    """The fitted model as a file, and the Python code for it; ``key`` tells buttons apart."""
    download(
        "Model (safetensors + JSON)",
        lambda: model_to_bytes(model, **full_origin(workspace)),
        file_name("model", "zip", workspace=workspace),
        key=f"{key} model",
    )
    download(
        "Python code",
        lambda: shown(fit_again(workspace, model)),
        file_name("fit-again", "py", workspace=workspace),
        key=f"{key} code",
        icon=":material/code:",
        help="Fits this model again and checks that it is the same to the last bit. An uploaded "
        "dataset has to be beside the script.",
    )


def saved_model(workspace: Workspace) -> None:
    upload = st.file_uploader("Saved model", type=["zip"], key="saved model")
    if upload is None:
        return
    try:
        content, name = upload.getvalue(), upload.name
        model, about = read_handed_in(model_from_bytes, content, name, name=name)
        st.markdown(
            saved_model_text(evaluate_saved_model(model, about, workspace.episode, workspace.X))
        )
    except SLPError as error:
        refuse(error)
