"""What the question of a lesson is asked of: a fitted method and the points it is asked about."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from slp_core.explain.bands import Bands, winning_bands
from slp_core.lines import Line, Placement
from slp_core.meta.episode_steps import EpisodeSteps
from slp_core.methods.protocols import HasLines, HasProbabilities, predicts_from_lines


@dataclass(frozen=True, eq=False)
class QuestionContext:
    """A workspace, as far as a question goes."""

    model: HasProbabilities
    X: np.ndarray  # (m, d)
    true: np.ndarray  # (m,)
    predicted: np.ndarray  # (m,)
    nearest: np.ndarray  # (m,)
    jsd: np.ndarray | None = None  # (m,)
    episode: EpisodeSteps | None = None

    @property
    def classes(self) -> tuple[str, ...]:
        """All of the method's."""
        return tuple(str(c) for c in self.model.classes_)

    @property
    def on_lines(self) -> HasLines | None:
        """The model, if it answers from lines."""
        return self.model if predicts_from_lines(self.model) else None

    @cached_property
    def place(self) -> Placement | None:
        """Where the points are on the lines; None without lines or points."""
        return self.on_lines.place(self.X) if self.on_lines is not None and len(self.X) else None

    @property
    def shared_line(self) -> int | None:
        """The first line of positive length that carries three classes or more."""
        lines: tuple[Line, ...] = () if self.on_lines is None else tuple(self.on_lines.lines_)
        for number, line in enumerate(lines):
            if len(line.classes) > 2 and line.length > 0:
                return number
        return None

    def bands(self, number: int) -> Bands | None:
        """Which class wins where on a line; None where soft labels depend on the point."""
        labels = getattr(self.model, "soft_labels_", None)
        return None if labels is None else winning_bands(*labels[number])
