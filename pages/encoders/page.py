"""Encoders: the same data through two of them, what meta-training did, and how it does it."""

from __future__ import annotations

from typing import get_args

import streamlit as st

import slp_core as slp
from pages.encoders.cards import cards, training_curves
from pages.encoders.code import code
from pages.encoders.data import (
    accuracy_job,
    change_of,
    defaults,
    everywhere_job,
    moves_of,
    tunable,
)
from pages.encoders.neighbours import neighbours, shown_row
from pages.encoders.parts import (
    ACCURACY,
    ALWAYS,
    CARDS,
    CHECKPOINT,
    EPISODE,
    EVERYWHERE,
    MOVES,
    OF_TEXTS,
    TRAINING,
    TUNING,
)
from pages.encoders.tuning import tune_here
from pages.encoders.upload import upload
from pages.session import settings
from pages.session.available_encoders import other_encoders
from pages.session.code import offer_code
from pages.session.selection import choose_row
from pages.session.workspace import Workspace
from pages.shell.frame import current_workspace
from pages.widgets.chart import show
from pages.widgets.controls import controls
from pages.widgets.encoding import encoded_or_offered
from pages.widgets.episode import episode
from pages.widgets.job_progress import completed
from pages.widgets.parts import folded, heading, list_parts
from pages.widgets.say import say
from pages.widgets.tables import plain_table, small_table
from slp_core.diagnostics.encoders import EncoderChange, unseen_facts
from slp_core.encoders.choice import EncoderChoice
from slp_core.evaluation.text import encoder_extremes_text, encoder_gain_text
from slp_core.figures.encoder_accuracy import (
    AccuracyByShotsDisplay,
    ClassDistancesDisplay,
    accuracy_pivot,
)
from slp_core.figures.encoder_change import Parts

PLANES = {"of all points": False, "of the class means": True}
WHOLE = "as one text"
MOST_CLASSES = 6  # that a picture with every point's arrow still shows


def page(workspace: Workspace) -> None:
    """Before and after, accuracy, neighbours, an episode, and every encoder's card."""
    if workspace.dataset.kind == "numeric":
        st.subheader(
            "Encoders turn texts into vectors; this dataset is numbers, which are vectors already."
        )
        st.caption("Choose a dataset of texts in the sidebar to see it through two of them.")
    else:
        _comparison(workspace)
        st.fragment(folded)(EPISODE, episode, workspace)
    st.fragment(folded)(TRAINING, training_curves)
    st.fragment(folded)(CARDS, cards)
    st.fragment(folded)(CHECKPOINT, upload, workspace.encoder_name)


def _comparison(workspace: Workspace) -> None:
    headline = st.container()
    with controls():
        before, after = _two(workspace)
    offer_code(lambda: code(workspace, before, after), workspace)
    missing = [w for w in (before, after) if not w.encoded]
    if missing:
        say(unseen_facts([w.encoder.info.title for w in missing]), headline.subheader)
        for each in missing:
            encoded_or_offered(each)
        return
    change = change_of(before, after)
    say(change.facts(), headline.subheader)
    with headline:
        list_parts((*OF_TEXTS, *ALWAYS))
    with st.container():  # of any number of sentences, and what follows stays where it is
        _what_they_are(workspace, before, after)
    st.fragment(_before_and_after)(before, after, change)
    st.divider()
    st.fragment(_accuracy)(before, after)
    st.fragment(folded)(EVERYWHERE, _everywhere, before, after)
    st.fragment(folded)(TUNING, tune_here, tunable(after))


def _what_they_are(workspace: Workspace, before: Workspace, after: Workspace) -> None:
    """What a support set weights, and whether the two are one."""
    for each in {before.encoder_name: before, after.encoder_name: after}.values():
        if each.encoder_name == workspace.encoder_name:  # of which the page's head says it
            continue
        if weights := each.weights_text():
            say(weights, st.caption, before=":material/balance: ")
    if before.data_key == after.data_key:
        st.caption(":material/info: Both sides are the same encoder: nothing moves.")


def _two(workspace: Workspace) -> tuple[Workspace, Workspace]:
    """The two encoders: what is before, and what is after."""
    before, after = defaults(workspace)
    left, right = st.columns(2)
    with left.container(horizontal=True, vertical_alignment="bottom"):
        first = _one(workspace, "before", before)
    with right.container(horizontal=True, vertical_alignment="bottom"):
        second = _one(workspace, "after", after)
    return first, second


