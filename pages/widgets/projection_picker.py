"""Which picture of the space to look at: a plane through it, or a layout that bends it."""

from __future__ import annotations

from typing import Any

import streamlit as st

from pages.session import settings
from pages.session.view import LAYOUTS, View
from pages.session.workspace import Workspace
from slp_core.views import PICTURE_TITLES

PICTURES = {title: name for name, title in PICTURE_TITLES.items()}
LANDSCAPES = {"slice": False, "surface": True}
METRICS = {"straight": "euclidean", "angle": "cosine"}


def view_choice(workspace: Workspace) -> View:
    """Widgets for the picture and what belongs to it."""
    d = workspace.X.shape[1]
    if d <= 2:
        st.caption(f"Vectors of {'one dimension' if d == 1 else 'two dimensions'}, as they are.")
        return View("pca")
    names = {t: m for t, m in PICTURES.items() if m in (*workspace.linear_views, *LAYOUTS)}
    method = names[
        st.selectbox(
            "Picture",
            width=180,
            help="PCA looks along the two widest directions of the data, the centroid plane "
            "along those of the class centroids, the decision plane along those in which the "
            "method's scores vary most. UMAP and t-SNE keep neighbours together and bend the "
            "rest; decision UMAP brings together what the method answers alike. These take "
            "some seconds the first time.",
            **settings.PROJECTION.bound(options=list(names)),
        )
    ]
    if method in LAYOUTS:
        return View(method, options=_layout_options(method))
    landscape = st.selectbox(
        "Landscape",
        width=130,
        help="A slice is the flat plane through the space on which the picture lies: points "
        "off it are seen from afar. A surface bends through all the points.",
        **settings.LANDSCAPE.bound(options=list(LANDSCAPES)),
    )
    return View(method, bent=LANDSCAPES[landscape])


def _layout_options(method: str) -> tuple[tuple[str, Any], ...]:
    with st.popover("Layout", icon=":material/tune:"):
        metric = st.segmented_control(
            "Distance by",
            required=True,
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
            help="Few show fine structure, many the large shape.",
            **settings.NEIGHBOURS.bound(options=[5, 10, 15, 30, 50], opens="value"),
        )
        least = settings.DECISION_MIN_DIST if method == "decision_umap" else settings.MIN_DIST
        options["min_dist"] = st.select_slider(
            "Least distance", **least.bound(options=[0.0, 0.1, 0.3, 0.5, 0.8], opens="value")
        )
        if method == "decision_umap":
            options["mix"] = st.select_slider(
                "Answers against vectors",
                help="How much of the distance between two points is that of the method's answers.",
                **settings.MIX.bound(options=[0.1, 0.25, 0.5, 0.75, 0.9], opens="value"),
            )
    return tuple(options.items())
