"""An episode as it went, against the inner loop itself."""

import dataclasses

import numpy as np
import pytest

from slp_core.data import load_dataset
from slp_core.encoders import load_encoder
from slp_core.errors import Cancelled, SLPError
from slp_core.figures.meta_training import EpisodeDisplay
from slp_core.meta.recording import record_episode


@pytest.fixture(scope="module")
def data():
    return load_dataset("airline")


@pytest.fixture(scope="module")
def steps(data):
    return record_episode(data, (0, 2), seed=3)


def test_it_starts_from_the_encoder_and_keeps_every_step(data, steps):
    n = 2 * steps.settings.shots
    assert steps.n_steps == steps.settings.inner_steps
    assert steps.vectors.shape[:2] == (steps.n_steps + 1, n)
    assert (data.y[steps.rows] == [[0], [2]]).all()
    assert len(np.unique(steps.rows)) == n
    start = load_encoder("minilm-l4").encode(data.examples.take(steps.rows.ravel()))
    np.testing.assert_allclose(steps.vectors[0], start, atol=2e-3)  # bundled as float16
    used = np.concatenate([steps.for_loss, steps.for_means], axis=2)
    assert (np.sort(used.reshape(steps.n_steps, -1), axis=1) == np.arange(n)).all()
    assert steps.losses[-2:].mean() < steps.losses[0]
    again = record_episode(data, (0, 2), seed=3)
    np.testing.assert_array_equal(again.vectors, steps.vectors)


def test_distances_are_those_of_the_examples(steps):
    step = 1
    own, other = [], []
    for k in (0, 1):
        for i in steps.for_loss[step, k]:
            means = [steps.vectors[step + 1][rows].mean(axis=0) for rows in steps.for_means[step]]
            own.append(np.linalg.norm(steps.vectors[step + 1, i] - means[k]))
            other.append(np.linalg.norm(steps.vectors[step + 1, i] - means[1 - k]))
    found = steps.own_and_other(step, after=True)
    assert found == pytest.approx((np.mean(own), np.mean(other)), rel=1e-5)
    assert steps.table()["other, after"][step] == pytest.approx(found[1])


def test_the_plane_runs_through_the_class_means(steps):
    axes = EpisodeDisplay(steps, (0, 2), [])._axes
    np.testing.assert_allclose(axes.T @ axes, np.eye(2), atol=1e-6)
    means = [steps.vectors[-1][steps.labels == k].mean(axis=0) for k in (0, 1)]
    gap = means[1] - means[0]
    assert abs(gap @ axes[:, 0]) == pytest.approx(np.linalg.norm(gap), rel=1e-5)


def test_frames_are_the_steps(steps):
    display = EpisodeDisplay(steps, (0, 2), [f"text {i}" for i in range(20)])
    figure = display.figure()
    assert [frame.name for frame in figure.frames] == [str(i) for i in range(6)]
    axes = display._axes
    marks = [t for t in figure.frames[3].data if t.hovertext is not None]
    drawn = {
        int(text.rsplit(" ", 1)[1]): (x, y)
        for t in marks
        for text, x, y in zip(t.hovertext, t.x, t.y, strict=True)
    }
    assert len(drawn) == 20
    for i, at in drawn.items():
        np.testing.assert_allclose(at, steps.vectors[3, i] @ axes, rtol=1e-4, atol=1e-6)
    full = [t for t in marks if not t.marker.symbol.endswith("-open")]
    loss = {int(text.rsplit(" ", 1)[1]) for t in full for text in t.hovertext}
    assert loss == set(steps.for_loss[2].ravel().tolist())


def test_small_classes_have_fewer_shots_and_those_of_one_example_none(data):
    few = np.concatenate([np.flatnonzero(data.y == k)[:n] for k, n in ((0, 3), (1, 1), (2, 9))])
    small = dataclasses.replace(data, examples=data.examples.take(few), labels=data.labels[few])
    found = record_episode(small, (0, 2))
    assert found.rows.shape == (2, 3)
    assert found.for_loss.shape[2] + found.for_means.shape[2] == 3
    with pytest.raises(SLPError, match="Class 'neutral' has 1 example"):
        record_episode(small, (0, 1))
    with pytest.raises(Cancelled):
        record_episode(data, (0, 1), cancelled=lambda: True)