def _one(workspace: Workspace, when: str, default: str) -> Workspace:
    title, name = workspace.encoder.info.title, workspace.encoder_name
    setting = settings.setting_of(when, name)
    fitting = {title: name} | other_encoders(workspace, setting)
    first = next((title for title, n in fitting.items() if n == default), title)
    titles = [first, *(title for title in fitting if title != first)]
    picked = st.selectbox(
        when.capitalize(),
        help="Both read the same texts, and their vectors are normalised alike.",
        **setting.bound(first, options=titles),
    )
    return workspace.through(str(_with_options(when, EncoderChoice.of(fitting[picked]))))


def _with_options(when: str, choice: EncoderChoice) -> EncoderChoice:
    """An encoder with the options that are chosen here, where its title names none."""
    options = slp.load_encoder(choice.name).info.options
    if not options or choice.combine or choice.chunks:
        return choice
    combine = None
    with st.popover("Options", icon=":material/tune:", width="content"):
        if "combine" in options:
            setting = settings.setting_of(when, "combine", choice.name)
            bound = setting.bound("none", options=list(settings.COMBINES))
            combine = settings.COMBINES[st.selectbox("Combine with MiniLM", **bound)]
        setting = settings.setting_of(when, "chunks", choice.name)
        bound = setting.bound(WHOLE, options=[WHOLE, "in chunks"])
        chunks = st.selectbox("Long texts", **bound)
    return EncoderChoice(choice.name, combine, chunks != WHOLE)


def _before_and_after(before: Workspace, after: Workspace, change: EncoderChange) -> None:
    """The arrows, and how the classes stand."""
    heading(MOVES)
    left, right = st.columns([13, 9], gap="large")
    with left:
        plane, parts = _what_is_shown(before)
        moves = moves_of(before, after, change, PLANES[plane], parts, shown_row(before, change))
        show(moves, on_click=choose_row)
        say((*moves.facts(), *moves.caption_facts()), st.caption)
    with right:
        st.markdown("**How far apart the classes stand**")
        display = ClassDistancesDisplay(change)
        show(display)
        small_table(display.before_and_after())
        say(change.distances_facts(), st.caption)
    neighbours(before, after, change)


def _what_is_shown(workspace: Workspace) -> tuple[str, Parts]:
    """The plane, and what gets arrows: with many classes only the centroids, to begin with."""
    many = len(workspace.dataset.classes) > MOST_CLASSES
    size = "many" if many else "few"
    with st.container(horizontal=True):
        plane = st.segmented_control(
            "On the plane that shows most",
            required=True,
            help="Of all points: the first two principal components of both spaces, laid over "
            "each other. Of the class means: those of the means, where classes part most clearly.",
            **settings.setting_of("plane", size).bound(
                list(PLANES)[many], options=list(PLANES), opens="default"
            ),
        )
        parts = st.segmented_control(
            "Arrows of",
            required=True,
            **settings.setting_of("arrows", size).bound(
                "centroids" if many else "all points",
                options=get_args(Parts),
                opens="default",
            ),
        )
    return plane, parts


def _accuracy(before: Workspace, after: Workspace) -> None:
    """Three methods under both encoders, at each number of shots, over the draws."""
    heading(ACCURACY)
    job = accuracy_job(before, after)
    if not completed(job, lambda: accuracy_job(before, after, again=True)):
        return
    display = AccuracyByShotsDisplay(job.result)
    show(display)
    more = (
        " Means over the draws of each number of shots, with one standard deviation (ddof 0); "
        "methods with the options that they start with."
    )
    say(display.sentence(), st.caption, after=more)


def _everywhere(before: Workspace, after: Workspace) -> None:
    """Nearest centroid on every bundled dataset, for whoever asks."""
    job = everywhere_job(before, after)
    if not completed(job, lambda: everywhere_job(before, after, again=True)):
        return
    gain = job.result.summary()
    say(encoder_gain_text(gain))
    say(encoder_extremes_text(gain))
    plain_table(accuracy_pivot(job.result))
    st.caption(
        "Nearest centroid, % of query points right before → after, mean over the draws of each "
        "number of shots; datasets that both encoders have seen already."
    )


page(current_workspace())
