"""The influence of the shots of a support set, and labels to check."""

from __future__ import annotations

from pages.session.jobs import Job, job_pool
from pages.session.workspace import Workspace
from slp_core.evaluation.draws import arrays_of
from slp_core.explain import doubtful_labels
from slp_core.explain.shots import ShotInfluences, read_shots


def start_influence(workspace: Workspace, again: bool = False) -> Job:
    """Refit without each shot, in the background; without a query set on the shots themselves."""
    data = arrays_of(workspace.episode, workspace.X)
    X_query, y_query = data[2:] if len(data.y_query) else (None, None)
    model = workspace.method.make(**workspace.options)

    def work(job: Job) -> ShotInfluences:
        support = data.X_support, data.y_support
        return read_shots(model, *support, X_query, y_query, job.report, job.cancelled)

    return job_pool().start(("shots", workspace.model_key), "Influence of each shot", work, again)


def start_label_check(workspace: Workspace, again: bool = False) -> Job:
    """Find labels that the other rows contradict: the class that each may have, by its row."""
    X, labels = workspace.X, workspace.dataset.labels

    def work(_: Job) -> dict[int, str]:
        table = doubtful_labels(X, labels)
        return dict(zip(table["row"].tolist(), table["suggested"].tolist(), strict=True))

    return job_pool().start(("labels", workspace.vectors_key), "Checking the labels", work, again)
