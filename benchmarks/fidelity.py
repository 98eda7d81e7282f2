"""How faithful the recommended picture is, on every bundled dataset and each SLP method."""

from __future__ import annotations

import numpy as np

from slp_core.data import list_datasets, load_dataset
from slp_core.encoders import load_encoder
from slp_core.methods import ConstraintSLPClassifier, DeepSLPClassifier
from slp_core.views import held_out_fidelity, recommend_projection

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
            rows.append(f"{info.name}, {name}: {_said(model, X)}  (goal ≥ {GOAL:.0%})")
    return rows


def _said(model: ConstraintSLPClassifier | DeepSLPClassifier, X: np.ndarray) -> str:
    """The page's own rule: a plane that shows enough of the answers, or else decision UMAP."""
    linear = recommend_projection(model, X)
    (projection, inverse), share = linear.best, linear.fidelity[linear.best]
    if share >= GOAL:
        return f"{projection}, {inverse}, {share:.1%}"
    layout = recommend_projection(model, X, ["decision_umap"])
    share = max(layout.fidelity.values())
    held_out = held_out_fidelity(model, X, "decision_umap").overall
    return f"decision_umap, {share:.1%} ({held_out:.1%} of points held out)"
