"""Soft labels edited by hand: landscape, decision intervals and accuracy follow at once."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import nullcontext, suppress
from dataclasses import dataclass, field, fields, replace
from functools import cached_property
from typing import Any

import streamlit as st

import slp_core as slp
from pages.session import settings
from pages.session.cache import BoundedStore, cached_by
from pages.session.code import offer_report
from pages.session.files import file_name, named_method, with_origin
from pages.session.reading import read_handed_in
from pages.session.selection import choose_row, chosen_row
from pages.session.settings import view
from pages.session.workspace import ASPECT, View, Workspace
from pages.widgets.chart import download, show, theme
from pages.widgets.fidelity import fidelity_line
from pages.widgets.map import assemble
from pages.widgets.say import refuse_sent
from pages.widgets.shots import selected_shot
from slp_core.errors import SLPError
from slp_core.explain.places import read_places
from slp_core.explain.profile import line_profile
from slp_core.explain.soft_label_text import edit_text, seen_text
from slp_core.explain.soft_labels import SIDES, SoftLabels, soft_label_array
from slp_core.figures.line.bands import BandsDisplay
from slp_core.figures.map.data import MapData, MapLayers
from slp_core.figures.map.figure import MapDisplay
from slp_core.figures.style.theme import class_style
from slp_core.glossary import term
from slp_core.markdown import isolated, literal, shortened
from slp_core.methods.edited_prototypes import EditedPrototypes, EditedSLPClassifier
from slp_core.report.subject import Part
from slp_core.sentences import ClassName

GRID = 90  # of the landscape, which is computed anew at every edit
KEPT = 8  # edited models that a session remembers
MAP_HEIGHT, KEYED = 420, 13  # px of the map, and classes of which it has a key
_NAME = 20  # letters of a class above its sliders, and beside one
FEW = 3  # classes off the line whose sliders stand among those of the line's classes, at most


@dataclass(frozen=True)
class ByHand(Workspace):
    """A workspace whose model is made of prototypes that are edited by hand."""

    prototypes: EditedPrototypes = field(kw_only=True)

    @property
    def model_key(self) -> str:
        return f"{super().model_key} {self.prototypes.digest}"

    @cached_property
    def model(self) -> EditedSLPClassifier:
        return self.prototypes.classifier()


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
    touched = edited is not fitted
    as_fitted = "" if labels.constant else "with mean soft labels"
    before = _by_hand(workspace, fitted, as_fitted)
    now = _by_hand(workspace, edited, "edited by hand") if touched else before
    settings.EDITED_SHARES.set(edited.changes_from(fitted) or None)
    settings.EDITED_SHARES.shows()
    text = edit_text(
        workspace.predictions,
        labels.constant,
        before.predictions,
        now.predictions if touched else None,
    )
    invitation = f" Change a {term('soft label')} to move the regions."
    with st.container():  # whatever it holds, what follows stays where it is
        heading = text if touched or not labels.constant else text + invitation
        (st.subheader if beside else st.markdown)(heading)
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
    with pictures:
        small_map = _small_map(now, workspace.opening_view, text, export, support=beside)
        if beside:
            selected_shot(workspace)
    bands = _bands(now, fitted, number)
    if further is not None:
        offer_report(
            f"{now.model_key} {number} {small_map.chosen}",
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


def _by_hand(workspace: Workspace, prototypes: EditedPrototypes, how: str) -> ByHand:
    """The workspace with these prototypes, whose method is called so in files."""
    method = replace(workspace.method, name=f"{named_method(workspace).name} {how}".strip())
    given = {each.name: getattr(workspace, each.name) for each in fields(workspace)}
    return ByHand(**given | {"method": method}, prototypes=prototypes)


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
        name = edited.classes[c]
        end = ClassName(shortened(name, _NAME), c)
        with column.container(key=f"shares at end {side}"):  # what names its sliders: names.js
            whole = None if len(name) <= _NAME else literal(name)
            st.markdown(f"**Prototype {SIDES[side]}**  \n{end}", help=whole)
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
        f"{class_style(c, theme()).character} {literal(shortened(edited.classes[c], _NAME))}",
        0.0,
        1.0,
        step=0.01,
        format="%.2f",
        **view(f"share {number} {side} {c} {model_key}", float(edited.soft_labels[share]), move),
    )


def _reset(workspace: Workspace, touched: bool) -> None:
    def forget() -> None:
        _edits().pop(workspace.model_key, None)
        settings.SENT_REFUSED.clear()

    st.button(
        "Reset",
        icon=":material/undo:",
        disabled=not touched,
        on_click=forget,
        help="Back to the fitted soft labels.",
    )
    settings.SENT_REFUSED.keep_for(workspace.model_key)
    refuse_sent(settings.EDITED_FILE.key)


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
    settings.SENT_REFUSED.clear()
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
        settings.SENT_REFUSED.set((settings.EDITED_FILE.key, str(error)))
        return
    settings.EDITED_LINE.set(0)
    _edits().put(workspace.model_key, edited)


def _bands(now: ByHand, fitted: EditedPrototypes, number: int) -> BandsDisplay:
    edited, query, predictions = now.prototypes, now.episode.query, now.predictions
    same_lines = [line.classes for line in edited.lines] == [line.classes for line in fitted.lines]
    found = {"row": query, "true": predictions.true, "predicted": predictions.predicted}
    examples = read_places(now.line_model, now.X[query]).assign(**found, shown=True)
    display = BandsDisplay(
        line_profile(now.line_model, number, examples),
        edited.soft_labels[number],
        before=fitted.soft_labels[number] if same_lines else None,
        row=chosen_row(now),
    )
    show(display, on_click=choose_row, workspace=now)
    st.caption(display.sentence())
    return display


def _small_map(now: ByHand, view: View, text: str, export: Any, support: bool) -> MapDisplay:
    data = _map_data(now, view)
    keyed = len(data.classes) <= KEYED
    layers = MapLayers(support=support, key=keyed)
    display = MapDisplay(data, layers, text, chosen_row(now), MAP_HEIGHT, uirevision=now.data_key)
    show(display, "map by hand", on_click=choose_row, workspace=now, export=export)
    fidelity_line(now, view)
    if not keyed:
        st.caption("The map on Explore has a key of the classes.")
    return display


@cached_by(lambda now, view: now.map_key(view))
def _map_data(now: ByHand, view: View) -> MapData:
    projection = now.projection(view)
    landscape = slp.decision_landscape(now.model, projection, GRID, view.inverse, aspect=ASPECT)
    return assemble(now, projection, landscape)
