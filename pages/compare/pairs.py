"""Two methods, A and B: over draws in pairs, and on the sidebar's draw point by point."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import streamlit as st

from pages.compare.contestants import Contestant
from pages.compare.text_contestants import TextContestant
from pages.session import settings
from pages.session.workspace import Workspace
from pages.shell.navigation import script
from pages.widgets.chart import csv_download, pick_row, show
from slp_core.evaluation.comparison import (
    RESAMPLES,
    SEED,
    PairedDifference,
    in_sentence,
    paired_difference,
)
from slp_core.evaluation.method_runs import MethodRuns, asked
from slp_core.evaluation.pointwise import agreement, confusion, mcnemar, won_points
from slp_core.figures.compare_draws import PairedDisplay
from slp_core.figures.compare_methods import AgreementDisplay
from slp_core.figures.confusion import ConfusionDisplay


def pair(
    workspace: Workspace, contest: Sequence[Contestant], runs: Mapping[str, MethodRuns]
) -> None:
    """A fragment: choosing A and B leaves the rest of the page alone."""
    if settings.LEAVING.value:
        settings.LEAVING.set(False)
        # {} rather than nothing, which refuses to clear what widgets are bound to
        st.switch_page(script("explain"), query_params={})
    if len(contest) < 2:
        st.caption(":material/info: Choose a second method to compare the two in pairs.")
        return
    by_title = {each.title: each for each in contest}
    a, b = _choose(list(by_title))
    if a == b:
        st.caption(":material/info: A and B are the same: choose two.")
        return
    for title in (a, b):
        if title not in runs:
            st.caption(f":material/info: {title} has no run so far.")
            return
    here = {title: run for title, run in runs.items() if workspace.draw in run.draws}
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
    split = mcnemar(a, b, *runs[a].on(workspace.draw), runs[b].on(workspace.draw)[1])
    st.markdown(f"**Point by point on draw {workspace.draw}**")
    st.markdown(split.sentence())
    st.table(split.table())
    for column, side, title, accuracy in zip(
        st.columns(2, gap="large"), "AB", (a, b), split.accuracy, strict=True
    ):
        with column:
            st.markdown(f"**{side}: {title}**, {accuracy:.1%} of {split.total:,} on this draw")
            _confusion(workspace, side, by_title[title], runs[title])
    st.markdown(f"**{split.won_sentence()}**")
    if split.only_a:
        _points(workspace, by_title[a], by_title[b], runs)


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


def _differences(difference: PairedDifference) -> None:
    st.markdown(f"**{difference.sentence()}**")
    show(PairedDisplay(difference))
    n = len(difference.draws)
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
    answers = [run.on(workspace.draw)[1] for run in runs.values()]
    show(AgreementDisplay(agreement(answers), list(runs)))
    m = len(answers[0])
    st.caption(f"Share of the {m:,} query points that both answer the same, rightly or wrongly.")


def _confusion(workspace: Workspace, side: str, contestant: Contestant, runs: MethodRuns) -> None:
    classes = workspace.dataset.classes
    counts = confusion(*runs.on(workspace.draw), len(classes))
    key = f"{contestant.key(workspace.shots)} {workspace.draw}"
    show(ConfusionDisplay(counts, classes, contestant.title, key=key), f"confusion {side}")


def _points(
    workspace: Workspace, a: Contestant, b: Contestant, runs: Mapping[str, MethodRuns]
) -> None:
    """The points on which A is right and B is wrong; a row leads to Explain, with B."""
    true, answers_b = runs[b.title].on(workspace.draw)
    rows = asked(workspace.episode, b.most_query)
    answers_a = runs[a.title].on(workspace.draw)[1]
    table = won_points(workspace.dataset, rows, true, answers_a, answers_b)
    to_explain, said = _what_explain_can_do(workspace, b)
    st.caption(said)

    def leave(row: int) -> None:
        b.explain(row)
        settings.LEAVING.set(True)

    pick_row(
        table,
        table["row"].tolist(),
        f"won {a.key(workspace.shots)} {b.key(workspace.shots)} {workspace.draw}",
        leave if to_explain else None,
        column_config={"A": f"A: {a.title}", "B": f"B: {b.title}"},
    )
    csv_download("These points (CSV)", "points", lambda: table, "data")


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
