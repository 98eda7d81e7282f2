"""The fidelity of a projection, and a more faithful one."""

from __future__ import annotations

import streamlit as st

from pages.session.workspace import ENOUGH_FIDELITY, LAYOUTS, View, Workspace
from pages.widgets.job_progress import completed
from pages.widgets.projection_picker import choose_view
from slp_core.views.fidelity import (
    HeldOutByView,
    ProjectionView,
    best_view,
    better_view,
    centroids_on_plane,
)
from slp_core.views.text import (
    better_text,
    centroids_text,
    fidelity_by_class_text,
    fidelity_text,
    landscape_text,
    none_better_text,
    not_enough_text,
    quality_text,
)

PATIENCE = 1.0  # seconds
FEWEST_FOR_LAYOUT = 10  # rows, four fifths of which UMAP still takes


def fidelity_line(workspace: Workspace, view: View) -> None:
    """Held-out fidelity beside the majority baseline."""
    if workspace.projection(view).exact:
        return
    if not view.is_layout:
        st.caption(fidelity_text(workspace.held_out(view)))
        return
    if (found := _judged_layout(workspace, view)) is not None:
        st.caption(fidelity_text(found[view.method, "surface"]))


def fidelity_details(workspace: Workspace, view: View) -> None:
    """The variance that the projection keeps, its fidelity by class, and a better one if any."""
    landscape, projection = workspace.landscape(view), workspace.projection(view)
    st.markdown(quality_text(projection.kept))
    if projection.exact:
        return
    st.markdown(landscape_text(view.method, landscape.inverse, landscape.fidelity_report))
    if projection.plane is not None:
        on_plane = centroids_on_plane(projection, workspace.centroids)
        st.markdown(centroids_text(on_plane, len(workspace.centroids)))
    found = evaluated_projections(workspace, view)
    if found is None:
        return
    here: ProjectionView = (view.method, landscape.inverse)
    if by_class := fidelity_by_class_text(found[here]):
        st.markdown(by_class)
        _better_projection(workspace, here, found)


def evaluated_projections(workspace: Workspace, view: View | None = None) -> HeldOutByView | None:
    """Fidelity of the linear projections and the named one; None while it is computed."""
    found: HeldOutByView | None = completed(workspace.start_judging(), patience=PATIENCE)
    if found is None or view is None or not view.is_layout:
        return found
    job = workspace.start_judging_layout(view)  # the line below the map shows its progress
    return found | job.result if job.ready else None


def _judged_layout(workspace: Workspace, view: View, note: str = "") -> HeldOutByView | None:
    job = workspace.start_judging_layout(view)
    found: HeldOutByView | None = completed(job, note, patience=0.1)
    return found


def _better_projection(workspace: Workspace, here: ProjectionView, found: HeldOutByView) -> None:
    """A button for a more faithful projection: a linear one, or UMAP of class scores."""
    if (
        found[best_view(found)].half(1).overall < ENOUGH_FIDELITY
        and ("decision_umap", "surface") not in found
        and len(workspace.X) >= FEWEST_FOR_LAYOUT
    ):
        layout = _judged_layout(workspace, View("decision_umap"), not_enough_text(ENOUGH_FIDELITY))
        if layout is None:
            return
        found = found | layout
    better = better_view(found, here)
    if better is None:
        every = (*workspace.linear_views, *LAYOUTS)
        st.caption(none_better_text(found, every))
        return
    method, inverse = better
    view = View(method) if method in LAYOUTS else View(method, inverse)
    taken = st.button(
        better_text(better, found[better].half(1)),
        icon=":material/verified:",
        help="Chosen among those evaluated on half of the examples held out. Its fidelity is "
        "that on the other half.",
        on_click=choose_view,
        args=(view,),
    )
    if taken:
        st.rerun()  # the whole page: this part does not draw the map
