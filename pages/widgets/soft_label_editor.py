"""Soft labels edited by hand: landscape, decision intervals and accuracy follow at once."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import nullcontext, suppress
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import streamlit as st

import slp_core as slp
from pages.session import settings
from pages.session.cache import BoundedStore, cached_by
from pages.session.code import offer_report
from pages.session.files import file_name, origin, with_origin
from pages.session.reading import read_handed_in
from pages.session.selection import choose_row, chosen_row
from pages.session.settings import view
from pages.session.workspace import ASPECT, PCA, Workspace
from pages.widgets.chart import download, show, theme
from pages.widgets.say import refuse
from pages.widgets.shots import selected_shot
from slp_core.errors import SLPError
from slp_core.explain import Predictions, predict_query_set
from slp_core.explain.soft_label_text import edit_text, seen_text
from slp_core.explain.soft_labels import SIDES, SoftLabels, soft_label_array
from slp_core.figures.line.bands import BandsDisplay
from slp_core.figures.map.assemble import map_of, map_points
from slp_core.figures.map.data import MapData, MapLayers
from slp_core.figures.map.figure import MapDisplay
from slp_core.figures.style.theme import class_style
from slp_core.lines import Placement
from slp_core.markdown import isolated, literal
from slp_core.methods.edited_prototypes import EditedPrototypes
from slp_core.methods.protocols import HasLines
from slp_core.report.subject import Part
from slp_core.sentences import ClassName

if TYPE_CHECKING:
    import numpy as np

GRID = 90  # of the landscape, which is computed anew at every edit
KEPT = 8  # edited models that a session remembers
MAP_HEIGHT, KEYED = 420, 13  # px of the map, and classes of which it has a key
FEW = 3  # classes off the line whose sliders stand among those of the line's classes, at most


@dataclass(frozen=True)
class Predicted:
    model: HasLines
    predictions: Predictions
    support: np.ndarray  # (n,) of the support set, as class indices
    placement: Placement


def editor(
    workspace: Workspace,
    labels: SoftLabels,
    beside: bool = True,
    further: Callable[[], Sequence[Part]] | None = None,
) -> None:
    """A picture, and beside it sliders for one line's soft labels.

    `further` parts follow it in the report of a page.
    """
    fitted = _fitted(workspace, labels)
    edited = _as_edited(workspace.model_key, fitted)
    before, now = _predict(workspace, fitted), _predict(workspace, edited)
    touched = edited is not fitted
    settings.EDITED_SHARES.set(edited.changes_from(fitted) or None)
    settings.EDITED_SHARES.shows()
    text = edit_text(
        workspace.predictions,
        labels.constant,
        before.predictions,
        now.predictions if touched else None,
    )
    with st.container():  # whatever it holds, what follows stays where it is
        (st.subheader if beside else st.markdown)(text)
        if seen := _seen_text(workspace, fitted, edited):
            st.caption(f":material/info: {seen}")
    pictures, sliders = st.container(key="by-hand").columns([13, 8], gap="medium")
    with sliders:
        with st.container(horizontal=True):
            with st.popover("View", icon=":material/tune:"):
                number = _line_choice(edited)
                _files(workspace, edited)
            _reset(workspace, touched)
        _sliders(workspace, fitted, edited, number)
        export = st.container()  # below the sliders, which so begin nearer to the map
    otherwise = "" if labels.constant else "with mean soft labels"
    of = _called(workspace, "edited by hand" if touched else otherwise)
    with pictures:
        small_map = _small_map(workspace, of, edited, text, export, support=beside)
        if beside:
            selected_shot(workspace)
    bands = _bands(workspace, of, fitted, edited, now, number)
    if further is not None:
        offer_report(
            f"{_key(workspace, edited)} {number} {small_map.chosen}",
            lambda: [_reported(text, small_map, bands), *further()],
        )


def _reported(text: str, small_map: MapDisplay, bands: BandsDisplay) -> Part:
    return Part("Soft labels", [text, bands.sentence()], [small_map, bands])


def _as_edited(model_key: str, fitted: EditedPrototypes) -> EditedPrototypes:
    """The edited prototypes, at first as a URL has them."""
    edited, in_url = _edits().get(model_key) or fitted, settings.EDITED_SHARES
    if not in_url.was_read or (not edited.changes_from(fitted) and not in_url.value):
        return edited
    _edits().pop(model_key, None)
    if in_url.value:
        with suppress(SLPError):
            _edits().put(model_key, fitted.with_changes(in_url.value))
    return _edits().get(model_key) or fitted


def _seen_text(workspace: Workspace, fitted: EditedPrototypes, edited: EditedPrototypes) -> str:
    """That loaded prototypes may come from another support set, whose shots are tested on here."""
    if edited.fitted_on is None or edited is fitted or edited.changes_from(fitted):
        return ""
    try:
        fitted_on = workspace.dataset.draw(*edited.fitted_on).support
    except SLPError:  # a draw that these data do not have
        return ""
    return seen_text(*edited.fitted_on, fitted_on, workspace.episode.query)


def _called(workspace: Workspace, how: str) -> Workspace:
    """The origin that files state: the method with edited soft labels."""
    name = f"{origin('draw', workspace)['method']} {how}".strip()
    return replace(workspace, method=replace(workspace.method, name=name))


def _edits() -> BoundedStore[str, EditedPrototypes]:
    edits = settings.EDITED.value or BoundedStore[str, EditedPrototypes](KEPT)
    settings.EDITED.set(edits)
    return edits


def _fitted(workspace: Workspace, labels: SoftLabels) -> EditedPrototypes:
    """The method's prototypes; soft labels that depend on x at their mean."""
    return EditedPrototypes.of(
        workspace.line_model,
        soft_label_array(labels),
        encoder=_encoder(workspace),
        dataset=workspace.dataset.digest,
        fitted_on=(workspace.shots, workspace.draw),
    )


