"""Numbers that sentences about projections state, computed again by brute force on random cases."""

import numpy as np
import pytest
from facts_cases import random_case

from slp_core.figures.map.image import shade_range
from slp_core.methods.protocols import predicts_from_lines
from slp_core.views import (
    Projection,
    decision_landscape,
    fit_projection,
    landscape_fidelity,
    recommend_projection,
)
from slp_core.views.fidelity import best_view, better_view, centroids_on_plane, opening_projection


def near(one, other, tolerance=1e-9):
    return abs(one - other) <= tolerance * (1 + abs(other))


def linear(case):
    return ["pca", "decision_plane", *["centroid_plane"] * hasattr(case.model, "centroids_")]


def flat(plane, x):
    """The nearest point of a plane."""
    return plane.origin + sum(((x - plane.origin) @ axis) * axis for axis in plane.axes)


def unsure(case, vectors):
    """Where rounding decides: two classes nearly tie, or two lines are as near."""
    ordered = np.sort(case.model.predict_proba(vectors), axis=1)
    doubt = ordered[:, -1] - ordered[:, -2] < 1e-7 if ordered.shape[1] > 1 else ordered[:, 0] < 0
    if predicts_from_lines(case.model) and len(case.model.lines_) > 1:
        away = case.model.place(vectors).segment_distance
        if case.model.assignment == "prototype":
            ends = case.model.prototypes_
            away = np.array(
                [[np.linalg.norm(x - pair, axis=1).min() for pair in ends] for x in vectors]
            )
        first, second = np.sort(away, axis=1)[:, :2].T
        doubt |= second - first < 1e-7
    return doubt


def first_best(rows):
    return [row.index(max(row)) for row in rows.tolist()]


def lifted(projection, inverse):
    """What each example's position stands for: on a plane, or on a surface through the others."""
    if inverse != "surface":
        plane = projection.flat(inverse)
        return np.array(
            [plane.origin + x * plane.axes[0] + y * plane.axes[1] for x, y in projection.points]
        )
    vectors, n = [], len(projection.points)
    for row in range(n):
        rest = np.delete(np.arange(n), row)
        surface = (
            type(projection.surface)(
                projection.points[rest],
                projection.vectors[rest] if len(rest) else projection.vectors,
            )
            if len(rest)
            else None
        )
        here = projection.points[[row]]
        vectors.append(projection.vectors[0] if surface is None else surface(here)[0])
    return np.array(vectors)


@pytest.mark.parametrize("seed", range(0, 900, 12))
def test_what_a_projection_keeps_and_shows(seed):
    case = random_case(seed)
    rng = np.random.default_rng(seed)
    X = np.concatenate([case.support, case.X])
    n, d = X.shape
    method = str(rng.choice([*linear(case), "umap"]))
    if method == "umap" and d > 2:
        projection = Projection("umap", X, rng.normal(size=(n, 2)), None, False)
    else:
        projection = fit_projection(X, "pca" if method == "umap" else method, case.model)
    assert projection.exact == (d <= 2)
    kept, plane = projection.kept, projection.plane
    if projection.exact:
        assert np.array_equal(projection.points[:, :d], X)
    elif plane is not None:
        spread = X - X.mean(axis=0)
        total = sum(float(row @ row) for row in spread)
        seen = sum(float((plane.axes @ row) @ (plane.axes @ row)) for row in spread)
        if not kept.one_place:
            assert near(sum(kept.explained_variance), seen / total, 1e-7)
        away = [np.linalg.norm(x - flat(plane, x)) for x in X]
        row, scale = int(rng.integers(n)), 1 + np.abs(X).max()
        own, others = projection.plane_distance(row)
        assert abs(own - away[row]) <= 1e-6 * scale
        if n > 1:
            assert abs(others - (sum(away) - away[row]) / (n - 1)) <= 1e-6 * scale
        offset = projection.offset_plane
        assert np.array_equal(offset.axes, plane.axes)
        assert abs(np.linalg.norm(offset.origin - plane.origin) - np.median(away)) <= 1e-6 * scale
        assert np.abs(plane.axes @ (offset.origin - plane.origin)).max() <= 1e-6 * scale
        centroids_are_counted(case, projection)
    inverse = str(rng.choice(projection.inverses))
    fidelity_is_counted(case, projection, inverse)


def centroids_are_counted(case, projection):
    k = len(case.centroids)
    between = [
        np.linalg.norm(a - b) for i, a in enumerate(case.centroids) for b in case.centroids[:i]
    ]
    reach = 0.01 * (float(np.median(between)) if between else 0.0) + 1e-12
    away = [np.linalg.norm(x - flat(projection.plane, x)) for x in case.centroids]
    scale = 1e-9 * (1 + np.abs(case.centroids).max())
    found = centroids_on_plane(projection, case.centroids)
    assert sum(a <= reach - scale for a in away) <= found <= sum(a <= reach + scale for a in away)
    assert found <= k


