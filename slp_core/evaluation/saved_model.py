"""A saved model that was loaded, evaluated on examples that it was not fitted on."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from slp_core.data.edits import NONE, Edits
from slp_core.errors import DatasetError, SLPError
from slp_core.evaluation.draws import arrays_of
from slp_core.methods.tables import nameless

if TYPE_CHECKING:
    from slp_core.data import Episode, FewShotDataset
    from slp_core.methods.base import LineClassifier


@dataclass(frozen=True)
class LoadedModel:
    """What a model is, where it comes from, and its accuracy on an episode."""

    kind: str  # the estimator's name
    n_classes: int
    n_lines: int
    # title of the dataset and draw that it was fitted on; None if not recorded
    origin: tuple[str, int] | None
    # on the query examples that it was not fitted on, from 0 to 1; NaN where there is none
    accuracy: float
    n_query: int  # of these
    left_out: int | None  # query examples that it was fitted on; None where that is not known


def evaluate_saved_model(
    model: LineClassifier, about: Mapping[str, Any], episode: Episode, X: np.ndarray
) -> LoadedModel:
    """Evaluate a loaded model on the query set of an episode."""
    here, data = X.shape[1], episode.dataset
    if model.n_features_in_ != here:
        raise SLPError(
            f"The model needs vectors of {model.n_features_in_} numbers, and this encoder gives "
            f"{here}: choose the encoder it was fitted with ({about.get('encoder', 'unknown')})."
        )
    if list(map(str, model.classes_)) != list(data.classes):
        raise SLPError(
            f"The model's classes ({', '.join(map(str, model.classes_[:4]))} …) are not those of "
            f"{data.title}: choose the dataset that it was fitted on."
        )
    fitted_on = _fitted_on(about, data)
    keep = np.isin(episode.query, () if fitted_on is None else fitted_on, invert=True)
    arrays, n_query = arrays_of(episode, X), int(keep.sum())
    plain = nameless(model)  # columns may have had names where it was fitted
    known = "dataset" in about and type(about.get("draw")) is int  # no truth value
    return LoadedModel(
        type(model).__name__,
        len(model.classes_),
        len(model.lines_),
        (str(about["dataset"]), about["draw"]) if known else None,
        float(plain.score(arrays.X_query[keep], arrays.y_query[keep])) if n_query else np.nan,
        n_query,
        None if fitted_on is None else len(keep) - n_query,
    )


def _fitted_on(about: Mapping[str, Any], data: FewShotDataset) -> np.ndarray | None:
    """Rows of a dataset that a model was fitted on: none of another dataset; None if unknown."""
    if not {"digest", "shots", "draw"} <= set(about):
        return None
    if about["digest"] != data.digest:
        return np.empty(0, dtype=np.int64)
    try:
        drawn = data.draw(about["shots"], about["draw"])
        edits = Edits.read(about.get("edits", "")) or NONE
        return drawn.with_edits(edits).support
    except (DatasetError, TypeError):  # no numbers, or edits of something else
        return None
