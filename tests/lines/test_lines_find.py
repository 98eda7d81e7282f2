from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.spatial.distance import pdist

from slp_core import SLPError, find_lines
from slp_core.lines import FINDERS, LineFit, project_on_segments


def most_lines(n_lines, k):
    return {"half": -(-k // 2), "all": max(1, k - 1)}.get(n_lines, n_lines)


def groupings(items):
    """Every way to part the items into groups of two or more."""
    if not items:
        yield []
        return
    first, *others = items
    for size in range(1, len(items)):
        for mates in combinations(others, size):
            for rest in groupings([i for i in others if i not in mates]):
                yield [[first, *mates], *rest]


centroid_sets = st.tuples(
    st.integers(1, 7), st.integers(1, 4), st.integers(0, 10_000), st.sampled_from(["as", "tied"])
)


def draw_centroids(spec):
    k, d, seed, kind = spec
    rng = np.random.default_rng(seed)
    if kind == "tied":  # a coarse grid: coincident and collinear centroids
        return rng.integers(0, 3, size=(k, d)).astype(float)
    return rng.normal(size=(k, d))


@settings(deadline=None, max_examples=120)
@given(centroid_sets, st.sampled_from(sorted(FINDERS)), st.sampled_from(["half", "all", 1, 2]))
def test_every_class_is_on_one_line_between_the_two_furthest_apart(spec, method, n_lines):
    centroids = draw_centroids(spec)
    fit = find_lines(centroids, method, n_lines)
    assert sorted(c for line in fit.lines for c in line.classes) == list(range(len(centroids)))
    assert len(fit.lines) <= most_lines(n_lines, len(centroids))
    for line in fit.lines:
        members = centroids[list(line.classes)]
        assert len(line.classes) > 1 or len(centroids) == 1
        assert line.length == pytest.approx(pdist(members).max(initial=0))
        assert (np.diff(line.positions) >= 0).all()
        assert line.positions[0] == 0
        assert line.positions[-1] == pytest.approx(line.length)
        _, off = project_on_segments(members, members[[0]], members[[-1]])
        np.testing.assert_allclose(line.offsets, off[:, 0], atol=1e-9)


@settings(deadline=None, max_examples=40)
@given(st.integers(2, 7), st.integers(0, 10_000), st.sampled_from(["half", "all", 1, 2]))
def test_brute_force_equals_an_exhaustive_search_in_three_dimensions(k, seed, n_lines):
    centroids = np.random.default_rng(seed).normal(size=(k, 3))
    allowed = [g for g in groupings(list(range(k))) if len(g) <= most_lines(n_lines, k)]
    fits = [LineFit.of_groups(g, centroids, 0.0) for g in allowed]
    found = find_lines(centroids, "brute_force", n_lines)
    least = min(fit.total_distance for fit in fits)
    assert found.total_distance == pytest.approx(least, abs=1e-12)
    # Of those that are as near, as pairs of classes always are, the one with the shortest lines.
    near = [fit for fit in fits if fit.total_distance <= least + 1e-12]
    shortest = min(near, key=lambda fit: sum(line.length for line in fit.lines))
    assert [line.classes for line in found.lines] == [line.classes for line in shortest.lines]


def test_the_mean_that_a_class_alone_joins_is_that_of_all_who_have_joined_before():
    """Of (0, 0) and (12, 0), (6.2, 0) has the second nearer, until (3, 0) has joined the first."""
    first, second, alone = [(0, -0.5), (0, 0.5)], [(12, -0.5), (12, 0.5)], [(3, 0), (6.2, 0)]
    fit = find_lines(np.array([*first, *second, *alone]), n_lines=4, tolerance=1e9)
    assert [set(line.classes) for line in fit.lines] == [{0, 1, 4, 5}, {2, 3}]


def test_recursive_regression_moves_centroids_off_their_line_until_no_move_helps():
    moved = 0
    for seed in range(30):
        centroids = np.random.default_rng(seed).normal(size=(9, 3))
        stay = find_lines(centroids, n_lines=4, tolerance=1e9)
        fit = find_lines(centroids, n_lines=4, tolerance=0)
        moved += fit.total_distance < stay.total_distance
        assert fit.total_distance <= stay.total_distance
        left, right = (centroids[[getattr(n, end) for n in fit.lines]] for end in ("left", "right"))
        for off in fit.off_line:
            nearest = int(
                project_on_segments(centroids[[off.class_index]], left, right)[1].argmin()
            )
            groups = [[c for c in line.classes if c != off.class_index] for line in fit.lines]
            groups[nearest].append(off.class_index)
            other = LineFit.of_groups(groups, centroids, 0.0)
            assert other.total_distance >= fit.total_distance - 1e-12
    assert moved > 5


@settings(deadline=None, max_examples=40)
@given(st.integers(0, 10_000), st.integers(2, 5))
def test_a_class_that_moves_leaves_the_lines_that_its_groups_have(seed, d):
    rng = np.random.default_rng(seed)
    centroids, (line, host) = rng.normal(size=(9, d)), rng.permutation(3)[:2]
    groups = [list(group) for group in rng.permutation(9).reshape(3, 3).tolist()]
    fit = LineFit.of_groups(groups, centroids, 0.1)
    groups = [list(each.classes) for each in fit.lines]
    groups[host].append(moves := groups[line].pop())
    moved = fit.moved(moves, host, centroids)
    afresh = LineFit.of_groups(groups, centroids, fit.tolerance)
    for one, other in zip(moved.lines, afresh.lines, strict=True):
        assert (one.classes, one.length) == (other.classes, other.length)
        np.testing.assert_array_equal(one.positions, other.positions)
        np.testing.assert_array_equal(one.offsets, other.offsets)


def test_off_line_names_the_centroid_its_line_and_how_far_it_lies():
    centroids = np.array([[0, 0], [10, 0], [5, 2.0]])
    fit = find_lines(centroids, n_lines=1, tolerance=1, tolerance_scale="absolute")
    (off,) = fit.off_line
    assert (off.class_index, off.line, off.distance) == (2, 0, pytest.approx(2))
    for tolerance in (off.distance, 2.5):  # no further than the tolerance is on the line
        fit = find_lines(centroids, n_lines=1, tolerance=tolerance, tolerance_scale="absolute")
        assert fit.off_line == ()


@pytest.mark.parametrize("method", sorted(FINDERS))
def test_lines_do_not_depend_on_the_units_when_tolerance_is_relative(method):
    centroids = np.random.default_rng(1).normal(size=(9, 5))
    plain = [line.classes for line in find_lines(centroids, method).lines]
    moved = find_lines(1e4 * centroids + 7, method, tolerance=0.1)
    assert [line.classes for line in moved.lines] == plain
    assert moved.tolerance == pytest.approx(1e3 * np.median(pdist(centroids)))


def test_attraction_takes_the_furthest_pair_and_what_lies_near_its_segment():
    centroids = np.array([[0, 0], [10, 0], [5, 0.2], [2, 5], [8, 5.0]])
    fit = find_lines(centroids, "attraction", tolerance=0.5, tolerance_scale="absolute")
    assert [line.classes for line in fit.lines] == [(0, 2, 1), (3, 4)]
    centroids = np.array([[0, 0], [10, 0], [5, 0.8], [5, 3.0]])
    for tolerance, expected in ((0.7, [(0, 1), (2, 3)]), (0.9, [(0, 2, 3, 1)])):
        fit = find_lines(centroids, "attraction", tolerance=tolerance, tolerance_scale="absolute")
        assert [line.classes for line in fit.lines] == expected
    fit = find_lines(np.array([[4, 6], [0, 0], [10, 0], [6, 6.0]]), "attraction")
    assert [line.classes for line in fit.lines] == [(0, 3), (1, 2)]


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"method": "guess"}, "'recursive_regression', 'brute_force' or 'attraction'"),
        ({"n_lines": 0}, "'half', 'all' or a whole number"),
        ({"n_lines": "third"}, "'half', 'all' or a whole number"),
        ({"tolerance": -1}, "at least 0"),
        ({"tolerance_scale": "inches"}, "'relative' or 'absolute'"),
    ],
)
def test_a_wrong_option_is_named(options, words):
    with pytest.raises(SLPError, match=words):
        find_lines(np.zeros((3, 2)), **options)


