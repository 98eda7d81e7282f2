"""The code for what Train shows."""

from __future__ import annotations

from pages.session.code import script
from pages.widgets.training import Training

_BODY = """
losses = model.history_["loss"]  # (epochs, lines): NaN where a line had finished
numbers["epochs"] = len(losses)
numbers["loss"] = float(np.nanmean(losses[-1]))

for title, other in (
    ("nearest centroid", slp.NearestCentroidClassifier()),
    ("logistic regression", slp.LogisticRegressionClassifier()),
):
    fitted, X_other, y_other = fit(other, {draw})
    numbers[f"accuracy of {{title}}"] = float((fitted.predict(X_other) == y_other).mean())
"""


def code(training: Training) -> str:
    """DeepSLP as it was trained here."""
    return script(training.trained, "Train", _BODY.format(draw=training.workspace.draw))
