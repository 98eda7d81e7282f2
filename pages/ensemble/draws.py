"""The ensemble on every support set, beside its members and a single model."""

from __future__ import annotations

from functools import partial
from typing import Any

import streamlit as st

from pages.session import settings
from pages.session.jobs import Job, job_pool
from pages.session.methods import ready_to_train, refusal, training
from pages.session.workspace import Workspace
from pages.widgets.job_progress import begin, offered
from slp_core.diagnostics.draws import Draw, EnsembleOverDraws, ensemble_over_draws
from slp_core.diagnostics.members import Temperature
from slp_core.encoders import vectors_on
from slp_core.evaluation.method_runs import MOST_QUERY, judged_rows
from slp_core.methods.table import METHODS, Method
from slp_core.sentences import count

FROZEN, FINE_TUNED = METHODS["logistic_regression"], METHODS["fine_tuned"]
FINE_TUNED_DRAWS = 3
assert FINE_TUNED.lighter is not None
_TRAINING = f"for {FINE_TUNED.lighter.value} {FINE_TUNED.lighter.unit}"


def choose_single(workspace: Workspace) -> Method:
    """The single model to compare with; logistic regression if there is no choice."""
    if refusal(FINE_TUNED, workspace):
        return FROZEN

    def chosen_one() -> None:
        if settings.SINGLE.value == FINE_TUNED.title:
            ready_to_train()
            begin(_training(workspace))

    chosen = st.segmented_control(
        "Single model",
        required=True,
        help="Logistic regression on the embeddings or, as in the paper, the encoder fine-tuned "
        f"with a linear head: trained here on {FINE_TUNED_DRAWS} support sets {_TRAINING}.",
        **settings.SINGLE.bound(
            options=[FROZEN.title, FINE_TUNED.title], then=chosen_one, opens="default"
        ),
    )
    return FINE_TUNED if chosen == FINE_TUNED.title else FROZEN


def fine_tuned(workspace: Workspace) -> dict[int, Any] | None:
    """(m, K) probabilities of the fine-tuned encoder by support set; offers its training."""
    ready_to_train()
    job = _training(workspace)
    label = f"Train on {FINE_TUNED_DRAWS} support sets"
    found = offered(job, label, icon=":material/play_arrow:")
    if not job.begun:
        st.caption(f"Training {_TRAINING} takes about a minute.")
    return found and {draw: probabilities for draw, (_, probabilities) in found.items()}


def _training(workspace: Workspace) -> Job:
    draws = workspace.draws[:FINE_TUNED_DRAWS]
    title = f"Training {FINE_TUNED.title.lower()} on {count(len(draws), 'support set')}"
    make = partial(FINE_TUNED.make_lighter, workspace.encoder_name)
    return training(title, make, workspace, draws)


def effort(single: Method) -> str:
    """How long the single model is trained; empty for logistic regression."""
    return f", trained {_TRAINING}" if single is FINE_TUNED else ""


def over_draws(workspace: Workspace, temperature: Temperature, tuned: dict[int, Any] | None) -> Job:
    """Fits the method on every support set, or on those of the fine-tuned encoder."""
    dataset, shots, vectors = workspace.dataset, workspace.shots, workspace.vectors
    method, options, numbers = workspace.method, workspace.options, workspace.draws
    name, most_query = FROZEN.title.lower(), None
    if tuned is not None:
        name, most_query, numbers = f"the {FINE_TUNED.title.lower()}", MOST_QUERY, tuple(tuned)

    def read(number: int) -> Draw:
        episode = dataset.draw(shots, number)
        support, query = episode.support, judged_rows(episode, most_query)
        X = vectors_on(vectors, support)
        return X[support], episode.y_support, X[query], dataset.y[query]

    def work(job: Job) -> EnsembleOverDraws:
        return ensemble_over_draws(
            lambda: method.make(**options),
            FROZEN.make if tuned is None else tuned,
            ((number, read(number)) for number in numbers),
            name,
            temperature,
            job.cancelled,
        )

    key = ("ensemble", workspace.data_key, shots, workspace.method_key, temperature, name)
    return job_pool().job(key, f"Fitting on {count(len(numbers), 'support set')}", work)
