"""DeepSLP's training as something to watch: paused, stepped and stopped from another thread.

A run that is paused holds no thread: `work` returns, and whoever lets the run go on calls it again.
"""

from __future__ import annotations

import copy
import threading
import time
from collections.abc import Callable, Generator
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np

from slp_core.errors import Cancelled
from slp_core.methods.deep_slp import DeepSLPClassifier, TrainingState

State = Literal["waiting", "running", "paused", "stopped", "done", "failed"]

MOST_FRAMES = 40  # epochs whose heads are kept


@dataclass(frozen=True, eq=False)
class Frame:
    """The heads after an epoch, in the precision of a picture.

    Attributes
    ----------
    epoch : int
    coef : (L, 2, K, d) float32 array
    intercept : (L, 2, K) float32 array
    """

    epoch: int
    coef: np.ndarray = field(repr=False)
    intercept: np.ndarray = field(repr=False)


@dataclass(frozen=True, eq=False)
class Curves:
    """What has been measured after each of e epochs.

    Attributes
    ----------
    epoch : (e,) int array
    loss : (e,) array
        Mean cross-entropy over the lines that still train.
    support, query : (e,) arrays
        Accuracy, from 0 to 1.
    """

    epoch: np.ndarray
    loss: np.ndarray
    support: np.ndarray
    query: np.ndarray


class TrainingRun:
    """One fit of DeepSLP. The fitted model is that of ``fit``, to the last bit.

    Parameters
    ----------
    model : DeepSLPClassifier
        Not fitted; a copy of it is.
    X, y : (n, d) and (n,) arrays
        The support set.
    X_query, y_query : (m, d) and (m,) arrays
    pace : float
        Epochs a second at most; 0 for as fast as it goes.
    """

    def __init__(
        self,
        model: DeepSLPClassifier,
        X: np.ndarray,
        y: np.ndarray,
        X_query: np.ndarray,
        y_query: np.ndarray,
        pace: float = 0.0,
    ):
        self.pace = pace
        self.epoch, self.epochs = 0, 0
        self.state: State = "waiting"
        self.model: DeepSLPClassifier | None = None
        self.seconds = 0.0
        self.waited = 0.0  # of these, to keep to the pace
        self._support, self._query = (X, np.asarray(y)), (X_query, np.asarray(y_query))
        self._fitting = copy.deepcopy(model)
        self._training: Generator[Callable[[], TrainingState], None, None] | None = None
        self._paused, self._steps, self._stop = False, 0, threading.Event()
        self._lock = threading.Lock()
        self._rows: list[tuple[int, float, float, float]] = []
        self._frames: list[Frame] = []
        self._every = 1
        self._started, self._left_off, self._waited = 0.0, 0.0, 0.0

    def work(
        self,
        cancelled: Callable[[], bool] = lambda: False,
        idle: Callable[[], AbstractContextManager[None]] = nullcontext,
    ) -> None:
        """Train in the calling thread, to the end or to the next pause.

        At the end the fitted model is in ``model``. After a pause the state is ``"paused"``, and
        the run goes on when it is called again after ``resume``, ``step`` or ``stop``.

        Parameters
        ----------
        cancelled : callable
            Asked after every epoch.
        idle : callable
            Gives a context to wait in, where the run is faster than its pace.

        Raises
        ------
        Cancelled
        """
        with self._lock:
            self.state = "running"
            if self._training:
                self._steps = max(0, self._steps - 1)
        now = time.monotonic()
        self._started = self._started + now - self._left_off if self._training else now
        try:
            self._train(cancelled, idle)
        except BaseException:
            self.state = "failed"
            raise
        finally:
            self._left_off = time.monotonic()

    def pause(self) -> None:
        """Wait after the present epoch."""
        with self._lock:
            self._paused = True

    def resume(self) -> None:
        """Go on; a run that is paused is then to be worked on again."""
        with self._lock:
            self._paused = False
            self._go_on()

    def step(self) -> None:
        """Train one more epoch, and wait; a run that is paused is then to be worked on again."""
        with self._lock:
            self._paused, self._steps = True, self._steps + 1
            self._go_on()

    def stop(self) -> None:
        """End after the present epoch, with what has been learnt; likewise."""
        with self._lock:
            self._stop.set()
            self._go_on()

    def _go_on(self) -> None:
        if self.state == "paused":
            self.state = "waiting"

    @property
    def ended(self) -> bool:
        """Whether the fitted model can be had."""
        return self.state in ("stopped", "done")

    @property
    def under_way(self) -> bool:
        """Whether it waits for its turn, trains or pauses: whether looking again is worth it."""
        return not self.ended and self.state != "failed"

    @property
    def curves(self) -> Curves:
        """Everything that has been measured so far."""
        with self._lock:
            rows = np.array(self._rows).reshape(-1, 4)
        return Curves(rows[:, 0].astype(np.int64), rows[:, 1], rows[:, 2], rows[:, 3])

    @property
    def frames(self) -> tuple[Frame, ...]:
        """At most 40 epochs' heads, evenly spaced, and always the last."""
        with self._lock:
            return tuple(self._frames)

    @property
    def seconds_left(self) -> float | None:
        """At the speed so far; None before the first epoch."""
        if not self.epoch:
            return None
        return self.seconds / self.epoch * (self.epochs - self.epoch)

    @property
    def settings(self) -> dict[str, Any]:
        """The classifier's parameters with the values used, once there is an epoch."""
        return self._fitting.settings_used(len(self._support[0]))

    def at(self, frame: Frame) -> DeepSLPClassifier:
        """The classifier as it was at a frame."""
        model = copy.copy(self._fitting)
        model.coef_, model.intercept_ = frame.coef, frame.intercept
        return model

    def _train(
        self, cancelled: Callable[[], bool], idle: Callable[[], AbstractContextManager[None]]
    ) -> None:
        if self._training is None:
            self._training = self._fitting.fit_by_epoch(*self._support)
        while not (self.epoch and self._stop.is_set()):  # there is one epoch at least
            state = next(self._training, None)
            if state is None:
                break
            self._note(state())
            asked = time.monotonic()
            if cancelled():
                raise Cancelled
            self._started += time.monotonic() - asked  # others may have come first
            if self.epoch < self.epochs:
                if not self._paused:
                    self._keep_to_pace(idle)
                if self._pauses():
                    return
        self._training.close()
        self.model = self._fitting
        self.state = "stopped" if self._stop.is_set() else "done"

    def _note(self, state: TrainingState) -> None:
        """Measure an epoch."""
        epoch = state.epoch
        model = copy.copy(self._fitting)
        model.coef_, model.intercept_ = state.coef, state.intercept
        support, query = (
            float((model.predict(X) == y).mean()) if len(X) else float("nan")
            for X, y in (self._support, self._query)
        )
        frame = Frame(epoch, state.coef.astype(np.float32), state.intercept.astype(np.float32))
        with self._lock:
            self._rows.append((epoch, float(np.nanmean(state.loss)), support, query))
            self._keep(frame, last=epoch == state.epochs)
        self.epoch, self.epochs = epoch, state.epochs
        # A wait after an epoch counts when the next one has come, as all other time does.
        self.seconds, self.waited = time.monotonic() - self._started, self._waited

    def _keep(self, frame: Frame, last: bool) -> None:
        """The newest frame is always kept; of the others every second goes when there are many."""
        if self._frames and (self._frames[-1].epoch - 1) % self._every:
            self._frames.pop()
        self._frames.append(frame)
        if len(self._frames) > MOST_FRAMES:
            self._every *= 2
            first, newest = self._frames[0], self._frames[-1]
            inner = [f for f in self._frames[1:-1] if (f.epoch - 1) % self._every == 0]
            self._frames = [first, *inner, newest]

    def _pauses(self) -> bool:
        """Whether to wait here; the state says so before anybody can ask it to go on."""
        with self._lock:
            if not self._paused or self._stop.is_set():
                return False
            if self._steps:
                self._steps -= 1
                return False
            self.state = "paused"
            return True

    def _keep_to_pace(self, idle: Callable[[], AbstractContextManager[None]]) -> None:
        """Wait for the time of the next epoch; what others take of it is not counted."""
        early = self._started + self.epoch / self.pace - time.monotonic() if self.pace > 0 else 0.0
        if early <= 0:
            return
        before = time.monotonic()
        with idle():
            self._stop.wait(min(early, 1.0 / self.pace))
            waited = time.monotonic() - before
            self._waited += waited
        self._started += time.monotonic() - before - waited


