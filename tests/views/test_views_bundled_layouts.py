"""Layouts that ship with the sample data are those that would be computed.

Whatever has UMAP compute is in this one file: a process compiles it for as long as all else takes.
"""

import numpy as np
import pytest

from slp_core import fit_projection, list_datasets, load_dataset, load_encoder
from slp_core.views.bundled_layouts import bundled_points, save_layouts
from slp_core.views.projection import layout_is_bundled
from tools.lay_out_bundled_data import FIRST_DRAW, FIRST_SHOTS


def vectors(name):
    dataset = load_dataset(name)
    support = dataset.draw(FIRST_SHOTS, FIRST_DRAW).support
    encoder = load_encoder(dataset.default_encoder)
    return encoder.encode(dataset, support=support).astype(np.float64)


@pytest.mark.parametrize("name", [info.name for info in list_datasets()])
def test_every_sample_dataset_has_its_layout(name):
    """If this fails, a sample has changed: run ``python -m tools.lay_out_bundled_data``."""
    X = vectors(name)
    if X.shape[1] > 2:
        points = bundled_points(X)
        assert points.shape == (len(X), 2)
        np.testing.assert_array_equal(fit_projection(X, "umap").points, points)
        assert layout_is_bundled(X, "umap")
        assert not layout_is_bundled(X, "umap", n_neighbors=5)


def test_it_is_umaps_own_layout():
    X = vectors("wine")
    computed = fit_projection(X, "umap", seed=1).points
    bundled = bundled_points(X)
    # Neighbourhoods are those of a layout computed here, from another seed.
    near = [
        np.argsort(np.linalg.norm(p[:, None] - p, axis=2), 1)[:, 1:9] for p in (computed, bundled)
    ]
    shared = np.mean([len(np.intersect1d(a, b)) for a, b in zip(*near, strict=True)]) / 8
    assert shared > 0.35  # by chance 0.06


def test_a_layout_is_found_by_content(tmp_path):
    rng = np.random.default_rng(0)
    X, points = rng.normal(size=(20, 7)), rng.normal(size=(20, 2))
    file = tmp_path / "umap.npz"
    assert bundled_points(X, file) is None
    save_layouts([(rng.normal(size=(20, 7)), points + 1), (X, points)], file)
    np.testing.assert_allclose(bundled_points(X + 1e-6, file), points, atol=1e-6)
    changed = X.copy()
    changed[3, 2] += 0.1
    assert bundled_points(changed, file) is None
    assert bundled_points(X[:19], file) is None


@pytest.mark.parametrize("metric", ["euclidean", "cosine"])
def test_umap_is_the_same_for_a_seed_and_keeps_clusters(metric):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(90, 20)) + 6 * np.eye(20)[np.arange(90) % 3]
    first = fit_projection(X, "umap", seed=3, metric=metric, n_neighbors=8)
    again = fit_projection(X, "umap", seed=3, metric=metric, n_neighbors=8)
    np.testing.assert_array_equal(first.points, again.points)
    assert first.points.dtype == np.float64
    assert first.kept.explained_variance is None
    assert first.kept.trustworthiness > 0.8
    np.testing.assert_allclose(first.transform(X), first.points, atol=1e-6)
