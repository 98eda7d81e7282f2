"""What must not change: what the library computed before it was rebuilt, on all that it ships.

``python tests/frozen/frozen_values.py`` writes ``values.npz`` anew; the test compares. A change of
it is a change of what people see: it is made on purpose, and said in the commit.
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np

import slp_core as slp
from slp_core.methods.table import METHODS

FILE = Path(__file__).with_name("values.npz")
DRAWS = (0, 1)
ROWS = 12  # whose numbers are kept one by one; of the others the class and the mean
GRID = 24
QUANTITIES = ("nll", "member_nll", "entropy", "member_entropy", "jsd")


def methods() -> list[str]:
    """Those on vectors: what trains an encoder has tests of its own."""
    return [name for name, method in METHODS.items() if method.reads == "vectors"]


def values(name: str) -> dict[str, np.ndarray]:
    """Everything that is kept of one dataset, by what it is."""
    dataset = slp.load_dataset(name)
    shots = max(s for s in dataset.shots_available if s <= 16)
    X = slp.load_encoder(dataset.default_encoder).encode(dataset)
    found = {"vectors": np.append(X[:3].ravel()[:60], X.mean())}
    for draw in [d for d in DRAWS if d in dataset.available_draws(shots)]:
        episode = dataset.draw(shots, draw)
        found[f"{draw} support"] = np.asarray(episode.support)
        for method in methods():
            for what, value in _of_method(method, X, episode).items():
                found[f"{draw} {method} {what}"] = value
    return found


def _of_method(method: str, X: np.ndarray, episode: slp.Episode) -> dict[str, np.ndarray]:
    model = METHODS[method].make().fit(X[episode.support], episode.y_support)
    query, y = X[episode.query], episode.y_query
    probabilities = model.predict_proba(query)
    found = {
        "predicted": np.searchsorted(model.classes_, model.predict(query)),
        "probabilities": np.vstack([probabilities[:ROWS], probabilities.mean(axis=0)]),
    }
    picture = slp.fit_projection(X, "pca")
    landscape = slp.decision_landscape(model, picture, grid=GRID)
    found["landscape"] = landscape.labels
    found["confidence"] = np.append(landscape.confidence[::6, ::6].ravel(), landscape.fidelity)
    if not hasattr(model, "lines_"):
        return found
    errors = slp.explain_errors(model, query, y)
    causes = sorted({"embedding", "line", "concentration", "off_line"})
    found["causes"] = np.array([causes.index(cause) for cause in errors["cause"]], dtype=int)
    found["errors"] = errors[["index", "line", "w", "t", "r", "margin"]].to_numpy(float)[:ROWS]
    found["influence"] = np.vstack([(of := model.influence(query))[:ROWS], of.mean(axis=0)])
    if "slp" not in method:
        return found
    soft = getattr(model, "soft_labels_", None)
    found["soft labels"] = np.asarray(model.soft_labels(query)[:ROWS] if soft is None else soft)
    for temperature in ("none", "distance"):
        diagnostics = slp.ensemble_diagnostics(model, query, y, temperature=temperature)
        found[f"diagnostics {temperature}"] = np.array(
            [
                np.mean(value[np.isfinite(value)])
                for value in (getattr(diagnostics, name) for name in QUANTITIES)
            ]
        )
    return found


def compute() -> dict[str, np.ndarray]:
    """All of it, as small as it can be kept."""
    names = [info.name for info in slp.list_datasets()]
    return {f"{name} {what}": v for name in names for what, v in values(name).items()}


if __name__ == "__main__":
    np.savez_compressed(FILE, **compute())
    sys.stdout.write(f"{FILE.stat().st_size} bytes\n")
