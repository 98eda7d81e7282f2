"""The control that exports a page's view: a link, a report, the code."""

from __future__ import annotations

from typing import Any

import streamlit as st

from pages.session import settings
from pages.session.code import script
from pages.session.component import component
from pages.session.files import file_name
from pages.session.public import shown
from pages.session.workspace import Workspace
from pages.widgets.chart import download

_copy_link = component(__file__, "copy_link")


def share_control() -> Any:
    """Draw the control, closed or open; it is filled last, when the page is drawn."""
    return st.popover(
        "Share",
        type="tertiary",
        on_change="rerun",
        key="share",
        help="A link to this view, a report, and Python code that computes its results.",
    )


def share(fold: Any, workspace: Workspace) -> None:
    if not fold.open:
        return
    # Only now: what a report is made of takes a second to import, on the way to a first picture.
    from pages.shell.report import report

    # A page may show another method than the sidebar's, which has none of what it is about.
    plain = (lambda: script(workspace, "SLP Explorer")), workspace
    code, of = settings.CODE.value or plain
    with fold:
        st.markdown("**Link to this view**")
        _copy_link(key="copy link", data={"query": settings.LINK.value}, height="content")
        typed = f"{settings.OWN.key}=" in (settings.LINK.value or "")  # which the link holds
        if workspace.dataset.read_as is not None and not typed:
            st.caption(":material/info: An upload opens only in the browser it was uploaded from.")
        st.markdown("**Report**")
        report(of)
        st.markdown("**Code for this view**")
        text = shown(code())
        download("Python file", text, file_name("view", "py", workspace=of), key="view code")
        st.code(text, language="python", height=320)