def _encoder(workspace: Workspace) -> str:
    return f"{workspace.encoder_name}, {workspace.encoder.normalisation}"


def _line_choice(edited: EditedPrototypes) -> int:
    if len(edited.lines) == 1:
        return 0
    names = [
        f"{n} · {isolated(edited.classes[line.left])} – {isolated(edited.classes[line.right])}"
        for n, line in enumerate(edited.lines, start=1)
    ]
    chosen = st.selectbox(
        "Line",
        format_func=names.__getitem__,
        **settings.EDITED_LINE.bound(options=range(len(edited.lines))),
    )
    return int(chosen)


def _sliders(
    workspace: Workspace, fitted: EditedPrototypes, edited: EditedPrototypes, number: int
) -> None:
    line = edited.lines[number]
    pair = edited.soft_labels[number]
    others = [c for c in range(len(edited.classes)) if c not in line.classes and pair[:, c].any()]
    sides = range(2 if len(line.classes) > 1 else 1)
    for side, column in zip(sides, st.columns(len(sides)), strict=True):
        c = (line.left, line.right)[side]
        end = ClassName(edited.classes[c], c)
        with column.container(key=f"shares at end {side}"):  # what names its sliders: names.js
            st.markdown(f"**Prototype {SIDES[side]}** {end}")
            for c in line.classes:
                _slider(workspace, fitted, edited, (number, side, c))
            many = len(others) > FEW
            with st.expander(f"{len(others)} other classes") if many else nullcontext():
                for c in others:
                    _slider(workspace, fitted, edited, (number, side, c))


def _slider(
    workspace: Workspace,
    fitted: EditedPrototypes,
    edited: EditedPrototypes,
    share: tuple[int, int, int],
) -> None:
    number, side, c = share
    model_key = workspace.model_key

    def move(weight: float) -> None:
        changed = (_edits().get(model_key) or fitted).with_share(number, side, c, weight)
        if len(edited.lines[number].classes) == 1:  # one point: its two prototypes are the same
            changed = changed.with_share(number, 1, c, weight)
        _edits().put(model_key, changed)

    st.slider(
        f"{class_style(c, theme()).character} {literal(edited.classes[c])}",
        0.0,
        1.0,
        step=0.01,
        format="%.2f",
        **view(f"share {number} {side} {c} {model_key}", float(edited.soft_labels[share]), move),
    )


