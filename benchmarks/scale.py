"""How time and memory grow with query rows, classes and dimensions, and with what exponent.

The exponent is the slope of a line through the logarithms: 1 is in proportion. Rows, classes and
dimensions are varied one at a time. Memory is the most that NumPy holds beside the points.
"""

from __future__ import annotations

import tracemalloc
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from benchmarks.landscape import episode
from benchmarks.timing import Work, best
from slp_core import ConstraintSLPClassifier, DeepSLPClassifier, explain_errors
from slp_core.views import decision_landscape, fit_projection

ROWS, CLASSES, DIMENSIONS = (1_000, 10_000, 100_000), (2, 13, 50), (2, 384, 4_096)
SHOTS = 16
USUAL_ROWS, USUAL_CLASSES, USUAL_DIMENSIONS = 10_000, 13, 384
ROWS_DIMENSIONS = 32


@dataclass(frozen=True)
class Curve:
    """Seconds and megabytes at each of some sizes."""

    what: str
    sizes: Sequence[int]
    seconds: Sequence[float]
    megabytes: Sequence[float]

    def __str__(self) -> str:
        cells = [
            f"{size:,}: {time:.3g} s, {memory:.3g} MB"
            for size, time, memory in zip(self.sizes, self.seconds, self.megabytes, strict=True)
        ]
        slopes = exponent(self.sizes, self.seconds), exponent(self.sizes, self.megabytes)
        return (
            f"- {self.what}: {'; '.join(cells)}. "
            f"Exponent of time {slopes[0]:.2f}, of memory {slopes[1]:.2f}."
        )


def run() -> list[Curve]:
    curves = []
    for method in (ConstraintSLPClassifier, DeepSLPClassifier):
        name = method.__name__
        fits = [fitted(method, k, USUAL_DIMENSIONS) for k in CLASSES]
        curves.append(curve(f"{name}, fit by classes", CLASSES, [fit for fit, *_ in fits]))
        fits = [fitted(method, USUAL_CLASSES, d) for d in DIMENSIONS]
        curves.append(curve(f"{name}, fit by dimensions", DIMENSIONS, [fit for fit, *_ in fits]))
        asked = [predicting(method, m, USUAL_CLASSES, ROWS_DIMENSIONS) for m in ROWS]
        curves.append(curve(f"{name}, predict by query rows", ROWS, asked))
        asked = [predicting(method, USUAL_ROWS, k, USUAL_DIMENSIONS) for k in CLASSES]
        curves.append(curve(f"{name}, predict by classes", CLASSES, asked))
        asked = [predicting(method, USUAL_ROWS, USUAL_CLASSES, d) for d in DIMENSIONS]
        curves.append(curve(f"{name}, predict by dimensions", DIMENSIONS, asked))
        explained = [explaining(method, m, USUAL_CLASSES, ROWS_DIMENSIONS) for m in ROWS]
        curves.append(curve(f"{name}, causes of errors by query rows", ROWS, explained))
        drawn = [drawing(method, k) for k in CLASSES]
        curves.append(curve(f"{name}, landscape by classes", CLASSES, drawn))
    return curves


def fitted(
    method: type, n_classes: int, d: int
) -> tuple[Callable[[], Any], np.ndarray, np.ndarray]:
    X, y = episode(n_classes, SHOTS * n_classes, d)
    return lambda: method().fit(X, y), X, y


def predicting(method: type, m: int, n_classes: int, d: int) -> Work:
    model = fitted(method, n_classes, d)[0]()
    X, _ = episode(n_classes, m, d)
    return lambda: model.predict(X)


def explaining(method: type, m: int, n_classes: int, d: int) -> Work:
    model = fitted(method, n_classes, d)[0]()
    X, y = episode(n_classes, m, d)
    return lambda: explain_errors(model, X, y)


def drawing(method: type, n_classes: int) -> Work:
    fit, X, _ = fitted(method, n_classes, USUAL_DIMENSIONS)
    model, projection = fit(), fit_projection(X)
    return lambda: decision_landscape(model, projection, 200)


def curve(what: str, sizes: Sequence[int], works: Sequence[Work]) -> Curve:
    return Curve(what, sizes, [best(work, 2) for work in works], [memory(work) for work in works])


def memory(work: Work) -> float:
    tracemalloc.start()
    work()
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return peak / 1e6


def exponent(sizes: Sequence[int], values: Sequence[float]) -> float:
    return float(np.polyfit(np.log(sizes), np.log(values), 1)[0])


if __name__ == "__main__":
    print(*run(), sep="\n")
