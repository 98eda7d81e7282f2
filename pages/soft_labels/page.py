"""Soft labels: edited by hand, beside another method's, and over support sets."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, TypeAlias

import streamlit as st

from pages.session import settings
from pages.session.available_encoders import other_encoders
from pages.session.code import offer_code
from pages.session.files import named_method
from pages.session.jobs import Job, job_pool
from pages.session.methods import VARIANTS
from pages.session.selection import choose_row, row_or_default
from pages.session.workspace import Workspace
from pages.shell.frame import current_workspace
from pages.soft_labels.code import code
from pages.widgets.accuracy import say_as_drawn
from pages.widgets.chart import pick_row, show
from pages.widgets.example import with_images
from pages.widgets.job_progress import completed, encoded_or_offered
from pages.widgets.parts import alone, folded
from pages.widgets.pickers import point_number
from pages.widgets.readings import labels_of
from pages.widgets.soft_label_editor import editor
from pages.widgets.tables import small_table
from slp_core.errors import Cancelled
from slp_core.explain.difference import compare_predictions, difference_text
from slp_core.explain.soft_label_draws import soft_labels_over_draws
from slp_core.explain.soft_label_pairs import SoftLabelPairs
from slp_core.explain.soft_label_text import (
    draws_text,
    pairs_caption,
    pairs_text,
    prototype_order_text,
    theorem1_text,
)
from slp_core.explain.soft_labels import Prototype, SoftLabels, soft_labels_at
from slp_core.figures.compare_draws import DrawsDisplay
from slp_core.figures.soft_labels import SoftLabelDrawsDisplay, SoftLabelPairsDisplay
from slp_core.markdown import literal, quoted, shortened
from slp_core.methods.base import LineClassifier
from slp_core.report.subject import Part
from slp_core.sentences import count

Both: TypeAlias = dict[str, Workspace]  # the two that are compared, by name
Choices: TypeAlias = tuple[tuple[settings.Setting[str], dict[str, Any]], ...]
SAME = "the same"
_SHARED = "Options that both methods have, such as how lines are found, are the sidebar's."
MOST_SENTENCES = 6  # shown before the fold
_TEXT = 160  # characters of an example


def page(workspace: Workspace) -> None:
    choices = _choices(workspace)
    method, draw, encoder = (
        options[setting.shows(next(iter(options)), options)] for setting, options in choices
    )
    # A variant is made as the sidebar makes it, so that the two are fitted once.
    same_encoder = workspace.with_method(method.base, **method.fixed).on_draw(draw)
    wanted = same_encoder.through(encoder)
    other = wanted if wanted.encoded else same_encoder
    offer_code(lambda: code(workspace, other), workspace)
    both = _named(workspace, other)
    labels = labels_of(workspace, next(iter(both)))
    alone(editor, workspace, labels, True, lambda: _reported(_pairs_of(both)))
    # A link to another method opens what shows it
    settings.fold("labels_beside").shows(any(setting.is_set for setting, _ in choices))
    folded("Compare with another method", "labels_beside", _side_by_side, both, choices, wanted)
    alone(folded, "Variation across support sets", "label_draws", _over_draws, both)
    alone(folded, "Theorem 1: closer classes get more weight", "theorem1", _theorem1, both)


def _pairs_of(both: Both) -> SoftLabelPairs:
    return SoftLabelPairs(*(labels_of(each, name) for name, each in both.items()))


def _reported(pairs: SoftLabelPairs) -> list[Part]:
    display = SoftLabelPairsDisplay(pairs)
    tables = {"Soft labels": display.table(), "Divergence": display.distances()}
    texts = [pairs_text(pairs), pairs_caption(pairs)]
    return [Part("Compared with another method", texts, [display], tables)]


def _side_by_side(both: Both, choices: Choices, wanted: Workspace) -> None:
    workspace, other = both.values()
    for column, label, (setting, options) in zip(
        st.columns(3), ("Compare with", "on support set", "with encoder"), choices, strict=True
    ):
        bound = setting.bound(next(iter(options)), options=list(options))
        column.selectbox(label, help=_SHARED if label == "Compare with" else None, **bound)
    encoded_or_offered(wanted, "; until then both sides use the same encoder")
    pairs = _pairs_of(both)
    st.markdown(pairs_text(pairs))
    alone(_pairs, workspace, other, pairs)
    alone(_changes, both)


def _changes(both: Both) -> None:
    """A fragment: accuracies, here and over draws, and differing predictions."""
    (a, workspace), (b, other) = both.items()
    rows = workspace.episode.query, other.episode.query
    beside = compare_predictions(workspace.predictions, other.predictions, (a, b), rows=rows)
    st.markdown(difference_text(beside))
    for name, one in _on_every_draw(workspace, other).items():
        spread = completed(one.spread)
        if spread is None:
            return
        st.caption(DrawsDisplay(spread, name).sentence())
    table = beside.named(beside.disagree)
    if not len(table):
        return
    fold = st.expander("Changed predictions", **settings.fold("changed").bound(opens="expanded"))
    if not fold.open:
        return
    with fold:
        changed = table["row"].tolist()
        texts = workspace.texts
        table["text"] = [texts[row][:_TEXT] for row in changed]
        key = f"changed {workspace.model_key} {other.model_key}"
        lines = with_images(workspace.dataset, table)
        pick_row(lines, changed, key, choose_row, settings.POINT.value)


def _on_every_draw(workspace: Workspace, other: Workspace) -> dict[str, Workspace]:
    """The two by name, without their draws' names; one if nothing else differs."""
    other = replace(other, draw=workspace.draw, edits=workspace.edits)
    if other.model_key == workspace.model_key:
        return {named_method(workspace).title: workspace}
    return _named(workspace, other)


