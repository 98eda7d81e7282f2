"""The stricter fidelity of pictures that have seen a method's answers."""

import numpy as np
import pytest

from slp_core import DeepSLPClassifier, NearestCentroidClassifier
from slp_core.views import fit_projection, held_out_fidelity, landscape_fidelity


class ByLot:
    """Answers that have nothing to do with the vectors: no picture can know them beforehand."""

    classes_ = np.arange(3)

    def predict_proba(self, X):
        return np.eye(3)[(np.abs(X[:, 0] * 1e6).astype(np.int64) % 3)]


def clouds(n, gap):
    rng = np.random.default_rng(0)
    y = np.arange(n) % 3
    return rng.normal(size=(n, 30)) + gap * np.eye(30)[y], y


def test_a_layout_that_has_seen_the_answers_is_believed_less_where_they_cannot_be_known():
    X, _ = clouds(120, 0.0)
    held_out = held_out_fidelity(ByLot(), X, "decision_umap")
    assert held_out.n == 120
    assert held_out.overall < 0.55  # a third by chance


def test_where_the_vectors_decide_both_figures_are_high():
    X, y = clouds(150, 12.0)
    model = DeepSLPClassifier().fit(X[:48], y[:48])
    projection = fit_projection(X, "decision_umap", model)
    assert landscape_fidelity(model, projection).overall == 1.0
    held_out = held_out_fidelity(model, X, "decision_umap")
    assert held_out.overall > 0.95
    assert f"{held_out.overall:.0%}" in held_out.sentence()


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
    # PCA asks nothing; each fold is asked at its places and for its own answers.
    assert asked[::2] == asked[1::2] == [5, 5, 5, 4, 4]
    assert (found.n, found.folds) == (23, 5)


@pytest.mark.parametrize("mix", [0.5, 0.9])
def test_decision_umap_tells_answers_apart_even_of_a_method_that_is_never_sure(mix):
    X, _ = clouds(120, 0.5)

    class Unsure:
        classes_ = np.arange(3)

        def predict_proba(self, rows):
            winner = np.argmax(rows[:, :3], axis=1)
            return (1 + 0.01 * np.eye(3)[winner]) / 3.01

    projection = fit_projection(X, "decision_umap", Unsure(), mix=mix)
    assert landscape_fidelity(Unsure(), projection).overall > 0.9
