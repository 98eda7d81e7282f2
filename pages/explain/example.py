"""The selected example: a summary, how it is predicted, and counterfactuals."""

from __future__ import annotations

import streamlit as st

from pages.explain.data import Chosen, counterfactuals_of
from pages.session import settings
from pages.session.workspace import Workspace
from pages.widgets.example import example_image
from pages.widgets.job_progress import completed
from pages.widgets.pickers import second_number
from pages.widgets.say import say
from pages.widgets.shots import shot_menu, start_influence
from pages.widgets.way import row_way, typed_way
from slp_core.explain import Causes
from slp_core.explain.shots import ShotInfluences
from slp_core.explain.text import (
    cause_text,
    correcting_shot_text,
    correcting_shots_text,
    counterfactual_text,
    place_text,
    point_text,
    prediction_text,
    surroundings_text,
)
from slp_core.markdown import quoted

_LONGEST = 110  # letters of the example in the summary
_SHOTS = 3  # that are listed


def example_summary(workspace: Workspace, causes: Causes, chosen: Chosen) -> None:
    """The example and its prediction in a few lines, beside the chart."""
    with st.container(border=True, key="in short"), st.container(key="in short text"):
        st.markdown(f"**{chosen.title}**  \n{quoted(chosen.words, _LONGEST)}")
        example_image(workspace.dataset, chosen.row)
        say(prediction_text(chosen.reading), after=f" {_cause(workspace, causes, chosen)}")


def example_details(workspace: Workspace, causes: Causes, chosen: Chosen) -> None:
    """How the example is predicted, with another example's below, and counterfactuals."""
    if chosen.row is not None:
        row_way(workspace, chosen.row, "first")
    elif chosen.typed is not None:
        typed_way(workspace, chosen.typed, chosen.x, "first")
    second = second_number(workspace)
    if second is not None and second != chosen.row:
        row_way(workspace, second, "second")
    left, right = st.columns(2, gap="large")
    with left:
        st.markdown(f"**{chosen.title}**{chosen.reason}")
        say(f"{point_text(chosen.reading)} {_cause(workspace, causes, chosen)}".rstrip())
        say(f"{place_text(chosen.reading)} {surroundings_text(chosen.reading)}", st.caption)
        on_map = settings.FOLDS["map"].value and chosen.row in workspace.episode.support
        if chosen.row is not None and not on_map:  # beside which the menu of a shot is
            shot_menu(workspace, chosen.row)
    with right:
        st.markdown("**Counterfactuals**")
        found = counterfactuals_of(workspace, chosen)
        for item in found.items:
            text = counterfactual_text(item, found.reading)
            say(text, before=_mark(item.predicted, chosen))
        _correcting_shots(workspace, chosen)


def _correcting_shots(workspace: Workspace, chosen: Chosen) -> None:
    """For a misclassified query example: the shots without which it is predicted correctly."""
    place = None if chosen.row is None else workspace.episode.place_of(chosen.row)
    if place is None or chosen.reading.predicted == chosen.reading.true:
        return
    job = start_influence(workspace)
    if not completed(job, lambda: start_influence(workspace, again=True)):
        return
    found: ShotInfluences = job.result
    say(correcting_shots_text(found, place))
    for shot in found.correcting(place)[:_SHOTS].tolist():
        words = workspace.texts[int(workspace.episode.support[shot])]
        say(correcting_shot_text(found, shot, words), before=":material/check: ")


def _cause(workspace: Workspace, causes: Causes, chosen: Chosen) -> str:
    """The cause of this example's error, if it is a query example."""
    place = None if chosen.row is None else workspace.episode.place_of(chosen.row)
    return "" if place is None else cause_text(causes, place)


def _mark(predicted: int | None, chosen: Chosen) -> str:
    if predicted is None or predicted == chosen.reading.predicted:
        return ":material/remove: "
    correct = predicted == chosen.reading.true
    return f":material/{'check' if correct else 'swap_horiz'}: "
