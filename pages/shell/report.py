"""The report of a page: its contents, the job that makes it, the file."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import streamlit as st

from pages.session import settings
from pages.session.available_encoders import other_encoders
from pages.session.files import file_name, origin
from pages.session.jobs import Job, job_pool
from pages.session.methods import VARIANTS
from pages.session.scripts import versions
from pages.session.selection import chosen_row, row_or_default
from pages.session.view import View
from pages.session.workspace import Workspace
from pages.shell.sidebar import NORMALISATIONS
from pages.widgets.download import download
from pages.widgets.job_progress import completed
from pages.widgets.map import map_data
from pages.widgets.projection_picker import linear_view
from slp_core.methods.table import METHODS
from slp_core.progress import Progress
from slp_core.report.parts import PAGES, made_report
from slp_core.report.subject import COMPARED, Compared, Part, ReportSubject
from slp_core.report.text import made_text
from slp_core.views.text import fidelity_text, quality_text

_THIS_PAGE, _ALL_PAGES = settings.REPORT_OF.default, "All pages"
_COMPARE, _ON_THESE_DATA = "compare", "on these data"  # the page, and what it is set to


@dataclass(frozen=True)
class _Wanted:
    workspace: Workspace
    view: View
    row: int
    compared: Sequence[Workspace]
    left_out: tuple[str, ...]
    page: str
    shown: str  # names what the page puts into it
    make: Callable[[], Sequence[Part]]

    @property
    def key(self) -> tuple[object, ...]:
        each = tuple(f"{one.data_key} {one.method_key}" for one in self.compared)
        view = self.workspace.map_key(self.view)
        return ("report", self.page, view, self.row, each, self.left_out, self.shown)


def report(workspace: Workspace) -> None:
    """The contents of the report; then its progress; then the file."""
    page = settings.PAGE.value if settings.PAGE.value in PAGES else ""
    if page:
        whole = st.segmented_control(
            "Report of",
            required=True,
            label_visibility="collapsed",
            **settings.REPORT_OF.bound(options=[_THIS_PAGE, _ALL_PAGES], opens="default"),
        )
        page = "" if whole == _ALL_PAGES else page
    compared, left_out = _compared(workspace)
    shown, make = settings.REPORTED.value if page and settings.REPORTED.value else ("", tuple)
    view, row = linear_view(workspace), _row(workspace)
    wanted = _Wanted(workspace, view, row, compared, left_out, page, shown, make)
    job = job_pool().get(wanted.key)
    if job is None:
        st.caption("One HTML file that opens offline.")
        st.button("Make the report", icon=":material/article:", on_click=_start, args=(wanted,))
        return
    if not completed(job, "You can go on meanwhile."):
        return
    content: bytes = job.result
    st.caption(made_text(len(content)))
    download(
        "Report (HTML)",
        content,
        file_name("report", "html", workspace=workspace),
        type="primary",
        key="report file",
    )


def _compared(workspace: Workspace) -> tuple[Sequence[Workspace], tuple[str, ...]]:
    """What Compare compares, else the usual methods; and titles of fine-tuning methods."""
    page = settings.PAGE.value, settings.COMPARE_VIEW.value
    on_compare = page == (_COMPARE, _ON_THESE_DATA)
    left_out = tuple(settings.TRAINED.value) if on_compare else ()
    if not on_compare or not settings.COMPARED.value:
        others = [METHODS[name] for name in COMPARED if name != workspace.method.name]
        return [workspace, *map(workspace.with_method, others)], left_out
    names = other_encoders(workspace, settings.COMPARED_ENCODERS)
    chosen = [workspace.through(names[title]) for title in settings.COMPARED_ENCODERS.value]
    through = [workspace, *(each for each in chosen if each.encoded)]
    methods = [VARIANTS[title] for title in settings.COMPARED.value]
    return [each.with_method(method) for each in through for method in methods], left_out


def _row(workspace: Workspace) -> int:
    """The page's example, or the default one."""
    shown = settings.POINT_SHOWN.value
    if chosen_row(workspace) is None and shown is not None and shown < len(workspace.dataset):
        return shown
    return row_or_default(workspace)


def _start(wanted: _Wanted) -> None:
    workspace, shown = wanted.workspace, wanted.make()
    date, scaling = origin("draw", workspace)["date"], ""
    if workspace.dataset.kind != "numeric":
        words = {how: words for words, how in NORMALISATIONS.items()}
        scaling = words[workspace.encoder.normalisation]

    def work(job: Job) -> bytes:
        projection = workspace.projection(wanted.view)
        map_text = quality_text(projection.kept)
        if not projection.exact:
            map_text = f"{fidelity_text(workspace.held_out(wanted.view))} {map_text}"
        subject = ReportSubject(
            workspace.dataset,
            workspace.encoder.info.title,
            workspace.vectors,
            workspace.shots,
            workspace.draw,
            workspace.method,
            workspace.options,
            workspace.model,
            workspace.predictions,
            workspace.centroids,
            map_data(workspace, wanted.view),
            map_text,
            workspace.reading(wanted.row),
            wanted.row,
            [
                Compared(each.method, each.options, each.encoder.info.title, each.vectors)
                for each in wanted.compared
            ],
            date,
            scaling,
            wanted.left_out,
            versions(),
            wanted.page,
            workspace.edits,
            shown,
        )

        def progress(done: int, total: int) -> None:
            job.report(Progress(done, total, None))

        return made_report(subject, progress, job.cancelled).encode()

    job_pool().start(wanted.key, "Making the report", work)
