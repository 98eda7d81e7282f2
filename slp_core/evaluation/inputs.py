"""Inputs of methods, computed once for all runs: embeddings, lower layers' states, or texts."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias, Union

import numpy as np

from slp_core.errors import SLPError
from slp_core.evaluation.protocol import Run
from slp_core.methods.table import Method, get_method

if TYPE_CHECKING:
    from slp_core.data import Examples, FewShotDataset
    from slp_core.encoders import Normalisation, Vectors
    from slp_core.encoders.packed import PackedStates
    from slp_core.progress import Progress

Inputs: TypeAlias = Union["Vectors", "PackedStates", "Texts"]
"""All rows of a dataset. Indexing with row numbers gives what a classifier is fitted on, of
vectors once it is known which draw it is (`vectors_on`)."""

Report = Callable[[str, "Progress"], None]


def by_input(runs: Sequence[Run]) -> Iterator[tuple[Method | None, list[Run]]]:
    """Runs on embeddings together, and those of each method that reads texts."""
    methods = {run.method: get_method(run.method) for run in runs}
    on_vectors = [run for run in runs if methods[run.method].reads == "vectors"]
    if on_vectors:
        yield None, on_vectors
    for name, method in methods.items():
        if method.reads == "texts":
            yield method, [run for run in runs if run.method == name]


def text_rows(
    method: Method, encoder: str, normalisation: Normalisation | None, dataset: FewShotDataset
) -> Inputs:
    """The dataset as the method reads it; what all runs share is computed once."""
    from slp_core.encoders.packed import PackedStates

    if normalisation not in (None, "l2"):
        raise SLPError(
            f"{method.name} trains the encoder on vectors of unit length: leave the normalisation "
            "out for it."
        )
    classifier = method.make(0, encoder)
    if hasattr(classifier, "lower_states"):
        return PackedStates.of(classifier.lower_states(dataset.examples))
    return Texts(dataset.examples)


@dataclass(frozen=True)
class Texts:
    """Rows for a method that takes only texts."""

    examples: Examples

    def __getitem__(self, rows: np.ndarray) -> Examples:
        return self.examples.take(rows)
