"""A second method, or a second encoder, on the same map."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import streamlit as st

import slp_core as slp
from pages.session import settings
from pages.session.available_encoders import available_encoders
from pages.session.methods import METHODS
from pages.session.workspace import ASPECT, GRID, View, Workspace, encoder, failure
from pages.widgets.chart import chart, theme
from pages.widgets.fidelity import follow
from pages.widgets.map import assemble, follow_click, map_data, map_key
from slp_core.explain.difference import Difference, compare_answers
from slp_core.figures.difference import difference_figure, difference_table
from slp_core.figures.map.data import MapData, MapLayers
from slp_core.figures.map.pair import map_pair_figure
from slp_core.figures.style.theme import Theme
from slp_core.views.align import aligned

NOTHING = "nothing"
SIDE_BY_SIDE, DIFFERENCE = "side by side", "difference"


def beside_choice(workspace: Workspace) -> Workspace | None:
    """A widget for what to set beside the map; None for nothing."""
    methods = {m.title: m for m in METHODS.values() if m.name != workspace.method.name}
    encoders = {
        f"through {info.title}": info
        for info in available_encoders()
        if workspace.dataset.kind in info.kinds and info.name != workspace.encoder_name
    }
    chosen = st.selectbox(
        "Beside it",
        [NOTHING, *methods, *encoders],
        width=210,
        help="Another method on the same picture, or the same method through another encoder.",
        # What can be chosen depends on what is there already.
        **settings.setting_of("beside", workspace.method.name, workspace.encoder_name).bound(),
    )
    if chosen in methods:
        return workspace.with_method(methods[chosen])
    if chosen not in encoders:
        return None
    normalisation = workspace.encoder.normalisation if workspace.dataset.kind != "numeric" else None
    name = encoders[chosen].name
    return replace(workspace, encoder=encoder(name, normalisation), encoder_name=name)


def beside(workspace: Workspace, other: Workspace, view: View, layers: MapLayers) -> None:
    """The two maps, or the map of their difference."""
    if not other.encoded:
        offer_encoding(other)
        return
    if other.encoder_name != workspace.encoder_name and view.is_layout:
        job = other.start_projection(view)
        job.wait(0.3)
        if not job.ready:
            follow(job, f"{job.title} through {other.encoder.info.title} …")
            return
    same_space = other.data_key == workspace.data_key
    names = _names(workspace, other)
    found = compare_answers(workspace.answers, other.answers, names)
    st.markdown(f"**{found.sentence()}**")
    kind = st.segmented_control(
        "Compare",
        [SIDE_BY_SIDE, DIFFERENCE],
        default=SIDE_BY_SIDE,
        required=True,
        label_visibility="collapsed",
        **settings.COMPARISON.bound(),
    )
    first, second = map_data(workspace, view), _other_data(workspace, other, view)
    key = f"{map_key(workspace, view)} | {other.model_key}"
    look = theme()
    if kind == SIDE_BY_SIDE:
        titles = tuple(
            f"{name} · {w.answers.accuracy:.0%} right"
            for name, w in zip(names, (workspace, other), strict=True)
        )
        figure = _pair(
            f"{key} {layers} {look.name}", first, second, titles, layers, look, same_space
        )
    else:
        figure = _difference(f"{key} {look.name}", first, second, found, look)
    event = chart(
        figure,
        lambda: difference_table(first, second, found),
        "comparison",
        alt=found.sentence(),
        on_select="rerun",
        selection_mode="points",
    )
    follow_click(event)
    st.caption(_what_is_drawn(workspace, other, view, kind, same_space))


def offer_encoding(other: Workspace, note: str = "") -> None:
    """Another encoder has not seen these data: offer to encode them, and follow that."""
    job = other.encoding_job
    if job is not None and job.running:
        follow(job, f"{job.title} …")
        return
    if job is not None and job.error is not None:
        st.warning(failure(job), icon=":material/error:")
    st.button(
        f"Encode with {other.encoder.info.title}",
        on_click=other.start_encoding,
        icon=":material/play_arrow:",
        help=f"Takes some time, once{note}.",
    )


def _names(workspace: Workspace, other: Workspace) -> tuple[str, str]:
    if other.encoder_name != workspace.encoder_name:
        return workspace.encoder.info.title, other.encoder.info.title
    return workspace.method.title, other.method.title


def _what_is_drawn(
    workspace: Workspace, other: Workspace, view: View, kind: str, same_space: bool
) -> str:
    if kind == DIFFERENCE:
        parts = ["Grey: places at which the two landscapes show different classes."]
        if not same_space:
            parts = [f"Points are drawn where {workspace.encoder.info.title} has them."]
    elif same_space:
        parts = [f"Both on the picture made for {workspace.method.title}, and zoomed together."]
        if not view.looks_at_method:
            parts = ["Both on the same picture, and zoomed together."]
    else:
        parts = [
            "Each encoder has a space of its own, and so a picture of its own: the right one is "
            "turned to match the left one as well as it can be, nothing is stretched, and they "
            "are zoomed apart."
        ]
    return " ".join([*parts, "Click a point to read it."])


def _other_data(workspace: Workspace, other: Workspace, view: View) -> MapData:
    return _other_map(f"{map_key(workspace, view)} | {other.model_key}", workspace, other, view)


@st.cache_resource(max_entries=12, show_spinner=False)
def _other_map(key: str, _workspace: Workspace, _other: Workspace, _view: View) -> MapData:
    projection = _workspace.projection(_view)
    if _other.data_key != _workspace.data_key:
        projection = aligned(_other.projection(_view), projection)
    landscape = slp.decision_landscape(
        _other.model,
        projection,
        grid=GRID,
        aspect=ASPECT,
        inverse="surface" if _view.bent else None,
    )
    return assemble(_other, projection, landscape)


@st.cache_resource(max_entries=12, show_spinner=False)
def _pair(
    key: str,
    _first: MapData,
    _second: MapData,
    _titles: tuple[str, str],
    _layers: MapLayers,
    _theme: Theme,
    _linked: bool,
) -> Any:
    return map_pair_figure(_first, _second, _titles, _layers, _theme, linked=_linked)


@st.cache_resource(max_entries=12, show_spinner=False)
def _difference(
    key: str, _first: MapData, _second: MapData, _found: Difference, _theme: Theme
) -> Any:
    return difference_figure(_first, _second, _found, _theme)
