"""The Ensemble page's draws: the prototypes together, alone, and beside a single model."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import streamlit as st

from pages.session import settings
from pages.session.jobs import Job, job_pool
from pages.session.methods import METHODS
from pages.session.text_methods import TEXT_METHODS, ready_to_train
from pages.session.workspace import Workspace
from slp_core.diagnostics import EnsembleOverDraws, Temperature, ensemble_over_draws
from slp_core.encoders import Progress
from slp_core.evaluation.method_runs import asked
from slp_core.evaluation.text_runs import MOST_QUERY, text_probabilities

FROZEN, TUNED = METHODS["logistic_regression"], TEXT_METHODS["Fine-tuned encoder"]
TUNED_DRAWS = 3


def choose_single(workspace: Workspace) -> str:
    """Which single model the ensemble is set beside; where there is no choice nothing is asked."""
    if TUNED.refusal(workspace):
        return FROZEN.title
    chosen = st.segmented_control(
        "The single model is",
        [FROZEN.title, TUNED.title],
        default=FROZEN.title,
        required=True,
        help="Logistic regression on the encoder's vectors; or, as the paper has it, the encoder "
        f"fine-tuned with a linear head. That is trained here on {TUNED_DRAWS} draws, for "
        f"{TUNED.value} {TUNED.unit}, and takes a minute or so.",
        **settings.SINGLE.bound(),
    )
    return str(chosen)


def effort(single: str) -> str:
    """How long the single model is trained, as the end of a sentence; nothing if that is short."""
    return f", trained for {TUNED.value} {TUNED.unit}" if single == TUNED.title else ""


def find_over_draws(workspace: Workspace, temperature: Temperature, single: str) -> Job:
    """The job below; one that was cancelled stays so."""
    key = _key(workspace, temperature, single)
    return job_pool().get(key) or start_over_draws(workspace, temperature, single)


def start_over_draws(workspace: Workspace, temperature: Temperature, single: str) -> Job:
    """Fit the method and the single model on the draws, in the background."""
    dataset, shots, X = workspace.dataset, workspace.shots, workspace.X
    method, options = workspace.method, workspace.options
    tuned = single == TUNED.title
    if tuned:
        ready_to_train()
    numbers = dataset.available_draws(shots)[: TUNED_DRAWS if tuned else None] or (workspace.draw,)

    def work(job: Job) -> EnsembleOverDraws:
        draws = {}
        for number in numbers:
            e = dataset.draw(shots, number)
            query = asked(e, MOST_QUERY if tuned else None)
            draws[number] = (X[e.support], e.y_support, X[query], dataset.y[query])
        return ensemble_over_draws(
            lambda: method.make(options),
            _tuned_on(workspace, numbers, job) if tuned else lambda: FROZEN.make({}),
            draws,
            (method.title, f"the {single.lower()}" if tuned else single.lower()),
            temperature,
            job.cancelled,
        )

    title = f"Training {single.lower()} on" if tuned else "Reading"
    return job_pool().start(
        _key(workspace, temperature, single), f"{title} {len(numbers)} draws", work
    )


def _key(workspace: Workspace, *others: str) -> tuple[str, ...]:
    shots = str(workspace.shots)
    return ("ensemble", workspace.data_key, shots, workspace.method_key, *others)


def _tuned_on(workspace: Workspace, numbers: tuple[int, ...], job: Job) -> dict[int, np.ndarray]:
    """(m, K) answers of the fine-tuned encoder on each draw; what was trained before is kept."""

    def progress(draw: int, share: float) -> None:
        done = numbers.index(draw) + share
        job.report(Progress(round(1_000 * done), 1_000 * len(numbers), None))

    own = f"{workspace.dataset.digest} {workspace.encoder_name} {workspace.shots}"
    return {
        draw: _tuned(f"{own} {draw}", workspace, draw, progress, job.cancelled) for draw in numbers
    }


@st.cache_resource(max_entries=60, show_spinner=False)
def _tuned(
    key: str,
    _workspace: Workspace,
    _draw: int,
    _progress: Callable[[int, float], None],
    _cancelled: Callable[[], bool],
) -> np.ndarray:
    return text_probabilities(
        lambda: TUNED.make(_workspace.encoder_name),
        _workspace.dataset,
        _workspace.shots,
        _draw,
        MOST_QUERY,
        _progress,
        _cancelled,
    )
