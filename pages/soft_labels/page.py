"""Soft labels: prototype by prototype, beside another method's, edited by hand, and over draws."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import streamlit as st

import slp_core as slp
from pages.session import settings
from pages.session.available_encoders import available_encoders
from pages.session.jobs import Job, job_pool
from pages.session.methods import METHODS, PRESET, Method
from pages.session.workspace import Workspace, encoder, failure
from pages.shell.frame import current_workspace
from pages.soft_labels.editor import by_hand
from pages.widgets.chart import chart, theme
from slp_core.errors import Cancelled
from slp_core.explain.soft_label_draws import soft_labels_over_draws
from slp_core.explain.soft_label_pairs import (
    AtPoint,
    SoftLabelPairs,
    compare_soft_labels,
    pairs_at_point,
)
from slp_core.explain.soft_labels import SoftLabels, read_soft_labels
from slp_core.figures.soft_label_draws import soft_label_draws_figure, soft_label_draws_table
from slp_core.figures.soft_label_pairs import (
    soft_label_distances_table,
    soft_label_pairs_figure,
    soft_label_pairs_table,
)
from slp_core.markdown import literal, named
from slp_core.methods.protocols import has_lines

SAME = "the same"
PAPER = "DeepSLP, as in the paper"
MOST_TEXTS = 300  # query points to choose x from
MOST_SENTENCES = 6  # shown before the fold


def page(workspace: Workspace) -> None:
    """Two methods side by side, then soft labels by hand."""
    own = workspace
    if not has_lines(workspace.model):
        own = replace(workspace, method=METHODS["constraint_slp"], options={})
        st.caption(
            f":material/info: {workspace.method.title} has no prototypes, and so no soft labels: "
            "this page shows constraintSLP."
        )
    headline = st.container()
    other = _other_choice(own)
    names = _names(own, other)
    pairs = compare_soft_labels(labels_of(own, names[0]), labels_of(other, names[1]))
    headline.subheader(pairs.sentence())
    st.fragment(_side_by_side)(own, other, pairs)
    st.divider()
    st.fragment(by_hand)(own, pairs.first)
    st.divider()
    left, right = st.columns([12, 9], gap="large")
    with left:
        st.fragment(_over_draws)(own, other, names)
    with right:
        _theorem1(pairs.first, pairs.second)


def _side_by_side(own: Workspace, other: Workspace, pairs: SoftLabelPairs) -> None:
    """A fragment: the point x moves nothing but this."""
    at_point = _point_choice(own, other, pairs)
    left, right = st.columns(2, gap="medium")
    with left:
        chart(
            soft_label_pairs_figure(pairs, at_point, theme()),
            lambda: soft_label_pairs_table(pairs, at_point),
            "soft labels",
            alt=pairs.sentence(),
        )
        st.caption(_what_is_drawn(pairs))
    with right:
        _tables(pairs, at_point)


def _other_choice(own: Workspace) -> Workspace:
    """The workspace to compare with: another method, draw or encoder, all else the same."""
    candidates = _candidates(own)
    columns = st.columns(3)
    with columns[0]:
        title = st.selectbox(
            "Beside it",
            list(candidates),
            help="The method on the right of each comparison. Options that both have, such as how "
            "lines are found, are those of the sidebar.",
            # The method that it is not comes first, so that there is something to compare.
            **settings.setting_of("beside", own.method.name).bound(),
        )
    method, fixed = candidates[title]
    taken = {option.parameter for option in (*method.main, *method.more)}
    options = {k: v for k, v in own.options.items() if k in taken} | fixed
    with columns[1]:
        draws = [d for d in own.dataset.available_draws(own.shots) if d != own.draw]
        draw = st.selectbox(
            "on draw",
            [SAME, *(str(d) for d in draws)],
            help="Another random choice of the support set.",
            **settings.BESIDE_DRAW.bound(),
        )
    with columns[2]:
        fitting = {
            e.title: e.name
            for e in available_encoders()
            if own.dataset.kind in e.kinds and e.name != own.encoder_name
        }
        chosen = st.selectbox("seen through", [SAME, *fitting], **settings.BESIDE_ENCODER.bound())
    other = replace(
        own, method=method, options=options, draw=own.draw if draw == SAME else int(draw)
    )
    if chosen == SAME:
        return other
    name = fitting[chosen]
    normalisation = own.encoder.normalisation if own.dataset.kind != "numeric" else None
    seen = replace(other, encoder=encoder(name, normalisation), encoder_name=name)
    if seen.encoded:
        return seen
    st.fragment(_encode_other, run_every=0.5)(seen)
    return other


def _candidates(own: Workspace) -> dict[str, tuple[Method, dict[str, Any]]]:
    """Methods with prototypes by title, with options of their own; one that differs first."""
    found: dict[str, tuple[Method, dict[str, Any]]] = {}
    for method in METHODS.values():
        if hasattr(getattr(slp, method.estimator), "place"):
            found[method.title] = (method, {})
    found[PAPER] = (METHODS["deep_slp"], {PRESET.parameter: "paper"})
    first = "constraintSLP" if own.method.title != "constraintSLP" else "DeepSLP"
    return {first: found.pop(first), **found}


def _names(own: Workspace, other: Workspace) -> tuple[str, str]:
    """What to call the two: the method, and whatever else they differ in."""
    paper = {PRESET.parameter: "paper"}
    titles = [
        PAPER
        if w.method.name == "deep_slp" and paper.items() <= w.options.items()
        else w.method.title
        for w in (own, other)
    ]
    if own.draw != other.draw:
        titles = [f"{t}, draw {w.draw}" for t, w in zip(titles, (own, other), strict=True)]
    if own.encoder_name != other.encoder_name:
        titles = [f"{t}, {w.encoder.info.title}" for t, w in zip(titles, (own, other), strict=True)]
    if titles[0] == titles[1]:
        titles[1] += " again" if own.model_key == other.model_key else " (other options)"
    return titles[0], titles[1]


def labels_of(workspace: Workspace, name: str) -> SoftLabels:
    """The soft labels of a workspace's model."""
    return _labels(f"{workspace.model_key} {name}", name, workspace)


