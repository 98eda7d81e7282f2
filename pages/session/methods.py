"""The methods that the app offers: on vectors in the sidebar, on texts where training may take
time.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any

import streamlit as st

from pages.session.jobs import LONG, Job, job_pool
from pages.session.public import limits
from pages.session.workspace import Workspace
from slp_core.encoders.registry import meta_trained_by, trainable_part
from slp_core.errors import install
from slp_core.evaluation.method_runs import MOST_QUERY, DrawRun, text_runs
from slp_core.methods.protocols import HasLines, HasMembers, predicts_from_lines
from slp_core.methods.table import METHODS, Method, methods_that_read
from slp_core.progress import Progress
from slp_core.sentences import EncoderName, MethodTitle, Verbatim

ON_VECTORS = {method.title: method for method in methods_that_read("vectors", variants=False)}
VARIANTS = {method.title: method for method in methods_that_read("vectors")}
ON_TEXTS = {method.title: method for method in methods_that_read("texts")}

# What a page opens with where no method was chosen: by setting
_RANDOM_START = {"method": "DeepSLP", "preset": "as in the paper"}
OPENINGS: dict[str, dict[str, str]] = {"train": _RANDOM_START, "ensemble": _RANDOM_START}


# What a page is about: which workspaces have it, what the others lack, and the method shown instead
_NEEDS: dict[str, tuple[Callable[[Workspace], bool], str, str]] = {
    "train": (
        lambda workspace: workspace.method.name in ("constraint_slp", "deep_slp"),
        "has no epochs",
        "deep_slp",
    ),
    "explain": (
        lambda workspace: predicts_from_lines(workspace.model),
        "has no line with several classes",
        "constraint_slp",
    ),
    "soft_labels": (
        lambda workspace: isinstance(workspace.model, HasLines),
        "has no soft labels",
        "constraint_slp",
    ),
    "ensemble": (
        lambda workspace: isinstance(workspace.model, HasMembers),
        "does not combine two prototypes",
        "deep_slp",
    ),
}


def shown_on(folder: str, workspace: Workspace) -> tuple[Workspace, str]:
    """The workspace that a page draws; and why it is of another method, if so."""
    fits, lacks, name = _NEEDS.get(folder, (lambda _: True, "", ""))
    if fits(workspace):
        return workspace, ""
    start = {"preset": "paper"} if name == "deep_slp" else {}
    other, title = METHODS[name], MethodTitle(workspace.method.title)
    why = f"{title} {lacks}. This page shows {MethodTitle(other.title)}."
    return workspace.with_method(other, **start), why


def refusal(method: Method, workspace: Workspace) -> str:
    """Why a method on texts cannot run here with this encoder; or ""."""
    if method.missing:
        return f"{method.title} needs the package {method.package}: `{install('extra')}`."
    if workspace.dataset.kind == "numeric":
        return (
            f"{method.title} trains an encoder on texts, and {Verbatim(workspace.dataset.title)} "
            "is a table of numbers."
        )
    if trainable_part(workspace.encoder) is None:
        return (
            f"{method.title} trains the encoder, and {EncoderName(workspace.encoder.info.title)} "
            "has no layers that can be trained: choose MiniLM or a meta-trained encoder."
        )
    if method.reads_whole and workspace.encoder.chunks:
        return (
            f"{method.title} reads whole texts, and {EncoderName(workspace.encoder.info.title)} "
            "reads long ones in chunks: switch off *Long texts in chunks*."
        )
    if method.needs_meta and meta_trained_by(workspace.encoder) != method.needs_meta:
        return (
            f"{method.title} needs an encoder that was meta-trained by it, and "
            f"{EncoderName(workspace.encoder.info.title)} was not."
        )
    return training_refusal(workspace)


def trained_on_less(method: Method, options: Mapping[str, Any], n_classes: int) -> str:
    """The remark that lines are trained on their own classes only; or ""."""
    quick = method.opening(n_classes)
    if not quick or not quick.items() <= options.items():
        return ""
    return (
        f"With {n_classes:,} classes, each line trains on its own classes only, as in the "
        "authors' code. Training each on all of them can take minutes: it is under *More options*."
    )


def training_refusal(workspace: Workspace) -> str:
    """Why this server trains no encoder on this support set; or ""."""
    return limits().refusal(len(workspace.dataset.classes), workspace.shots)


@st.cache_resource(show_spinner="Loading the training library …")
def ready_to_train() -> None:
    """Import torch now: SciPy fails if it is used while a job imports torch."""
    import_module("slp_core.methods.fine_tuned")


def training(
    title: str, make: Callable[[], Any], workspace: Workspace, draws: tuple[int, ...]
) -> Job:
    """Trains a method on texts: by support set, the run and its (m, K) probabilities."""
    dataset, shots = workspace.dataset, workspace.shots
    found: dict[int, tuple[DrawRun, Any]] = {}  # also before a job was cancelled

    def work(job: Job) -> dict[int, tuple[DrawRun, Any]]:
        def progress(draw: int, share: float) -> None:
            job.report(Progress(round(1_000 * (draws.index(draw) + share)), 1_000 * len(draws)))

        left = [draw for draw in draws if draw not in found]
        runs = text_runs(make, dataset, shots, left, MOST_QUERY, progress, job.cancelled)
        for draw, run, probabilities in runs:
            found[draw] = run, probabilities
        return found

    key = (title, dataset.digest, workspace.encoder_name, shots, draws)
    return job_pool().job(key, title, work, LONG)
