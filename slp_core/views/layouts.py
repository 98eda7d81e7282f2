"""Nonlinear projections: UMAP, t-SNE, and vectors that make UMAP aware of predictions."""

from __future__ import annotations

import threading

import numpy as np

from slp_core.errors import SLPError
from slp_core.views.magnitude import one_place

FEWEST_POINTS = 5

# UMAP and its neighbour search are not thread-safe, and compiling them twice at once is waste.
_LOCK = threading.Lock()


def umap_points(
    X: np.ndarray,
    start: np.ndarray,
    seed: int,
    n_neighbors: int,
    min_dist: float,
    metric: str,
) -> np.ndarray:
    """Lay the rows of ``X`` (n, d) out in the plane: (n, 2) float64, the same for a seed."""
    n = _enough(X, "UMAP")
    if one_place(X):
        return start
    spread = np.abs(start).max()
    init = (10.0 * start / spread if spread > 0 else start).astype(np.float32)
    # UMAP stretches each coordinate of the start to 0 to 10: one without spread has to get some.
    flat = np.ptp(init, axis=0) == 0
    if flat.any():
        chance = np.random.default_rng(seed).normal(size=init.shape).astype(np.float32)
        init = np.where(flat, chance, init)
    with _LOCK:
        import umap

        model = umap.UMAP(
            n_neighbors=min(n_neighbors, n - 1),
            min_dist=min_dist,
            metric=metric,
            init=init,
            random_state=seed,
            n_jobs=1,
        )
        points = np.asarray(model.fit_transform(X), dtype=np.float64)
    if not np.isfinite(points).all():
        raise SLPError("UMAP cannot place some of these points: use PCA.")
    return points


def tsne_points(
    X: np.ndarray, start: np.ndarray, seed: int, perplexity: float, metric: str
) -> np.ndarray:
    """Lay the rows of ``X`` (n, d) out by scikit-learn's t-SNE: (n, 2), the same for a seed."""
    n = _enough(X, "t-SNE")
    if one_place(X):
        return start
    from sklearn.manifold import TSNE

    spread = start[:, 0].std()
    model = TSNE(
        perplexity=min(perplexity, (n - 1) / 3),
        metric=metric,
        init=(1e-4 * start / spread if spread > 0 else start).astype(np.float32),
        random_state=seed,
        n_jobs=1,
    )
    return np.asarray(model.fit_transform(X), dtype=np.float64)


def decision_features(X: np.ndarray, probabilities: np.ndarray, mix: float) -> np.ndarray:
    """Vectors whose squared distances mix those of ``X`` and those of a method's predictions.

    (1 − mix) |x − x'|² + mix · (H² + A) / 2: H is the Hellinger distance of the probabilities, A is
    1 where the predictions differ; each in units of its mean over all pairs (after DeepView).
    """
    if not 0.0 <= mix <= 1.0:
        raise SLPError(f"mix must lie between 0 and 1, and is {mix!r}.")
    predictions = np.eye(probabilities.shape[1])[probabilities.argmax(axis=1)]
    parts = []
    for part, share in (
        (X, 1.0 - mix),
        (np.sqrt(probabilities), mix / 2),
        (predictions, mix / 2),
    ):
        centred = part - part.mean(axis=0)
        mean_squared = 2.0 * np.mean(np.sum(centred**2, axis=1))  # over pairs of rows
        parts.append(centred * np.sqrt(share / mean_squared) if mean_squared > 0 else centred)
    return np.hstack(parts)


def _enough(X: np.ndarray, what: str) -> int:
    if len(X) < FEWEST_POINTS:
        raise SLPError(
            f"{what} needs at least {FEWEST_POINTS} points, and there are {len(X)}: use PCA."
        )
    return len(X)
