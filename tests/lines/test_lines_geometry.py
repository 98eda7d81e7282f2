import tracemalloc

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.spatial.distance import cdist

from slp_core.lines import circle_of, distances, project_on_segments, weight_at


@settings(deadline=None, max_examples=40)
@given(
    st.integers(1, 30),
    st.integers(1, 40),
    st.sampled_from([0.0, 1.0, 1e6]),
    st.sampled_from([np.float32, np.float64]),
    st.integers(0, 10_000),
)
def test_distances_agree_with_plain_difference_even_far_from_the_origin(m, d, shift, kind, seed):
    rng = np.random.default_rng(seed)
    X, P = (rng.normal(size=(n, d)).astype(kind) + kind(shift) for n in (m, 3))
    X[0] = P[1]
    np.testing.assert_allclose(distances(X, P), cdist(X, P), rtol=1e-6, atol=0)
    assert distances(X, P)[0, 1] == 0


def test_distances_about_one_far_point_are_as_exact_and_do_not_fill_the_memory():
    X = np.random.default_rng(0).normal(size=(500, 40))
    X[0] = 1e7  # draws the mean so far away that every other pair is close
    tracemalloc.start()
    found = distances(X, X)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    np.testing.assert_allclose(found, cdist(X, X), rtol=1e-12)
    assert peak < 10 * found.nbytes  # a difference of every pair would be 40 of it


@settings(deadline=None, max_examples=40)
@given(st.integers(1, 8), st.integers(0, 10_000))
def test_segment_distance_is_the_least_over_a_fine_walk_along_the_segment(d, seed):
    rng = np.random.default_rng(seed)
    X, left, right = rng.normal(size=(20, d)), rng.normal(size=(2, d)), rng.normal(size=(2, d))
    left[1] = right[1]  # a line of no length
    X[0] = (left[0] + right[0]) / 2  # a point on a segment
    t, off = project_on_segments(X, left, right)
    for line in range(2):
        walk = left[line] + np.linspace(0, 1, 4001)[:, None] * (right[line] - left[line])
        length = np.linalg.norm(right[line] - left[line])
        np.testing.assert_allclose(
            off[:, line], cdist(X, walk).min(axis=1), atol=length / 4000 + 1e-9
        )
    assert off[0, 0] < 1e-12
    axis = (right[0] - left[0]) / np.linalg.norm(right[0] - left[0])
    np.testing.assert_allclose(t[:, 0], (X - left[0]) @ axis)
    assert (t[:, 1] == 0).all()


def test_a_weight_is_constant_on_its_circle():
    for w in (0.05, 0.3, 0.62, 0.9):
        centre, radius = circle_of(w, 2.5)
        angle = np.linspace(0, np.pi, 9)
        at = weight_at(centre + radius * np.cos(angle), radius * np.sin(angle), 2.5)
        np.testing.assert_allclose(at, w, atol=1e-12)
    assert np.isinf(circle_of(0.5, 2.5)).all()
