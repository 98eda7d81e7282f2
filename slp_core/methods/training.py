"""DeepSLP's training, recorded: measurements and views after every epoch."""

from __future__ import annotations

import copy
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from slp_core.errors import Cancelled
from slp_core.methods.base import LineClassifier
from slp_core.methods.deep_slp import DeepSLPClassifier, TrainingState
from slp_core.methods.options import MANY_CLASSES
from slp_core.progress import Progress

MOST_FRAMES, FEW_FRAMES = 40, 12  # epochs that are looked at; with many classes


@dataclass(frozen=True, eq=False)
class TrainingRun:
    """One fit of DeepSLP: the fitted model is that of ``fit``, to the last bit."""

    model: DeepSLPClassifier
    frames: tuple[Any, ...]  # what was seen after some epochs
    # of each epoch measured: the mean loss of lines in training; accuracies from 0 to 1
    curves: pd.DataFrame  # epoch, loss, support, query
    seconds: float
    settings: dict[str, Any]  # the classifier's parameters, with the values that were used

    @property
    def epochs(self) -> int:
        return int(self.curves["epoch"].max())


def train(
    model: DeepSLPClassifier,
    X: np.ndarray,
    y: np.ndarray,
    X_query: np.ndarray,
    y_query: np.ndarray,
    report: Callable[[Progress], None] = lambda progress: None,
    cancelled: Callable[[], bool] = lambda: False,
    look: Callable[[int, DeepSLPClassifier], Any] = lambda epoch, model: epoch,
) -> TrainingRun:
    """Fit a copy of a model, measure every epoch, and record `look` at some, evenly spaced.

    With many classes only those that are looked at are measured.
    """
    many = len(np.unique(y)) > MANY_CLASSES
    most = FEW_FRAMES if many else MOST_FRAMES
    fitting, started = copy.deepcopy(model), time.monotonic()
    rows: list[tuple[int, float, float, float]] = []
    frames: list[Any] = []

    def watch(epoch: int, state: TrainingState) -> None:
        epochs, now = state.epochs, copy.copy(fitting)
        now.coef_, now.intercept_ = state.coef, state.intercept
        every = 1 if epochs <= most else -(-epochs // (most - 1))
        looked_at = epoch == epochs or (epoch - 1) % every == 0
        if looked_at or not many:
            accuracies = (accuracy_on(now, X, y), accuracy_on(now, X_query, y_query))
            rows.append((epoch, float(np.nanmean(state.loss)), *accuracies))
        if looked_at:
            frames.append(look(epoch, now))
        seconds = time.monotonic() - started
        left = seconds / epoch * (epochs - epoch)
        report(Progress(epoch, epochs, left))
        if cancelled():
            raise Cancelled

    fitting.set_params(callback=watch).fit(X, y).set_params(callback=None)
    curves = pd.DataFrame(rows, columns=["epoch", "loss", "support", "query"])
    seconds, used = time.monotonic() - started, fitting.settings_used(len(X))
    return TrainingRun(fitting, tuple(frames), curves, seconds, used)


def accuracy_on(model: LineClassifier, X: np.ndarray, y: np.ndarray) -> float:
    """Share of correct predictions; NaN without examples."""
    return float((model.predict(X) == y).mean()) if len(X) else float("nan")


def record(run: TrainingRun, **about: Any) -> dict[str, Any]:
    """A run in plain JSON types; what could not be measured is None."""
    named = {"support": "support accuracy", "query": "query accuracy"}
    curves = run.curves.astype(object).where(run.curves.notna(), None).rename(columns=named)
    return {
        **about,
        "settings": run.settings,
        "epochs": run.epochs,
        "seconds": round(run.seconds, 4),
        "final": curves.drop(columns="epoch").iloc[-1].to_dict(),
        "curves": curves.to_dict("list"),
    }


def uses_seed(model: DeepSLPClassifier, X: np.ndarray, y: np.ndarray) -> bool:
    """Whether a fit is stochastic: its random start, or its order of batches."""
    fitted = copy.deepcopy(model).set_params(epochs=0).fit(X, y)
    used, (_, sizes) = fitted.settings_used(len(X)), np.unique(y, return_counts=True)
    on_line = [sizes[list(line.classes)].sum() for line in fitted.lines_]
    most = len(X) if model.train_on == "all" else max(on_line)
    return bool(used["init"] == "xavier" or 0 < used["batch_size"] < most)
