"""A second method, or a second encoder, beside the map."""

from __future__ import annotations

import streamlit as st

from pages.session import settings
from pages.session.available_encoders import other_encoders
from pages.session.cache import cached_by
from pages.session.methods import ON_VECTORS
from pages.session.old_links import THROUGH
from pages.session.selection import choose_row
from pages.session.workspace import View, Workspace, landscape_on
from pages.widgets.chart import show
from pages.widgets.job_progress import completed, encoded_or_offered
from pages.widgets.map import assemble, map_data
from slp_core.explain.difference import accuracy_title, compare_predictions, difference_text
from slp_core.figures.difference import DifferenceDisplay, MapPairDisplay
from slp_core.figures.map.data import MapData, MapLayers
from slp_core.views.align import aligned

NOTHING = "nothing"  # as the URL has it
SIDE_BY_SIDE, DIFFERENCE = "side by side", "difference"


def other_choice(workspace: Workspace) -> Workspace | None:
    """A widget for what to compare the map with; None for nothing."""
    methods = {title: m for title, m in ON_VECTORS.items() if m.name != workspace.method.name}
    beside = settings.setting_of("beside", workspace.method.name, workspace.encoder_name)
    others = other_encoders(workspace, beside)
    encoders = {f"{THROUGH}{title}": name for title, name in others.items()}
    chosen = st.selectbox(
        "Compare with",
        help="Another method on the same projection, or the same method with another encoder.",
        format_func=lambda name: "none" if name == NOTHING else name,
        **beside.bound(NOTHING, options=[NOTHING, *methods, *encoders]),
    )
    if chosen in methods:
        return workspace.with_method(methods[chosen])
    return workspace.through(encoders[chosen]) if chosen in encoders else None


def comparison_choice() -> str:
    return st.segmented_control(
        "Compare",
        required=True,
        **settings.COMPARISON.bound(options=[SIDE_BY_SIDE, DIFFERENCE], opens="default"),
    )


def compared(
    workspace: Workspace, other: Workspace, view: View, kind: str, layers: MapLayers, chosen: int
) -> None:
    if not encoded_or_offered(other):
        return
    same_space = other.data_key == workspace.data_key
    if not same_space and view.is_layout and completed(other.start_projection(view)) is None:
        return
    through = workspace.method.title if other.encoder_name != workspace.encoder_name else ""
    names = _names(workspace, other)
    difference = compare_predictions(workspace.predictions, other.predictions, names, through)
    st.markdown(f"**{difference_text(difference)}**")
    maps = map_data(workspace, view), _other_map(workspace, other, view)
    key = _pair_key(workspace, other, view)
    if kind == DIFFERENCE:
        show(DifferenceDisplay(*maps, difference, chosen=chosen, key=key), on_click=choose_row)
        st.caption("Grey: the two landscapes show different classes." if same_space else "")
        return
    mine, theirs = (
        accuracy_title(name, w.predictions)
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
    if not same_space:
        st.caption("Each encoder has its own projection; the second is rotated to match the first.")


def _names(workspace: Workspace, other: Workspace) -> tuple[str, str]:
    if other.encoder_name != workspace.encoder_name:
        return workspace.encoder.info.title, other.encoder.info.title
    return workspace.method.title, other.method.title


def _pair_key(workspace: Workspace, other: Workspace, view: View) -> str:
    return f"{workspace.map_key(view)} | {other.model_key}"


@cached_by(_pair_key)
def _other_map(workspace: Workspace, other: Workspace, view: View) -> MapData:
    projection = workspace.projection(view)
    if other.data_key != workspace.data_key:
        projection = aligned(other.projection(view), projection)
    return assemble(other, projection, landscape_on(other, projection, view))
