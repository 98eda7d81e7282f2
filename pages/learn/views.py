"""The app's own views beside a lesson's text, on the current workspace."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import streamlit as st

from pages.learn.stage import lesson_stage
from pages.session.selection import choose_row, chosen_row, row_or_default
from pages.session.workspace import PCA, Workspace
from pages.widgets.chart import show
from pages.widgets.episode import episode
from pages.widgets.example import example_row, point_figure, point_words
from pages.widgets.map import map_display
from pages.widgets.parts import alone
from pages.widgets.pickers import point_number
from pages.widgets.readings import (
    LineView,
    causes_of,
    diagnostics_of,
    headline_of,
    labels_of,
    line_view,
)
from pages.widgets.soft_label_editor import editor
from pages.widgets.tables import small_table
from pages.widgets.training import DEEP_SLP, experiments, finished_run, run_words, show_run
from pages.widgets.worked_example import counter_example_values, toy_way
from slp_core.diagnostics.ensemble import EnsembleDiagnostics
from slp_core.diagnostics.text import divergence_text, identity_texts, members_text
from slp_core.explain.soft_label_pairs import SoftLabelPairs
from slp_core.explain.soft_label_text import prototype_order_text, theorem1_text
from slp_core.explain.text import (
    headline_text,
    predictions_text,
    without_lines_text,
)
from slp_core.figures.ensemble import DiversityDisplay, MembersDisplay
from slp_core.figures.line.bands import BandsDisplay
from slp_core.figures.line.points import lines_table
from slp_core.figures.map.data import MapLayers
from slp_core.figures.soft_labels import SoftLabelPairsDisplay
from slp_core.lessons.stage import LESSON_STAGES
from slp_core.lessons.text import lines_text, theorem2_text
from slp_core.methods.protocols import HasMembers, predicts_from_lines
from slp_core.methods.table import METHODS
from slp_core.views.text import landscape_text

_HEIGHT = 440  # px of a map beside a text
_LOW = 360  # of one that a lecture enlarges, letters and all
_MOST_CHECKS = 6  # prototypes of which Theorem 1 is said


def draw(workspace: Workspace, views: tuple[str, ...]) -> None:
    """Draw these views, each a fragment, so that a click leaves the text alone."""
    for number, name in enumerate(views):
        if number:
            st.divider()
        alone(VIEWS[name], workspace)


def _map(workspace: Workspace) -> None:
    row = row_or_default(workspace)
    _picture(workspace, row)
    _point(workspace, row)


def _picture(workspace: Workspace, row: int | None = None, height: int = _HEIGHT) -> None:
    """The map; a click selects another row if one is ringed."""
    display = map_display(workspace, PCA, MapLayers(chosen=row is not None), row, height)
    show(display, "lesson map", on_click=None if row is None else choose_row)
    st.markdown(predictions_text(workspace.predictions))
    if not workspace.projection(PCA).exact:
        landscape = workspace.landscape(PCA)
        st.caption(landscape_text(PCA.method, landscape.inverse, landscape.fidelity_report))


def _point(workspace: Workspace, row: int) -> None:
    point_number(workspace, row)
    point_words(f"**{workspace.called(row)}**", workspace, row)
    point_figure(workspace, row)


def _editor(workspace: Workspace) -> None:
    editor(workspace, labels_of(workspace, workspace.method.title), beside=False)


def _bands(workspace: Workspace) -> None:
    view = _line(workspace)
    if view.local:
        st.caption("Soft labels depend on the example here, so no intervals hold for all examples.")
        return
    display = BandsDisplay(view.profile, view.soft_labels, view.texts)
    show(display, "lesson bands")
    st.markdown(display.sentence())


def _lines(workspace: Workspace) -> None:
    table = lines_table(workspace.model, workspace.dataset.classes)
    if table is None:
        st.caption(without_lines_text(workspace.method.title, METHODS["constraint_slp"].title))
        return
    st.markdown(lines_text(workspace.model))
    small_table(table, 2)


def _soft_labels(workspace: Workspace) -> None:
    name = "deep_slp" if workspace.method.name != "deep_slp" else "constraint_slp"
    both = workspace, workspace.with_method(METHODS[name])
    labels, beside = (labels_of(each, each.method.title) for each in both)
    show(SoftLabelPairsDisplay(SoftLabelPairs(labels, beside)), "lesson soft labels")
    st.markdown(theorem1_text(labels))
    for one in labels.ordered[:_MOST_CHECKS]:
        sign = "close" if one.exception else "check"
        st.markdown(f"- :material/{sign}: {prototype_order_text(labels, one)}")


def _strip(workspace: Workspace) -> None:
    display = _line(workspace).strip()
    show(display, "lesson strip")
    st.markdown(f"**{headline_text(headline_of(workspace))}**")
    st.caption(display.sentence())


def _theorem2(workspace: Workspace) -> None:
    _strip(workspace)
    st.markdown(theorem2_text(causes_of(workspace)))


def _local_labels(workspace: Workspace) -> None:
    row = row_or_default(workspace)
    reading = workspace.reading(row)
    marked = reading.w, reading.along
    display = _line(workspace, row).strip(f"{row}", marked=marked, row=row)
    show(display, "local strip", on_click=choose_row)
    _point(workspace, row)


def _training(workspace: Workspace) -> None:
    deep = _with_deep_slp(workspace)
    run = finished_run(deep)
    if run is not None:
        show_run(deep, run)
        run_words(deep, run)


def _with_deep_slp(workspace: Workspace) -> Workspace:
    """With the sidebar's options if DeepSLP is selected there."""
    return workspace if workspace.method is DEEP_SLP else workspace.with_method(DEEP_SLP)


