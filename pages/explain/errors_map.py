"""The query examples that the filter keeps, and the shots, on the map."""

from __future__ import annotations

from dataclasses import replace

import streamlit as st

from pages.explain.filter import Filtered
from pages.session.selection import choose_row
from pages.session.view import View
from pages.session.workspace import Workspace
from pages.shell.navigation import script
from pages.widgets.chart import show
from pages.widgets.fidelity import evaluated_projections
from pages.widgets.map import map_data
from pages.widgets.say import say
from pages.widgets.shots import shot_menu
from slp_core.figures.map.data import MapLayers
from slp_core.figures.map.figure import MapDisplay
from slp_core.sentences import count
from slp_core.views.text import fidelity_text

LAYERS = MapLayers(errors=True, names=False, chosen=True)


def errors_on_map(workspace: Workspace, filtered: Filtered, row: int | None) -> None:
    """A map of the filtered query examples, one row ringed; a click selects another."""
    # The linear projection with the highest held-out fidelity
    judged = evaluated_projections(workspace)
    if judged is None:
        return
    method, inverse = judged.best
    view = View(method, inverse)
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
        show(display, name="errors on the map", on_click=choose_row)
    with right:
        shown, n = int(filtered.shown.sum()), len(filtered.shown)
        of = "" if shown == n else f"{shown:,} of "
        st.caption(f"{of}{count(n, 'query example')}. Outline: predicted class.")
        if not workspace.projection(view).exact:
            say(fidelity_text(judged.judged(judged.best)), st.caption)
        if row is not None and row in workspace.episode.support:
            shot_menu(workspace, row)
        st.page_link(script("explore"), label="More projections on Explore", icon=":material/map:")
