"""Explain: why each error happens."""

from __future__ import annotations

import streamlit as st

from pages.explain.code import code
from pages.explain.errors import ORDERS, causes_bar, errors
from pages.explain.errors_map import errors_on_map
from pages.explain.example import example_details, example_summary
from pages.explain.filter import filter_of, filter_widgets
from pages.explain.line import follow, half_planes, line_choice, strip
from pages.explain.method_set import say_method_was_set
from pages.explain.parts import CONFUSION, ERRORS, EXAMPLE, MAP, SIDE, VARIATION
from pages.session import settings
from pages.session.code import offer_code
from pages.session.workspace import Workspace
from pages.shell.frame import current_workspace
from pages.widgets.chart import show
from pages.widgets.job_progress import completed
from pages.widgets.parts import beside, folded
from pages.widgets.pickers import point_number
from pages.widgets.readings import causes_of, headline_of, line_view
from pages.widgets.say import say
from slp_core.evaluation.comparison import FILE, beside_file
from slp_core.evaluation.text import beside_file_text
from slp_core.explain import Causes
from slp_core.explain.text import headline_text, predictions_text, without_lines_text
from slp_core.figures.compare_draws import DrawsDisplay
from slp_core.figures.confusion import ConfusionDisplay
from slp_core.methods.protocols import predicts_from_lines


def page(workspace: Workspace) -> None:
    """The sentence; the line beside the causes and one example; the rest folded."""
    on_lines = workspace.where(predicts_from_lines)
    say(headline_text(headline_of(on_lines)), st.subheader)
    st.fragment(_linked)(on_lines)
    say_method_was_set()
    if on_lines is not workspace:
        without = without_lines_text(workspace.method.title, on_lines.method.title)
        text = f"{predictions_text(workspace.predictions)} {without}"
        say(text, st.caption, before=":material/info: ")
    if causes_of(on_lines).local:
        st.caption(
            f":material/info: {on_lines.method.title}'s soft labels depend on the example: the "
            "score lines and intervals are those at the selected one."
        )
    st.fragment(folded)(CONFUSION, _confusion, on_lines)
    st.fragment(folded)(VARIATION, _variation, on_lines)


def _linked(workspace: Workspace) -> None:
    """A fragment: causes, errors, line and example follow one another's clicks."""
    with settings.one_step():
        _drawn(workspace)


def _drawn(workspace: Workspace) -> None:
    causes = causes_of(workspace)
    filtered = filter_of(workspace, causes)
    settings.ERRORS_ORDER.shows(among=ORDERS)  # also while the list is folded
    left, right = st.columns([15, 8], gap="medium")
    with right, st.popover("View", icon=":material/tune:", width="stretch"):
        above = st.container()
        chosen = follow(workspace, causes, filtered)
        with above:
            number, stacked = _controls(workspace, causes, chosen.row)
    offer_code(lambda: code(workspace, chosen), workspace)
    view = line_view(workspace, number, chosen.x, filtered.shown, filtered.key)
    with left:
        strip(workspace, view, chosen)
    with right:
        causes_bar(causes, stacked)
        example_summary(workspace, causes, chosen)
    folded(EXAMPLE, example_details, workspace, causes, chosen)
    folded(ERRORS, errors, workspace, causes, filtered, chosen.row)
    if view.half_planes:
        folded(SIDE, half_planes, workspace, view, chosen)
    folded(MAP, errors_on_map, workspace, filtered, chosen.row)


def _controls(workspace: Workspace, causes: Causes, row: int | None) -> tuple[int, str]:
    """The line to look at, and by what the bars are stacked."""
    number = line_choice(workspace, causes)
    point_number(workspace, row)
    st.toggle("Zoom to data", **settings.ZOOM.bound())
    stacked = "by class"
    if causes.n_lines > 1:
        stacked = st.segmented_control(
            "Causes",
            required=True,
            **settings.STACKED.bound(options=["by class", "by line"], opens="default"),
        )
    filter_widgets(causes)
    return number, stacked


def _confusion(workspace: Workspace) -> None:
    found, theirs = workspace.predictions, workspace.dataset.predicted
    classes = found.classes
    both = None if theirs is None else beside_file(found, theirs[workspace.episode.query])
    if both is None:
        if len(found.true):
            show(ConfusionDisplay(found.confusion, classes, found.method, key=workspace.model_key))
        return
    say(beside_file_text(both))
    titles = {"confusion": found.method, "confusion of the file": FILE}
    places = beside(len(classes))
    for place, (name, title), counts in zip(places, titles.items(), both.confusions, strict=True):
        with place:
            display = ConfusionDisplay(counts, classes, title)
            say(display.sentence(), st.caption)
            show(display, name)


def _variation(workspace: Workspace) -> None:
    job = workspace.spread_job or workspace.start_spread()
    if completed(job, workspace.start_spread):
        chance = 1 / len(workspace.dataset.classes)
        display = DrawsDisplay(job.result, workspace.method.title, chance)
        show(display)
        say(display.sentence(), st.caption)


page(current_workspace())
