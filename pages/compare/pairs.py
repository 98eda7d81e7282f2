"""Two methods, A and B: over draws in pairs, and on the sidebar's draw point by point."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import streamlit as st

from pages.compare.contestants import Contestant
from pages.compare.parts import PAIR, POINTS
from pages.compare.text_contestants import TextContestant
from pages.compare.texts import out_of_sight_facts, read_as_facts, taken_apart_facts
from pages.session import settings
from pages.session.workspace import Workspace
from pages.shell.navigation import script
from pages.widgets.chart import csv_download, pick_row, show
from pages.widgets.parts import folded, heading
from pages.widgets.say import say
from slp_core.evaluation.comparison import shared_draws
from slp_core.evaluation.method_runs import MethodRuns, asked
from slp_core.evaluation.paired import paired_difference
from slp_core.evaluation.pointwise import agreement, alike_facts, confusion, mcnemar, won_points
from slp_core.facts import Facts
from slp_core.figures.compare_draws import PairedDisplay
from slp_core.figures.compare_methods import AgreementDisplay
from slp_core.figures.confusion import ConfusionDisplay
from slp_core.markdown import literal


def pair(
    workspace: Workspace,
    contest: Sequence[Contestant],
    shown: Mapping[str, MethodRuns],
    runs: Mapping[str, MethodRuns],
) -> None:
    """A fragment: choosing A and B leaves the rest of the page alone."""
    if settings.LEAVING.value:
        settings.LEAVING.set(False)
        st.switch_page(script("explain"))
    heading(PAIR)
    if len(contest) < 2:
        st.caption(":material/info: Choose a second method to compare the two in pairs.")
        return
    by_title = {each.title: each for each in contest}
    a, b = _choose(list(by_title))
    both = [by_title[a].workspace, by_title[b].workspace]
    here = {title: run for title, run in runs.items() if workspace.draw in run.draws}
    left, right = st.columns(2, gap="large")
    with left:
        if why := _no_differences(a, b, shown):
            st.caption(f":material/info: {why}")
        else:
            same_query = workspace.dataset.query_pool is not None
            difference = paired_difference(a, b, shown[a], shown[b])
            say(difference.facts(), before="**", after="**")
            show(PairedDisplay(difference), workspace=both)
            say(difference.interval_facts(same_query), st.caption)
    with right:
        of = [by_title[title].workspace for title in here]
        _agreement(workspace, here, of, [title for title in runs if title not in here])
    if a != b and a in here and b in here:
        folded(POINTS, _point_by_point, workspace, by_title[a], by_title[b], runs)


def _point_by_point(
    workspace: Workspace, a: Contestant, b: Contestant, runs: Mapping[str, MethodRuns]
) -> None:
    """What either answers to the same points, on the sidebar's draw."""
    sides, draw = {"A": a, "B": b}, workspace.draw
    true, answers_a = runs[a.title].on(draw)
    split = mcnemar(a.title, b.title, true, answers_a, runs[b.title].on(draw)[1])
    st.markdown(f"**On draw {draw}**")
    say(split.facts())
    st.table(split.table().rename(literal, axis=0).rename(literal, axis=1))
    for column, (side, each) in zip(st.columns(2, gap="large"), sides.items(), strict=True):
        with column:
            say(split.side_facts(side))
            _confusion(workspace, side, each, runs[each.title])
    say(split.won_facts(), before="**", after="**")
    if split.only_a:
        _points(workspace, a, b, runs)


def _choose(titles: list[str]) -> tuple[str, str]:
    left, right = st.columns(2, gap="large")
    a = left.selectbox("A", **settings.METHOD_A.bound(titles[1], options=titles))
    b = right.selectbox(
        "B",
        help="Below are the points on which A is right and B is wrong.",
        **settings.METHOD_B.bound(titles[0], options=titles),
    )
    return a, b


def _no_differences(a: str, b: str, runs: Mapping[str, MethodRuns]) -> str:
    """Why there is nothing to compare A and B by; or nothing."""
    if a == b:
        return "A and B are the same: choose two."
    for title in (a, b):
        if title not in runs:
            return f"{literal(title)} has no run so far."
    return "" if shared_draws([runs[a], runs[b]]) else "A and B share no draw so far."


def _agreement(
    workspace: Workspace,
    runs: Mapping[str, MethodRuns],
    of: Sequence[Workspace],
    without: Sequence[str],
) -> None:
    st.markdown(f"**Who answers alike on draw {workspace.draw}**")
    if without:
        names = ", ".join(map(literal, without))
        st.caption(f":material/info: Without draw {workspace.draw} so far: {names}.")
    if len(runs) < 2:
        return
    answers = [run.on(workspace.draw)[1] for run in runs.values()]
    show(AgreementDisplay(agreement(answers), list(runs)), workspace=of)
    say(alike_facts(len(answers[0])), st.caption)


def _confusion(workspace: Workspace, side: str, contestant: Contestant, runs: MethodRuns) -> None:
    classes = workspace.dataset.classes
    counts = confusion(*runs.on(workspace.draw), len(classes))
    key = f"{contestant.key(workspace.shots)} {workspace.draw}"
    display = ConfusionDisplay(counts, classes, contestant.title, key=key)
    answering = contestant.workspace.with_method(contestant.method)
    show(display, f"confusion {side}", workspace=answering)


def _points(
    workspace: Workspace, a: Contestant, b: Contestant, runs: Mapping[str, MethodRuns]
) -> None:
    """The points on which A is right and B is wrong; a row leads to Explain, with B."""
    true, answers_b = runs[b.title].on(workspace.draw)
    rows = asked(workspace.episode, b.most_query)
    answers_a = runs[a.title].on(workspace.draw)[1]
    table = won_points(workspace.dataset, rows, true, answers_a, answers_b)
    to_explain, facts = _what_explain_can_do(workspace, b)
    say(facts, st.caption)

    def leave(row: int | None) -> None:
        if row is not None:
            b.explain(row)
            settings.LEAVING.set(True)

    pick_row(
        table,
        table["row"].tolist(),
        f"won {a.key(workspace.shots)} {b.key(workspace.shots)} {workspace.draw}",
        leave if to_explain else None,
        column_config={"A": f"A: {a.title}", "B": f"B: {b.title}"},
    )
    what = f"points_{a.file_name}-against-{b.file_name}"
    csv_download("These points (CSV)", what, lambda: table, "answers", [a.workspace, b.workspace])


def _what_explain_can_do(workspace: Workspace, b: Contestant) -> tuple[bool, Facts]:
    """Whether a row leads to Explain, and what is said of that."""
    here = workspace.encoder.info.title
    if isinstance(b, TextContestant):
        return True, read_as_facts(b.title, here, workspace.method.title)
    if b.workspace.encoder_name == workspace.encoder_name:
        return True, taken_apart_facts(b.title)
    return False, out_of_sight_facts(b.title, b.workspace.encoder.info.title, here)
