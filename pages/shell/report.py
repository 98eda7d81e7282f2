"""The report of a page: its contents, the job that makes it, the file."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import streamlit as st

from pages.session import settings
from pages.session.files import file_name, today, versions
from pages.session.jobs import Job, job_pool
from pages.session.selection import chosen_row, row_or_default
from pages.session.workspace import View, Workspace
from pages.widgets.chart import download
from pages.widgets.job_progress import begin, completed
from pages.widgets.map import map_data
from pages.widgets.projection_picker import linear_view
from slp_core.report.parts import PAGES, made_report
from slp_core.report.subject import Part, ReportSubject
from slp_core.report.text import made_text
from slp_core.views.text import fidelity_text, quality_text

_THIS_PAGE, _ALL_PAGES = settings.REPORT_OF.default, "All pages"


def report(workspace: Workspace) -> None:
    page = settings.PAGE.value if settings.PAGE.value in PAGES else ""
    if page:
        whole = st.segmented_control(
            "Report of",
            required=True,
            label_visibility="collapsed",
            **settings.REPORT_OF.bound(options=[_THIS_PAGE, _ALL_PAGES], opens="default"),
        )
        page = "" if whole == _ALL_PAGES else page
    shown, make = settings.REPORTED.value if page and settings.REPORTED.value else ("", tuple)
    view, row = linear_view(workspace), _row(workspace)
    key = ("report", page, workspace.map_key(view), row, shown)
    job = job_pool().get(key)
    if job is None:

        def start() -> None:
            work = _work(workspace, view, row, page, make())
            begin(job_pool().job(key, "Making the report", work))

        st.caption("One HTML file that opens offline.")
        st.button("Make the report", icon=":material/article:", on_click=start)
        return
    content: bytes | None = completed(job, "You can go on meanwhile.")
    if content is None:
        return
    st.caption(made_text(len(content)))
    download(
        "Report (HTML)",
        content,
        file_name("report", "html", workspace=workspace),
        type="primary",
        key="report file",
    )


def _row(workspace: Workspace) -> int:
    shown = settings.POINT_SHOWN.value
    if chosen_row(workspace) is None and shown is not None and shown < len(workspace.dataset):
        return shown
    return row_or_default(workspace)


def _work(
    workspace: Workspace, view: View, row: int, page: str, parts: Sequence[Part]
) -> Callable[[Job], bytes]:
    scaling = "" if workspace.dataset.kind == "numeric" else settings.NORMALISATION.value

    def work(job: Job) -> bytes:
        projection = workspace.projection(view)
        map_text = quality_text(projection.kept)
        if not projection.exact:
            map_text = f"{fidelity_text(workspace.held_out(view))} {map_text}"
        subject = ReportSubject(
            dataset=workspace.dataset,
            encoder_title=workspace.encoder.info.title,
            vectors=workspace.vectors,
            shots=workspace.shots,
            draw=workspace.draw,
            edits=workspace.edits,
            method=workspace.method,
            options=workspace.options,
            model=workspace.model,
            predictions=workspace.predictions,
            centroids=workspace.centroids,
            map_data=map_data(workspace, view),
            map_text=map_text,
            reading=workspace.reading(row),
            row=row,
            date=today(),
            scaling=scaling,
            versions=versions(),
            page=page,
            shown=parts,
        )
        return made_report(subject, job.report, job.cancelled).encode()

    return work
