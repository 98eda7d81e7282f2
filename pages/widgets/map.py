"""The map of a workspace, put together and kept."""

from __future__ import annotations

from typing import Any

import streamlit as st

from pages.session import settings
from pages.session.workspace import View, Workspace
from slp_core.figures.map.assemble import map_of, map_points
from slp_core.figures.map.data import MapData
from slp_core.views import Landscape, Projection


def map_key(workspace: Workspace, view: View) -> str:
    """Names a map."""
    return f"{workspace.model_key} {workspace.view_key(view)}"


def map_data(workspace: Workspace, view: View) -> MapData:
    """All that the map of a workspace shows."""
    return _map_data(map_key(workspace, view), view, workspace)


@st.cache_resource(max_entries=24, show_spinner=False)
def _map_data(key: str, _view: View, _workspace: Workspace) -> MapData:
    return assemble(_workspace, _workspace.projection(_view), _workspace.landscape(_view))


def assemble(workspace: Workspace, projection: Projection, landscape: Landscape) -> MapData:
    """A workspace's points, centroids, lines and prototypes on any picture of its vectors."""
    episode, answers = workspace.episode, workspace.answers
    describe = workspace.dataset.describe
    return map_of(
        workspace.model,
        projection,
        landscape,
        workspace.dataset.classes,
        workspace.centroids,
        map_points(
            projection,
            episode.support,
            episode.y_support,
            workspace.support_answers,
            [describe(row) for row in episode.support],
        ),
        map_points(
            projection,
            episode.query,
            answers.true,
            answers.predicted,
            [describe(row) for row in episode.query],
        ),
    )


def follow_click(event: Any) -> None:
    """Remember the row behind the clicked mark; a click on nothing changes nothing."""
    points = event.selection.points if event else []
    rows = [p["customdata"] for p in points if p.get("customdata") is not None]
    if rows:
        row = rows[0][0] if isinstance(rows[0], list) else rows[0]
        settings.POINT.set(int(row))
