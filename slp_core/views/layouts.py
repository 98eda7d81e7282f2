"""Nonlinear projections: UMAP and t-SNE, bundled layouts, and the process that computes them."""

from __future__ import annotations

import threading
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any, TypeVar

import numpy as np

from slp_core.errors import SLPError, missing
from slp_core.process import ChildProcess, ProcessEnded
from slp_core.resources import resource
from slp_core.views.checks import one_place

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
        try:
            import umap
        except ImportError:
            raise missing("UMAP", "umap-learn", "app") from None

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


BUNDLED = resource("sample_data") / "layouts" / "umap.npz"

# Vectors computed on another machine differ in their last digits, and by no more than this.
_SAME = 1e-3


def bundled_points(X: np.ndarray, file: Path = BUNDLED) -> np.ndarray | None:
    """(n, 2) the bundled layout of these vectors (UMAP's defaults, seed 0), if there is one."""
    print_of_x = fingerprint(X)
    for known, points in _read(file):
        if known.shape == print_of_x.shape and np.allclose(known, print_of_x, atol=_SAME):
            return points.astype(np.float64)
    return None


def fingerprint(X: np.ndarray) -> np.ndarray:
    """(n + 1,) one number a row, practically unique to its content, and d."""
    n_features = X.shape[1]
    direction = np.random.default_rng(n_features).normal(size=n_features)
    return np.append(X @ direction, n_features).astype(np.float32)


@cache
def _read(file: Path) -> list[tuple[np.ndarray, np.ndarray]]:
    if not file.exists():
        return []
    with np.load(file) as arrays:
        count = len(arrays.files) // 2
        return [(arrays[f"{i}_fingerprint"], arrays[f"{i}_points"]) for i in range(count)]


Result = TypeVar("Result")

# UMAP compiles itself on first use and is not thread-safe, and both hold up every other thread: it
# has a process to itself, which ends when it has been idle for an hour. scikit-learn loads pandas
# where it is installed: 60 MB for tables, of which there are none here.
_process = ChildProcess("projections", idle_seconds=3_600, without=("pandas",))


def run_in_process(
    function: Callable[..., Result],
    *args: Any,
    cancelled: Callable[[], bool] | None = None,
    **options: Any,
) -> Result:
    """Call a function in the process for projections, and wait for it; calls queue."""
    try:
        return _process.call(function, *args, cancelled=cancelled, **options)
    except ProcessEnded as error:
        raise SLPError(
            "The process that computes this projection was ended from outside, perhaps for want "
            "of memory: try again, or use PCA."
        ) from error
