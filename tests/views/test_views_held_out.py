"""The stricter fidelity: of points that a picture was not made from. UMAP's is beside UMAP."""

import numpy as np
import pandas as pd
import pytest
from made_clouds import clouds
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline

from slp_core import NearestCentroidClassifier, SLPError
from slp_core.errors import Cancelled
from slp_core.views import fit_projection, held_out_fidelity, recommend_projection


def test_each_row_is_held_out_once():
    X, y = clouds(23, 4.0)
    model = NearestCentroidClassifier().fit(X, y)
    asked = []

    class Spy:
        classes_ = model.classes_

        def predict_proba(self, rows):
            asked.append(len(rows))
            return model.predict_proba(rows)

    found = held_out_fidelity(Spy(), X, "pca")
    # PCA asks nothing: all own predictions at once, then each fold at its places.
    assert asked == [23, 5, 5, 5, 4, 4]
    assert (found.n, found.folds) == (23, 5)
    assert sorted(found.rows) == list(range(23))


def test_what_is_held_out_of_a_slice_by_hand():
    """Principal axes by a singular value decomposition of the other rows, and nothing else."""
    X, y = clouds(60, 3.0)
    model = NearestCentroidClassifier().fit(X[:12], y[:12])
    found = held_out_fidelity(model, X, "pca", "plane", rows=np.arange(12, 60), seed=3)
    assert sorted(found.rows) == list(range(12, 60))
    for part in range(5):
        out = found.rows[found.fold == part]
        rest = X[[row for row in range(60) if row not in out]]
        axes = np.linalg.svd(rest - rest.mean(axis=0))[2][:2]
        lifted = (X[out] - rest.mean(axis=0)) @ axes.T @ axes + rest.mean(axis=0)
        shown = model.predict(lifted)
        np.testing.assert_array_equal(found.shown[found.fold == part], shown)
    np.testing.assert_array_equal(found.predicted, model.predict(X[found.rows]))
    assert found.n_agreeing == (found.shown == found.predicted).sum()


def test_predictions_at_points_held_out_have_no_say_in_the_picture():
    X, y = clouds(40, 3.0)
    model = NearestCentroidClassifier().fit(X, y)
    asked = []

    class Spy:
        classes_ = model.classes_

        def predict_proba(self, rows):
            asked.append({row.tobytes() for row in rows})
            return model.predict_proba(rows)

    found = held_out_fidelity(Spy(), X, "decision_plane", "plane", rows=np.arange(10, 40))
    held = [{X[row].tobytes() for row in found.rows[found.fold == part]} for part in range(5)]
    for part, fitted_to in enumerate(asked[1::2]):  # its predictions of the rest, then its places
        assert not fitted_to & held[part]
        assert {row.tobytes() for row in X[:10]} <= fitted_to


def test_nothing_can_be_held_out_where_every_row_is_kept():
    X, y = clouds(12, 3.0)
    model = NearestCentroidClassifier().fit(X, y)
    found = held_out_fidelity(model, X, "pca", rows=np.empty(0, dtype=int))
    assert found.n == 0
    assert np.isnan(found.overall)


def test_it_can_be_cancelled():
    X, y = clouds(12, 3.0)
    model = NearestCentroidClassifier().fit(X, y)
    with pytest.raises(Cancelled):
        held_out_fidelity(model, X, "pca", cancelled=lambda: True)


def test_a_table_is_held_out_like_an_array(recwarn):
    X, y = clouds(23, 4.0)
    table = pd.DataFrame(X).add_prefix("column ")
    found, expected = (
        held_out_fidelity(NearestCentroidClassifier().fit(data, y), data, "centroid_plane")
        for data in (table, X)
    )
    np.testing.assert_array_equal(found.shown, expected.shown)
    assert not recwarn.list


@pytest.mark.parametrize(
    "look",
    [
        lambda model, X: fit_projection(X, "centroid_plane", model),
        lambda model, X: held_out_fidelity(model, X, "centroid_plane"),
        recommend_projection,
    ],
)
def test_what_has_no_centroids_is_called_by_its_own_name(look):
    X, y = clouds(23, 4.0)
    table = pd.DataFrame(X).add_prefix("column ")
    with pytest.raises(SLPError, match="Pipeline has no class centroids"):
        look(make_pipeline(LogisticRegression()).fit(table, y), table)
