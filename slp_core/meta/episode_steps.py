"""The steps of an inner loop, as recorded for display; without PyTorch."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd

from slp_core.meta.settings import MetaSettings


@dataclass(frozen=True, eq=False)
class EpisodeSteps:
    """Inner-loop adaptation of a copy of the encoder to one two-class task."""

    classes: tuple[str, str]
    rows: np.ndarray  # (2, shots) rows of the dataset, by class
    vectors: np.ndarray  # (steps + 1, 2·shots, d) support set, before the first step and after each
    for_loss: np.ndarray  # (steps, 2, ...) support examples from 0 that the loss is taken on
    for_means: np.ndarray  # (steps, 2, ...) those whose class means are the prototypes
    losses: np.ndarray  # (steps,) before each step
    weights_moved: tuple[float, float]  # mean and largest change of the copy's weights
    settings: MetaSettings

    @property
    def n_steps(self) -> int:
        return len(self.losses)

    @property
    def labels(self) -> np.ndarray:
        """(2·shots,) 0 or 1: the class of each support example."""
        return np.repeat([0, 1], self.rows.shape[1])

    def prototypes(self, step: int, after: bool = False) -> np.ndarray:
        """(2, d) prototypes of a step, counted from 0, before or after it."""
        return np.asarray(self.vectors[step + after][self.for_means[step]].mean(axis=1))

    def own_and_other(self, step: int, after: bool = False) -> tuple[float, float]:
        """Mean distance of a step's loss examples to their own prototype, and to the other."""
        x = self.vectors[step + after][self.for_loss[step]]  # (2, n, d)
        away = np.linalg.norm(x[:, :, None] - self.prototypes(step, after), axis=3).mean(axis=1)
        return float(away.diagonal().mean()), float(away[::-1].diagonal().mean())

    def table(self) -> pd.DataFrame:
        """One row per step: loss, distances to own and other prototype before and after."""
        (own, other), (new_own, new_other) = (
            np.transpose([self.own_and_other(step, after) for step in range(self.n_steps)])
            for after in (False, True)
        )
        return pd.DataFrame(
            {
                "step": np.arange(self.n_steps) + 1,
                "loss": self.losses,
                "own, before": own,
                "own, after": new_own,
                "other, before": other,
                "other, after": new_other,
            }
        )
