"""Random few-shot problems, of every kind that a user may bring, with a method fitted on each."""

from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from slp_core.data import Examples
from slp_core.encoders import load_encoder
from slp_core.lines import distances
from slp_core.methods.options import Choice
from slp_core.methods.table import METHODS, Method

ON_VECTORS = [method for method in METHODS.values() if method.reads == "vectors"]
WORDS = np.array(["red", "green", "blue", "north", "south", "one", "two", "up", "down", "left"])
MOST_EPOCHS = 12  # of a training that nobody waits for
ODD_NAMES = ("$x$", ":smile:", "*", "7", "größer", "a | b", "ja, nein", "<b>", "`", "x" * 60)


@dataclass(frozen=True, eq=False)
class Case:
    """A method fitted on a support set, and labelled query examples to evaluate it on.

    ``X`` and ``true`` are the query set, ``support`` and ``y_support`` what was fitted on; classes
    are indices into ``classes``, which sort as the estimator sorts them.
    """

    seed: int
    method: Method
    options: dict
    classes: tuple
    support: np.ndarray
    y_support: np.ndarray
    X: np.ndarray
    true: np.ndarray
    rng: np.random.Generator = field(repr=False)

    @cached_property
    def model(self):
        model = self.method.make(**self.options)
        return model.fit(self.support, np.array(self.classes)[self.y_support])

    @cached_property
    def centroids(self):
        """By a loop of its own."""
        return np.stack(
            [self.support[self.y_support == c].mean(axis=0) for c in range(len(self.classes))]
        )

    @cached_property
    def probability(self):
        k = len(self.classes)
        return self.model.predict_proba(self.X) if len(self.X) else np.empty((0, k))

    @cached_property
    def predicted(self):
        return np.array([int(row.argmax()) for row in self.probability], dtype=int)

    @cached_property
    def nearest(self):
        """The class whose centroid is nearest: the library's choice where rounding decides."""
        chosen = distances(self.X, self.centroids).argmin(axis=1)
        for x, c in zip(self.X, chosen, strict=True):
            away = [np.linalg.norm(x - centroid) for centroid in self.centroids]
            assert away[c] <= min(away) + 1e-9 * (1 + max(away))
        return chosen

    def ties(self, i):
        """Whether the true class's centroid is as near as that of another class that is told."""
        if self.nearest[i] == self.true[i]:
            return False
        away = [np.linalg.norm(self.X[i] - centroid) for centroid in self.centroids]
        return away[self.true[i]] <= min(away) + 1e-9 * max(away)

    def __repr__(self):
        k, (n, d), m = len(self.classes), self.support.shape, len(self.X)
        return f"seed {self.seed}: {self.method.name} {self.options}, {k=}, {n=}, {m=}, {d=}"


def random_case(seed):
    """A case, the same for the same seed."""
    rng = np.random.default_rng(seed)
    k = int(rng.choice([1, 2, 3, 4, 5, 8, 13, 50], p=[0.04, 0.2, 0.2, 0.2, 0.16, 0.1, 0.08, 0.02]))
    shots = rng.integers(1, 17 if k < 9 else 5, k)  # imbalanced
    if rng.random() < 0.6:
        shots[:] = shots[0]
    m = int(rng.choice([0, 1, 2, 12, 40], p=[0.02, 0.05, 0.08, 0.45, 0.4]))
    y, true = np.repeat(np.arange(k), shots), rng.integers(0, k, m)
    points = _texts(rng, y, true) if rng.random() < 0.1 else _numbers(rng, k, y, true)
    names = _names(rng, k)
    method = ON_VECTORS[rng.integers(len(ON_VECTORS))]
    X, Q = points[: len(y)], points[len(y) :]
    options = _options(rng, method)
    if k > 8 and options.get("line_method") == "brute_force":  # refused, with a sentence
        del options["line_method"]
    return Case(seed, method, options, names, X, y, Q, true, rng)


def _numbers(rng, k, y, true):
    """Clouds around means: apart, mixed, on a line, beside it, equal, or on whole numbers."""
    d = int(rng.choice([1, 2, 3, 10, 60]))
    means = rng.normal(size=(k, d)) * rng.choice([0.0, 0.5, 2.0, 8.0])
    shape = rng.choice(["cloud", "collinear", "off line", "whole", "repeated"])
    if shape in ("collinear", "off line"):
        means = np.outer(rng.permutation(k), rng.normal(size=d))
        if shape == "off line":
            means = means + 0.3 * rng.normal(size=(k, d))
    both = np.concatenate([y, true])
    points = means[both] + rng.choice([0.0, 0.1, 1.0], p=[0.1, 0.4, 0.5]) * rng.normal(
        size=(len(both), d)
    )
    if shape == "whole":  # ties
        points = np.clip(np.round(points), -2, 2)
    if shape == "repeated" and len(both) > 2:
        points = points[rng.integers(0, max(1, len(both) // 2), len(both))]
    return points


def _texts(rng, y, true):
    """Sentences of a few words, some of them a class's own, by counts of words."""
    texts = []
    for c in np.concatenate([y, true]):
        own = rng.random(6) < 0.4
        texts.append(" ".join(np.where(own, WORDS[c % len(WORDS)], rng.choice(WORDS, 6))))
    encoder = load_encoder("tfidf-svd")
    return np.asarray(encoder.encode(Examples("text", texts=texts)), dtype=np.float64)


def _names(rng, k):
    names = [f"class {i:02d}" for i in range(k)]
    for place in range(k):
        if rng.random() < 0.15:
            names[place] = f"{ODD_NAMES[rng.integers(len(ODD_NAMES))]} {place}"
    return tuple(sorted(names))


def _options(rng, method):
    """Any value of anything that can be set of a method; most are left as they are."""
    options = {}
    for option in (*method.base.main, *method.base.more, *method.base.training):
        if option.parameter in method.fixed or rng.random() < 0.6:
            continue
        if isinstance(option, Choice):
            values = list(option.choices.values())
            options[option.parameter] = values[rng.integers(len(values))]
        else:
            value = rng.uniform(option.low, option.high)
            options[option.parameter] = int(value) if option.whole else float(value)
    if any(option.parameter == "epochs" for option in method.base.training):
        options["epochs"] = int(rng.integers(1, MOST_EPOCHS))
    return options
