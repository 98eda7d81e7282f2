"""The report on the view: its size beforehand, a job that makes it, the file."""

from __future__ import annotations

import streamlit as st

from pages.session import settings
from pages.session.files import file_name, origin
from pages.session.jobs import Job, job_pool
from pages.session.selection import chosen_row
from pages.session.view import View
from pages.session.workspace import Workspace
from pages.widgets.job_progress import completed
from pages.widgets.map import map_data
from pages.widgets.projection_picker import LANDSCAPES, PICTURES
from pages.widgets.say import say
from slp_core.encoders import Progress
from slp_core.evaluation.reproduce import versions
from slp_core.report import ReportSubject, about_size, made_facts, made_report, size_facts

_NOTE = "The page can be used meanwhile."


def report(workspace: Workspace) -> None:
    """What the report will be; then its progress; then the file."""
    row, view = _row(workspace), _view(workspace)
    key = ("report", workspace.map_key(view), row)
    job = job_pool().get(key)
    if job is None:
        say(size_facts(about_size(workspace.dataset, workspace.model)), st.caption)
        st.button(
            "Make the report",
            icon=":material/article:",
            on_click=_start,
            args=(workspace, view, row, key),
        )
        return
    if not completed(job, lambda: _start(workspace, view, row, key), _NOTE):
        return
    page: bytes = job.result
    say(made_facts(len(page)), st.caption)
    st.download_button(
        "Report (HTML)",
        page,
        file_name("report", "html", workspace=workspace),
        "text/html",
        icon=":material/download:",
        on_click="ignore",
        type="primary",
        key="report file",
    )


def _row(workspace: Workspace) -> int:
    """The chosen point, or the one that Explore opens on."""
    row, opening = chosen_row(workspace), workspace.answers.opening()
    if row is not None:
        return row
    episode = workspace.episode
    return int(episode.support[0] if opening is None else episode.query[opening.index])


def _view(workspace: Workspace) -> View:
    """The picture that Explore is set to, where it is at hand at once; else the slice of PCA."""
    method = PICTURES.get(settings.PROJECTION.value)
    if method is None or method not in workspace.linear_views or workspace.X.shape[1] <= 2:
        return View("pca")
    return View(method, bent=LANDSCAPES.get(settings.LANDSCAPE.value, False))


def _start(workspace: Workspace, view: View, row: int, key: tuple[object, ...]) -> None:
    date = origin("draw", workspace)["date"]

    def work(job: Job) -> bytes:
        projection, landscape = workspace.projection(view), workspace.landscape(view)
        drawn = () if projection.exact else landscape.facts()
        subject = ReportSubject(
            workspace.dataset,
            workspace.encoder.info.title,
            workspace.vectors,
            workspace.shots,
            workspace.draw,
            workspace.method,
            workspace.options,
            workspace.model,
            workspace.answers,
            workspace.centroids,
            map_data(workspace, view),
            (*projection.kept.facts(), *drawn),
            workspace.reading(row),
            row,
            date,
            versions(),
        )

        def progress(done: int, total: int) -> None:
            job.report(Progress(done, total, None))

        return made_report(subject, progress, job.cancelled).encode()

    job_pool().start(key, "Making the report", work, again=True)
