"""Encoders: the same data through two of them, what meta-training did, and how it does it."""

from __future__ import annotations

from typing import Any, get_args

import streamlit as st

from pages.encoders.cards import cards
from pages.encoders.data import (
    change_of,
    defaults,
    fitting_encoders,
    moves_of,
    seen_through,
    start_accuracy,
    start_everywhere,
)
from pages.encoders.episode import episode
from pages.encoders.neighbours import neighbours
from pages.encoders.tuning import tune_here
from pages.encoders.upload import upload
from pages.session import settings
from pages.session.available_encoders import chosen_encoder
from pages.session.workspace import Workspace, failure
from pages.shell.frame import current_workspace
from pages.widgets.chart import chart, theme
from pages.widgets.job_progress import watch
from pages.widgets.map import follow_click
from slp_core.diagnostics.encoders import EncoderChange
from slp_core.figures import encoder_accuracy as classes
from slp_core.figures import encoder_change as figures
from slp_core.figures.encoder_change import Moves, Parts
from slp_core.markdown import named

PLANES = {"of all points": False, "of the class means": True}
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
        st.divider()
        st.fragment(episode)(workspace)
    st.divider()
    st.fragment(upload)(workspace.encoder_name)
    st.fragment(cards)()


def _comparison(workspace: Workspace) -> None:
    headline = st.container()
    before, after = _two(workspace)
    missing = [w for w in (before, after) if not w.encoded]
    if missing:
        titles = " and ".join(named(w.encoder.info.title) for w in missing)
        headline.subheader(
            f"{titles} {'has' if len(missing) == 1 else 'have'} not seen these data."
        )
        for each in missing:
            _offer_encoding(each)
        return
    change = change_of(before, after)
    headline.subheader(change.sentence())
    if before.data_key == after.data_key:
        st.caption(":material/info: Both sides are the same encoder: nothing moves.")
    st.fragment(_before_and_after)(before, after, change)
    st.divider()
    st.fragment(_accuracy)(before, after)
    st.fragment(_everywhere)(before, after)
    st.divider()
    st.fragment(tune_here)(after)


def _two(workspace: Workspace) -> tuple[Workspace, Workspace]:
    """The two encoders: what is before, and what is after."""
    fitting, chosen, own = fitting_encoders(workspace), [], workspace.encoder_name
    for column, when, name in zip(
        st.columns(2), ("before", "after"), defaults(workspace), strict=True
    ):
        first = next((title for title, n in fitting.items() if n == name), next(iter(fitting)))
        titles = [first, *(title for title in fitting if title != first)]
        with column:
            title = st.selectbox(
                when.capitalize(),
                titles,
                help="Both read the same texts, and their vectors are normalised alike.",
                **chosen_encoder(when, own).bound(),
            )
        chosen.append(seen_through(workspace, fitting[title]))
    return chosen[0], chosen[1]


def _offer_encoding(workspace: Workspace) -> None:
    """Encoding takes time where the vectors are not at hand: asked for, then followed."""
    title = workspace.encoder.info.title
    job = workspace.encoding_job

    if job is not None and job.running:
        watch(job, can_cancel=True)
        return
    if job is not None and job.error is not None:
        st.warning(failure(job), icon=":material/error:")
    st.button(
        f"Encode {len(workspace.dataset):,} examples with {title}",
        on_click=workspace.start_encoding,
        icon=":material/play_arrow:",
        help="Takes some time, once.",
        key=f"encode {workspace.data_key}",
    )


def _before_and_after(before: Workspace, after: Workspace, change: EncoderChange) -> None:
    """The arrows, and how the classes stand."""
    look = theme()
    left, right = st.columns([13, 9], gap="large")
    with left:
        st.markdown("**Where every point goes**")
        plane, parts = _what_is_shown(before)
        moves = moves_of(before, after, change, PLANES[plane], parts)
        key = f"{before.model_key} {after.data_key} {plane} {parts} {look.name}"
        event = chart(
            _moves_figure(key, moves, look),
            lambda: figures.moves_table(moves),
            "moves",
            alt=change.moves_sentence(),
            on_select="rerun",
            selection_mode="points",
        )
        follow_click(event)
        st.caption(f"{change.moves_sentence()} {moves.caption()}")
    with right:
        st.markdown("**How far apart the classes stand**")
        table = change.table()
        chart(
            classes.class_distances_figure(change, look),
            lambda: table,
            "class distances",
            alt=change.sentence(),
        )
        st.dataframe(
            classes.class_distances_table(change),
            hide_index=True,
            height=min(320, 38 + 35 * len(table)),
        )
        st.caption(
            f"Of all {len(before.dataset):,} points, support and query: mean distance to the mean "
            "of their own class, and of that mean from the other classes' means."
        )
    neighbours(before, after, change)


def _what_is_shown(workspace: Workspace) -> tuple[str, Parts]:
    """The plane, and what gets arrows: with many classes only the centroids, to begin with."""
    many = len(workspace.dataset.classes) > MOST_CLASSES
    size = "many" if many else "few"
    with st.container(horizontal=True):
        plane = st.segmented_control(
            "On the plane that shows most",
            list(PLANES),
            default=list(PLANES)[many],
            required=True,
            help="Of all points: the first two principal components of both spaces, laid over "
            "each other. Of the class means: those of the means, where classes part most clearly.",
            **settings.setting_of("plane", size).bound(),
        )
        parts = st.segmented_control(
            "Arrows of",
            get_args(Parts),
            default="centroids" if many else "all points",
            required=True,
            **settings.setting_of("arrows", size).bound(),
        )
    return plane, parts


@st.cache_resource(max_entries=12, show_spinner=False)
def _moves_figure(key: str, _moves: Moves, _theme: Any) -> Any:
    return figures.moves_figure(_moves, _theme)


def _accuracy(before: Workspace, after: Workspace) -> None:
    """Three methods under both encoders, at each number of shots, over the draws."""
    st.markdown("**Accuracy under both**")
    job = start_accuracy(before, after)
    job.wait(0.4)
    if job.error is not None:
        st.warning(failure(job), icon=":material/info:")
        return
    if not job.ready:
        watch(job)
        return
    found = job.result
    chart(
        classes.accuracy_figure(found, theme()),
        found.table,
        "accuracy by shots",
        alt=found.sentence(),
    )
    st.caption(
        f"{found.sentence()} Means over the draws of each number of shots, with one standard "
        "deviation; methods with the options that they start with."
    )


def _everywhere(before: Workspace, after: Workspace) -> None:
    """Nearest centroid on every bundled dataset, for whoever asks."""
    fold = st.expander("On every bundled dataset", key="every dataset", on_change="rerun")
    if not fold.open:
        return
    with fold:
        job = start_everywhere(before, after)
        job.wait(0.3)
        if job.error is not None:
            st.warning(failure(job), icon=":material/info:")
            return
        if not job.ready:
            watch(job)
            return
        found = job.result
        st.markdown(found.sentence())
        st.dataframe(classes.accuracy_pivot(found), hide_index=True, height="content")
        st.caption(
            "Nearest centroid, % of query points right before → after, mean over the draws of each "
            "number of shots; datasets that both encoders have seen already."
        )


page(current_workspace())