def _reset(workspace: Workspace, touched: bool) -> None:
    def forget() -> None:
        _edits().pop(workspace.model_key, None)

    st.button(
        "Reset",
        icon=":material/undo:",
        disabled=not touched,
        on_click=forget,
        help="Back to the fitted soft labels.",
    )
    if refused := st.session_state.pop(settings.EDITED_REFUSED.key, ""):
        refuse(refused)


def _files(workspace: Workspace, edited: EditedPrototypes) -> None:
    download(
        "Download prototypes",
        lambda: with_origin(edited.to_json(), workspace),
        file_name("prototypes", "json", workspace=workspace),
        help="As edited: centroids, lines and soft labels.",
    )
    st.file_uploader(
        "Load prototypes (downloaded here, or written by hand)",
        type="json",
        key=settings.EDITED_FILE.key,
        on_change=_load,
        args=(workspace,),
    )


def _load(workspace: Workspace) -> None:
    file = st.session_state.get(settings.EDITED_FILE.key)
    if file is None:
        return
    try:
        edited = read_handed_in(
            EditedPrototypes.from_json, file.getvalue(), file.name, name=file.name
        )
        edited.check_fits(
            tuple(str(c) for c in workspace.model.classes_),
            workspace.X.shape[1],
            encoder=_encoder(workspace),
            dataset=workspace.dataset.digest,
            filename=file.name,
        )
    except SLPError as error:
        settings.EDITED_REFUSED.set(str(error))
        return
    settings.EDITED_LINE.set(0)
    _edits().put(workspace.model_key, edited)


def _bands(
    workspace: Workspace,
    of: Workspace,
    fitted: EditedPrototypes,
    edited: EditedPrototypes,
    now: Predicted,
    number: int,
) -> BandsDisplay:
    here = now.placement.line == number
    same_lines = [line.classes for line in edited.lines] == [line.classes for line in fitted.lines]
    display = BandsDisplay(
        edited.soft_labels[number],
        edited.classes,
        now.placement.w[here],
        now.predictions.true[here],
        before=fitted.soft_labels[number] if same_lines else None,
        ids=workspace.episode.query[here],
        chosen=chosen_row(workspace),
    )
    show(display, on_click=choose_row, workspace=of)
    st.caption(f"{display.sentence()}{'' if edited is fitted else ' Dotted: as fitted.'}")
    return display


def _small_map(
    workspace: Workspace,
    of: Workspace,
    edited: EditedPrototypes,
    text: str,
    export: Any,
    support: bool,
) -> MapDisplay:
    data = _map_data(workspace, edited)
    keyed = len(data.classes) <= KEYED
    layers = MapLayers(support=support, key=keyed)
    row = chosen_row(workspace)
    display = MapDisplay(data, layers, text, row, MAP_HEIGHT, uirevision=workspace.data_key)
    show(display, "map by hand", on_click=choose_row, workspace=of, export=export)
    if not keyed:
        st.caption("The map on Explore has a key of the classes.")
    return display


def _key(workspace: Workspace, edited: EditedPrototypes) -> str:
    return f"{workspace.model_key} {edited.digest}"


@cached_by(_key)
def _predict(workspace: Workspace, edited: EditedPrototypes) -> Predicted:
    episode = workspace.episode
    X = workspace.X[episode.query]
    model = edited.classifier()
    predictions = predict_query_set(
        model, "These soft labels", X, episode.y_query, workspace.centroids
    )
    support = model.predict_proba(workspace.X[episode.support]).argmax(axis=1)
    return Predicted(model, predictions, support, model.place(X))


@cached_by(_key)
def _map_data(workspace: Workspace, edited: EditedPrototypes) -> MapData:
    projection, episode = workspace.projection(PCA), workspace.episode
    now = _predict(workspace, edited)
    landscape = slp.decision_landscape(now.model, projection, grid=GRID, aspect=ASPECT)
    return map_of(
        now.model,
        projection,
        landscape,
        workspace.dataset.classes,
        workspace.centroids,
        map_points(projection, episode.support, episode.y_support, now.support),
        map_points(projection, episode.query, now.predictions.true, now.predictions.predicted),
    )