def _pairs(workspace: Workspace, other: Workspace, pairs: SoftLabelPairs) -> None:
    """A fragment: changing the example x redraws nothing else."""
    display = SoftLabelPairsDisplay(pairs)
    if not (pairs.first.constant and pairs.second.constant):
        row = row_or_default(workspace)
        with st.container(horizontal=True, vertical_alignment="bottom"):
            point_number(workspace, row)
            st.caption(f"x = {quoted(workspace.dataset.describe(row), _TEXT)}")
        first, second = (
            soft_labels_at(labels, each.line_model, each.X[row])
            for labels, each in ((pairs.first, workspace), (pairs.second, other))
        )
        display = SoftLabelPairsDisplay(pairs, (first, second))
    left, right = st.columns([13, 8], gap="medium")
    with left:
        show(display)
        st.caption(pairs_caption(pairs))
    with right:
        _divergence(display)


def _choices(workspace: Workspace) -> Choices:
    """What can stand beside it: methods with prototypes, support sets and encoders, by title.

    The first method differs, so that there is something to compare; the other two are the same.
    """
    with_lines = {
        t: m for t, m in VARIANTS.items() if issubclass(m.estimator_class, LineClassifier)
    }
    first = "constraintSLP" if workspace.method.title != "constraintSLP" else "DeepSLP"
    draws = [d for d in workspace.dataset.available_draws(workspace.shots) if d != workspace.draw]
    encoders = other_encoders(workspace, settings.BESIDE_ENCODER)
    return (
        (
            settings.setting_of("beside", workspace.method.name),
            {first: with_lines[first], **with_lines},
        ),
        (settings.BESIDE_DRAW, {SAME: workspace.draw, **{str(draw): draw for draw in draws}}),
        (settings.BESIDE_ENCODER, {SAME: workspace.encoder_name, **encoders}),
    )


def _named(workspace: Workspace, other: Workspace) -> Both:
    """The two by names that differ: the method, and anything else that does."""
    both = (workspace, other)
    titles = [named_method(w).title for w in both]
    if workspace.draw != other.draw:
        titles = [f"{t}, support set {w.draw}" for t, w in zip(titles, both, strict=True)]
    if workspace.encoder_name != other.encoder_name:
        titles = [f"{t}, {w.encoder.info.title}" for t, w in zip(titles, both, strict=True)]
    if titles[0] == titles[1]:
        titles[1] += " (same)" if workspace.model_key == other.model_key else " (other options)"
    return dict(zip(titles, both, strict=True))


def _divergence(display: SoftLabelPairsDisplay) -> None:
    st.markdown("**Divergence**")
    distances = display.distances()
    if display.pairs.divergence["same_line"].all():
        distances = distances.drop(columns="lines")
    distances["at"] = distances["at"].map(shortened)
    small_table(distances, decimals=3, bars=["JSD (nats)", "total variation"])
    st.caption(
        "Equal: both 0. Nothing in common: JSD 0.693 (ln 2), total variation 1.",
        help="JSD: Jensen–Shannon divergence. Total variation: half the summed absolute "
        "difference. Soft labels that depend on the example are compared by their means.",
    )


def _theorem1(both: Both) -> None:
    for labels in (labels_of(each, name) for name, each in both.items()):
        st.markdown(theorem1_text(labels))
        ordered = sorted(labels.ordered, key=lambda one: one.exception is None)  # exceptions first
        _say_order(labels, ordered[:MOST_SENTENCES])
        if rest := ordered[MOST_SENTENCES:]:
            with st.expander("The other prototypes"):
                _say_order(labels, rest)


def _say_order(labels: SoftLabels, prototypes: Sequence[Prototype]) -> None:
    for one in prototypes:
        sign = "close" if one.exception else "check"
        st.markdown(f"- :material/{sign}: {prototype_order_text(labels, one)}")


def _over_draws(both: Both) -> None:
    workspace = next(iter(both.values()))
    name = st.segmented_control(
        "Method",
        format_func=literal,
        required=True,
        label_visibility="collapsed",
        **settings.setting_of("varying", *both).bound(
            next(iter(both)), options=list(both), opens="default"
        ),
    )
    shown = both[name]
    by_draw = completed(_start_draws(shown))
    if by_draw is None:
        return
    draws = soft_labels_over_draws(by_draw)
    st.markdown(draws_text(draws))
    ends = [draws.classes[k] for k in draws.known.index]
    if not ends:
        return
    opening = draws.classes[draws.most_moved[0]] if draws.most_moved else ends[0]
    at = st.pills(
        "Prototype at",
        format_func=literal,
        required=True,
        wrap=True,
        **settings.setting_of("prototype", workspace.dataset.name, name).bound(
            opening,
            options=ends,
            opens="default",
        ),
    )
    display = SoftLabelDrawsDisplay(draws, draws.classes.index(at or ends[0]), shown.draw)
    show(display)
    st.caption(display.sentence())
    say_as_drawn(shown)


def _start_draws(workspace: Workspace) -> Job:
    draws, name = workspace.draws, named_method(workspace).title

    def work(job: Job) -> dict[int, SoftLabels]:
        labels = {}
        for draw in draws:
            if job.cancelled():
                raise Cancelled
            labels[draw] = labels_of(workspace.as_drawn.on_draw(draw), name)
        return labels

    title = f"Soft labels over {count(len(draws), 'support set')}"
    key = "soft labels", workspace.data_key, workspace.shots, workspace.method_key
    return job_pool().start(key, title, work)


page(current_workspace())
