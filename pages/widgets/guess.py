"""An example whose class is to be guessed, among the support set, without its prediction."""

from __future__ import annotations

import streamlit as st

from pages.session.workspace import PCA, Workspace
from pages.widgets.chart import theme
from pages.widgets.example import example_row
from slp_core.figures.display import Display, with_ring
from slp_core.figures.map.assemble import question_map
from slp_core.figures.style.theme import PLOT_CONFIG


def question_display(workspace: Workspace, row: int) -> Display:
    """The support set with the example ringed."""
    episode = workspace.episode
    return question_map(
        workspace.model,
        workspace.projection(PCA),
        workspace.dataset.classes,
        workspace.centroids,
        episode.support,
        episode.y_support,
        workspace.texts,
        row,
    )


def draw_question(display: Display) -> None:
    figure = with_ring(display.figure(theme()), display.ring, theme())
    alt = "The support set; the example is ringed."
    st.plotly_chart(figure, theme=None, key="question figure", config=PLOT_CONFIG, alt=alt)


def guessed_example(workspace: Workspace, row: int) -> None:
    example_row(workspace.dataset, row, border=False)
    draw_question(question_display(workspace, row))
