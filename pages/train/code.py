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
    numbers[f"{{title}} is right"] = float((fitted.predict(X_other) == y_other).mean())
"""


def code(training: Training) -> str:
    """DeepSLP as it was trained here, to the epoch at which it was stopped or stands still."""
    run = training.run
    callback = ""
    if run is not None and (run.ended or run.state == "paused") and run.epoch < run.epochs:
        callback = f"lambda epoch, state: epoch == {run.epoch}"
    body = _BODY.format(draw=training.workspace.draw)
    return script(training.trained, "Train", body, callback)
