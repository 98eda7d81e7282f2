"""Whether confidence can be trusted: calibration, selective prediction, out-of-distribution."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd
from scipy.special import entr

BINS = 10
_DIGITS = 9  # after the point: confidences and entropies that differ in later ones are equal
_CALIBRATED = 0.005  # a mean confidence so near to the accuracy is neither over nor under it


@dataclass(frozen=True, eq=False)
class Calibration:
    """Confidence against accuracy in bins of equal width, and accuracy at every coverage."""

    edges: np.ndarray  # (b + 1,)
    count: np.ndarray  # (b,)
    confidence: np.ndarray  # (b,)
    accuracy: np.ndarray  # (b,)
    ece: float
    least: np.ndarray  # (s,) confidences, the largest first
    coverage: np.ndarray  # (s,) share of predictions with at least this confidence
    selective: np.ndarray  # (s,) their accuracy

    @property
    def n(self) -> int:
        """Examples."""
        return int(self.count.sum())

    @property
    def mean_confidence(self) -> float:
        """Over all examples."""
        return float(np.nansum(self.count * self.confidence) / max(self.n, 1))

    @property
    def overall_accuracy(self) -> float:
        """Of all examples; 0 without any."""
        return float(self.selective[-1]) if self.n else 0.0

    @property
    def bias(self) -> int:
        """1 for overconfident, −1 for underconfident, 0 for neither."""
        gap = self.mean_confidence - self.overall_accuracy
        return int(np.sign(gap)) if abs(gap) > _CALIBRATED else 0

    @property
    def most_confident_half(self) -> tuple[int, float]:
        """The fewest most confident predictions that are at least half: count and accuracy."""
        at = int((self.coverage >= 0.5).argmax())
        return round(self.coverage[at] * self.n), float(self.selective[at])


def calibration(probability: np.ndarray, true: np.ndarray, bins: int = BINS) -> Calibration:
    """Compare the confidence of predictions, (m, K) probabilities, with their accuracy."""
    m = len(true)
    confidence = probability.max(axis=1, initial=0.0)
    correct = probability.argmax(axis=1) == true if m else np.empty(0, dtype=bool)
    edges = np.linspace(0.0, 1.0, bins + 1)
    # A confidence on an edge belongs to the bin below it; 0 to the first. Either may be off the
    # edge by rounding, in single precision from the eighth digit on.
    digits = 6 if confidence.dtype == np.float32 else 12
    rounded = confidence.astype(np.float64).round(digits)
    where = np.searchsorted(edges.round(digits), rounded, side="left") - 1
    where = np.clip(where, 0, bins - 1)
    count = np.bincount(where, minlength=bins)
    means = pd.DataFrame({"confidence": confidence, "correct": correct}, dtype=float)
    mean_confidence, accuracy = means.groupby(where).mean().reindex(range(bins)).to_numpy().T
    gaps = np.nan_to_num(np.abs(mean_confidence - accuracy))
    ece = float((count * gaps).sum() / max(m, 1))
    # Equal confidences are kept together: their order would be chance.
    least, place, n = np.unique(-confidence.round(_DIGITS), return_inverse=True, return_counts=True)
    kept = np.cumsum(n)
    selective = np.cumsum(np.bincount(place, weights=correct, minlength=len(n))) / kept
    coverage = kept / max(m, 1)
    return Calibration(edges, count, mean_confidence, accuracy, ece, -least, coverage, selective)


@dataclass(frozen=True, eq=False)
class OutOfDistribution:
    """Entropies of predictions on texts of this dataset, and on texts of another."""

    inside: np.ndarray
    outside: np.ndarray
    auroc: float


def out_of_distribution(inside: np.ndarray, outside: np.ndarray) -> OutOfDistribution:
    """Compare the entropies of (m, K) and (n, K) probabilities in and out of distribution."""
    from sklearn.metrics import roc_auc_score

    here, there = (entr(p).sum(axis=1).round(_DIGITS) for p in (inside, outside))
    if not len(here) or not len(there):
        return OutOfDistribution(here, there, float("nan"))
    label = np.repeat([0, 1], [len(here), len(there)])
    return OutOfDistribution(
        here, there, float(roc_auc_score(label, np.concatenate([here, there])))
    )