@st.cache_resource(max_entries=96, show_spinner=False)
def _labels(key: str, name: str, _workspace: Workspace) -> SoftLabels:
    return read_soft_labels(_workspace.model, name, _workspace.X[_workspace.episode.query])


def _encode_other(other: Workspace) -> None:
    """Encoding with the other encoder: asked for, then followed."""
    job = other.encoding_job
    if other.encoded:
        st.rerun()
    if job is not None and job.running:
        st.progress(job.share, text=f"{job.title} …")
        return
    if job is not None and job.error is not None:
        st.warning(failure(job), icon=":material/error:")
    st.button(
        f"Encode with {other.encoder.info.title}",
        on_click=other.start_encoding,
        icon=":material/play_arrow:",
        help="Takes some time, once. Until then both sides are seen through the same encoder.",
    )


def _point_choice(own: Workspace, other: Workspace, pairs: SoftLabelPairs) -> AtPoint | None:
    """A query point x at which to read soft labels that depend on it."""
    query = own.episode.query
    if (pairs.first.constant and pairs.second.constant) or not len(query):
        return None
    rows = [int(row) for row in query[:MOST_TEXTS]]
    clicked = settings.POINT.value
    telling = own.answers.most_telling()
    start = clicked if clicked in query else int(query[telling or 0])
    if start not in rows:
        rows.insert(0, start)
    row = st.selectbox(
        "and at the point x",
        rows,
        index=rows.index(start),
        format_func=lambda row: own.dataset.describe(row)[:160],
        key=f"x {own.data_key} {own.shots} {own.draw} {start}",
        help=f"One of the query points; the first {MOST_TEXTS} and the one clicked on Explore can "
        "be chosen.",
    )
    return pairs_at_point(pairs, (own.model, other.model), (own.X[row], other.X[row]))


def _what_is_drawn(pairs: SoftLabelPairs) -> str:
    parts = [
        f"Strong bars: {pairs.first.method}; pale bars: {pairs.second.method}. Classes stand in "
        "the order of the line, from its left end to its right."
    ]
    if not (pairs.first.constant and pairs.second.constant):
        parts.append(
            "Where soft labels depend on the point, the bar is their mean over the query points "
            "that ask the line, and the whisker one standard deviation."
        )
    return " ".join([*parts, pairs.unmatched()])


