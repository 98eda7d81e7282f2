"""How far to believe a picture, and which one to believe more."""

from __future__ import annotations

from typing import Any

import streamlit as st

from pages.session import settings
from pages.session.view import LAYOUTS, View
from pages.session.workspace import ENOUGH_FIDELITY, Workspace
from pages.widgets.job_progress import completed
from pages.widgets.say import say
from slp_core.facts import said
from slp_core.views import PICTURE_TITLES
from slp_core.views.projection import INVERSE_TITLES
from slp_core.views.recommend import Picture, Recommendation, centroids_in_place

PATIENCE = 1.0  # seconds: this part runs beside the page, which does not wait
FEWEST_FOR_LAYOUT = 10  # rows: four fifths of them can still be laid out
LAYOUT_SETTINGS: tuple[settings.Setting[Any], ...] = (
    settings.METRIC,
    settings.NEIGHBOURS,
    settings.DECISION_MIN_DIST,
    settings.MIX,
)


def how_true(workspace: Workspace, view: View) -> None:
    """What the picture shows of the answers to points held out of it; then to those drawn."""
    st.fragment(_how_true, parallel=True)(workspace, view)


def _how_true(workspace: Workspace, view: View) -> None:
    landscape, projection = workspace.landscape(view), workspace.projection(view)
    if projection.exact:
        return
    here: Picture = (view.method, landscape.inverse)
    judged = judged_pictures(workspace, view)
    if judged is not None:
        held_out = judged.held_out[here]
        say(held_out.facts(), before="**", after="**")
        say(held_out.more_facts())
    drawn = landscape.facts()
    if landscape.inverse == "plane":
        drawn += centroids_in_place(projection, workspace.centroids).facts()
    say(drawn, st.caption)
    if judged is not None and judged.held_out[here].is_telling:
        _better_picture(workspace, here, judged)


def judged_pictures(workspace: Workspace, view: View | None = None) -> Recommendation | None:
    """The linear pictures and the one named, judged; None while the background is at it."""
    job = workspace.start_judging()
    if not completed(job, lambda: workspace.start_judging(again=True), patience=PATIENCE):
        return None
    judged: Recommendation = job.result
    if view is None or not view.is_layout:
        return judged
    layout = workspace.start_judging_layout(view)
    if not completed(layout, lambda: workspace.start_judging_layout(view, again=True)):
        return None
    return judged.joined(layout.result)


def _better_picture(workspace: Workspace, here: Picture, judged: Recommendation) -> None:
    """The picture to believe more than this one: a linear one, or decision UMAP."""
    best = judged.held_out[judged.best]
    tried = {method for method, _ in judged.held_out}
    if (
        best.overall < ENOUGH_FIDELITY
        and "decision_umap" not in tried
        and len(workspace.X) >= FEWEST_FOR_LAYOUT
    ):
        view = View("decision_umap")
        job = workspace.start_judging_layout(view)
        note = said(judged.not_enough_facts(ENOUGH_FIDELITY))
        if not completed(
            job, lambda: workspace.start_judging_layout(view, again=True), note, patience=0.1
        ):
            return
        judged = judged.joined(job.result)
    better = judged.better_than(here)
    if better is None:
        every = (*workspace.linear_views, *LAYOUTS)
        say(judged.none_better_facts(here, every), st.caption, before=":material/verified: ")
        return
    taken = st.button(
        said(judged.better_facts(better)),
        icon=":material/verified:",
        help="Of the pictures tried it shows most of the method's answers to query points that it "
        "was made without.",
        on_click=_choose_picture,
        args=(better,),
    )
    if taken:
        st.rerun()  # the whole page: this part does not draw the picture


def _choose_picture(picture: Picture) -> None:
    method, inverse = picture
    settings.PROJECTION.set(PICTURE_TITLES[method])
    if method in LAYOUTS:  # as it was judged
        for setting in LAYOUT_SETTINGS:
            setting.clear()
    else:
        settings.LANDSCAPE.set(INVERSE_TITLES[inverse])