@pytest.mark.parametrize("method", FINDERS)
@pytest.mark.parametrize(
    ("centroids", "words"),
    [
        ([[0, 0], [1, np.nan], [2, 1]], "row 1 has nan in column 1"),
        ([[0, np.inf], [1, 1]], "row 0 has inf in column 1"),
        ([[1e200, 0], [-1e200, 0]], "overflow"),
        (np.empty((0, 2)), r"at least one row and one column.*\(0, 2\)"),
        ([1.0, 2, 3], r"not of shape \(3,\)"),
        ([[1, 2], [3]], "a table of numbers"),
        ([["a"], ["b"]], "a table of numbers"),
    ],
)
def test_centroids_that_are_no_table_of_finite_numbers_are_refused(centroids, words, method):
    with pytest.raises(SLPError, match=words):
        find_lines(centroids, method)


def test_more_lines_than_pairs_of_classes_are_as_many_as_there_can_be():
    centroids = np.random.default_rng(0).normal(size=(5, 2))
    found, most = (find_lines(centroids, "brute_force", n) for n in (2, 10**9))
    assert [line.classes for line in most.lines] == [line.classes for line in found.lines]


def test_as_many_classes_as_dimensions_are_no_table_of_distances(recwarn):
    find_lines(np.array([[0.0, 1, 2], [1, 0, 3], [2, 3, 0]]), "recursive_regression")
    assert not recwarn.list


def test_brute_force_refuses_too_many_classes_and_says_how_many_are_too_many():
    with pytest.raises(SLPError, match=r"43,046,721 candidates.*limit is 2,000,000 \(13 classes\)"):
        find_lines(np.random.default_rng(0).normal(size=(16, 2)), "brute_force")
