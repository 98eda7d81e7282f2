"""The sentences about an episode of meta-training: Markdown about its steps."""

from __future__ import annotations

from slp_core.encoders import list_encoders
from slp_core.meta.episode_steps import EpisodeSteps
from slp_core.sentences import EncoderName, count, number, significant


def episode_text(steps: EpisodeSteps) -> str:
    """What was trained, and on how many examples."""
    settings = steps.settings
    titles = {info.name: info.title for info in list_encoders()}
    encoder = EncoderName(titles.get(settings.encoder, settings.encoder))
    return (
        f"A copy of {encoder}: top {count(settings.n_trainable, 'layer')} trained on "
        f"{count(steps.rows.shape[1], 'example')} of each class. Each step computes the loss on "
        f"{steps.for_loss[0].size} examples and the prototypes from the other "
        f"{steps.for_means[0].size}."
    )


def step_text(steps: EpisodeSteps, step: int) -> str:
    """The loss at a step, counted from 0, and what the step did to the distances."""
    (own, other), (new_own, new_other) = (
        steps.own_and_other(step, after=after) for after in (False, True)
    )
    return (
        f"Step {step + 1} of {steps.n_steps}: loss {number(float(steps.losses[step]))}. "
        f"Mean distance to the own prototype {number(own, 3)} → {number(new_own, 3)}, to the other "
        f"{number(other, 3)} → {number(new_other, 3)}."
    )


def outer_step_text(steps: EpisodeSteps) -> str:
    """What Reptile does with the trained copy."""
    (mean, most), settings = steps.weights_moved, steps.settings
    return (
        f"The copy's weights changed by {significant(mean, 2)} on average and "
        f"{significant(most, 2)} at most. Reptile averages the updates of "
        f"{count(settings.tasks_per_step, 'copy', 'copies')} and moves the encoder by about "
        f"{significant(settings.outer_rate, 1)} per weight at most. Copies and heads are discarded."
    )
