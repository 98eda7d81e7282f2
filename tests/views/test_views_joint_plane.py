"""Two spaces laid over each other."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.linalg import orthogonal_procrustes

from slp_core.views.align import joint_plane


@pytest.fixture
def X():
    return np.random.default_rng(0).normal(size=(30, 5)) * [5, 3, 1, 0.5, 0.2]


def test_a_space_that_is_only_turned_and_shifted_does_not_move(X):
    turn = np.linalg.qr(np.random.default_rng(1).normal(size=(5, 5)))[0]
    found = joint_plane(pd.DataFrame(X), X @ turn + 4)
    np.testing.assert_allclose(found.moved, 0, atol=1e-9)
    np.testing.assert_allclose(found.before, found.after, atol=1e-9)
    variance = X.var(axis=0)
    best = np.sort(np.linalg.eigvalsh(np.cov(X.T, ddof=0)))[-2:].sum()
    assert found.explained_variance == pytest.approx(best / variance.sum())


def test_distances_are_not_stretched_and_the_overlay_is_the_nearest(X):
    rng = np.random.default_rng(2)
    other = X @ rng.normal(size=(5, 5))
    found = joint_plane(X[:, :2], other[:, :2])  # two dimensions: the picture is the space
    for points, space in ((found.before, X), (found.after, other)):
        gaps = np.linalg.norm(space[:, None, :2] - space[None, :, :2], axis=2)
        drawn = np.linalg.norm(points[:, None] - points[None], axis=2)
        np.testing.assert_allclose(drawn, gaps, atol=1e-9)
    assert found.explained_variance == pytest.approx(1)
    np.testing.assert_allclose(found.moved, np.linalg.norm(found.after - found.before, axis=1))
    for angle in np.linspace(0.1, 6.2, 40):
        c, s = np.cos(angle), np.sin(angle)
        turned = found.after @ np.array([[c, s], [-s, c]])
        assert np.square(turned - found.before).sum() >= np.square(found.moved).sum() - 1e-9


@given(st.integers(0, 999), *[st.integers(1, 6)] * 2, st.integers(2, 9))
def test_the_overlay_is_procrustes_and_the_plane_is_principal(seed, d, e, n):
    rng = np.random.default_rng(seed)
    first, second = rng.normal(size=(n, d)), rng.normal(size=(n, e))
    found = joint_plane(first, second)
    wide = [np.pad(X - X.mean(axis=0), ((0, 0), (0, 6 - X.shape[1]))) for X in (first, second)]
    wide[1] = wide[1] @ orthogonal_procrustes(wide[1], wide[0])[0]
    assert np.square(found.moved).sum() == pytest.approx(np.square(wide[1] - wide[0]).sum())
    along = np.square(np.linalg.svd(np.concatenate(wide), compute_uv=False))
    assert found.explained_variance == pytest.approx(along[:2].sum() / along.sum())
    if n > max(d, e):  # fewer rows leave open where some of the turned ones lie
        np.testing.assert_allclose(found.moved, np.linalg.norm(wide[1] - wide[0], axis=1))


def test_the_plane_of_the_class_means_shows_them_where_they_are(X):
    y = np.arange(30) % 2  # two means in each of two spaces, all on one plane
    found = joint_plane(X, X[:, ::-1] * 0.5, y)
    for points, space in ((found.before, X), (found.after, X[:, ::-1] * 0.5)):
        means, drawn = ([p[y == k].mean(axis=0) for k in (0, 1)] for p in (space, points))
        gap = np.linalg.norm(means[0] - means[1])
        assert np.linalg.norm(drawn[0] - drawn[1]) == pytest.approx(gap)


@pytest.mark.parametrize("n_classes", [1, 2])
def test_the_data_fill_the_plane_where_class_means_leave_it_open(X, n_classes):
    y = np.arange(30) % n_classes
    centred = X - X.mean(axis=0)
    axis = centred[y == 0].mean(axis=0)
    axis = axis / np.linalg.norm(axis) if n_classes == 2 else np.zeros(5)
    rest = centred - np.outer(centred @ axis, axis)
    along = np.linalg.svd(rest, compute_uv=False)[: 3 - n_classes]
    best = (np.square(centred @ axis).sum() + np.square(along).sum()) / np.square(centred).sum()
    assert joint_plane(X, X, y).explained_variance == pytest.approx(best)


def test_spaces_of_different_width_and_degenerate_ones(X):
    assert joint_plane(X, X[:, :1]).after.shape == (30, 2)
    still = joint_plane(np.zeros((3, 1)), np.zeros((3, 4)))
    assert still.explained_variance == 1
    assert not still.moved.any()
