"""The methods that the sidebar offers, and the few options of each that matter.

To add a method: its estimator in ``slp_core.methods``, and one line in ``METHODS``.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import streamlit as st

import slp_core as slp


@dataclass(frozen=True)
class Option:
    """A parameter of an estimator, as a choice among named values.

    Attributes
    ----------
    parameter : str
        Of the estimator; in the URL too.
    label : str
    choices : mapping of str to Any
        What people read, and what the estimator is given. The first is the default.
    help : str
    """

    parameter: str
    label: str
    choices: Mapping[str, Any]
    help: str

    def widget(self) -> Any:
        """Draw it; returns the chosen value."""
        chosen = st.selectbox(
            self.label,
            list(self.choices),
            key=self.parameter,
            bind="query-params",
            help=self.help,
        )
        return self.choices[chosen]


DISTANCE = Option(
    "distance",
    "Distances",
    {"of the point itself": "euclidean", "along the line": "along_line"},
    "What the soft labels are divided by: the point's own distances from the two prototypes (the "
    "paper), or those of its foot on the line, which is what the soft labels were solved for.",
)
N_LINES = Option(
    "n_lines",
    "At most this many lines",
    {"half the classes": "half", "one fewer than classes": "all", "one": 1, "two": 2, "three": 3},
    "The paper takes half the classes, its authors' code one fewer than there are classes.",
)
LINE_METHOD = Option(
    "line_method",
    "Lines are found by",
    {
        "recursive regression": "recursive_regression",
        "attraction": "attraction",
        "brute force": "brute_force",
    },
    "Clusters of centroids, mended where one is off its line (the paper); the furthest pair and "
    "what lies near it, again and again; or the exact best of all groupings (13 classes at most).",
)
TOLERANCE = Option(
    "tolerance",
    "Off its line beyond",
    {"0.1 typical gaps": 0.1, "0.02 typical gaps": 0.02, "0.5 typical gaps": 0.5},
    "The distance from its line at which a centroid counts as off it, in units of the median "
    "distance between centroids.",
)
ASSIGNMENT = Option(
    "assignment",
    "A point asks",
    {"the nearest line": "segment", "the line of the nearest prototype": "prototype"},
    "The authors' code asks the nearest segment, the paper's text the nearest prototype.",
)
PRESET = Option(
    "preset",
    "Preset",
    {"prototype-initialised": "prototype", "as in the paper": "paper"},
    "Heads that start as the nearest-centroid rule and take sixty small steps; or random heads, "
    "minibatches and the paper's learning rates.",
)
LOSS_SCALING = Option(
    "loss_scaling",
    "The loss is shared out",
    {"example by example": "per_example", "batch by batch": "batch", "not at all": "none"},
    "The nearer prototype is corrected more: for each example (Algorithm 1), or from the batch's "
    "mean distances (the authors' code).",
)
TRAIN_ON = Option(
    "train_on",
    "A line learns from",
    {"all classes": "all", "its own classes": "line"},
    "Algorithm 1 trains every line on everything; the authors' code on the line's own classes, "
    "which are then the only ones that it can answer.",
)
SEED = Option(
    "seed",
    "Seed",
    {str(seed): seed for seed in range(5)},
    "Of the random start and the minibatches; the prototype-initialised preset has neither.",
)
LINES = (N_LINES, LINE_METHOD, TOLERANCE, ASSIGNMENT)


@dataclass(frozen=True)
class Method:
    """A classifier that can be chosen.

    Attributes
    ----------
    name, title : str
    estimator : str
        Its name in ``slp_core``.
    line : str
        What it does, in one line.
    main, more : tuples of Option
        Shown at once, and in the fold-out.
    """

    name: str
    title: str
    estimator: str
    line: str
    main: tuple[Option, ...] = ()
    more: tuple[Option, ...] = ()

    def make(self, options: Mapping[str, Any]) -> Any:
        """An estimator that has not been fitted."""
        chosen = dict(options)
        if "seed" in chosen:
            chosen["random_state"] = chosen.pop("seed")
        return getattr(slp, self.estimator)(**chosen)


METHODS = {
    method.name: method
    for method in (
        Method(
            "constraint_slp",
            "constraintSLP",
            "ConstraintSLPClassifier",
            "Constant soft labels, found by linear programming.",
            main=(DISTANCE,),
            more=LINES,
        ),
        Method(
            "deep_slp",
            "DeepSLP",
            "DeepSLPClassifier",
            "Soft labels that depend on the point, learnt by gradient descent.",
            main=(PRESET,),
            more=(LOSS_SCALING, TRAIN_ON, SEED, *LINES),
        ),
        Method(
            "nearest_centroid",
            "Nearest centroid",
            "NearestCentroidClassifier",
            "The class whose mean is nearest.",
        ),
        Method(
            "one_nn",
            "1-nearest neighbour",
            "OneNearestNeighbourClassifier",
            "The class of the nearest support point.",
        ),
        Method(
            "logistic_regression",
            "Logistic regression",
            "LogisticRegressionClassifier",
            "A linear classifier with an L2 penalty.",
        ),
    )
}
