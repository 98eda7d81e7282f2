"""Encoders: the same data through two encoders, and what meta-training changed."""

from __future__ import annotations

from typing import get_args

import streamlit as st

import slp_core as slp
from pages.encoders.checkpoints import cards, training_curves, tune_here, upload
from pages.encoders.data import (
    accuracy_job,
    change_of,
    code,
    defaults,
    everywhere_job,
    moves_of,
    titles_of,
    tunable,
)
from pages.encoders.neighbours import neighbours, shown_row
from pages.session import settings
from pages.session.available_encoders import entries_of, other_encoders
from pages.session.code import offer_code, offer_report
from pages.session.selection import choose_row
from pages.session.workspace import Workspace
from pages.shell.frame import current_workspace
from pages.widgets.chart import show
from pages.widgets.episode import episode
from pages.widgets.example import example_row
from pages.widgets.job_progress import completed, encoded_or_offered
from pages.widgets.parts import alone, folded
from pages.widgets.shots import shot_menu
from pages.widgets.tables import plain_table
from slp_core.data.remarks import not_english
from slp_core.diagnostics.encoders import EncoderChange
from slp_core.diagnostics.text import change_text, moved_text, separation_text, unseen_text
from slp_core.encoders.cards import read_encoder_card
from slp_core.encoders.choice import EncoderChoice
from slp_core.encoders.text import list_label, size_text
from slp_core.evaluation.text import encoder_gain_text
from slp_core.figures.encoder_change import (
    AccuracyByShotsDisplay,
    ClassDistancesDisplay,
    MovesDisplay,
    Parts,
    accuracy_pivot,
)
from slp_core.glossary import term
from slp_core.markdown import literal
from slp_core.report.subject import Part

PLANES = {"of all points": False, "of the class means": True}
PLANE_NAMES = {"of all points": "All examples", "of the class means": "Class means"}
WHOLE = "as one text"
MOST_CLASSES = 6  # beyond which the picture opens on the centroids' arrows alone


def page(workspace: Workspace) -> None:
    if workspace.dataset.kind == "numeric":
        st.subheader("This dataset consists of numbers and needs no encoder.", anchor=False)
        st.caption("Choose a dataset of texts in the sidebar to compare two encoders.")
    else:
        alone(_comparison, workspace)
        alone(folded, "How an episode of meta-training works", "episode", episode, workspace)
    alone(folded, "Meta-training curves", "training", training_curves)
    alone(folded, "Model cards", "cards", cards)
    alone(folded, "Upload a checkpoint", "checkpoint", upload, workspace.encoder_name)


def _comparison(workspace: Workspace) -> None:
    """A fragment: a click or another encoder redraws nothing else."""
    headline = st.container()
    left, right = st.columns([13, 7], gap="medium")
    with right, st.popover("View", icon=":material/tune:", width="stretch"):
        opening = defaults(workspace)
        before, after = (
            _encoder(workspace, *each) for each in zip(("before", "after"), opening, strict=True)
        )
        plane, parts = _what_is_shown(workspace)
    offer_code(lambda: code(workspace, before, after), workspace)
    if (dataset := workspace.dataset).language.remarkable:
        with right:
            st.caption(not_english(dataset.title, dataset.language))
    missing = [w for w in (before, after) if not w.encoded]
    if missing:
        headline.subheader(unseen_text([w.encoder.info.title for w in missing]))
        for each in missing:
            encoded_or_offered(each)
        return
    change = change_of(before, after)
    headline.subheader(change_text(change), anchor=False)
    row = shown_row(before, change)
    with left:
        moves = moves_of(before, after, change, PLANES[plane], parts, row)
        show(moves, on_click=choose_row)
        st.caption(f"{moves.sentence()} {moves.caption()}")
    offer_report(f"{moves.key} {row}", lambda: _reported(change, moves))
    with right:
        _selected(before, change, row)
        _remarks(workspace, before, after)
    folded("Class separation", "separation", _separation, change)
    if settings.NEAR.key in settings.READ.value and settings.NEAR.value:  # a link to a sentence
        settings.fold("neighbours").set(True)
    folded("Nearest neighbours", "neighbours", neighbours, before, after, change)
    folded("Accuracy under both", "accuracy", _accuracy, before, after)
    folded("On the bundled texts", "everywhere", _everywhere, before, after)
    folded("Fine-tune the encoder on this support set", "tuning", tune_here, tunable(after))


