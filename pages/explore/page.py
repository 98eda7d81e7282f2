"""Explore: centroids, lines, prototypes and the decision landscape, and any point among them."""

from __future__ import annotations

import streamlit as st

from pages.explore.beside import SIDE_BY_SIDE, beside, beside_choice, comparison_choice
from pages.explore.code import code
from pages.explore.parts import ANSWERS, DRAWS, LINES, parts_of
from pages.explore.welcome import welcome
from pages.session import settings
from pages.session.code import offer_code
from pages.session.selection import choose_row, chosen_row
from pages.session.teaching import has_open_question
from pages.session.view import View
from pages.session.workspace import Workspace
from pages.shell.frame import current_workspace
from pages.shell.status_bar import PATIENCE
from pages.widgets.chart import show
from pages.widgets.controls import controls
from pages.widgets.cover import told
from pages.widgets.fidelity import how_true
from pages.widgets.job_progress import completed
from pages.widgets.map import map_data
from pages.widgets.parts import heading, list_parts
from pages.widgets.pickers import point_number
from pages.widgets.point import point_figure, point_words
from pages.widgets.projection_picker import view_choice
from pages.widgets.say import say
from pages.widgets.tables import small_table
from slp_core.facts import Facts, said
from slp_core.figures.confusion import ConfusionDisplay
from slp_core.figures.draws import DrawsDisplay
from slp_core.figures.lines import lines_table
from slp_core.figures.map.data import MapLayers, Shade
from slp_core.figures.map.figure import MapDisplay

SHADES: dict[str, Shade] = {"lead": "margin", "probability": "confidence"}
LAYERS = {
    "Landscape": "landscape",
    "Line regions": "line_regions",
    "Query points": "query",
    "Support points": "support",
    "Errors": "errors",
    "Doubtful": "disagreeing",
    "Centroids": "centroids",
    "Lines": "lines",
    "Prototypes": "prototypes",
}


def page(workspace: Workspace) -> None:
    """The page, from the one sentence down to the figures of the fit."""
    covered = has_open_question()
    if covered:
        st.subheader("Choose a point on the map, and guess before you are told.")
    else:
        say(workspace.answers.facts(), st.subheader)
    st.fragment(_map_and_point)(workspace)
    if covered:  # what answers there are is told by the points
        return
    _fit(workspace)


def _map_and_point(workspace: Workspace) -> None:
    """A fragment: a click on the map, a layer or another picture leaves the rest alone."""
    chosen, how = _chosen_row(workspace)
    with st.container():  # stays, whichever of the two is in it, so that no widget moves
        welcome(workspace, chosen)
        if not (settings.GREETED.value or has_open_question()):
            list_parts(parts_of(workspace))
    with controls():
        with st.container(horizontal=True, vertical_alignment="bottom", key="picture controls"):
            view = view_choice(workspace)
            st.selectbox(
                "Strong colour",
                width=150,
                help="What makes the landscape's colours strong: how far the winning class leads "
                "the runner-up, or how probable it is by itself.",
                **settings.SHADE.bound(options=list(SHADES)),
            )
            other = beside_choice(workspace)
            # Drawn with what it belongs to, whatever is still to be computed: a link's choice
            # holds.
            kind = SIDE_BY_SIDE if other is None else comparison_choice()
        layers = _layer_choice() if kind == SIDE_BY_SIDE else MapLayers()
    offer_code(lambda: code(workspace, view, chosen), workspace)
    if other is None:
        left, right = st.columns([13, 7], gap="medium")
        with left:
            _map(workspace, view, layers, chosen)
        with right:
            _point(workspace, view, chosen, how)
        return
    view = _laid_out(workspace, view)
    beside(workspace, other, view, kind, layers, chosen)
    left, right = st.columns(2, gap="medium")
    with left:
        _point(workspace, view, chosen, how)
    with right:
        how_true(workspace, view)


def _laid_out(workspace: Workspace, view: View) -> View:
    """The picture that was asked for, or PCA until it has been laid out."""
    if not view.is_layout:
        return view
    job = workspace.start_projection(view)
    if completed(
        job, lambda: workspace.start_projection(view, again=True), "Meanwhile this is PCA."
    ):
        return view
    return View("pca")


def _layer_choice() -> MapLayers:
    standard = MapLayers()
    opening = [title for title, field in LAYERS.items() if getattr(standard, field)]
    chosen = st.pills(
        "Layers",
        selection_mode="multi",
        wrap=True,
        **settings.LAYERS.bound(opening, options=list(LAYERS), opens="default"),
    )
    on = {field: title in chosen for title, field in LAYERS.items()}
    return MapLayers(
        **on, boundaries=on["landscape"], chosen=True, shade=SHADES[settings.SHADE.value]
    )


def _map(workspace: Workspace, view: View, layers: MapLayers, chosen: int) -> None:
    view = _laid_out(workspace, view)
    display = MapDisplay(
        map_data(workspace, view),
        layers,
        workspace.answers.facts(),
        chosen,
        uirevision=workspace.view_key(view),
        key=f"{workspace.map_key(view)} {layers}",
    )
    show(display, on_click=choose_row)
    if has_open_question():  # how true the picture is tells what is answered
        return
    how_true(workspace, view)
    say(workspace.projection(view).kept.facts(), st.caption)
    say(display.caption(), st.caption, after=" Click a point to read it.")


def _point(workspace: Workspace, view: View, row: int, why: Facts) -> None:
    point_number(workspace, row)
    reading = workspace.reading(row)
    role = "Support" if row in workspace.episode.support else "Query"
    name = f"{role} point {row}"
    if not told(workspace, name, workspace.dataset.describe(row), row, reading):
        return
    title = f"**{name}**{' – ' if why else ''}{said(why)}"
    point_words(title, workspace.dataset.describe(row), reading)
    point_figure(reading, row, f"{workspace.model_key} row {row}")
    if not view.is_layout and (off := workspace.projection(view).off_facts(row)):
        say(off, st.caption)


def _chosen_row(workspace: Workspace) -> tuple[int, Facts]:
    """The clicked row of the dataset, or the one to open on, and why that one."""
    row = chosen_row(workspace)
    if row is not None:
        return row, ()
    opening = workspace.answers.opening()
    if opening is None:
        return int(workspace.episode.support[0]), ()
    return int(workspace.episode.query[opening.index]), opening.facts()


def _fit(workspace: Workspace) -> None:
    answers = workspace.answers
    left, right = st.columns(2, gap="large")
    with left:
        heading(ANSWERS)
        if len(answers.true):
            show(
                ConfusionDisplay(
                    answers.confusion,
                    answers.classes,
                    workspace.method.title,
                    key=workspace.model_key,
                )
            )
    with right:
        _draws(workspace)
        _lines(workspace)


def _draws(workspace: Workspace) -> None:
    heading(DRAWS)
    job = workspace.spread_job or workspace.start_spread()
    if not completed(job, workspace.start_spread, patience=PATIENCE):
        return
    chance = 1 / len(workspace.dataset.classes)
    key = f"{workspace.data_key} {workspace.shots} {workspace.method_key}"
    display = DrawsDisplay(job.result, workspace.method.title, chance, key=key)
    show(display)
    say(display.facts(), st.caption)


def _lines(workspace: Workspace) -> None:
    table = lines_table(workspace.model, workspace.dataset.classes)
    if table is None:
        return
    heading(LINES)
    small_table(table)
    st.caption(
        "*at*: place between the left (0) and the right prototype (1). *off*: distance from the "
        "line, in units of the vectors, and whether it is beyond the tolerance ε."
    )


page(current_workspace())