def fidelity_is_counted(case, projection, inverse):
    found, n = landscape_fidelity(case.model, projection, inverse), len(projection.points)
    assert len(found.predicted) == n
    assert near(found.overall, 1 - len(found.disagreeing) / n)
    if inverse == "surface" and len(np.unique(projection.points.round(9), axis=0)) < n:
        return  # at equal positions it is chance which neighbours are near
    places = lifted(projection, inverse)
    there, own = (case.model.predict_proba(v) for v in (places, projection.vectors))
    agree = sum(a == b for a, b in zip(first_best(there), first_best(own), strict=True))
    doubt = sum(unsure(case, places) | unsure(case, projection.vectors))
    assert abs(n - len(found.disagreeing) - agree) <= doubt


@pytest.mark.parametrize("seed", range(1, 900, 48))
def test_held_out_fidelity_is_counted_fold_by_fold(seed):
    case = random_case(seed)
    X, k = np.concatenate([case.support, case.X]), len(case.support)
    query = np.arange(k, len(X))
    found = recommend_projection(case.model, X, linear(case), query, seed)
    chosen_by, agreeing = (
        {v: (h.shown == h.predicted)[half::2].sum() for v, h in found.items()} for half in (0, 1)
    )
    best = best_view(found)
    assert best == next(v for v, n in chosen_by.items() if n == max(chosen_by.values()))
    for view, count in agreeing.items():
        assert found[view].half(1).n_agreeing == count
        assert not set(found[view].half(1).rows) & set(found[view].half(0).rows)
        better = better_view(found, view)
        assert better == (best if agreeing[best] > count else None)
    opening = opening_projection(case.model, X, query)
    assert opening == ("pca", "plane") if X.shape[1] <= 2 else opening in agreeing
    method, inverse = view = list(found)[seed // 24 % len(found)]
    held = found[view]
    assert held.n == len(case.X)
    assert held.folds == min(5, held.n)
    if not held.n:
        assert np.isnan([held.overall, held.majority]).all()
        return
    sizes = [sum(held.fold == part) for part in range(held.folds)]
    assert max(sizes) - min(sizes) <= 1
    assert sorted(held.rows.tolist()) == query.tolist()
    counts = [sum(case.predicted == c) for c in range(len(case.classes))]
    assert near(held.majority, max(counts) / held.n)
    assert near(held.overall, held.n_agreeing / held.n)
    for c, n in enumerate(counts):
        here = held.predicted == c
        assert here.sum() == n == held.counts[c]
        if n:
            assert near(held.per_class[c], (held.shown[here] == c).sum() / n)
    agree = doubt = 0
    for part in range(held.folds):
        out = held.rows[held.fold == part].tolist()
        rest = [row for row in [*range(k), *held.rows.tolist()] if row not in out]
        made = fit_projection(X[rest], method, case.model)
        places = made.inverse(made.transform(X[out]), inverse)
        doubt += sum(unsure(case, places) | unsure(case, X[out]))
        shown = first_best(case.model.predict_proba(places))
        own = first_best(case.probability[np.array(out) - k])
        agree += sum(a == b for a, b in zip(shown, own, strict=True))
    # With rows in another order the last digits may differ, and break ties otherwise.
    assert abs(held.n_agreeing - agree) <= doubt


def test_trustworthiness_is_venna_and_kaskis():
    X, points = np.random.default_rng(0).normal(size=(2, 40, 5))
    kept = Projection("umap", X, points[:, :2], None, False).kept
    n, k, penalty = 40, 8, 0
    for i in range(n):
        high, low = (
            [j for j in np.argsort(np.linalg.norm(V - V[i], axis=1)) if j != i]
            for V in (X, points[:, :2])
        )
        penalty += sum(max(0, high.index(j) + 1 - k) for j in low[:k])
    assert kept.neighbours == k
    assert near(kept.trustworthiness, 1 - penalty * 2 / (n * k * (2 * n - 3 * k - 1)), 1e-6)


@pytest.mark.parametrize("seed", range(0, 120, 8))
def test_shades_run_over_what_is_predicted_on_the_grid(seed):
    case = random_case(seed)
    X = np.concatenate([case.support, case.X])
    projection = fit_projection(X)
    landscape = decision_landscape(case.model, projection, grid=5)
    margins, confidences = [], []
    for y in landscape.y:
        for x in landscape.x:
            at = projection.inverse(np.array([[x, y]]), landscape.inverse)
            row = sorted(case.model.predict_proba(at)[0].tolist(), reverse=True)
            confidences.append(row[0])
            margins.append(row[0] - row[1] if len(row) > 1 else 1.0)
    for shade, values in (("margin", margins), ("confidence", confidences)):
        values = sorted(values)
        between = values[23] + 0.76 * (values[24] - values[23])  # 0.99 of the way
        assert shade_range(landscape, shade) == pytest.approx((values[0], between), abs=2e-5)
