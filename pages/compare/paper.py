"""The paper's tables with ours beside them, and a LEOPARD task to run oneself."""

from __future__ import annotations

import streamlit as st

from pages.compare.leopard import leopard
from pages.session import settings
from pages.session.workspace import Workspace
from pages.widgets.chart import csv_download, show
from pages.widgets.tables import plain_table
from slp_core.evaluation.paper import PAPER_ENCODER, paper_systems
from slp_core.evaluation.report import TIE_RULE, compare
from slp_core.evaluation.stored import (
    StoredRuns,
    encoder_title,
    method_title,
    our_results,
    outcome_counts,
    paper_table,
    stored_sentence,
    titled,
)
from slp_core.figures.compare_paper import AgainstPaperDisplay
from slp_core.methods.table import METHODS

COUNTERPART = "its counterpart"
EVERY = "every one"
OPENING = ("constraintSLP", "DeepSLP", "MetaSLP-Reptile")


def paper(workspace: Workspace) -> None:
    """What the paper reports, what we get, who is ahead; and a task of one's own."""
    headline = st.container()
    stored = our_results()
    st.fragment(_beside)(stored)
    st.divider()
    st.fragment(_table)(stored)
    st.divider()
    st.fragment(leopard)(workspace)
    with headline:
        st.subheader(stored_sentence(stored))


def _beside(stored: StoredRuns | None) -> None:
    if stored is None:
        return
    summary = stored.summary
    encoders = sorted(summary["encoder"].unique())
    with st.container(horizontal=True):
        against = st.selectbox(
            "Set each of our methods beside",
            [COUNTERPART, *paper_systems()],
            help="Its counterpart is the paper's system of the same name; methods without one are "
            "left out then.",
            width=320,
            **settings.AGAINST.bound(),
        )
        if len(encoders) > 1:
            titles = {encoder_title(name): name for name in encoders}
            title = st.selectbox(
                "On our encoder", [EVERY, *titles], width=420, **settings.OUR_ENCODER.bound()
            )
            if title != EVERY:
                summary = summary[summary["encoder"] == titles[title]]
    comparison = compare(summary, None if against == COUNTERPART else against)
    if comparison.empty:
        st.caption(":material/info: No setting of ours has a figure of the paper's to go with it.")
        return
    left, right = st.columns([11, 13], gap="large")
    with left:
        titles = {name: method_title(name) for name in comparison["method"].unique()}
        show(AgainstPaperDisplay(comparison, titles, _styles(list(titles))))
    with right:
        n = comparison["n"]
        st.markdown(
            f"Means over {n.min()} to {n.max()} runs (draws × seeds) each; {TIE_RULE}. The paper's "
            f"encoder is {PAPER_ENCODER}. In the figure a mark above the diagonal is a setting in "
            "which ours is ahead; larger marks are of more shots."
        )
        with st.expander("How our figures were made"):
            for line in stored.made_by:
                st.code(line, language="bash", wrap_lines=True)
    st.markdown("**Wins, losses and ties**")
    table = titled(outcome_counts(comparison)).drop(columns="settings")
    plain_table(
        table.rename(columns={"system": "the paper's", "mean_lead": "mean lead"}),
        columns={
            "encoder": st.column_config.TextColumn("our encoder", width=360),
            "the paper's": st.column_config.TextColumn(width=150),
            "mean lead": st.column_config.NumberColumn(
                format="%+.1f", help="Points of accuracy, mean over the settings."
            ),
        },
    )


def _table(stored: StoredRuns | None) -> None:
    st.markdown("**All settings: accuracy in %, mean ± standard deviation**")
    systems = st.multiselect(
        "The paper's systems",
        paper_systems(),
        default=list(OPENING),
        placeholder="all of them",
        **settings.SYSTEMS.bound(),
    )
    table = paper_table(None if stored is None else titled(stored.summary), systems or None)
    flat = table.reset_index()
    flat.columns = [" · ".join(filter(None, map(str, name))) for name in flat.columns]
    st.dataframe(table, height=420)
    st.caption(
        "The header names the encoder. Ours with the number of runs; a dash where there is none. "
        "The paper's spread, as ours, is over the draws."
    )
    csv_download("This table (CSV)", "paper-and-ours", lambda: flat, "")


def _styles(names: list[str]) -> dict[str, int]:
    """As on the other view; a method that is not offered there comes after."""
    return {name: i for i, name in enumerate([*METHODS, *sorted(set(names) - set(METHODS))])}