def _tables(pairs: SoftLabelPairs, at_point: AtPoint | None) -> None:
    st.markdown("**The two in figures**")
    table = soft_label_pairs_table(pairs, at_point)
    table.insert(0, "#", table["line"].astype(str) + " " + table["side"])
    table = table.drop(columns=["line", "side", "prototype at"])
    number = st.column_config.NumberColumn
    st.dataframe(
        table,
        hide_index=True,
        height=min(420, 38 + 35 * len(table)),
        column_config={
            name: number(
                # The method's name heads its first column, and these follow it.
                "±" if name.startswith("± ") else "at x" if name.endswith(" at x") else name,
                format="%.4f",
            )
            for name in table.columns[2:]
        },
    )
    st.markdown("**How far apart**")
    distances = soft_label_distances_table(pairs)
    if all(pair.same_line for pair in pairs.pairs):
        distances = distances.drop(columns="lines")
    st.dataframe(
        distances,
        hide_index=True,
        height=min(240, 38 + 35 * len(distances)),
        column_config={
            name: st.column_config.ProgressColumn(format="%.3f", min_value=0, max_value=1)
            for name in ("JSD (bits)", "total variation")
        },
    )
    st.caption(
        "JSD is the Jensen–Shannon divergence in bits (squared Jensen–Shannon distance, base 2); "
        "total variation is half the summed difference. Both run from 0, equal, to 1, nothing in "
        "common, and compare means where soft labels depend on the point."
    )


def _theorem1(first: SoftLabels, second: SoftLabels) -> None:
    st.markdown("**Theorem 1: nearer classes have more**")
    for labels in (first, second):
        st.markdown(labels.sentence())
        checks = sorted(labels.theorem1(), key=lambda check: check.holds)  # exceptions first
        lines = [
            f"- :material/{'check' if check.holds else 'close'}: {check.sentence()}"
            for check in checks
        ]
        st.markdown("\n".join(lines[:MOST_SENTENCES]))
        if len(lines) > MOST_SENTENCES:
            with st.expander(f"{len(lines) - MOST_SENTENCES} more"):
                st.markdown("\n".join(lines[MOST_SENTENCES:]))


def _over_draws(own: Workspace, other: Workspace, names: tuple[str, str]) -> None:
    """How the soft labels of either method vary with the support set."""
    st.markdown("**Luck of the draw**")
    titles = {names[0]: own, names[1]: other}
    name = st.segmented_control(
        "Method",
        list(titles),
        default=names[0],
        required=True,
        label_visibility="collapsed",
        key=f"draws of {names}",
    )
    job = _start_draws(titles[name])
    if not job.ready:
        st.fragment(_draws_progress, run_every=0.3)(job)
        return
    draws = soft_labels_over_draws(job.result)
    st.markdown(draws.sentence())
    ends = [draws.classes[k] for k in draws.ends_by_frequency]
    at = st.pills(
        "Prototype at",
        ends,
        format_func=literal,
        default=draws.classes[draws.most_moved[0]],
        required=True,
        wrap=True,
        key=f"prototype at {draws.classes} {name}",
    )
    index = draws.classes.index(at)
    chart(
        soft_label_draws_figure(draws, index, titles[name].draw, theme()),
        lambda: soft_label_draws_table(draws),
        "soft labels over draws",
        alt=draws.sentence(),
    )
    st.caption(
        f"{named(at)} ends a line on {draws.ends[index]} of {len(draws.draws)} draws of "
        f"{own.shots_said}: a mark each, ringed for draw {titles[name].draw}. The bar is their "
        "mean, the band one standard deviation."
    )


def _start_draws(workspace: Workspace) -> Job:
    """Fit the method on every draw and read its soft labels, in the background."""
    draws = workspace.dataset.available_draws(workspace.shots) or (workspace.draw,)

    def work(job: Job) -> dict[int, SoftLabels]:
        found = {}
        for draw in draws:
            if job.cancelled():
                raise Cancelled
            found[draw] = labels_of(replace(workspace, draw=draw), workspace.method.title)
        return found

    key = ("soft labels", workspace.data_key, workspace.shots, workspace.method_key)
    return job_pool().start(key, f"Soft labels over {len(draws)} draws", work)


def _draws_progress(job: Job) -> None:
    if job.running:
        st.skeleton(height=250)
    elif job.ready:
        st.rerun()
    else:
        st.warning(failure(job), icon=":material/error:")


page(current_workspace())
