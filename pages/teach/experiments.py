"""Experiments on a support set, one click each, and the fewest shots that mislead."""

from __future__ import annotations

import streamlit as st

from pages.session import settings
from pages.session.jobs import Job, job_pool
from pages.session.selection import choose_row
from pages.session.support_edits import choose_edits, edited_by_now
from pages.session.workspace import Workspace
from pages.widgets.example import example_row
from pages.widgets.job_progress import completed
from pages.widgets.shots import edit, edit_shots
from slp_core.evaluation.draws import arrays_of
from slp_core.evaluation.shot_experiments import Kind, experiment
from slp_core.evaluation.text import experiment_text
from slp_core.explain.misleading import MisleadingShots, misleading_shots
from slp_core.explain.text import misleading_text

_TITLES: dict[Kind, str] = {
    "wrong label": "A wrong label",
    "outlier": "An outlier",
    "twice the shots": "One class with twice the shots",
    "same examples": "Two classes that look alike",
}


def experiments(workspace: Workspace) -> None:
    with st.container(horizontal=True, vertical_alignment="center", key="edit shots experiments"):
        st.caption("Experiments", width="content")
        for kind, title in _TITLES.items():
            st.button(title, key=f"edit shots {kind}", on_click=_run, args=(workspace, kind))


def what_to_watch(workspace: Workspace) -> None:
    """The effect of the last experiment, while its support set stands."""
    edits, text = settings.EXPERIMENT.value or (None, "")
    if edits == workspace.edits and text:
        st.caption(f":material/science: {text}")


def misleading(workspace: Workspace) -> None:
    job = _start(workspace)
    if not completed(job):
        return
    found: MisleadingShots = job.result
    st.markdown(misleading_text(found))
    if (removal := found.revealing or found.gaining) is None:
        return
    rows = workspace.episode.support[list(removal.shots)].tolist()
    for row in rows:
        example_row(workspace.dataset, row, border=False)
    st.button(
        "Remove" if len(rows) == 1 else "Remove them",
        key="edit shots misleading",
        icon=":material/remove:",
        on_click=edit_shots,
        args=(workspace,),
        kwargs={"remove": rows},
    )


def _start(workspace: Workspace) -> Job:
    data = arrays_of(workspace.episode, workspace.X)
    method, options = workspace.method, workspace.options

    def work(job: Job) -> MisleadingShots:
        return misleading_shots(
            method.make(**options),
            method.title,
            *data,
            progress=job.report,
            cancelled=job.cancelled,
        )

    key = ("misleading", workspace.model_key)
    return job_pool().start(key, "Leaving out shots", work)


def _run(workspace: Workspace, kind: Kind) -> None:
    def run() -> None:
        now = edited_by_now(workspace)
        found = experiment(kind, now.episode, now.X)
        choose_edits(found.edits)
        choose_row(found.rows[0])
        settings.EXPERIMENT.set((found.edits, experiment_text(found)))

    edit(run)
