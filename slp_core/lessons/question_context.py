"""The context of a lesson's question: a fitted method and its query set."""

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
    """A workspace, as far as a question needs it."""

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
    def line_model(self) -> HasLines | None:
        """The model, if it predicts from lines."""
        return self.model if predicts_from_lines(self.model) else None

    @cached_property
    def placement(self) -> Placement | None:
        """Where the query examples are on the lines; None without lines or examples."""
        model = self.line_model
        return model.place(self.X) if model is not None and len(self.X) else None

    @property
    def shared_line(self) -> int | None:
        """The first line of positive length that carries three classes or more."""
        lines: tuple[Line, ...] = () if self.line_model is None else tuple(self.line_model.lines_)
        for number, line in enumerate(lines):
            if len(line.classes) > 2 and line.length > 0:
                return number
        return None

    @property
    def busiest_line(self) -> int | None:
        """The line with most query examples; None if it has one class or no length."""
        if self.line_model is None or self.placement is None:
            return None
        number = int(np.bincount(self.placement.line).argmax())
        line = self.line_model.lines_[number]
        return number if len(line.classes) > 1 and line.length > 0 else None

    def bands(self, number: int) -> Bands | None:
        """Which class wins where on a line; None where soft labels depend on the example."""
        labels = getattr(self.model, "soft_labels_", None)
        return None if labels is None else winning_bands(*labels[number])
