"""constraintSLP's linear programme, from hard labels to its optimum, in the player."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, cast

import numpy as np
import pandas as pd
import streamlit as st

from pages.session.cache import cached_by
from pages.session.workspace import Workspace
from pages.widgets.chart import theme
from pages.widgets.say import say
from pages.widgets.training import PCA, show_player, stage_on
from slp_core.evaluation.draws import arrays_of
from slp_core.explain.soft_label_path import SoftLabelPath, soft_label_path
from slp_core.explain.soft_label_text import path_text
from slp_core.figures.player import Measured, player_data
from slp_core.figures.style.theme import Theme
from slp_core.markdown import unmarked
from slp_core.methods.constraint_slp import ConstraintSLPClassifier
from slp_core.methods.edited_prototypes import EditedPrototypes
from slp_core.views.epochs import EpochPicture, epoch_picture


@dataclass(frozen=True, eq=False)
class Solved:
    """The path with what the classifier predicts at each step."""

    path: SoftLabelPath
    measured: Measured
    pictures: tuple[EpochPicture, ...]

    @property
    def table(self) -> pd.DataFrame:
        """One row per step."""
        measured = self.measured
        accuracies = {"support": measured.support, "query": measured.query}
        return pd.DataFrame({"step": measured.at} | accuracies | dict(measured.below))


def show_programme(workspace: Workspace) -> None:
    """The sentence, the player, and what it shows."""
    data = _played(workspace, theme())
    say(data["markdown"], st.subheader)
    with st.container(key="run"):
        show_player(data, True, lambda: _solved(workspace).table, workspace)
    st.caption(
        "Each step is the optimum where constraints may be violated less than at the step before. "
        "Objective: the influence of each class at its own centroid over that of the others. "
        "Outlined: support examples; large: centroids; bars: soft labels."
    )


@cached_by(lambda workspace: workspace.model_key, most=16)
def _solved(workspace: Workspace) -> Solved:
    model = cast("ConstraintSLPClassifier", workspace.model)
    path, projection = soft_label_path(model), workspace.projection(PCA)
    X, y, X_query, y_query = arrays_of(workspace.episode, workspace.X)
    pictures, accuracies = [], []
    for step, labels in enumerate(path.soft_labels, start=1):
        now = EditedPrototypes.of(model, labels).classifier()
        pictures.append(epoch_picture(step, now, projection, X))
        accuracies.append([_accuracy(now, X, y), _accuracy(now, X_query, y_query)])
    support, query = np.array(accuracies).T
    below = {"violation": path.violation, "objective": path.objective}
    measured = Measured("step", np.arange(1, len(pictures) + 1), support, query, below)
    return Solved(path, measured, tuple(pictures))


def _accuracy(model: ConstraintSLPClassifier, X: np.ndarray, y: np.ndarray) -> float:
    return float((model.predict(X) == y).mean()) if len(X) else float("nan")


@cached_by(lambda workspace, look: f"{workspace.model_key} {look.name}", most=16)
def _played(workspace: Workspace, look: Theme) -> dict[str, Any]:
    """What the player draws."""
    solved = _solved(workspace)
    stage = stage_on(workspace, workspace.line_model.lines_)
    sentence = path_text(workspace.method.title, solved.path, solved.measured.query)
    data = player_data(stage, solved.measured, solved.pictures, look)
    return data | {
        "id": f"{workspace.model_key} {look.name}",
        "sentence": unmarked(sentence),
        "markdown": sentence,
    }
