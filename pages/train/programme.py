"""constraintSLP's linear programme, from hard labels to its optimum, in the player."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

import streamlit as st

from pages.session.cache import cached_by
from pages.session.code import offer_report
from pages.session.workspace import Workspace
from pages.widgets.shots import selected_shot
from pages.widgets.training import VIEW, reported_run, show_player, stage_on
from slp_core.explain.soft_label_text import path_text
from slp_core.figures.player import ProgrammeRun, programme_run
from slp_core.figures.training import drawn_text
from slp_core.glossary import term

if TYPE_CHECKING:
    from slp_core.methods.constraint_slp import ConstraintSLPClassifier


def show_programme(workspace: Workspace) -> None:
    run, lines = _run(workspace), workspace.line_model.lines_
    stage = stage_on(workspace, lines, workspace.projection(VIEW))
    sentence = path_text(workspace.method.title, run.curves["query"].to_numpy())
    st.subheader(sentence)
    about = workspace, stage, run, "The linear programme", sentence
    offer_report(workspace.model_key, lambda: [reported_run(*about)])
    with st.container(key="run"):
        show_player(workspace, stage, run, sentence, shots=True)
    st.caption(
        f"Each step is the optimum of the {term('linear programme')} where constraints may be "
        "violated less than at the step before. "
        "Objective: the influence of each class at its own centroid over that of the others. "
        f"Outlined: support examples (click one); large: {term('centroid', 'centroids')}; bars: "
        f"{term('soft label', 'soft labels')}. "
        f"{drawn_text(stage)}"
    )
    selected_shot(workspace)


@cached_by(lambda workspace: workspace.model_key, most=16)
def _run(workspace: Workspace) -> ProgrammeRun:
    model = cast("ConstraintSLPClassifier", workspace.model)
    return programme_run(model, workspace.arrays, workspace.projection(VIEW))
