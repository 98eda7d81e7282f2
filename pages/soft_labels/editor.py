"""Soft labels edited by hand: the bands, the landscape and the accuracy follow at once."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import streamlit as st

import slp_core as slp
from pages.session import settings
from pages.session.workspace import View, Workspace
from pages.widgets.chart import chart, theme
from slp_core.errors import SLPError
from slp_core.explain import Answers, read_answers
from slp_core.explain.bands import winning_bands
from slp_core.explain.soft_labels import SIDES, SoftLabels, soft_label_array
from slp_core.figures.line.bands import bands_figure, bands_table
from slp_core.figures.map.assemble import map_of, map_points
from slp_core.figures.map.data import MapData, MapLayers, map_table
from slp_core.figures.map.figure import map_figure
from slp_core.figures.style.theme import class_style
from slp_core.lines import Placement
from slp_core.markdown import literal, named
from slp_core.methods.edited_prototypes import EditedPrototypes

GRID = 90  # of the small landscape, which is computed anew at every edit
KEPT = 8  # edited models that a session remembers
PCA = View("pca")
MANY = 6  # classes above which a small map has no room for their names


@dataclass(frozen=True)
class Voted:
    """What hand-made prototypes answer to the query set."""

    model: Any
    answers: Answers
    placement: Placement


def by_hand(workspace: Workspace, labels: SoftLabels) -> None:
    """Sliders for one line's soft labels, and everything that moves with them."""
    fitted = _fitted(workspace, labels)
    made = st.session_state.setdefault(settings.EDITED.key, {}).get(workspace.model_key, fitted)
    before, now = _voted(fitted, workspace), _voted(made, workspace)
    st.markdown("#### Edit by hand")
    st.markdown(_verdict(workspace, labels, made is fitted, before, now))
    number = _line_choice(made)
    left, middle, right = st.columns([5, 9, 9], gap="medium")
    with left:
        _sliders(workspace, fitted, made, number)
        _buttons(workspace, made, edited=made is not fitted)
    with middle:
        _bands(fitted, made, now, number)
    with right:
        _small_map(workspace, made, now)


def _fitted(workspace: Workspace, labels: SoftLabels) -> EditedPrototypes:
    """The method's own prototypes, soft labels that depend on the point at their mean."""
    return EditedPrototypes.of(
        workspace.model,
        soft_label_array(labels),
        encoder=_encoder(workspace),
        dataset=workspace.dataset.digest,
    )


def _encoder(workspace: Workspace) -> str:
    return f"{workspace.encoder_name}, {workspace.encoder.normalisation}"


def _verdict(
    workspace: Workspace, labels: SoftLabels, untouched: bool, before: Voted, now: Voted
) -> str:
    m = len(now.answers.true)
    if not m:
        return "There is no query point to judge soft labels by."
    start = f"{before.answers.accuracy:.1%}"
    if not labels.constant:
        frozen = (
            f"{workspace.method.title}'s soft labels depend on the point; held at their mean they "
            f"get {start} of {m:,} query points right, where the method itself gets "
            f"{workspace.answers.accuracy:.1%}."
        )
        if untouched:
            return f"{frozen} Move a soft label, and see what follows."
    if untouched:
        return (
            f"As fitted, {start} of {m:,} query points are answered right. Move a soft label, and "
            "see what follows; the others on the prototype make room in proportion."
        )
    moved = int((now.answers.predicted != before.answers.predicted).sum())
    return (
        f"By hand, **{now.answers.accuracy:.1%}** of {m:,} query points are answered right, where "
        f"the fitted soft labels get {start}: {moved:,} answers have changed."
    )


def _line_choice(made: EditedPrototypes) -> int:
    if len(made.lines) == 1:
        return 0
    names = [
        f"{n} · {made.classes[line.left]} – {made.classes[line.right]}"
        for n, line in enumerate(made.lines, start=1)
    ]
    chosen = st.selectbox(
        "Line",
        range(len(made.lines)),
        format_func=names.__getitem__,
        **settings.EDITED_LINE.bound(),
    )
    return int(chosen)


def _sliders(
    workspace: Workspace, fitted: EditedPrototypes, made: EditedPrototypes, number: int
) -> None:
    line = made.lines[number]
    pair = made.soft_labels[number]
    others = [c for c in range(len(made.classes)) if c not in line.classes and pair[:, c].any()]
    look = theme()
    for side in range(2 if len(line.classes) > 1 else 1):
        end = made.classes[(line.left, line.right)[side]]
        st.markdown(f"**{SIDES[side]} prototype**, at {named(end)}")
        for c in (*line.classes, *others):
            key = _slider_key(made, number, side, c, workspace.model_key)
            st.slider(
                f"{class_style(c, look).character} {literal(made.classes[c])}",
                0.0,
                1.0,
                float(pair[side, c]),
                step=0.01,
                format="%.2f",
                key=key,
                on_change=_move,
                args=(workspace.model_key, fitted, number, side, c, key),
            )


def _slider_key(made: EditedPrototypes, number: int, side: int, c: int, model_key: str) -> str:
    """A slider is made anew whenever its share changes, unless a hand is on that slider.

    So a slider is never told a value: one that is told while a hand moves another answers with
    what it showed before.
    """
    place, moved = f"share {number} {side} {c} ", settings.EDITED_MOVED.value
    if moved.startswith(place) and moved.endswith(model_key):
        return moved
    return f"{place}{settings.EDITED_UNDONE.value} {float(made.soft_labels[number, side, c])!r} {model_key}"


