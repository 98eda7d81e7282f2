"""The code for what Train shows."""

from __future__ import annotations

from pages.session.code import script
from pages.widgets.training import Training

_LOSS = """
numbers["epochs"] = {epochs}
"""


def code(training: Training) -> str:
    """DeepSLP as it was trained here, to the epoch at which it was stopped."""
    run = training.run
    ended = run is not None and run.ended
    callback = ""
    if run is not None and ended and run.epoch < run.epochs:
        callback = f"lambda epoch, state: epoch == {run.epoch}"
    epochs = run.epoch if run is not None and ended else None
    body = "" if epochs is None else _LOSS.format(epochs=epochs)
    return script(training.trained, "Train", body, callback)
