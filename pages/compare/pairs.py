"""Two methods, A and B, compared over support sets and on the current query set."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import streamlit as st

from pages.compare.systems import System, TextSystem
from pages.session import settings
from pages.session.address import leave_for
from pages.session.workspace import Workspace
from pages.shell.navigation import script
from pages.widgets.chart import csv_download, pick_row, show
from pages.widgets.example import with_images
from pages.widgets.parts import beside
from slp_core.evaluation.comparison import agreement, paired_difference, shared_draws
from slp_core.evaluation.method_runs import MethodRuns, judged_rows
from slp_core.evaluation.text import CI_TIP, explained_text
from slp_core.explain.difference import ONLY_FIRST, Difference, mcnemar_text, won_text
from slp_core.figures.compare_draws import PairedDisplay
from slp_core.figures.compare_methods import AgreementDisplay
from slp_core.figures.confusion import ConfusionDisplay
from slp_core.markdown import literal


def pair(
    workspace: Workspace,
    systems: Sequence[System],
    shown: Mapping[str, MethodRuns],
    runs: Mapping[str, MethodRuns],
) -> None:
    """A fragment: choosing A and B redraws nothing else."""
    if settings.LEAVING.value:
        settings.LEAVING.set(False)
        leave_for(script("explain"))
    if len(systems) < 2:
        st.caption(":material/info: Choose a second method to compare two.")
        return
    by_title = {each.title: each for each in systems}
    titles, columns = list(by_title), st.columns(2, gap="large")
    a = columns[0].selectbox("A", **settings.METHOD_A.bound(titles[1], options=titles))
    b = columns[1].selectbox("B", **settings.METHOD_B.bound(titles[0], options=titles))
    both = [by_title[a].workspace, by_title[b].workspace]
    here = {title: run for title, run in runs.items() if workspace.draw in run.draws}
    left, right = st.columns(2, gap="large")
    with left:
        if why := _no_differences(a, b, shown):
            st.caption(f":material/info: {why}")
        else:
            display = PairedDisplay(paired_difference(a, b, shown[a], shown[b]))
            st.markdown(display.sentence())
            show(display, workspace=both)
            st.caption("One dot per support set. Line: mean; band: 95% CI.", help=CI_TIP)
    with right:
        of = [by_title[title].workspace for title in here]
        _agreement(workspace, here, of, [title for title in runs if title not in here])
    if a != b and a in here and b in here:
        _by_example(workspace, by_title[a], by_title[b], runs)


def keep_pair(titles: list[str]) -> None:
    """Write the two methods to the URL."""
    if len(titles) > 1:
        settings.METHOD_A.shows(titles[1], among=titles)
        settings.METHOD_B.shows(titles[0], among=titles)


def _no_differences(a: str, b: str, runs: Mapping[str, MethodRuns]) -> str:
    """Why A and B cannot be compared; "" where they can."""
    if a == b:
        return "A and B are the same: choose two."
    for title in (a, b):
        if title not in runs:
            return f"{literal(title)} has no run so far."
    return "" if shared_draws([runs[a], runs[b]]) else "A and B share no support set so far."


def _agreement(
    workspace: Workspace,
    runs: Mapping[str, MethodRuns],
    of: Sequence[Workspace],
    without: Sequence[str],
) -> None:
    st.markdown(f"**Prediction agreement on support set {workspace.draw}**")
    if without:
        names = ", ".join(map(literal, without))
        st.caption(f":material/info: Not run on support set {workspace.draw} so far: {names}.")
    if len(runs) < 2:
        return
    predicted = [run.by_draw[workspace.draw].predicted for run in runs.values()]
    show(AgreementDisplay(agreement(predicted), list(runs)), workspace=of)
    st.caption("Share of query examples with the same prediction.")


def _by_example(workspace: Workspace, a: System, b: System, runs: Mapping[str, MethodRuns]) -> None:
    one, two = (runs[each.title].by_draw[workspace.draw] for each in (a, b))
    rows = judged_rows(workspace.as_drawn.episode, b.most_query)
    names, classes = (a.title, b.title), workspace.dataset.classes
    split = Difference.of(names, classes, rows, one.true, one.predicted, two.predicted)
    st.markdown(f"**On support set {workspace.draw}**")
    st.markdown(mcnemar_text(split))
    st.table(split.table().rename(literal, axis=0).rename(literal, axis=1))
    sides = zip("AB", beside(len(classes)), (a, b), split.confusions, strict=True)
    for side, column, each, counts in sides:
        with column:
            st.markdown(f"**{side}: {literal(each.title)}**")
            key = f"{each.key(workspace.shots)} {workspace.draw}"
            display = ConfusionDisplay(counts, classes, each.title, key=key)
            of = each.workspace.with_method(each.method)
            show(display, f"confusion {side}", workspace=of)
    st.markdown(f"**{won_text(split)}**")
    if split.counts[ONLY_FIRST]:
        _won(workspace, a, b, split)


def _won(workspace: Workspace, a: System, b: System, split: Difference) -> None:
    """The examples that A classifies correctly and B does not; a row leads to Explain, with B."""
    table = split.named(split.outcome == ONLY_FIRST)
    table["text"] = [workspace.texts[row] for row in table["row"]]
    here, there = workspace.encoder.info.title, b.workspace.encoder.info.title
    trains = isinstance(b, TextSystem)
    elsewhere = b.workspace.encoder_name != workspace.encoder_name and not trains
    method = workspace.method.title if trains else ""
    st.caption(explained_text(b.title, here, there if elsewhere else "", method))

    def leave(row: int | None) -> None:
        if row is not None:
            b.explain(row)
            settings.LEAVING.set(True)

    pick_row(
        with_images(workspace.dataset, table),
        table["row"].tolist(),
        f"won {a.key(workspace.shots)} {b.key(workspace.shots)} {workspace.draw}",
        None if elsewhere else leave,
    )
    what = f"points_{a.file_name}-against-{b.file_name}"
    csv_download("Table (CSV)", what, lambda: table, "predictions", [a.workspace, b.workspace])
