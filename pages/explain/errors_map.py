"""The points that the filter lets through, on the picture of the space."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import streamlit as st

from pages.explain.errors import Filtered
from pages.explain.line import clicked
from pages.session.workspace import View, Workspace
from pages.widgets.chart import chart, theme
from pages.widgets.map import map_data
from slp_core.figures.map.data import MapData, MapLayers, MapPoints, map_table
from slp_core.figures.map.figure import map_figure
from slp_core.figures.style.theme import Theme
from slp_core.views import Recommendation

LAYERS = MapLayers(support=False, errors=True, names=False)


def errors_on_map(workspace: Workspace, filtered: Filtered) -> None:
    """A map with the filtered query points alone; a click chooses one."""
    view = _most_faithful(workspace.recommendation)
    whole = map_data(workspace, view)
    data = replace(whole, query=_only(whole.query, filtered.shown))
    look = theme()
    key = f"{workspace.model_key} {view} {filtered.key} {look.name}"
    left, right = st.columns([15, 9], gap="large")
    with left:
        st.markdown("#### On the map")
        chart(
            _figure(key, data, look, workspace.view_key(view)),
            lambda: map_table(data),
            "errors on the map",
            alt="The filtered query points on a picture of the space",
            on_select=clicked("errors on the map figure"),
            selection_mode="points",
        )
    with right:
        n, m = int(filtered.shown.sum()), len(filtered.shown)
        st.caption(
            f"{n:,} of {m:,} query points: what the bars and the filter above let through. A ring "
            "has the colour of a wrong answer. "
            f"{workspace.landscape(view).sentence()}"
        )
        st.page_link(
            "pages/explore/page.py", label="All pictures, on Explore", icon=":material/map:"
        )


def _most_faithful(found: Recommendation) -> View:
    """The linear picture on which the method's own answers are shown most often."""
    method, inverse = found.best
    return View(method, bent=inverse == "surface")


def _only(points: MapPoints, shown: np.ndarray) -> MapPoints:
    rows = np.flatnonzero(shown)
    return MapPoints(
        points.points[rows],
        points.true[rows],
        points.predicted[rows],
        points.ids[rows],
        [points.texts[row] for row in rows] if len(points.texts) else (),
        None if points.off_plane is None else points.off_plane[rows],
    )


@st.cache_resource(max_entries=16, show_spinner=False)
def _figure(key: str, _data: MapData, _theme: Theme, _view: str) -> Any:
    return map_figure(_data, LAYERS, _theme, height=460, uirevision=_view)
