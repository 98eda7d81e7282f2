"""The paper's tables with ours beside them, and a LEOPARD task to run oneself."""

from __future__ import annotations

from typing import Any

import pandas as pd
import streamlit as st

from pages.compare.leopard import leopard
from pages.session import settings
from pages.session.workspace import Workspace
from pages.widgets.chart import csv_download, show
from pages.widgets.say import say
from pages.widgets.tables import NO_VALUE, plain_table
from slp_core.evaluation.paper import PAPER_ENCODER, paper_systems
from slp_core.evaluation.report import compare, outcome_counts
from slp_core.evaluation.stored import (
    StoredRuns,
    encoder_title,
    means_facts,
    method_title,
    our_results,
    paper_facts,
    paper_table,
    titled,
)
from slp_core.figures.compare_paper import AgainstPaperDisplay
from slp_core.methods.table import METHODS

COUNTERPART = "its counterpart"
EVERY = "every one"
MAIN, MAIN_ENCODER = settings.OUR_METHOD.default, "minilm-l4"
OPENING = ("constraintSLP", "DeepSLP", "MetaSLP-Reptile")


def paper(workspace: Workspace) -> None:
    """What the paper reports, what we get, who is ahead; and a task of one's own."""
    stored = our_results()
    st.fragment(_tables)(stored)
    st.divider()
    st.fragment(leopard)(workspace)


def _tables(stored: StoredRuns | None) -> None:
    """A fragment: one of our methods on one encoder beside the paper's, or several."""
    summary = None
    if stored is None:
        say(paper_facts(None), st.subheader)
    else:
        headline = st.container()
        against, summary = _choose(stored.summary)
        _beside(stored, headline, compare(summary, None if against == COUNTERPART else against))
    st.divider()
    _table(summary)


def _beside(stored: StoredRuns, headline: Any, comparison: pd.DataFrame) -> None:
    with headline:
        say(paper_facts(comparison), st.subheader)
    if comparison.empty:
        return
    several = comparison["encoder"].nunique() > 1
    if several:  # their names need the page's whole width
        left, right = st.container(), st.container()
    else:
        left, right = st.columns([11, 13], gap="large")
    with left:
        titles = {name: method_title(name) for name in comparison["method"].unique()}
        display = AgainstPaperDisplay(comparison, titles, _styles(list(titles)))
        show(display)
    with right:
        st.markdown("**Wins, losses and ties**")
        table = titled(outcome_counts(comparison)).sort_values("encoder", kind="stable")
        columns = ["method", "wins", "losses", "ties", "mean_lead", "system"]
        columns = ["encoder", *columns] if several else [*columns, "encoder"]
        plain_table(
            table[columns],
            columns={
                "encoder": st.column_config.TextColumn("our encoder", width=360),
                "method": st.column_config.TextColumn("our method", width=190),
                "mean_lead": st.column_config.NumberColumn(
                    "mean lead",
                    format="%+.1f",
                    help="Points of accuracy, mean over the settings.",
                ),
                "system": st.column_config.TextColumn("the paper's", width=150),
            },
        )
        say((*display.facts(), *means_facts(comparison)))
        st.markdown(f"The paper's encoder is {PAPER_ENCODER}.")
        with st.expander("How our figures were made"):
            for line in stored.made_by:
                st.code(line, language="bash", wrap_lines=True)


def _choose(summary: pd.DataFrame) -> tuple[str, pd.DataFrame]:
    """What to set ours beside, and the rows of ours that are asked for."""
    names = summary["method"].unique()
    methods = {method_title(name): name for name in METHODS if name in names}
    with st.container(horizontal=True):
        method = st.selectbox(
            "Our method",
            **settings.OUR_METHOD.bound(
                MAIN if MAIN in methods else EVERY, options=[EVERY, *methods]
            ),
        )
        if method != EVERY:
            summary = summary[summary["method"] == methods[method]]
        against = st.selectbox(
            "beside the paper's",
            help="The counterpart is the paper's system of the same name; methods without one are "
            "left out then.",
            **settings.AGAINST.bound(options=[COUNTERPART, *paper_systems()]),
        )
        encoders = {encoder_title(name): name for name in sorted(summary["encoder"].unique())}
        main = encoder_title(MAIN_ENCODER)
        encoder = st.selectbox(
            "on our encoder",
            **settings.OUR_ENCODER.bound(
                main if main in encoders else EVERY, options=[EVERY, *encoders]
            ),
        )
    if encoder != EVERY:
        summary = summary[summary["encoder"] == encoders[encoder]]
    return against, summary


def _table(summary: pd.DataFrame | None) -> None:
    st.markdown("**All settings: accuracy in %, mean ± standard deviation**")
    systems = st.multiselect(
        "The paper's systems",
        placeholder="all of them",
        **settings.SYSTEMS.bound(list(OPENING), options=paper_systems(), opens="default"),
    )
    table = paper_table(None if summary is None else titled(summary), systems or None)
    flat = table.reset_index()
    flat.columns = [" · ".join(filter(None, map(str, name))) for name in flat.columns]
    st.dataframe(table, height=420, placeholder=NO_VALUE)
    st.caption(
        "The header names the encoder. Ours as they are chosen above, with the number of runs, "
        "over draws and seeds; a dash where there is none."
    )
    csv_download("This table (CSV)", "paper-and-ours", lambda: flat, "")


def _styles(names: list[str]) -> dict[str, int]:
    """As on the other view; a method that is not offered there comes after."""
    return {name: i for i, name in enumerate([*METHODS, *sorted(set(names) - set(METHODS))])}
