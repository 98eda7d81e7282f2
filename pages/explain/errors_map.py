"""The points that the filter lets through, on the picture of the space."""

from __future__ import annotations

from dataclasses import replace

import streamlit as st

from pages.explain.errors import Filtered
from pages.session.selection import choose_row
from pages.session.view import View
from pages.session.workspace import Workspace
from pages.shell.navigation import script
from pages.widgets.chart import show
from pages.widgets.map import map_data
from slp_core.figures.map.data import MapLayers
from slp_core.figures.map.figure import MapDisplay

LAYERS = MapLayers(support=False, errors=True, names=False, chosen=True)


def errors_on_map(workspace: Workspace, filtered: Filtered, row: int | None) -> None:
    """A map with the filtered query points alone, one row ringed; a click chooses another."""
    # The linear picture on which the method's own answers are shown most often.
    method, inverse = workspace.recommendation.best
    view = View(method, bent=inverse == "surface")
    whole = map_data(workspace, view)
    display = MapDisplay(
        replace(whole, query=whole.query.only(filtered.shown)),
        LAYERS,
        chosen=row,
        height=460,
        uirevision=workspace.view_key(view),
        key=f"{workspace.map_key(view)} {LAYERS} {filtered.key}",
    )
    left, right = st.columns([15, 9], gap="large")
    with left:
        st.markdown("#### On the map")
        show(display, name="errors on the map", on_click=choose_row)
    with right:
        n, m = int(filtered.shown.sum()), len(filtered.shown)
        st.caption(
            f"{n:,} of {m:,} query points: what the bars and the filter above let through. A ring "
            "has the colour of a wrong answer. "
            f"{workspace.landscape(view).sentence()}"
        )
        st.page_link(script("explore"), label="All pictures, on Explore", icon=":material/map:")
