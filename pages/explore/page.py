"""Explore: the map with its decision landscape, and the selected example beside it."""

from __future__ import annotations

import streamlit as st

from pages.explore.code import code
from pages.explore.comparison import (
    NOTHING,
    SIDE_BY_SIDE,
    compared,
    comparison_choice,
    other_choice,
)
from pages.explore.shots import shots
from pages.session import settings
from pages.session.code import offer_code
from pages.session.selection import choose_row, row_or_default
from pages.session.workspace import View, Workspace
from pages.shell.frame import current_workspace
from pages.shell.navigation import script
from pages.widgets.accuracy import accuracy_parts
from pages.widgets.chart import show
from pages.widgets.example import point_figure, point_words
from pages.widgets.fidelity import fidelity_details, fidelity_line
from pages.widgets.map import map_display
from pages.widgets.parts import alone, folded
from pages.widgets.pickers import point_number
from pages.widgets.projection_picker import computed, view_choice
from pages.widgets.shots import shot_menu
from pages.widgets.tables import small_table
from slp_core.explain.text import predictions_text
from slp_core.figures.line.points import lines_table
from slp_core.figures.map.data import MapLayers, Shade
from slp_core.views.text import plane_distance_text

_HEIGHT = 520
SHADES: dict[str, Shade] = {"lead": "margin", "probability": "confidence"}  # as the URL has them
LAYERS = {  # as the URL has them; what draws them, and what they are called
    "Landscape": ("landscape", "Decision landscape"),
    "Line regions": ("line_regions", "Regions by line"),
    "Query points": ("query", "Query examples"),
    "Support points": ("support", "Support examples"),
    "Errors": ("errors", "Misclassified"),
    "Doubtful": ("disagreeing", "Projection disagrees"),
    "Centroids": ("centroids", "Centroids"),
    "Lines": ("lines", "Lines"),
    "Prototypes": ("prototypes", "Prototypes"),
}


def page(workspace: Workspace) -> None:
    st.subheader(predictions_text(workspace.predictions))
    alone(_map_and_point, workspace)
    accuracy_parts(workspace)
    if hasattr(workspace.model, "line_fit_"):
        folded("Classes on each line", "lines", _lines, workspace)


def _map_and_point(workspace: Workspace) -> None:
    """A fragment: a click on the map, a layer or another projection redraws nothing else."""
    chosen = row_or_default(workspace)
    # What is chosen in the popover is known before it is drawn: settings change in callbacks
    beside = settings.setting_of("beside", workspace.method.name, workspace.encoder_name)
    if beside.is_set and beside.value != NOTHING:
        above, (left, right) = st.container(), st.columns(2, gap="medium")
    else:
        left, right = st.columns([13, 7], gap="medium")
        above = left
    with right:
        with st.container(horizontal=True, vertical_alignment="bottom"):
            view, other, kind, layers = _view_popover(workspace)
            point_number(workspace, chosen)
        _next_error(workspace, chosen)
        offer_code(lambda: code(workspace, view, chosen), workspace)
        _point(workspace, view, chosen)
    with above:
        view = computed(workspace, view)
        if other is None:
            _map(workspace, view, layers, chosen)
        else:
            compared(workspace, other, view, kind, layers, chosen)
    with left:
        fidelity_line(workspace, view)
    folded("How faithful is this map?", "fidelity", fidelity_details, workspace, view)
    if len(workspace.predictions.true):
        folded("Influence of each shot", "shots", shots, workspace, chosen)


def _view_popover(workspace: Workspace) -> tuple[View, Workspace | None, str, MapLayers]:
    with st.container(key="picture controls", width="content"), st.popover("View"):
        view = view_choice(workspace)
        other = other_choice(workspace)
        kind = SIDE_BY_SIDE if other is None else comparison_choice()
        layers = _layer_choice() if kind == SIDE_BY_SIDE else MapLayers()
    return view, other, kind, layers


def _layer_choice() -> MapLayers:
    standard = MapLayers()
    opening = [name for name, (field, _) in LAYERS.items() if getattr(standard, field)]
    chosen = st.pills(
        "Layers",
        selection_mode="multi",
        wrap=True,
        format_func=lambda name: LAYERS[name][1],
        **settings.LAYERS.bound(opening, options=list(LAYERS), opens="default"),
    )
    shade = st.selectbox(
        "Colour intensity",
        format_func=lambda name: SHADES[name].capitalize(),
        help="The margin by which the predicted class leads the runner-up, or its probability.",
        **settings.SHADE.bound(options=list(SHADES)),
    )
    on = {field: name in chosen for name, (field, _) in LAYERS.items()}
    return MapLayers(**on, boundaries=on["landscape"], chosen=True, shade=SHADES[shade])


def _map(workspace: Workspace, view: View, layers: MapLayers, chosen: int) -> None:
    display = map_display(workspace, view, layers, chosen, _HEIGHT)
    show(display, on_click=choose_row)
    if caption := display.caption():
        st.caption(caption)


def _next_error(workspace: Workspace, chosen: int) -> None:
    """The most confident error after the selected one, cyclically."""
    episode = workspace.episode
    after = workspace.predictions.error_after(episode.place_of(chosen))
    if after is None:
        return
    st.button(
        "Show a misclassified example",
        type="tertiary",
        on_click=choose_row,
        args=(int(episode.query[after]),),
        help="One after the other, the most confident first.",
    )


def _point(workspace: Workspace, view: View, row: int) -> None:
    place, title = workspace.episode.place_of(row), f"**{workspace.called(row)}**"
    wrong = place is not None and bool(workspace.predictions.wrong[place])
    if place is not None and not settings.POINT.is_set:  # why the page opens on it
        title += f": {'misclassified' if wrong else 'smallest margin'}"
    point_words(title, workspace, row)
    if wrong:
        st.page_link(script("explain"), label="Why?", icon=":material/arrow_forward:")
    shot_menu(workspace, row)
    point_figure(workspace, row)
    distance = None if view.is_layout else workspace.projection(view).plane_distance(row)
    if distance is not None:
        st.caption(plane_distance_text(distance))


def _lines(workspace: Workspace) -> None:
    table = lines_table(workspace.model, workspace.dataset.classes)
    if table is not None:
        small_table(table)
        st.caption("Position runs from prototype A (0) to prototype B (1).")


page(current_workspace())