def _reported(change: EncoderChange, moves: MovesDisplay) -> list[Part]:
    apart = ClassDistancesDisplay(change)
    return [
        Part(
            "How embeddings move", [change_text(change), moves.sentence(), moves.caption()], [moves]
        ),
        Part(
            "Class separation",
            [separation_text(change)],
            [apart],
            {"Class separation": apart.table()},
        ),
    ]


def _selected(workspace: Workspace, change: EncoderChange, row: int) -> None:
    place = workspace.episode.place_of(row)
    st.markdown(f"**{workspace.dataset.called(row).capitalize()}**")
    example_row(workspace.dataset, row)
    st.markdown(moved_text(change, int(workspace.dataset.y[row]), place))
    shot_menu(workspace, row)


def _remarks(workspace: Workspace, before: Workspace, after: Workspace) -> None:
    """The weights of a support-weighted encoder, and whether the two are the same."""
    for each in {before.encoder_name: before, after.encoder_name: after}.values():
        if each.encoder_name == workspace.encoder_name:  # said at the top of the page
            continue
        if weights := each.weights_text():
            st.caption(weights)
    if before.data_key == after.data_key:
        st.caption("Both encoders are the same: nothing moves.")


def _encoder(workspace: Workspace, when: str, default: str) -> Workspace:
    """The workspace with the encoder chosen for before or after, and its card."""
    title, name = workspace.encoder.info.title, workspace.encoder_name
    setting = settings.setting_of(when, name)
    first = title if default == name else slp.load_encoder(default).info.title
    fitting = {title: name} | other_encoders(workspace, setting) | {first: default}
    titles = [first, *(title for title in fitting if title != first)]
    entries = entries_of(tuple(fitting.values()))
    picked = st.selectbox(
        when.capitalize(),
        format_func=lambda title: list_label(entries[title]) if title in entries else title,
        **setting.bound(first, options=titles),
    )
    chosen = _with_options(when, EncoderChoice.of(fitting[picked]))
    card = read_encoder_card(chosen.name)
    st.caption(f"{literal(card.info.description)} {size_text(card)}")
    return workspace.through(str(chosen))


def _with_options(when: str, choice: EncoderChoice) -> EncoderChoice:
    """The encoder with the options chosen here, unless its title names some."""
    options = slp.load_encoder(choice.name).info.options
    if not options or choice.combine or choice.chunks:
        return choice
    combine = None
    if "combine" in options:
        setting = settings.setting_of(when, "combine", choice.name)
        bound = setting.bound("none", options=list(settings.COMBINES))
        combine = settings.COMBINES[st.selectbox("Combine with MiniLM", **bound)]
    setting = settings.setting_of(when, "chunks", choice.name)
    chunks = st.selectbox("Long texts", **setting.bound(WHOLE, options=[WHOLE, "in chunks"]))
    return EncoderChoice(choice.name, combine, chunks != WHOLE)


def _what_is_shown(workspace: Workspace) -> tuple[str, Parts]:
    """The plane, and what gets arrows: with many classes only the centroids at first."""
    many = len(workspace.dataset.classes) > MOST_CLASSES
    size = "many" if many else "few"
    plane = st.segmented_control(
        "Principal components of",
        required=True,
        format_func=PLANE_NAMES.__getitem__,
        **settings.setting_of("plane", size).bound(
            list(PLANES)[many], options=list(PLANES), opens="default"
        ),
    )
    parts = st.segmented_control(
        "Arrows",
        required=True,
        **settings.setting_of("arrows", size).bound(
            "centroids" if many else "all points",
            options=get_args(Parts),
            opens="default",
        ),
    )
    return plane, parts


def _separation(change: EncoderChange) -> None:
    display = ClassDistancesDisplay(change)
    show(display)
    st.caption(separation_text(change))


def _accuracy(before: Workspace, after: Workspace) -> None:
    found = completed(accuracy_job(before, after))
    if found is None:
        return
    display = AccuracyByShotsDisplay(found, titles_of(before, after))
    show(display)
    means = f"Mean ± {term('SD')} over support sets; default options."
    st.caption(f"{display.sentence()} {means}")


def _everywhere(before: Workspace, after: Workspace) -> None:
    found = completed(everywhere_job(before, after))
    if found is None:
        return
    st.markdown(encoder_gain_text(found, titles_of(before, after)))
    plain_table(accuracy_pivot(found))
    st.caption(
        "Accuracy (%) of nearest centroid, before → after, averaged over support sets, on the "
        "datasets that both encoders have encoded."
    )


page(current_workspace())
