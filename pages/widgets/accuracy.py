"""Accuracy by class, and over support sets."""

from __future__ import annotations

import streamlit as st

from pages.session.workspace import Workspace
from pages.widgets.chart import show
from pages.widgets.job_progress import completed
from pages.widgets.parts import alone, beside, folded
from pages.widgets.tables import small_table
from slp_core.data.remarks import as_drawn_text
from slp_core.explain.difference import FILE, beside_file, beside_file_text
from slp_core.figures.compare_draws import DrawsDisplay
from slp_core.figures.confusion import ConfusionDisplay


def accuracy_parts(workspace: Workspace) -> None:
    if len(workspace.predictions.true):
        alone(folded, "Confusion matrix", "confusion", _confusion, workspace)
    alone(folded, "Variation across support sets", "support_sets", _variation, workspace)


def _confusion(workspace: Workspace) -> None:
    found, theirs = workspace.predictions, workspace.dataset.predicted
    classes = found.classes
    both = None if theirs is None else beside_file(found, theirs[workspace.episode.query])
    if both is None:
        _matrix(ConfusionDisplay(found.confusion, classes, found.method, key=workspace.model_key))
        return
    st.markdown(beside_file_text(both, len(found.true)))
    titles = {"confusion": found.method, "confusion of the file": FILE}
    places = beside(len(classes))
    for place, (name, title), counts in zip(places, titles.items(), both.confusions, strict=True):
        with place:
            display = ConfusionDisplay(counts, classes, title)
            st.caption(display.sentence())
            _matrix(display, name)


def _matrix(display: ConfusionDisplay, name: str = "") -> None:
    """The picture; with many classes also a list of the largest confusions."""
    show(display, name)
    if display.thinned_text():
        st.markdown("Largest confusions")
        small_table(display.largest())


def _variation(workspace: Workspace) -> None:
    spread = completed(workspace.spread)
    if spread is not None:
        chance = 1 / len(workspace.dataset.classes)
        key = f"{workspace.data_key} {workspace.shots} {workspace.method_key}"
        display = DrawsDisplay(spread, workspace.method.title, chance, key=key)
        show(display)
        st.caption(display.sentence())
        say_as_drawn(workspace)


def say_as_drawn(workspace: Workspace) -> None:
    """A remark that results over support sets leave out the edits of one."""
    if text := as_drawn_text(workspace.edits):
        st.caption(f":material/info: {text}")
