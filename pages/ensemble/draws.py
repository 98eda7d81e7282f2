"""The ensemble on every support set, beside its members and a single model."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import streamlit as st

from pages.session import settings
from pages.session.cache import cached_by
from pages.session.jobs import Job, job_pool
from pages.session.methods import ready_to_train, refusal
from pages.session.workspace import Workspace
from slp_core.diagnostics import Temperature
from slp_core.diagnostics.draws import Draw, EnsembleOverDraws, ensemble_over_draws
from slp_core.encoders import vectors_on
from slp_core.evaluation.method_runs import MOST_QUERY, judged_rows, text_runs
from slp_core.methods.table import METHODS, Method
from slp_core.progress import Progress
from slp_core.sentences import count

FROZEN, FINE_TUNED = METHODS["logistic_regression"], METHODS["fine_tuned"]
FINE_TUNED_DRAWS = 3
assert FINE_TUNED.lighter is not None
_TRAINING = f"for {FINE_TUNED.lighter.value} {FINE_TUNED.lighter.unit}"


def choose_single(workspace: Workspace) -> Method:
    """The single model to compare with; logistic regression if there is no choice."""
    if refusal(FINE_TUNED, workspace):
        return FROZEN
    chosen = st.segmented_control(
        "Single model",
        required=True,
        help="Logistic regression on the embeddings or, as in the paper, the encoder fine-tuned "
        f"with a linear head: trained here on {FINE_TUNED_DRAWS} support sets {_TRAINING}.",
        **settings.SINGLE.bound(
            options=[FROZEN.title, FINE_TUNED.title],
            then=lambda: _ask_for_training(workspace),
            opens="default",
        ),
    )
    return FINE_TUNED if chosen == FINE_TUNED.title else FROZEN


def is_wanted(workspace: Workspace, temperature: Temperature, single: Method) -> bool:
    """Whether the single model can be shown; if not, offers its training."""
    if single is FROZEN:
        return True
    asked = _training_of(workspace) in settings.SINGLE_TRAINED.value
    if asked or over_draws(workspace, temperature, single).begun:
        ready_to_train()
        return True
    st.button(
        f"Train on {FINE_TUNED_DRAWS} support sets",
        icon=":material/play_arrow:",
        on_click=_ask_for_training,
        args=(workspace,),
    )
    st.caption(f"Training {_TRAINING} takes about a minute.")
    return False


def _ask_for_training(workspace: Workspace) -> None:
    settings.SINGLE_TRAINED.set(settings.SINGLE_TRAINED.value | {_training_of(workspace)})


def _training_of(workspace: Workspace) -> str:
    return f"{workspace.data_key} {workspace.shots}"


def effort(single: Method) -> str:
    """How long the single model is trained; empty for logistic regression."""
    return f", trained {_TRAINING}" if single is FINE_TUNED else ""


def over_draws(workspace: Workspace, temperature: Temperature, single: Method) -> Job:
    dataset, shots, vectors = workspace.dataset, workspace.shots, workspace.vectors
    method, options, numbers = workspace.method, workspace.options, workspace.draws
    name, title, most_query = single.title.lower(), "Fitting on", None
    if single is FINE_TUNED:
        numbers, most_query = numbers[:FINE_TUNED_DRAWS], MOST_QUERY
        title = f"Training {name} on"
        name = f"the {name}"

    def read(number: int) -> Draw:
        episode = dataset.draw(shots, number)
        support, query = episode.support, judged_rows(episode, most_query)
        X = vectors_on(vectors, support)
        return X[support], episode.y_support, X[query], dataset.y[query]

    def work(job: Job) -> EnsembleOverDraws:
        return ensemble_over_draws(
            lambda: method.make(**options),
            single.make if single is FROZEN else _probabilities_on(workspace, numbers, job),
            ((number, read(number)) for number in numbers),
            name,
            temperature,
            job.cancelled,
        )

    model = workspace.data_key, workspace.shots, workspace.method_key
    key = ("ensemble", *model, temperature, single.name)
    return job_pool().job(key, f"{title} {count(len(numbers), 'support set')}", work)


def _probabilities_on(workspace: Workspace, numbers: tuple[int, ...], job: Job) -> dict[int, Any]:
    """(m, K) probabilities of the fine-tuned encoder on each support set, trained once."""

    def progress(draw: int, share: float) -> None:
        done = numbers.index(draw) + share
        job.report(Progress(round(1_000 * done), 1_000 * len(numbers), None))

    return {draw: _fine_tuned(workspace, draw, progress, job.cancelled) for draw in numbers}


@cached_by(
    lambda workspace, draw, *watched: (
        f"{workspace.dataset.digest} {workspace.encoder_name} {workspace.shots} {draw}"
    ),
)
def _fine_tuned(
    workspace: Workspace,
    draw: int,
    progress: Callable[[int, float], None],
    cancelled: Callable[[], bool],
) -> Any:
    encoder = workspace.encoder_name
    runs = text_runs(
        lambda: FINE_TUNED.make_lighter(encoder),
        workspace.dataset,
        workspace.shots,
        (draw,),
        MOST_QUERY,
        progress,
        cancelled,
    )
    probabilities, _ = next(runs)
    return probabilities
