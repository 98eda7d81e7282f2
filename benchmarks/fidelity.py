"""How faithful the recommended picture is, on every bundled dataset and each SLP method."""

from __future__ import annotations

import numpy as np

from slp_core.data import list_datasets, load_dataset
from slp_core.encoders import load_encoder
from slp_core.methods.constraint_slp import ConstraintSLPClassifier
from slp_core.methods.deep_slp import DeepSLPClassifier
from slp_core.views import recommend_projection
from slp_core.views.fidelity import best_view
from slp_core.views.text import view_title

SHOTS = 16
GOAL = 0.95


def run() -> list[str]:
    rows = []
    methods = {
        "constraintSLP": ConstraintSLPClassifier(),
        "along the line": ConstraintSLPClassifier(distance="along_line"),
        "DeepSLP": DeepSLPClassifier(),
    }
    for info in list_datasets():
        dataset = load_dataset(info.name)
        X = load_encoder(dataset.default_encoder).encode(dataset).astype(np.float64)
        if X.shape[1] <= 2:  # drawn as they are
            continue
        episode = dataset.draw(min(SHOTS, max(dataset.shots_available)), 0)
        for name, method in methods.items():
            model = method.fit(X[episode.support], episode.y_support)
            rows.append(
                f"{info.name}, {name}: {_said(model, X, episode.query)}  (goal ≥ {GOAL:.0%})"
            )
    return rows


def _said(
    model: ConstraintSLPClassifier | DeepSLPClassifier, X: np.ndarray, rows: np.ndarray
) -> str:
    """The page's own rule: a plane that shows enough of the predictions, or else decision UMAP."""
    found = recommend_projection(model, X, rows=rows)
    if found[best_view(found)].half(1).overall < GOAL:
        found |= recommend_projection(model, X, ["decision_umap"], rows)
    best = best_view(found)
    held_out = found[best].half(1)
    return f"{view_title(best)}, {held_out.overall:.1%} of {held_out.n:,} points held out"
