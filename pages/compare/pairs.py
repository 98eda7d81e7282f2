"""Two methods, A and B: over draws in pairs, and on the sidebar's draw point by point."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd
import streamlit as st

from pages.compare.contestants import Contestant
from pages.compare.text_contestants import TextContestant
from pages.session import settings
from pages.session.workspace import Workspace
from pages.widgets.chart import chart, theme
from slp_core.evaluation.comparison import (
    RESAMPLES,
    SEED,
    PairedDifference,
    in_sentence,
    paired_difference,
)
from slp_core.evaluation.method_runs import MethodRuns, asked
from slp_core.evaluation.pointwise import McNemar, agreement, confusion, mcnemar
from slp_core.figures import compare_methods as more
from slp_core.figures.compare_draws import paired_figure, paired_table
from slp_core.figures.confusion import confusion_figure, confusion_table


def pair(
    workspace: Workspace, contest: Sequence[Contestant], runs: Mapping[str, MethodRuns]
) -> None:
    """A fragment: choosing A and B leaves the rest of the page alone."""
    if settings.LEAVING.value:
        settings.LEAVING.set(False)
        # {} rather than nothing, which refuses to clear what widgets are bound to
        st.switch_page("pages/explain/page.py", query_params={})
    if len(contest) < 2:
        st.caption(":material/info: Choose a second method to compare the two in pairs.")
        return
    by_title = {one.title: one for one in contest}
    a, b = _choose(list(by_title))
    if a == b:
        st.caption(":material/info: A and B are the same: choose two.")
        return
    for title in (a, b):
        if title not in runs:
            st.caption(f":material/info: {title} has no run so far.")
            return
    here = {title: found for title, found in runs.items() if workspace.draw in found.draws}
    left, right = st.columns(2, gap="large")
    with left:
        if set(runs[a].draws) & set(runs[b].draws):
            _differences(paired_difference(a, b, runs[a], runs[b]))
        else:
            st.caption(":material/info: A and B share no draw so far.")
    with right:
        _agreement(workspace, here, [title for title in runs if title not in here])
    if a not in here or b not in here:
        return
    true, answers_a = runs[a].on(workspace.draw)
    _, answers_b = runs[b].on(workspace.draw)
    split = mcnemar(a, b, true, answers_a, answers_b)
    st.markdown(f"**Point by point on draw {workspace.draw}**")
    st.markdown(split.sentence())
    _split(split)
    _confusions(workspace, {a: answers_a, b: answers_b}, true)
    _points(workspace, by_title[a], by_title[b], true, answers_a, answers_b)


def _choose(titles: list[str]) -> tuple[str, str]:
    left, right = st.columns(2, gap="large")
    a = left.selectbox("A", titles, index=1, **settings.METHOD_A.bound())
    b = right.selectbox(
        "B",
        titles,
        help="Below are the points on which A is right and B is wrong.",
        **settings.METHOD_B.bound(),
    )
    return a, b


def _differences(found: PairedDifference) -> None:
    st.markdown(f"**{found.sentence()}**")
    chart(
        paired_figure(found, theme()),
        lambda: paired_table(found),
        "paired differences",
        alt=found.sentence(),
    )
    n = len(found.draws)
    st.caption(
        f"One mark a draw, n = {n}. The upright is the mean, the band its 95% interval by "
        f"bootstrap over the draws (BCa, {RESAMPLES:,} resamples, seed {SEED}): how far the lead "
        "is luck of the support set, on these query points."
        if n > 1
        else "One mark, n = 1: no spread can be had from one draw."
    )


def _agreement(
    workspace: Workspace, runs: Mapping[str, MethodRuns], without: Sequence[str]
) -> None:
    st.markdown(f"**Who answers alike on draw {workspace.draw}**")
    if without:
        st.caption(f":material/info: Without draw {workspace.draw} so far: {', '.join(without)}.")
    if not runs:
        return
    same = agreement([found.on(workspace.draw)[1] for found in runs.values()])
    names = list(runs)
    chart(
        more.agreement_figure(same, names, theme()),
        lambda: more.agreement_table(same, names),
        "agreement",
        alt=f"Share of query points that pairs of {len(names)} methods answer alike",
    )
    m = len(next(iter(runs.values())).on(workspace.draw)[0])
    st.caption(f"Share of the {m:,} query points that both answer the same, rightly or wrongly.")


def _split(split: McNemar) -> None:
    st.table(
        pd.DataFrame(
            {
                f"{split.b} right": [f"{split.both:,}", f"{split.only_b:,}"],
                f"{split.b} wrong": [f"{split.only_a:,}", f"{split.neither:,}"],
            },
            index=[f"{split.a} right", f"{split.a} wrong"],
        )
    )


def _confusions(workspace: Workspace, answers: Mapping[str, np.ndarray], true: np.ndarray) -> None:
    classes = workspace.dataset.classes
    for column, (side, (title, given)) in zip(
        st.columns(2, gap="large"), zip("AB", answers.items(), strict=True), strict=True
    ):
        with column:
            right = float((given == true).mean())
            st.markdown(f"**{side}: {title}**, {right:.1%} of {len(true):,} on this draw")
            counts = confusion(true, given, len(classes))
            chart(
                _confusion(f"{counts.tobytes()!r} {classes} {theme().name}", counts, classes),
                lambda counts=counts: confusion_table(counts, classes),
                f"confusion {side}",
                alt=f"{title}: where its answers go",
            )


@st.cache_resource(max_entries=24, show_spinner=False)
def _confusion(key: str, _counts: np.ndarray, _classes: Sequence[str]) -> Any:
    return confusion_figure(_counts, _classes, theme())


def _points(
    workspace: Workspace,
    a: Contestant,
    b: Contestant,
    true: np.ndarray,
    answers_a: np.ndarray,
    answers_b: np.ndarray,
) -> None:
    """The points on which A is right and B is wrong; a row leads to Explain, with B."""
    here = np.flatnonzero((answers_a == true) & (answers_b != true))
    n, first, second = len(here), in_sentence(a.title), in_sentence(b.title)
    if not n:
        st.markdown(f"**There is no point on which {first} is right and {second} wrong.**")
        return
    points = "The one query point" if n == 1 else f"The {n:,} query points"
    st.markdown(f"**{points} on which {first} is right and {second} wrong**")
    names = np.array(workspace.dataset.classes)
    rows = asked(workspace.episode, b.most_query)[here]
    table = pd.DataFrame(
        {
            "row": rows,
            "text": [workspace.dataset.describe(row) for row in rows.tolist()],
            "true": names[true[here]],
            "A": names[answers_a[here]],
            "B": names[answers_b[here]],
        }
    )
    to_explain, said = _what_explain_can_do(workspace, b)
    st.caption(said)
    key = f"won {a.key(workspace.shots)} {b.key(workspace.shots)} {workspace.draw}"

    def leave() -> None:
        ticked: Any = st.session_state[key].selection.rows
        if ticked:
            b.explain(int(rows[ticked[0]]))
            settings.LEAVING.set(True)

    choosing = {"on_select": leave, "selection_mode": "single-row"} if to_explain else {}
    st.dataframe(
        table,
        hide_index=True,
        height=min(402, 38 + 35 * n),
        key=key,
        **choosing,
        column_config={
            "A": st.column_config.TextColumn(f"A: {a.title}"),
            "B": st.column_config.TextColumn(f"B: {b.title}"),
        },
    )
    st.download_button(
        "These points (CSV)",
        lambda: table.to_csv(index=False).encode(),
        "points.csv",
        "text/csv",
        icon=":material/download:",
        on_click="ignore",
    )


def _what_explain_can_do(workspace: Workspace, b: Contestant) -> tuple[bool, str]:
    """Whether a row leads to Explain, and what is said of that."""
    second = in_sentence(b.title)
    if isinstance(b, TextContestant):
        return True, (
            f"Explain takes answers apart that come from an encoder's vectors, and {second} trains "
            "the encoder itself: tick a row to see there where "
            f"{workspace.encoder.info.title} has it, as {workspace.method.title}, the sidebar's "
            "method, answers it."
        )
    if b.workspace.encoder_name == workspace.encoder_name:
        return True, f"Tick a row to have Explain take {second}'s answer apart."
    return False, (
        f"Explain looks through the sidebar's encoder, {workspace.encoder.info.title}: choose "
        f"{b.workspace.encoder.info.title} there to take {second}'s answers apart."
    )