def _move(
    model_key: str, fitted: EditedPrototypes, number: int, side: int, c: int, key: str
) -> None:
    made = st.session_state.setdefault(settings.EDITED.key, {}).get(model_key, fitted)
    if key != _slider_key(made, number, side, c, model_key):
        return  # a slider that has gone since, and only seems to have been moved
    settings.EDITED_MOVED.set(key)
    share = float(st.session_state[key])
    changed = made.with_share(number, side, c, share)
    if len(made.lines[number].classes) == 1:  # one point: its two prototypes are the same
        changed = changed.with_share(number, 1, c, share)
    _keep(model_key, changed)


def _keep(model_key: str, made: EditedPrototypes) -> None:
    edits = st.session_state.setdefault(settings.EDITED.key, {})
    edits.pop(model_key, None)
    edits[model_key] = made
    for old in list(edits)[:-KEPT]:
        del edits[old]


def _new_sliders() -> None:
    settings.EDITED_MOVED.set("")
    settings.EDITED_UNDONE.set(settings.EDITED_UNDONE.value + 1)


def _forget(model_key: str) -> None:
    _new_sliders()
    st.session_state.setdefault(settings.EDITED.key, {}).pop(model_key, None)


def _buttons(workspace: Workspace, made: EditedPrototypes, edited: bool) -> None:
    st.button(
        "Back to fitted",
        icon=":material/undo:",
        disabled=not edited,
        on_click=_forget,
        args=(workspace.model_key,),
        width="stretch",
    )
    with st.container(horizontal=True):
        st.download_button(
            "Download",
            made.to_json,
            "prototypes.json",
            "application/json",
            icon=":material/download:",
            on_click="ignore",
            help="The prototypes as they stand: centroids, lines and soft labels.",
        )
        with st.popover("Load", icon=":material/upload_file:"):
            st.file_uploader(
                "Prototypes that were downloaded here, or written by hand",
                type="json",
                key=settings.EDITED_FILE.key,
                on_change=_load,
                args=(workspace,),
            )
    if refused := st.session_state.pop(settings.EDITED_REFUSED.key, ""):
        st.error(literal(refused), icon=":material/error:")


def _load(workspace: Workspace) -> None:
    """Take up a file of prototypes, if they belong to the data on the table."""
    file = st.session_state[settings.EDITED_FILE.key]
    if file is None:
        return
    try:
        made = EditedPrototypes.from_json(file.getvalue(), file.name)
        made.check_fits(
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
    _new_sliders()
    _keep(workspace.model_key, made)


def _bands(
    fitted: EditedPrototypes,
    made: EditedPrototypes,
    now: Voted,
    number: int,
) -> None:
    here = now.placement.line == number
    labels = made.soft_labels[number]
    sentence = winning_bands(*labels).sentence(made.classes)
    same_lines = [line.classes for line in made.lines] == [line.classes for line in fitted.lines]
    chart(
        bands_figure(
            labels,
            fitted.soft_labels[number] if same_lines else None,
            made.classes,
            now.placement.w[here],
            now.answers.true[here],
            theme(),
        ),
        lambda: bands_table(labels, made.classes),
        "bands",
        alt=sentence,
    )
    w = now.placement.w[here]
    where = (
        f" The line's {len(w):,} query points have w from {w.min():.2f} to {w.max():.2f}."
        if len(w)
        else " No query point asks this line."
    )
    dotted = "" if made is fitted else " Dotted: as fitted."
    st.caption(f"{sentence}{where}{dotted}")


def _small_map(workspace: Workspace, made: EditedPrototypes, now: Voted) -> None:
    data = _map_data(f"{workspace.model_key} {made.digest}", workspace, now)
    layers = MapLayers(support=False, names=len(data.classes) <= MANY)
    chart(
        map_figure(data, layers, theme(), height=420, uirevision=workspace.data_key),
        lambda: map_table(data),
        "map by hand",
        alt=now.answers.sentence(),
    )
    st.caption(
        f"{now.answers.sentence()} The landscape is what these soft labels answer everywhere."
    )


def _voted(made: EditedPrototypes, workspace: Workspace) -> Voted:
    return _vote(f"{workspace.model_key} {made.digest}", made, workspace)


@st.cache_resource(max_entries=48, show_spinner=False)
def _vote(key: str, _made: EditedPrototypes, _workspace: Workspace) -> Voted:
    episode = _workspace.episode
    X = _workspace.X[episode.query]
    model = _made.classifier()
    answers = read_answers(model, "The vote", X, episode.y_query, _workspace.centroids)
    return Voted(model, answers, model.place(X))


@st.cache_resource(max_entries=24, show_spinner=False)
def _map_data(key: str, _workspace: Workspace, _now: Voted) -> MapData:
    projection, episode = _workspace.projection(PCA), _workspace.episode
    landscape = slp.decision_landscape(_now.model, projection, grid=GRID, aspect=1.15)
    answers = _now.answers
    support = episode.support[:0]
    return map_of(
        _now.model,
        projection,
        landscape,
        _workspace.dataset.classes,
        _workspace.centroids,
        map_points(projection, support, support, support),
        map_points(projection, episode.query, answers.true, answers.predicted),
    )
