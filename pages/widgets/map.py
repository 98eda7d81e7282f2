"""The map of a workspace, assembled and cached."""

from __future__ import annotations

from pages.session.cache import cached_by
from pages.session.workspace import View, Workspace
from slp_core.explain.text import predictions_text
from slp_core.figures.map.assemble import map_of, map_points
from slp_core.figures.map.data import MapData, MapLayers
from slp_core.figures.map.figure import MapDisplay
from slp_core.views import Landscape, Projection


def map_display(
    workspace: Workspace, view: View, layers: MapLayers, row: int | None, height: int
) -> MapDisplay:
    return MapDisplay(
        map_data(workspace, view),
        layers,
        predictions_text(workspace.predictions),
        row,
        height=height,
        uirevision=workspace.view_key(view),
        key=f"{workspace.map_key(view)} {layers} {height}",
    )


@cached_by(lambda workspace, view: workspace.map_key(view))
def map_data(workspace: Workspace, view: View) -> MapData:
    return assemble(workspace, workspace.projection(view), workspace.landscape(view))


def assemble(workspace: Workspace, projection: Projection, landscape: Landscape) -> MapData:
    """A workspace's points, centroids, lines and prototypes on a projection of its vectors."""
    episode, predictions = workspace.episode, workspace.predictions
    return map_of(
        workspace.model,
        projection,
        landscape,
        workspace.dataset.classes,
        workspace.centroids,
        map_points(projection, episode.support, episode.y_support, workspace.support_predictions),
        map_points(projection, episode.query, predictions.true, predictions.predicted),
        workspace.texts,
    )
