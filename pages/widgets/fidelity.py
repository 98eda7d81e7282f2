"""How far to believe a picture, and which one to believe more."""

from __future__ import annotations

import streamlit as st

from pages.session import settings
from pages.session.view import LAYOUTS, View
from pages.session.workspace import ENOUGH_FIDELITY, Workspace
from pages.widgets.job_progress import completed
from pages.widgets.projection_picker import LANDSCAPES, PICTURES
from slp_core.markdown import named
from slp_core.views import centroids_in_place


def how_true(workspace: Workspace, view: View) -> None:
    """How far to believe this picture, and which one to believe more."""
    landscape = workspace.landscape(view)
    if workspace.projection(view).exact:
        return
    report = landscape.fidelity_report
    names = workspace.dataset.classes
    shares = [
        f"{named(name)} {share:.0%}"
        for name, share in zip(names, report.per_class, strict=True)
        if share == share  # not NaN: the method answers this class somewhere
    ]
    each = f" By answer: {', '.join(shares)}." if 1 < len(shares) <= 6 else ""
    on_plane = centroids_in_place(workspace.projection(view), workspace.centroids)
    drawn = f" {on_plane} of {len(names)} centroids are drawn where they are."
    st.markdown(f"**{landscape.sentence()}**{each}{drawn if not view.is_layout else ''}")
    if view.method == "decision_umap":
        _held_out(workspace, view)
    else:
        _better_picture(workspace, view, report.overall)


def _held_out(workspace: Workspace, view: View) -> None:
    """The stricter figure of a picture that has seen the answers."""
    job = workspace.start_held_out(view)
    if completed(job, lambda: workspace.start_held_out(view, again=True), patience=0.1):
        st.markdown(f"This picture was laid out knowing the answers. {job.result.sentence()}")


def _better_picture(workspace: Workspace, view: View, here: float) -> None:
    """The picture to believe more than this one: a linear one, or decision UMAP."""
    linear = workspace.recommendation
    (method, inverse), best = linear.best, linear.fidelity[linear.best]
    what = "The linear picture on which the method's own answers are shown most often."
    job = workspace.start_recommendation()
    if job is not None:
        note = f"No linear picture shows {ENOUGH_FIDELITY:.0%}."
        if not completed(
            job, lambda: workspace.start_recommendation(again=True), note, patience=0.1
        ):
            return
        layout = job.result.fidelity[job.result.best]
        if layout > best:
            method, best = "decision_umap", layout
            what = (
                f"Linear pictures show at most {linear.fidelity[linear.best]:.0%}. This one is "
                "laid out knowing the answers, and says how far that flatters it."
            )
    if best <= here + 0.005:
        st.caption(":material/verified: No other picture shows more of this method's answers.")
        return
    title = next(title for title, name in PICTURES.items() if name == method)
    kind = next(title for title, bent in LANDSCAPES.items() if bent == (inverse == "surface"))
    st.button(
        f"More faithful: {title}{f', {kind}' if method not in LAYOUTS else ''}, {best:.0%}",
        icon=":material/verified:",
        help=what,
        on_click=_choose_picture,
        args=(title, None if method in LAYOUTS else kind),
    )


def _choose_picture(title: str, kind: str | None) -> None:
    settings.PROJECTION.set(title)
    if kind is not None:
        settings.LANDSCAPE.set(kind)
