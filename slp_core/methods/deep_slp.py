"""DeepSLP (Algorithm 1): soft labels as functions of the point, learnt by gradient descent.

On every line two linear heads sit at the ends, and s(x) = z_left(x) / d_left + z_right(x) / d_right
is trained by cross-entropy.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from scipy.special import softmax
from sklearn.utils import check_random_state

from slp_core.allowed import CountOrZero, NotNegative, Positive, Seed, Share
from slp_core.errors import SLPError
from slp_core.methods.base import Distance, LineClassifier, LineOptions, all_or_nothing
from slp_core.methods.heads import train_heads
from slp_core.methods.protocols import Parameters
from slp_core.sentences import count


@dataclass(frozen=True)
class TrainingState:
    """The state that ``callback`` receives after every epoch."""

    epoch: int  # done, of
    epochs: int
    loss: np.ndarray  # (L,) mean cross-entropy of each line; NaN for finished ones
    coef: np.ndarray  # (L, 2, K, d) the current heads, in the coordinates of the data
    intercept: np.ndarray  # (L, 2, K)


@dataclass(kw_only=True, eq=False, repr=False)
class DeepSLPClassifier(LineOptions, LineClassifier):
    """Few-shot classifier whose prototypes carry linear heads.

    Options left at None take the preset's value.

    Parameters
    ----------
    preset : {"prototype", "paper"}
        ``"prototype"`` (ours): in coordinates centred and scaled to unit spread, heads start as
        the nearest-centroid rule and take 60 epochs of the whole support set at once
        (``batch_size=0``), at a learning rate of 0.001.
        ``"paper"``: Xavier-uniform heads on the data as they are; batches of 4, 8 and 12 and
        learning rates of 0.005, 0.01 and 0.05 for up to 4, up to 8 and more shots; 15 epochs for
        two classes on a line and 10 more for each further one, at most 75. The epochs are those
        of the authors' code: the paper's text has 15 to 25, its appendix 5 to 10.
    init : {"prototype", "xavier"}, optional
        Default: ``"prototype"``, or ``"xavier"`` for the preset ``"paper"``.
    loss_scaling : {"per_example", "batch", "none"}
        The heads' shares of the loss: per example (Algorithm 1), by the batch's mean distances
        (the authors' code), or the whole loss for each.
    train_on : {"all", "line"}
        Every line trains on all examples and can predict any class (Algorithm 1), or only its own
        classes (the authors' code).
    epochs : int, optional
        0 leaves the initial heads.
    learning_rate : float, optional
        After the warm-up.
    batch_size : int, optional
        0 means the whole support set at once.
    temperature : float
        τ of the prototype start: weights 2τμ, bias −τ‖μ‖².
    weight_decay : float
        Of AdamW.
    warmup : float
        Share of the steps with a linearly rising learning rate.
    line_method, n_lines, tolerance, tolerance_scale, assignment, distance
        As in :class:`~slp_core.methods.constraint_slp.ConstraintSLPClassifier`.
    random_state : int, RandomState or None
        Seeds the Xavier start and the minibatches.
    callback : callable(epoch, TrainingState), optional
        Called after every epoch; training stops early when it returns True.

    Attributes
    ----------
    classes_, centroids_, lines_, line_fit_, prototypes_
        As in ConstraintSLPClassifier.
    coef_ : (L, 2, K, d) array
    intercept_ : (L, 2, K) array
        The heads: z = coef_ · x + intercept_; −∞ in the intercept excludes a class from a line.
    scale_ : float
        The unit of the distances that logits are divided by; also ``distance_unit``.
    history_ : dict of str to array
        ``"loss"`` (epochs, L), NaN for finished lines, and ``"learning_rate"`` (epochs,). Missing
        in models loaded from files of early versions.
    n_features_in_ : int

    Examples
    --------
    >>> from slp_core import DeepSLPClassifier
    >>> model = DeepSLPClassifier().fit([[-10, 0], [5, 0], [15, 0]], ["A", "B", "C"])
    >>> model.predict([[-6, 1], [4, 3], [30, 0]]).tolist()
    ['A', 'B', 'C']
    """

    # Support examples lie near prototypes: with a lower floor they would dominate the gradient.
    _distance_floor = 1e-2
    combination = "pool"

    preset: Literal["prototype", "paper"] = "prototype"
    init: Literal["prototype", "xavier"] | None = None
    loss_scaling: Literal["per_example", "batch", "none"] = "per_example"
    train_on: Literal["all", "line"] = "all"
    epochs: CountOrZero | None = None
    learning_rate: NotNegative | None = None
    batch_size: CountOrZero | None = None
    temperature: Positive = 2.0
    weight_decay: NotNegative = 0.01
    warmup: Share = 0.1
    distance: Distance = "euclidean"
    random_state: Seed | np.random.RandomState | None = 0
    callback: Callable[[int, TrainingState], bool | None] | None = None

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> DeepSLPClassifier:
        """Find lines through the class centroids of X (n, d), and train a head at their ends.

        Rows may have weights (n,): in the centroids, and in the loss.
        """
        with all_or_nothing(self):
            X, codes, weights = self._fit_lines(X, y, sample_weight)
            self._offset = np.zeros(X.shape[1])
            if self.preset == "prototype":
                self._offset = np.average(X, axis=0, weights=weights)
            rng = check_random_state(self.random_state)
            heads = self._first_heads(rng)
            groups = self._training(X, codes, weights, heads, rng)
            total = int(self._schedule(len(X))[0].max())
            losses, rates = np.full((total, len(self.lines_)), np.nan), np.zeros(total)
            epoch = 0
            for epoch in range(1, total + 1):
                loss = losses[epoch - 1]
                for lines, classes, training in groups:
                    if (done := next(training, None)) is not None:
                        heads[np.ix_(lines, np.arange(2), classes)], loss[lines], rate = done
                        rates[epoch - 1] = max(rates[epoch - 1], rate)
                if self.callback is not None and self.callback(
                    epoch, TrainingState(epoch, total, loss, *self._in_data_units(heads))
                ):
                    break
            self.history_ = {"loss": losses[:epoch], "learning_rate": rates[:epoch]}
            self.coef_, self.intercept_ = self._in_data_units(heads)
        return self

    def _set_units(self, spread: float, n_features: int) -> None:
        super()._set_units(spread, n_features)
        self.scale_ = spread if self.preset == "prototype" else 1.0

    def logits(self, X: Any) -> np.ndarray:
        """(m, 2, K) z_left and z_right of each point's assigned line."""
        return self.prototype_scores(X)

    def soft_labels(self, X: Any) -> np.ndarray:
        """(m, 2, K) soft labels of the assigned line's prototypes at each point: softmax(z)."""
        return softmax(self.logits(X), axis=2)

    @property
    def distance_unit(self) -> float:
        """The unit of distances in ``influence``, in units of the embeddings."""
        return self.scale_

    def predict_proba(self, X: Any) -> np.ndarray:
        """(m, K) softmax of the influence."""
        return softmax(self.influence(X), axis=1)

    def parameter_count(self) -> Parameters:
        """Two heads per line, with d + 1 parameters per class: 2·L·K·(d + 1) for all classes."""
        d = self.coef_.shape[-1]
        biases = int(np.isfinite(self.intercept_).sum())  # −∞ excludes a class
        trainable = biases * (d + 1)
        lines = count(len(self.lines_), "line")
        description = f"{lines} with two linear heads: {biases:,} × ({d:,} weights + 1 bias)"
        return Parameters(trainable, trainable + self.prototypes_.size, description)

    def settings_used(self, n: int) -> dict[str, Any]:
        """The parameters with the preset's values for None; epochs per line if they differ."""
        epochs, learning_rate, batch_size = self._schedule(n)
        used = {
            "init": self._start_rule,
            "epochs": int(epochs[0]) if len(set(epochs)) == 1 else epochs.tolist(),
            "learning_rate": learning_rate,
            "batch_size": batch_size,
        }
        return {k: v for k, v in self.get_params().items() if k != "callback"} | used

    @property
    def _start_rule(self) -> Literal["prototype", "xavier"]:
        return self.init or ("prototype" if self.preset == "prototype" else "xavier")

    def _scores(self, X: np.ndarray, line: np.ndarray) -> np.ndarray:
        z = np.full((len(X), 2, len(self.classes_)), -np.inf)
        for number, intercept in enumerate(self.intercept_):
            here = np.flatnonzero(line == number)
            classes = np.flatnonzero(np.isfinite(intercept[0]))
            flat = self.coef_[number][:, classes].reshape(-1, X.shape[1])
            of_line = (X[here] @ flat.T).reshape(-1, 2, len(classes))
            z[here[:, None, None], [[0], [1]], classes] = of_line + intercept[:, classes]
        return z

    def _first_heads(self, rng: np.random.RandomState) -> np.ndarray:
        """(L, 2, K, d + 1) heads before training, the bias last."""
        centroids = (self.centroids_ - self._offset) / self.scale_
        n_classes, d = centroids.shape
        heads = np.zeros((len(self.lines_), 2, n_classes, d + 1))
        if self._start_rule == "prototype":
            heads[..., :-1] = 2 * self.temperature * centroids
            heads[..., -1] = -self.temperature * (centroids**2).sum(axis=1)
        else:
            bound = np.sqrt(6.0 / (d + n_classes))  # Glorot and Bengio's uniform start
            drawn = rng.uniform(-bound, bound, size=(d, *heads.shape[:-1]))
            heads[..., :-1] = np.moveaxis(drawn, 0, -1)
        return heads

    def _training(
        self,
        X: np.ndarray,
        codes: np.ndarray,
        weights: np.ndarray,
        heads: np.ndarray,
        rng: np.random.RandomState,
    ) -> list[tuple[np.ndarray, np.ndarray, Iterator[tuple[np.ndarray, np.ndarray, float]]]]:
        """Lines and classes that train together, with their training."""
        inputs = np.column_stack([(X - self._offset) / self.scale_, np.ones(len(X))])
        distances = self._measure(X)[-1] / self.scale_
        precision = _precision(inputs)
        inputs, distances = inputs.astype(precision), distances.astype(precision)
        groups = [(np.arange(len(self.lines_)), np.arange(len(self.classes_)))]
        if self.train_on == "line":
            groups = [(np.array([n]), np.sort(line.classes)) for n, line in enumerate(self.lines_)]
        groups_in_training = []
        for lines, classes in groups:
            used = np.isin(codes, classes)
            epochs, learning_rate, batch_size = self._schedule(len(X), lines)
            training = train_heads(
                heads[lines][..., classes, :],
                inputs[used],
                np.searchsorted(classes, codes[used]),
                distances[:, used][..., lines].swapaxes(1, 2),
                weights[used].astype(precision),
                rng,
                epochs=epochs,
                learning_rate=learning_rate,
                batch_size=batch_size,
                weight_decay=self.weight_decay,
                warmup=self.warmup,
                loss_scaling=self.loss_scaling,
            )
            groups_in_training.append((lines, classes, training))
        return groups_in_training

    def _schedule(self, n: int, lines: Any = slice(None)) -> tuple[np.ndarray, float, int]:
        """Epochs of each line, learning rate and batch size (0 for the whole support set)."""
        sizes = np.array([len(line.classes) for line in self.lines_])[lines]
        epochs, learning_rate, batch_size = np.full(len(sizes), 60), 1e-3, 0
        if self.preset == "paper":
            epochs, learning_rate, batch_size = paper_schedule(n / len(self.classes_), sizes)
        return (
            epochs if self.epochs is None else np.full(len(sizes), self.epochs),
            learning_rate if self.learning_rate is None else self.learning_rate,
            batch_size if self.batch_size is None else self.batch_size,
        )

    def _in_data_units(self, heads: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """coef_ (L, 2, K, d) and intercept_ (L, 2, K) of heads on centred and scaled inputs."""
        if not np.isfinite(heads).all():
            raise SLPError(
                f"With a learning rate of {self._schedule(1)[1]:g} and a weight decay of "
                f"{self.weight_decay:g} the heads' weights become infinite: choose smaller values, "
                "or a lower temperature."
            )
        coef = heads[..., :-1] / self.scale_
        intercept = heads[..., -1] - coef @ self._offset
        if self.train_on == "line":
            intercept = np.where(self._on_line[:, None, :], intercept, -np.inf)
        return coef, intercept


def _precision(points: np.ndarray) -> type[np.floating[Any]]:
    """Single, unless points (n, d) are far from the origin for their spread, or this is extreme."""
    middle = points.mean(axis=0)
    away = points - middle
    spread = np.sqrt(np.vecdot(away, away).mean())
    sound = 1e-9 < spread < 1e9 and np.linalg.norm(middle) < 10.0 * spread
    return np.float32 if sound else np.float64


def paper_schedule(shots: float, line_sizes: np.ndarray) -> tuple[np.ndarray, float, int]:
    """Epochs of each line, learning rate and batch size of the paper, for 4, 8 and 16 shots."""
    learning_rate, batch_size = (5e-3, 4) if shots <= 4 else (1e-2, 8) if shots <= 8 else (5e-2, 12)
    return np.clip(15 + 10 * (line_sizes - 2), 15, 75), learning_rate, batch_size
