"""Distances of an inner loop's steps by brute force, and the sentences about them."""

import numpy as np
import pytest

from slp_core.meta.episode_steps import EpisodeSteps
from slp_core.meta.settings import preset_settings
from slp_core.meta.text import episode_text, outer_step_text, step_text


def random_steps(rng):
    shots, n_steps = int(rng.integers(2, 6)), int(rng.integers(1, 4))
    vectors = rng.normal(size=(n_steps + 1, 2 * shots, 3))
    if rng.random() < 0.3:
        vectors[1] = 1.0
    n_loss = int(rng.integers(1, shots))
    turns = [[shots * k + rng.permutation(shots) for k in (0, 1)] for _ in range(n_steps)]
    turns = np.array(turns)
    rows = np.arange(2 * shots).reshape(2, shots)
    losses = rng.random(n_steps)
    settings = preset_settings("metaslp-reptile")
    halves = turns[..., :n_loss], turns[..., n_loss:]
    return EpisodeSteps(("a", "b"), rows, vectors, *halves, losses, (0.1, 0.2), settings)


def mean_distance(steps, step, after, to_own):
    """Of a step's loss examples from the mean of its other examples, of their class or not."""
    x = steps.vectors[step + (1 if after else 0)]
    away = []
    for k in (0, 1):
        placing = steps.for_means[step][k if to_own else 1 - k]
        mean = sum(x[i] for i in placing) / len(placing)
        away += [np.linalg.norm(x[i] - mean) for i in steps.for_loss[step][k]]
    return sum(away) / len(away)


@pytest.mark.parametrize("seed", range(40))
def test_distances_to_own_and_other_prototypes(seed):
    steps = random_steps(np.random.default_rng(seed))
    table = steps.table()
    for step in range(steps.n_steps):
        for after, when in ((False, "before"), (True, "after")):
            expected = [mean_distance(steps, step, after, own) for own in (True, False)]
            assert steps.own_and_other(step, after) == pytest.approx(expected)
            found = table[f"own, {when}"][step], table[f"other, {when}"][step]
            assert found == pytest.approx(expected)


def example(n_trainable, tasks):
    vectors = np.array([[[0.0], [1.0], [5.0], [7.0]], [[0.0], [0.5], [6.0], [7.0]]])
    settings = preset_settings(
        "metaslp-reptile", n_trainable=n_trainable, tasks_per_step=tasks, outer_rate=2e-4
    )
    rows, loss, means = np.array([[4, 2], [7, 1]]), np.array([[[0], [2]]]), np.array([[[1], [3]]])
    return EpisodeSteps(
        ("a", "b"), rows, vectors, loss, means, np.array([0.456]), (1e-5, 3e-4), settings
    )


def test_texts():
    steps = example(3, 4)
    assert episode_text(steps) == (
        "A copy of “MiniLM, layer 4”: top 3 layers trained on 2 examples of each class. Each step "
        "computes the loss on 2 examples and the prototypes from the other 2."
    )
    assert step_text(steps, 0) == (
        "Step 1 of 1: loss 0.46. Mean distance to the own prototype 1.500 → 0.750, to the other "
        "5.500 → 6.250."
    )
    assert outer_step_text(steps) == (
        "The copy's weights changed by 0.000010 on average and 0.00030 at most. Reptile averages "
        "the updates of 4 copies and moves the encoder by about 0.0002 per weight at most. Copies "
        "and heads are discarded."
    )
    one = example(1, 1)
    assert "top 1 layer trained" in episode_text(one)
    assert "updates of 1 copy and" in outer_step_text(one)
