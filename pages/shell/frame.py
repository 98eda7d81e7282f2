"""What stands around every page: sidebar, status bar, and what is shown until data are ready."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import streamlit as st

import slp_core as slp
from pages.session import settings
from pages.session.address import asked_for, judge_address, take, write_address
from pages.session.files import WORKSPACE
from pages.session.lessons import read_lesson, say_lesson
from pages.session.missing import miss_no_more
from pages.session.status_text import cut_facts, missing_facts
from pages.session.teaching import read_teaching
from pages.session.uploads import MINUTES_KEPT, uploads
from pages.session.workspace import Workspace
from pages.shell.share import share, share_control
from pages.shell.sidebar import sidebar
from pages.shell.status_bar import evaluate_support_sets, status_bar
from pages.shell.teaching import hide, way_back
from pages.shell.upload import upload_panel
from pages.widgets.gallery import gallery
from pages.widgets.job_progress import completed
from pages.widgets.say import refuse, say
from pages.widgets.words import words
from slp_core.errors import SLPError
from slp_core.sentences import count

MOST_REFUSED = 6  # remarks about the address


@dataclass(frozen=True)
class Places:
    """What stands above a page and is filled when the page is drawn."""

    share: Any
    bar: Any
    refused: Any


def frame(folder: str) -> Places | None:
    """Draw the sidebar and the status bar; a page runs only once there is something to show.

    Returns places for :func:`after_page` to fill, or None where there is nothing to show: a run
    that were stopped instead would leave the last page's fragments to run where their page is no
    more.
    """
    asked = asked_for(folder)
    read_lesson(folder, asked)
    if asked is not None:
        take(asked)
    read_teaching()
    say_lesson(folder)
    hide()
    # What comes and goes stands in places that stay. What follows it would move, and a widget that
    # moves is drawn before its old self goes, which then takes the widget's tie to the address.
    asking = st.container()
    with asking:
        if settings.UPLOADING.value:
            upload_panel()
    try:
        workspace = sidebar()
        if settings.MISSING.value and not settings.UPLOADING.value:
            with asking:
                _missing(workspace.dataset.title)
        if not workspace.encoded and not _encode(workspace):
            write_address(folder, drawn=False)
            return None
        workspace.model  # noqa: B018 - fitted here, so that a refusal is told in one place
    except SLPError as error:
        refuse(error)
        write_address(folder, drawn=False)
        return None
    st.session_state[WORKSPACE] = workspace
    settings.CODE.set(None)  # the page that is drawn next offers its own
    with st.container(horizontal=True, vertical_alignment="center", gap="xsmall", key="slim line"):
        bar = status_bar(workspace)
        _remarks(workspace)
        gallery()
        words()
        fold = share_control()
    refused = st.container()
    way_back(folder)
    return Places(fold, bar, refused)


def after_page(places: Places) -> None:
    """Do what nobody has to wait for, once the page is on its way to the browser."""
    write_address(settings.PAGE.value)
    share(places.share, current_workspace())
    judge_address()
    with places.refused:
        _refused()
    evaluate_support_sets(current_workspace(), places.bar)


def after_question(folder: str) -> None:
    """A page that asks first shares nothing yet, and its URL stays as it was opened."""
    write_address(folder, drawn=False)


def current_workspace() -> Workspace:
    """What the sidebar settled in this run."""
    workspace: Workspace = st.session_state[WORKSPACE]
    return workspace


def _remarks(workspace: Workspace) -> None:
    """What to know about the data before believing a number, behind a button."""
    dataset = workspace.dataset
    whole = dataset.kind == "text" and not workspace.encoder.chunks
    cut = cut_facts(workspace.n_truncated, len(dataset), whole)
    weights = workspace.weights_facts()
    remarks = (*dataset.warnings, *workspace.episode.warnings, *cut, *weights)
    if remarks:
        with st.popover(count(len(remarks), "remark"), icon=":material/info:", type="tertiary"):
            for remark in remarks:
                say(remark if isinstance(remark, str) else [remark], before="- ")


def _refused() -> None:
    """What the address that the visit began with asked for in vain, until it is closed."""
    told = (*settings.REFUSED.value, *settings.POINT_REFUSED.value)
    if not told:
        return
    with st.container(border=True, key="refused address"):
        for each in told[:MOST_REFUSED]:
            say([each], before=":material/warning: ")
        if len(told) > MOST_REFUSED:
            st.caption("There is more in the address that cannot be had.")
        st.button("Close", key="close refused", on_click=_close_refused)


def _close_refused() -> None:
    settings.REFUSED.set(())
    settings.POINT_REFUSED.set(())


def _missing(instead: str) -> None:
    """Say that the address asks for what is not here, and offer to bring it again."""
    known = [info.title for info in slp.list_datasets()]
    with st.container(border=True, key="missing dataset"):
        facts = missing_facts(settings.MISSING.value, instead, [*known, *uploads()], MINUTES_KEPT)
        say(facts, before=":material/warning: ")
        left, right, _ = st.columns([2, 1, 3])
        left.button(
            "Upload it again",
            type="primary",
            icon=":material/upload_file:",
            on_click=settings.UPLOADING.set,
            args=(True,),
            width="stretch",
        )
        right.button("Close", on_click=miss_no_more, width="stretch")


def _encode(workspace: Workspace) -> bool:
    """Encode in the background, with a bar; whether that is done."""
    job = workspace.encoding_job or workspace.start_encoding()
    if not job.stopped and isinstance(job.error, SLPError):
        raise job.error
    note = "Everything else is quick once this is done, and it is done once for each text."
    return completed(job, workspace.start_encoding, note, patience=0)
