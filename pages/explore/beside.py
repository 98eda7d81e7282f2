"""A second method, or a second encoder, on the same map."""

from __future__ import annotations

import streamlit as st

from pages.session import settings
from pages.session.available_encoders import other_encoders
from pages.session.cache import cached_by
from pages.session.methods import ON_VECTORS
from pages.session.old_links import THROUGH
from pages.session.selection import choose_row
from pages.session.view import View
from pages.session.workspace import Workspace, landscape_on
from pages.widgets.chart import show
from pages.widgets.encoding import encoded_or_offered
from pages.widgets.job_progress import completed
from pages.widgets.map import assemble, map_data
from pages.widgets.say import say
from slp_core.explain.difference import accuracy_title, compare_answers
from slp_core.facts import EncoderName, said
from slp_core.figures.difference import DifferenceDisplay
from slp_core.figures.map.data import MapData, MapLayers
from slp_core.figures.map.pair import MapPairDisplay
from slp_core.markdown import unmarked
from slp_core.views.align import aligned

NOTHING = "nothing"
SIDE_BY_SIDE, DIFFERENCE = "side by side", "difference"


def beside_choice(workspace: Workspace) -> Workspace | None:
    """A widget for what to set beside the map; None for nothing."""
    methods = {title: m for title, m in ON_VECTORS.items() if m.name != workspace.method.name}
    beside = settings.setting_of("beside", workspace.method.name, workspace.encoder_name)
    others = other_encoders(workspace, beside)
    encoders = {f"{THROUGH}{title}": name for title, name in others.items()}
    chosen = st.selectbox(
        "Beside it",
        width=210,
        help="Another method on the same picture, or the same method through another encoder.",
        # What can be chosen depends on what is there already.
        **beside.bound(NOTHING, options=[NOTHING, *methods, *encoders]),
    )
    if chosen in methods:
        return workspace.with_method(methods[chosen])
    return workspace.through(encoders[chosen]) if chosen in encoders else None


def comparison_choice() -> str:
    """A widget for how to compare the two: two maps, or one of where they differ."""
    return st.segmented_control(
        "Compare",
        required=True,
        **settings.COMPARISON.bound(options=[SIDE_BY_SIDE, DIFFERENCE], opens="default"),
    )


def beside(
    workspace: Workspace, other: Workspace, view: View, kind: str, layers: MapLayers, chosen: int
) -> None:
    """The two maps, or the map of their difference, with a row of the dataset ringed."""
    if not encoded_or_offered(other):
        return
    same_space = other.data_key == workspace.data_key
    if not same_space and view.is_layout:
        job = other.start_projection(view)
        note = f"Through {EncoderName(other.encoder.info.title)}."
        if not completed(job, lambda: other.start_projection(view, again=True), note):
            return
    names = _names(workspace, other)
    difference = compare_answers(
        workspace.answers, other.answers, names, _shared_method(workspace, other)
    )
    say(difference.facts(), before="**", after="**")
    maps = map_data(workspace, view), _other_map(workspace, other, view)
    key = _pair_key(workspace, other, view)
    if kind == SIDE_BY_SIDE:
        mine, theirs = (
            unmarked(said(accuracy_title(name, w.answers)))
            for name, w in zip(names, (workspace, other), strict=True)
        )
        pair = MapPairDisplay(
            *maps,
            difference,
            (mine, theirs),
            layers,
            same_space,
            chosen=chosen,
            key=f"{key} {layers}",
        )
        show(pair, on_click=choose_row)
    else:
        show(DifferenceDisplay(*maps, difference, chosen=chosen, key=key), on_click=choose_row)
    st.caption(_what_is_drawn(workspace, other, view, kind, same_space))


def _names(workspace: Workspace, other: Workspace) -> tuple[str, str]:
    if other.encoder_name != workspace.encoder_name:
        return workspace.encoder.info.title, other.encoder.info.title
    return workspace.method.title, other.method.title


def _shared_method(workspace: Workspace, other: Workspace) -> str:
    """Where it is the encoder that differs."""
    return workspace.method.title if other.encoder_name != workspace.encoder_name else ""


def _what_is_drawn(
    workspace: Workspace, other: Workspace, view: View, kind: str, same_space: bool
) -> str:
    if kind == DIFFERENCE:
        parts = ["Grey: places at which the two landscapes show different classes."]
        if not same_space:
            parts = [
                f"Points are drawn where {EncoderName(workspace.encoder.info.title)} has them."
            ]
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
    last = "Click a point to read it. What follows is of the sidebar's method and encoder."
    return " ".join([*parts, last])


def _pair_key(workspace: Workspace, other: Workspace, view: View) -> str:
    return f"{workspace.map_key(view)} | {other.model_key}"


@cached_by(_pair_key)
def _other_map(workspace: Workspace, other: Workspace, view: View) -> MapData:
    projection = workspace.projection(view)
    if other.data_key != workspace.data_key:
        projection = aligned(other.projection(view), projection)
    return assemble(other, projection, landscape_on(other, projection, view))
