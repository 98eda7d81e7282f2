"""Which projection to show, and what its decision landscape is computed on."""

from __future__ import annotations

from typing import Any

import streamlit as st

from pages.session import settings
from pages.session.workspace import LAYOUTS, View, Workspace
from pages.widgets.job_progress import completed
from slp_core.views import Inverse, ProjectionMethod
from slp_core.views.projection import INVERSE_TITLES, PROJECTION_TITLES

# As the URL has them
PROJECTIONS: dict[str, ProjectionMethod] = {
    "PCA": "pca",
    "Centroid plane": "centroid_plane",
    "Decision plane": "decision_plane",
    "UMAP": "umap",
    "t-SNE": "tsne",
    "Decision UMAP": "decision_umap",
}
LANDSCAPES: dict[str, Inverse] = {"slice": "plane", "offset": "offset", "surface": "surface"}
METRICS = {"straight": "euclidean", "angle": "cosine"}


def named(table: dict[str, Any], value: Any) -> str:
    """The URL's name of a projection or a landscape."""
    return next(name for name, each in table.items() if each == value)


def view_choice(workspace: Workspace) -> View:
    d = workspace.X.shape[1]
    if d <= 2:
        st.caption("The data are shown as they are, without a projection.")
        return View("pca")
    opening = workspace.opening_view
    names = [n for n, m in PROJECTIONS.items() if m in (*workspace.linear_views, *LAYOUTS)]
    method = PROJECTIONS[
        st.selectbox(
            "Projection",
            format_func=lambda name: PROJECTION_TITLES[PROJECTIONS[name]],
            help="PCA shows the directions in which the examples vary most. PCA of centroids shows "
            "those in which the class centroids vary most, PCA of class scores those in which the "
            "method's scores do. UMAP and t-SNE keep neighbours together and distort the rest. "
            "They take some seconds the first time.",
            **settings.PROJECTION.bound(named(PROJECTIONS, opening.method), options=names),
        )
    ]
    if method in LAYOUTS:
        return View(method, options=_layout_options(method))
    landscape = st.selectbox(
        "Decision landscape on",
        format_func=lambda name: INVERSE_TITLES[LANDSCAPES[name]],
        help="The plane passes through the examples' mean or centroids. The offset plane is "
        "parallel to it, as far away as the median example. The fitted surface passes through the "
        "examples.",
        **settings.LANDSCAPE.bound(_opening_landscape(opening, method), options=list(LANDSCAPES)),
    )
    return View(method, LANDSCAPES[landscape])


def computed(workspace: Workspace, view: View) -> View:
    """The chosen projection, or the opening one until it is computed."""
    if view.is_layout:
        note = "Showing another projection meanwhile."
        if completed(workspace.start_projection(view), note) is None:
            return workspace.opening_view
    return view


def linear_view(workspace: Workspace) -> View:
    """Explore's projection if it is linear; else the opening one."""
    opening = workspace.opening_view
    method = opening.method
    if settings.PROJECTION.is_set:
        method = PROJECTIONS.get(settings.PROJECTION.value, method)
    if method not in workspace.linear_views or workspace.X.shape[1] <= 2:
        return opening
    landscape = _opening_landscape(opening, method)
    if settings.LANDSCAPE.is_set:
        landscape = settings.LANDSCAPE.value
    return View(method, LANDSCAPES.get(landscape, "plane"))


def choose_view(view: View) -> None:
    """Show another projection, with the default options of a layout."""
    settings.PROJECTION.set(named(PROJECTIONS, view.method))
    if not view.is_layout:
        settings.LANDSCAPE.set(named(LANDSCAPES, view.inverse))
        return
    for setting in (
        settings.METRIC,
        settings.NEIGHBOURS,
        settings.DECISION_MIN_DIST,
        settings.MIX,
    ):
        setting.clear()


def _opening_landscape(opening: View, method: ProjectionMethod) -> str:
    return named(LANDSCAPES, opening.inverse) if method == opening.method else "slice"


def _layout_options(method: str) -> tuple[tuple[str, Any], ...]:
    metric = st.segmented_control(
        "Metric",
        required=True,
        format_func=lambda name: METRICS[name].capitalize(),
        **settings.METRIC.bound(options=list(METRICS), opens="default"),
    )
    options: dict[str, Any] = {"metric": METRICS[metric]}
    if method == "tsne":
        options["perplexity"] = st.select_slider(
            "Perplexity",
            help="About how many neighbours count.",
            **settings.PERPLEXITY.bound(options=[5, 10, 20, 30, 50], opens="value"),
        )
        return tuple(options.items())
    options["n_neighbors"] = st.select_slider(
        "Neighbours",
        help="Few show fine structure, many the global shape.",
        **settings.NEIGHBOURS.bound(options=[5, 10, 15, 30, 50], opens="value"),
    )
    least = settings.DECISION_MIN_DIST if method == "decision_umap" else settings.MIN_DIST
    options["min_dist"] = st.select_slider(
        "min_dist",
        help="How close to each other UMAP may draw two examples.",
        **least.bound(options=[0.0, 0.1, 0.3, 0.5, 0.8], opens="value"),
    )
    if method == "decision_umap":
        options["mix"] = st.select_slider(
            "Weight of the predictions",
            help="The share of the predictions in the distance between two examples; the rest is "
            "the distance of their vectors.",
            **settings.MIX.bound(options=[0.1, 0.25, 0.5, 0.75, 0.9], opens="value"),
        )
    return tuple(options.items())
