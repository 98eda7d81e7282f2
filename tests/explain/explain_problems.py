"""Few-shot problems to explain, from easy to hopeless."""

import numpy as np
from hypothesis import strategies as st

from slp_core import ConstraintSLPClassifier, DeepSLPClassifier

METHODS = (
    ConstraintSLPClassifier(),
    ConstraintSLPClassifier(distance="along_line", assignment="prototype"),
    ConstraintSLPClassifier(n_lines=1),
    DeepSLPClassifier(),
    DeepSLPClassifier(preset="paper", train_on="line"),
)


@st.composite
def problems(draw, methods=METHODS):
    """A fitted method, (m, d) query examples and their (m,) true classes."""
    k, d = draw(st.integers(2, 9)), draw(st.sampled_from([2, 5, 40]))
    seed, scale = draw(st.integers(0, 10_000)), draw(st.sampled_from([0.3, 2.0]))
    return problem(k, d, seed, scale, draw(st.sampled_from(methods)))


def problem(k, d, seed, scale, model):
    """The same for centroids as far apart as the scale."""
    rng = np.random.default_rng(seed)
    centre = rng.normal(size=(k, d)) * scale
    y, true = np.repeat(np.arange(k), 4), rng.integers(k, size=60)
    X = centre[y] + rng.normal(size=(len(y), d))
    query = centre[true] + rng.normal(size=(60, d))
    return type(model)(**model.get_params()).fit(X, y), query, true


def clouds(k=5, d=6):
    """(n, d) support, (n,) names, (200, d) query, (200,) true classes, (K, d) centroids."""
    rng = np.random.default_rng(0)
    means = 2 * rng.normal(size=(k, d))
    y = np.repeat(np.arange(k), 8)
    truth = rng.integers(0, k, 200)
    names = np.array(list("abcdefgh"))[:k]
    support, query = (means[c] + rng.normal(size=(len(c), d)) for c in (y, truth))
    centroids = np.stack([support[y == c].mean(axis=0) for c in range(k)])
    return support, names[y], query, truth, centroids
