"""The report on the view: its size beforehand, a job that makes it, the file."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import streamlit as st

from pages.session import settings
from pages.session.available_encoders import other_encoders
from pages.session.files import file_name, origin
from pages.session.jobs import Job, job_pool
from pages.session.methods import VARIANTS
from pages.session.scripts import versions
from pages.session.selection import chosen_row
from pages.session.view import View
from pages.session.workspace import Workspace
from pages.shell.sidebar import NORMALISATIONS
from pages.widgets.job_progress import completed
from pages.widgets.map import map_data
from pages.widgets.projection_picker import LANDSCAPES, PICTURES
from pages.widgets.say import say
from slp_core.facts import Facts
from slp_core.methods.table import METHODS
from slp_core.progress import Progress
from slp_core.report import (
    COMPARED,
    Compared,
    ReportSubject,
    about_size,
    compared_facts,
    made_facts,
    made_report,
    size_facts,
)

_NOTE = "The page can be used meanwhile."
_COMPARE, _ON_THESE_DATA = "compare", "on these data"  # the page, and what it is set to


@dataclass(frozen=True)
class _Asked:
    """What a report is to be made of."""

    workspace: Workspace
    view: View
    row: int
    compared: Sequence[Workspace]
    left_out: tuple[str, ...]

    @property
    def key(self) -> tuple[object, ...]:
        """Of the job that makes it."""
        each = tuple(f"{one.data_key} {one.method_key}" for one in self.compared)
        return ("report", self.workspace.map_key(self.view), self.row, each, self.left_out)

    def compared_facts(self) -> Facts:
        """What its comparison has; nothing where there is nothing to compare on."""
        if not len(self.workspace.episode.query):
            return ()
        methods = dict.fromkeys(each.method.title for each in self.compared)
        encoders = dict.fromkeys(each.encoder.info.title for each in self.compared)
        return compared_facts(list(methods), list(encoders), self.left_out)


def report(workspace: Workspace) -> None:
    """What the report will be; then its progress; then the file."""
    compared, left_out = _compared(workspace)
    asked = _Asked(workspace, _view(workspace), _row(workspace), compared, left_out)
    job = job_pool().get(asked.key)
    if job is None:
        about = size_facts(about_size(workspace.dataset, workspace.model))
        say((*about, *asked.compared_facts()), st.caption)
        st.button("Make the report", icon=":material/article:", on_click=_start, args=(asked,))
        return
    if not completed(job, lambda: _start(asked), _NOTE):
        return
    page: bytes = job.result
    say((*made_facts(len(page)), *asked.compared_facts()), st.caption)
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


def _compared(workspace: Workspace) -> tuple[Sequence[Workspace], tuple[str, ...]]:
    """What Compare sets against each other, where it is the page; else the usual methods.

    And the titles of what it sets against them too, but trains the encoder.
    """
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


def _start(asked: _Asked) -> None:
    workspace = asked.workspace
    date, scaling = origin("draw", workspace)["date"], ""
    if workspace.dataset.kind != "numeric":
        words = {how: words for words, how in NORMALISATIONS.items()}
        scaling = words[workspace.encoder.normalisation]

    def work(job: Job) -> bytes:
        projection, landscape = workspace.projection(asked.view), workspace.landscape(asked.view)
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
            map_data(workspace, asked.view),
            (*projection.kept.facts(), *drawn),
            workspace.reading(asked.row),
            asked.row,
            [
                Compared(each.method, each.options, each.encoder.info.title, each.vectors)
                for each in asked.compared
            ],
            date,
            scaling,
            asked.left_out,
            versions(),
        )

        def progress(done: int, total: int) -> None:
            job.report(Progress(done, total, None))

        return made_report(subject, progress, job.cancelled).encode()

    job_pool().start(asked.key, "Making the report", work, again=True)