def record(run: TrainingRun, **about: Any) -> dict[str, Any]:
    """A run in plain JSON types: settings, curves, final figures, and whatever is told about it.

    Of the settings each has the value that was used, those of the preset too. What there was
    nothing to measure by is None.

    Parameters
    ----------
    run : TrainingRun
        That has ended.
    **about
        Dataset, encoder, draw and the like.
    """
    curves = run.curves
    measured = {
        "loss": _known(curves.loss),
        "support accuracy": _known(curves.support),
        "query accuracy": _known(curves.query),
    }
    return {
        **about,
        "settings": run.settings,
        "state": run.state,
        "epochs": int(run.epoch),
        "seconds": round(run.seconds, 4),
        "final": {name: values[-1] for name, values in measured.items()},
        "curves": {"epoch": curves.epoch.tolist(), **measured},
    }


def _known(values: np.ndarray) -> list[float | None]:
    """Numbers for JSON, which has no NaN."""
    return [float(value) if value == value else None for value in values]


def uses_seed(model: DeepSLPClassifier, X: np.ndarray, y: np.ndarray) -> bool:
    """Whether anything of a fit is left to chance: found out by one epoch of it.

    Parameters
    ----------
    model : DeepSLPClassifier
        Not fitted; a copy of it is.
    X, y : (n, d) and (n,) arrays
        The support set.
    """
    watched, untouched = np.random.RandomState(0), np.random.RandomState(0)
    copy.deepcopy(model).set_params(random_state=watched, epochs=1).fit(X, y)
    return bool(watched.randint(2**31) != untouched.randint(2**31))
