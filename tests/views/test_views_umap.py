"""UMAP: layouts that ship with the sample data, its own, and those that have seen the predictions.

What has UMAP compute is in this one file: a process compiles it for as long as all else takes.
"""

import numpy as np
import pytest
from made_clouds import clouds
from scipy.spatial.distance import cdist

from slp_core import (
    DeepSLPClassifier,
    NearestCentroidClassifier,
    SLPError,
    decision_landscape,
    fit_projection,
    list_datasets,
    load_dataset,
    load_encoder,
)
from slp_core.views import held_out_fidelity, landscape_fidelity
from slp_core.views.layouts import bundled_points, decision_features
from slp_core.views.projection import layout_is_bundled
from tools.lay_out_bundled_data import FIRST_DRAW, FIRST_SHOTS, save_layouts


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
    assert bundled_points(X, tmp_path / "none.npz") is None
    file = tmp_path / "umap.npz"
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


@pytest.mark.parametrize("row", [np.full(6, 3.3), np.full(6, 6**-0.5)])
@pytest.mark.parametrize("method", ["umap", "tsne", "decision_umap"])
def test_equal_rows_stay_in_one_place(method, row):
    X = np.tile(row, (12, 1))
    model = NearestCentroidClassifier().fit(X, np.arange(12) % 3)
    projection = fit_projection(X, method, None if method == "tsne" else model)
    assert np.ptp(projection.points, axis=0).max() < 1e-9
    assert projection.kept.one_place
    assert decision_landscape(model, projection, 10).fidelity == 1.0


def test_rows_along_one_feature_have_finite_places():
    X = np.zeros((12, 6))
    X[:, 2] = np.arange(12.0) ** 1.3
    assert np.isfinite(fit_projection(X, "umap").points).all()


def test_a_layout_that_is_not_finite_is_said(monkeypatch):
    monkeypatch.setattr("umap.UMAP.fit_transform", lambda self, X: np.full((len(X), 2), np.nan))
    with pytest.raises(SLPError, match="UMAP cannot place"):
        fit_projection(np.eye(6), "umap")


class ByLot:
    """Answers that have nothing to do with the vectors: no picture can know them beforehand."""

    classes_ = np.arange(3)

    def predict_proba(self, X):
        return np.eye(3)[(np.abs(X[:, 0] * 1e6).astype(np.int64) % 3)]


def test_a_layout_that_has_seen_the_predictions_is_believed_less_where_they_cannot_be_known():
    X, _ = clouds(120, 0.0)
    held_out = held_out_fidelity(ByLot(), X, "decision_umap")
    assert held_out.n == 120
    assert held_out.overall < 0.55  # a third by chance


def test_where_the_vectors_decide_both_figures_are_high():
    X, y = clouds(90, 12.0)
    model = DeepSLPClassifier().fit(X[:48], y[:48])
    projection = fit_projection(X, "decision_umap", model)
    assert landscape_fidelity(model, projection).overall == 1.0
    held_out = held_out_fidelity(model, X, "decision_umap")
    assert held_out.overall > 0.95


@pytest.mark.parametrize("mix", [0.0, 0.5, 1.0])
def test_distances_mix_vectors_and_predictions_in_their_own_units(mix):
    rng = np.random.default_rng(0)
    X, probabilities = rng.normal(size=(30, 5)), rng.dirichlet(np.ones(3), size=30)
    predictions = np.eye(3)[probabilities.argmax(axis=1)]
    three = (X, np.sqrt(probabilities), predictions)
    squared = [part / part.mean() for part in (cdist(p, p, "sqeuclidean") for p in three)]
    found = decision_features(X, probabilities, mix)
    np.testing.assert_allclose(
        cdist(found, found, "sqeuclidean"),
        (1 - mix) * squared[0] + mix * (squared[1] + squared[2]) / 2,
        atol=1e-9,
    )


@pytest.mark.parametrize("mix", [0.5, 0.9])
def test_decision_umap_tells_predictions_apart_even_of_a_method_that_is_never_sure(mix):
    X, _ = clouds(120, 0.5)

    class Unsure:
        classes_ = np.arange(3)

        def predict_proba(self, rows):
            winner = np.argmax(rows[:, :3], axis=1)
            return (1 + 0.01 * np.eye(3)[winner]) / 3.01

    projection = fit_projection(X, "decision_umap", Unsure(), mix=mix)
    assert landscape_fidelity(Unsure(), projection).overall > 0.9
