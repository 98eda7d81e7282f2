"""The frame of every page: sidebar, status line, and what is shown until data are ready."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import streamlit as st

from pages.session import settings
from pages.session.address import apply_url, note_refused, read_url, write_address
from pages.session.files import WORKSPACE
from pages.session.lectures import read_learn, say_learn
from pages.session.lessons import PAGE
from pages.session.methods import shown_on
from pages.session.support_edits import is_own
from pages.session.text import truncated_text
from pages.session.uploads import MINUTES_KEPT
from pages.session.workspace import Workspace
from pages.shell.fine_tuning import fine_tuned_text
from pages.shell.navigation import TEACH, script
from pages.shell.share import share, share_control
from pages.shell.sidebar import sidebar
from pages.shell.status_bar import evaluate_support_sets, status_bar
from pages.shell.teaching import hide, stands_alone, way_back
from pages.shell.upload import close_upload, upload_panel
from pages.widgets.gallery import gallery
from pages.widgets.job_progress import completed
from pages.widgets.say import refuse
from pages.widgets.words import words
from slp_core.data.typed_shots import TypedBeside
from slp_core.errors import SLPError
from slp_core.sentences import ClassName, count

_SOON = 0.3  # seconds that are waited for texts typed on Teach, which draws its fields meanwhile
_QUICK = 2.0  # seconds that a few texts are waited for
MOST_REFUSED = 6  # remarks about a link
_UNFITTED = "unfitted"


@dataclass(frozen=True)
class Places:
    """What stands above a page and is filled once the page is drawn; no status line in a lesson."""

    refused: Any
    share: Any | None = None
    bar: Any | None = None


def frame(folder: str) -> Places | None:
    """Draw the sidebar and the status line; a page runs only once there is something to show.

    Returns places for :func:`after_page` to fill, or None where there is nothing to show: a run
    that were stopped instead would leave the last page's fragments to run where their page is no
    more.
    """
    requested = read_url(folder)
    if requested is not None:
        if folder == PAGE:
            read_learn(requested)
        apply_url(requested)
    if folder == PAGE:
        say_learn()
    hide()
    alone = stands_alone(folder)
    st.set_page_config(initial_sidebar_state="collapsed" if alone else "auto")
    # What comes and goes stands in places that stay. What follows it would move, and a widget that
    # moves is drawn before its old self goes, which then takes the widget's tie to the address.
    first = st.container()
    if settings.UPLOADING.value not in ("", folder):
        close_upload()
    with first:
        if settings.UPLOADING.value:
            upload_panel()
    st.session_state[_UNFITTED] = False
    workspace: Workspace | None = None
    try:
        workspace = sidebar()
        st.session_state[WORKSPACE] = workspace
        if workspace is None:
            return _nothing_typed(folder)
        if settings.MISSING.value and not settings.UPLOADING.value:
            with first:
                _missing(workspace.dataset.title)
        typed = folder == TEACH and (
            is_own(workspace.dataset) or isinstance(workspace.dataset, TypedBeside)
        )
        if typed and not workspace.encoded:
            workspace.encoding.started().wait(_SOON)
            if not workspace.encoded:
                return _unfitted(folder)
        if not workspace.encoded and not encode(workspace):
            write_address(folder, drawn=False)
            return None
        workspace.model  # noqa: B018 - fitted here, so that a refusal is shown in one place
        workspace, why = shown_on(folder, workspace)
        st.session_state[WORKSPACE] = workspace
    except SLPError as error:
        if folder == TEACH and workspace is not None and workspace.encoded:
            return _unfitted(folder)  # which says why, and where it can be mended
        refuse(error)
        write_address(folder, drawn=False)
        return None
    settings.CODE.set(None)  # the page that is drawn next offers its own
    settings.REPORTED.set(None)
    if alone:
        _say_instead(why)
        return Places(st.container())
    with st.container(horizontal=True, vertical_alignment="center", gap="xxsmall", key="slim line"):
        bar = None if "status" in settings.HIDDEN.value else status_bar(workspace)
        _remarks(workspace)
        gallery()
        words()
        fold = share_control()
    refused = st.container()
    way_back(folder)
    _say_instead(fine_tuned_text(workspace) or why)
    return Places(refused, fold, bar)


def after_page(places: Places) -> None:
    """Work that nobody has to wait for, once the page has been sent."""
    write_address(settings.PAGE.value)
    if places.share is not None:
        share(places.share, current_workspace())
    else:
        words()
    note_refused()
    with places.refused:
        _refused()
    if places.bar is not None:
        evaluate_support_sets(current_workspace(), places.bar)


def after_question(folder: str) -> None:
    """A page that asks first offers no sharing yet, and its URL stays as opened."""
    words()
    write_address(folder, drawn=False)


def current_workspace() -> Workspace:
    workspace: Workspace = st.session_state[WORKSPACE]
    return workspace


def workspace_if_any() -> Workspace | None:
    """The workspace; None before examples of two classes have been typed."""
    workspace: Workspace | None = st.session_state[WORKSPACE]
    return workspace


def unfitted() -> bool:
    """Whether Teach has no fitted method yet: texts are being encoded, or the method refuses."""
    found: bool = st.session_state[_UNFITTED]
    return found


def _nothing_typed(folder: str) -> Places | None:
    """Examples are typed on Teach; the other pages need some."""
    if folder == TEACH:
        return _unfitted(folder)
    st.subheader("Type an example for each of two classes first.")
    st.page_link(script(TEACH), label="Type them on Teach", icon=":material/edit_note:")
    write_address(folder, drawn=False)
    return None


def _unfitted(folder: str) -> Places:
    """Places as once it predicts: a field that moves loses what is being typed."""
    st.session_state[_UNFITTED] = True
    if stands_alone(folder):
        return Places(st.container())
    st.container()  # the line
    places = Places(st.container())
    way_back(folder)
    return places


def _say_instead(why: str) -> None:
    if why:
        st.caption(f":material/info: {why}")


def _remarks(workspace: Workspace) -> None:
    dataset = workspace.dataset
    chunks_possible = dataset.kind == "text" and not workspace.encoder.chunks
    truncated = truncated_text(workspace.n_truncated, len(dataset), chunks_possible)
    every = (*dataset.warnings, *workspace.episode.warnings, truncated, workspace.weights_text())
    remarks = list(filter(None, map(str, every)))
    if remarks:
        with st.popover(count(len(remarks), "remark"), icon=":material/info:", type="tertiary"):
            for remark in remarks:
                st.markdown(f"- {remark}")


def _refused() -> None:
    """What the first link requested and is not available, until dismissed."""
    refused = [f":material/warning: {each}" for each in settings.REFUSED.value.values()]
    if not refused:
        return
    first, *more = refused
    with st.container(
        border=True, horizontal=True, vertical_alignment="center", key="refused address"
    ):
        st.markdown(first)
        if more:
            with st.popover(f"{len(more):,} more", type="tertiary"):
                for each in more[:MOST_REFUSED]:
                    st.markdown(each)
        st.button("Close", key="close refused", type="tertiary", on_click=settings.REFUSED.clear)


def _missing(instead: str) -> None:
    with st.container(border=True, key="missing dataset"):
        requested = ClassName(settings.MISSING.value)
        st.markdown(
            f":material/warning: The link asks for the dataset {requested}, which is not here. An "
            "upload opens only in the browser it was uploaded from, and is deleted "
            f"{MINUTES_KEPT} minutes after the last tab was closed or when the server restarts. "
            f"**This is {ClassName(instead)}.**"
        )
        left, right, _ = st.columns([2, 1, 3])
        left.button(
            "Upload it again",
            type="primary",
            icon=":material/upload_file:",
            on_click=settings.UPLOADING.set,
            args=(settings.PAGE.value,),
            width="stretch",
        )
        right.button("Close", on_click=settings.MISSING.clear, width="stretch")


def encode(workspace: Workspace) -> bool:
    job = workspace.encoding.started()
    patience = _QUICK if workspace.soon_encoded else 0
    if not job.stopped and isinstance(job.error, SLPError):
        raise job.error
    note = "This is done once for each text; everything else is quick."
    return completed(job, note, patience) is not None