def _loss_weighting(workspace: Workspace) -> None:
    if not len(workspace.episode.query):
        return
    for text, table in experiments(_with_deep_slp(workspace)):
        st.markdown(text)
        small_table(table.assign(**table.filter(like="accuracy").map("{:.1%}".format)), 3)


def _members(workspace: Workspace, diagnostics: EnsembleDiagnostics) -> None:
    row = chosen_row(workspace)
    chosen = None if row is None else workspace.episode.place_of(row)
    point = diagnostics.most_diverse if chosen is None else chosen
    on_show = int(workspace.episode.query[point])
    point_number(workspace, on_show)
    example_row(workspace.dataset, on_show)
    display = MembersDisplay(diagnostics, point, on_show)
    show(display, "lesson members", of=f"row {on_show}")
    st.markdown(display.sentence())


def _divergence(workspace: Workspace, diagnostics: EnsembleDiagnostics) -> None:
    key = f"{workspace.model_key} none"
    display = DiversityDisplay(diagnostics, workspace.episode.query, workspace.texts, key=key)
    show(display, "lesson divergence", on_click=choose_row)
    st.markdown(display.sentence())
    st.caption(divergence_text(diagnostics))


def _identity(_: Workspace, diagnostics: EnsembleDiagnostics) -> None:
    small_table(diagnostics.decompositions(), 3)
    for text in identity_texts(diagnostics):
        st.markdown(f"- {text}")


def _episode(workspace: Workspace) -> None:
    if workspace.dataset.kind == "numeric":
        st.caption("An episode trains a text encoder; these data are numbers.")
        return
    episode(workspace)


def _with_lines(view: Callable[[Workspace], None], workspace: Workspace) -> None:
    """A view of the workspace, or of constraintSLP's if its method has no lines."""
    on_lines = workspace.where(predicts_from_lines)
    if on_lines is not workspace:
        st.caption(without_lines_text(workspace.method.title, on_lines.method.title))
    view(on_lines)


def _with_members(
    view: Callable[[Workspace, EnsembleDiagnostics], None], workspace: Workspace
) -> None:
    """A view of query examples; of constraintSLP's if the model has no members."""
    here = workspace.where(lambda model: isinstance(model, HasMembers))
    if here is not workspace:
        st.caption(members_text(workspace.model, workspace.method.title))
    if len(here.episode.query):
        view(here, diagnostics_of(here, "none"))


def _line(workspace: Workspace, row: int | None = None) -> LineView:
    """The line of a row, or the line with the most errors."""
    causes = causes_of(workspace)
    at = row_or_default(workspace) if row is None else row
    number = headline_of(workspace).line if row is None else workspace.reading(row).line
    return line_view(workspace, number or 0, workspace.X[at], causes.where(), "")


VIEWS: dict[str, Callable[[Workspace], None]] = {
    **{name: partial(lesson_stage, name) for name in LESSON_STAGES},
    "map": _map,
    "map alone": _picture,
    "large map": partial(_picture, height=_LOW),
    "editor": partial(_with_lines, _editor),
    "bands": partial(_with_lines, _bands),
    "one way": lambda workspace: toy_way(),
    "counter-example": lambda workspace: counter_example_values(),
    "lines": _lines,
    "soft labels": partial(_with_lines, _soft_labels),
    "strip": partial(_with_lines, _strip),
    "theorem 2": partial(_with_lines, _theorem2),
    "local labels": partial(_with_lines, _local_labels),
    "training": _training,
    "loss weighting": _loss_weighting,
    "members": partial(_with_members, _members),
    "divergence": partial(_with_members, _divergence),
    "identity": partial(_with_members, _identity),
    "episode": _episode,
}
