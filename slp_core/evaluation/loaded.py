"""A saved model that was brought back, judged on other query points than it was saved beside."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from slp_core.errors import SLPError
from slp_core.evaluation.draws import arrays_of

if TYPE_CHECKING:
    from slp_core.data import Episode
    from slp_core.methods.base import LineClassifier


@dataclass(frozen=True)
class LoadedModel:
    """What a model is, where it comes from, and how it does on an episode.

    Attributes
    ----------
    kind : str
        The estimator's name.
    n_classes, n_lines : int
    origin : str
        Dataset and draw that it was fitted on; empty if nothing was said of it.
    accuracy : float
        On the query set, from 0 to 1; NaN where that is empty.
    n_query : int
    """

    kind: str
    n_classes: int
    n_lines: int
    origin: str
    accuracy: float
    n_query: int

    def sentence(self) -> str:
        """All of it."""
        origin = f" from {self.origin}" if self.origin else ""
        how = (
            f"{self.accuracy:.1%} of the {self.n_query:,} query points here right"
            if self.n_query
            else "there is no query point here to judge it by"
        )
        return f"**{self.kind}**, {self.n_classes} classes, {self.n_lines} lines{origin}: {how}."


def judge_loaded(
    model: LineClassifier, about: Mapping[str, Any], episode: Episode, X: np.ndarray
) -> LoadedModel:
    """Ask a loaded model about the query points of an episode.

    Parameters
    ----------
    model : fitted classifier
        With lines.
    about : mapping
        What was saved with it, of :func:`slp_core.methods.saved.load_model`.
    episode : Episode
    X : (n, d) array
        Embeddings of the whole dataset.

    Raises
    ------
    SLPError
        Where it reads other vectors, or answers other classes.
    """
    here, data = X.shape[1], episode.dataset
    if model.n_features_in_ != here:
        raise SLPError(
            f"The model reads vectors of {model.n_features_in_} numbers, and the chosen encoder "
            f"makes {here}: choose the one it was fitted with "
            f"({about.get('encoder', 'unknown')})."
        )
    if list(map(str, model.classes_)) != list(data.classes):
        raise SLPError(
            f"The model answers {', '.join(map(str, model.classes_[:4]))} …, which are not the "
            f"classes of {data.title}: choose its own dataset."
        )
    arrays = arrays_of(episode, X)
    known = {"dataset", "draw"} <= set(about)
    n_query = len(arrays.y_query)
    return LoadedModel(
        type(model).__name__,
        len(model.classes_),
        len(model.lines_),
        f"{about['dataset']}, draw {about['draw']}" if known else "",
        float(model.score(arrays.X_query, arrays.y_query)) if n_query else np.nan,
        n_query,
    )
