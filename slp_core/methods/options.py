"""Options of methods: parameters of estimators with labels and help."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

MANY_CLASSES = 50


@dataclass(frozen=True)
class Choice:
    """A parameter with named values, the default first."""

    parameter: str
    label: str
    choices: Mapping[str, Any]
    help: str
    name: str = ""  # if not the parameter's
    with_many_classes: str = ""  # if not the first

    @property
    def short_name(self) -> str:
        """What it is called where the estimator is known."""
        return self.name or self.parameter

    def called(self, value: Any) -> str:
        """The name of a value, or else the value."""
        return next((name for name, each in self.choices.items() if each == value), str(value))

    def opening(self, n_classes: int) -> str:
        """The value to open with, which is quick with many classes."""
        many = self.with_many_classes if n_classes > MANY_CLASSES else ""
        return many or next(iter(self.choices))


@dataclass(frozen=True)
class Number:
    parameter: str
    label: str
    default: float
    low: float
    high: float
    step: float
    help: str
    whole: bool = False

    @property
    def short_name(self) -> str:
        """What it is called where the estimator is known."""
        return self.parameter

    @property
    def label_with_limits(self) -> str:
        return f"{self.label} ({self.low:g} to {self.high:g})"

    @property
    def kind(self) -> type[int] | type[float]:
        return int if self.whole else float


Option: TypeAlias = Choice | Number

DISTANCE = Choice(
    "distance",
    "Distances",
    {"full": "euclidean", "projected onto the line": "along_line"},
    "What the soft labels are divided by: an example's full distances to the two prototypes (the "
    "paper), or those of its projection onto the line, for which the soft labels were solved.",
)
N_LINES = Choice(
    "n_lines",
    "Maximum lines",
    {"half the classes": "half", "one fewer than classes": "all", "one": 1, "two": 2, "three": 3},
    "The paper has half the classes, its authors' code one fewer than classes.",
)
LINE_METHOD = Choice(
    "line_method",
    "Line finder",
    {
        "recursive regression": "recursive_regression",
        "attraction": "attraction",
        "brute force": "brute_force",
    },
    "Clusters of centroids, then moves of those off their line (the paper); repeatedly the "
    "furthest pair and what is near it; or the best of all groupings (13 classes at most).",
)
TOLERANCE = Choice(
    "tolerance",
    "Tolerance (× median centroid distance)",
    {"0.1": 0.1, "0.02": 0.02, "0.5": 0.5},
    "A centroid further than this from its line is off it.",
)
ASSIGNMENT = Choice(
    "assignment",
    "Line assignment",
    {"the nearest line": "segment", "the line of the nearest prototype": "prototype"},
    "The authors' code assigns to the nearest segment, the paper's text the nearest prototype.",
)
LINES = (N_LINES, LINE_METHOD, TOLERANCE, ASSIGNMENT)

PRESET = Choice(
    "preset",
    "Preset",
    {"prototype-initialised": "prototype", "as in the paper": "paper"},
    "Heads that start as the nearest-centroid rule and take sixty small steps; or random heads, "
    "minibatches and the paper's learning rates.",
)
LOSS_SCALING = Choice(
    "loss_scaling",
    "Loss weighting",
    {"example by example": "per_example", "batch by batch": "batch", "not at all": "none"},
    "The closer prototype gets more of the loss: per example (Algorithm 1), or by the batch's mean "
    "distances (the authors' code).",
)
TRAIN_ON = Choice(
    "train_on",
    "Training classes per line",
    {"all classes": "all", "its own classes": "line"},
    "Algorithm 1 trains every line on everything; the authors' code on the line's own classes, "
    "which are then the only ones that it can predict.",
    with_many_classes="its own classes",
)
SEED = Choice(
    "random_state",
    "Seed",
    {str(seed): seed for seed in range(5)},
    "For the random start and the minibatches; the prototype-initialised preset has neither.",
    name="seed",
)
INIT = Choice(
    "init",
    "Head initialisation",
    {"as nearest centroid": "prototype", "at random (Xavier)": "xavier"},
    "As the nearest-centroid rule, or with small random weights.",
)
EPOCHS = Number("epochs", "Epochs", 60, 1, 500, 5, "Passes over the support set.", True)
# Values that a preset sets and users can change.
HYPERPARAMETERS: tuple[Option, ...] = (
    INIT,
    EPOCHS,
    Number(
        "learning_rate", "Learning rate", 1e-3, 1e-5, 1.0, 1e-3, "How far a weight moves in a step."
    ),
    Number(
        "batch_size",
        "Batch size",
        0,
        0,
        256,
        1,
        "Support examples per step; 0 is the whole support set.",
        True,
    ),
    Number(
        "temperature",
        "Initial temperature",
        2.0,
        0.1,
        20.0,
        0.5,
        "Of the heads that start as nearest centroid: a higher one is more confident.",
    ),
    Number(
        "weight_decay", "Weight decay", 0.01, 0.0, 1.0, 0.01, "How much AdamW shrinks all weights."
    ),
    Number("warmup", "Warm-up", 0.1, 0.0, 1.0, 0.05, "Share of the steps in which the rate rises."),
)
