"""A saved model that was brought back, judged on points that it was not fitted on."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from slp_core.errors import DatasetError, SLPError
from slp_core.evaluation.draws import arrays_of
from slp_core.evaluation.wording import Count
from slp_core.facts import ClassName, Facts, MethodTitle, Stated, fact
from slp_core.methods.tables import nameless

if TYPE_CHECKING:
    from slp_core.data import Episode, FewShotDataset
    from slp_core.methods.base import LineClassifier


@dataclass(frozen=True)
class LoadedModel(Stated):
    """What a model is, where it comes from, and how it does on an episode."""

    kind: str  # the estimator's name
    n_classes: int
    n_lines: int
    # title of the dataset and draw that it was fitted on; None if nothing was said of it
    origin: tuple[str, int] | None
    # on the query points that it was not fitted on, from 0 to 1; NaN where there is none
    accuracy: float
    n_query: int  # of these
    left_out: int | None  # query points that it was fitted on; None where that is not known

    def facts(self) -> Facts:
        """All of it."""
        told: dict[str, Any] = {
            "estimator": MethodTitle(self.kind),
            "classes": Count(self.n_classes, "class", "classes"),
            "lines": Count(self.n_lines, "line"),
        }
        template = "**{estimator}**, {classes}, {lines}"
        if self.origin is not None:
            template += " from {dataset}, draw {draw}"
            dataset, told["draw"] = self.origin
            told["dataset"] = ClassName(dataset)
        if not self.n_query:
            template += ": there is no query point here to judge it by."
            return (fact("loaded.nothing_asked", template, **told),)
        told |= {"accuracy": self.accuracy, "points": Count(self.n_query, "query point")}
        template += ": {accuracy:.1%} of {points} here right."
        judged = fact("loaded.judged", template, **told)
        if self.left_out:
            points = Count(self.left_out, "query point")
            template = "{points} of this draw that it was fitted on are left out."
            return (judged, fact("loaded.left_out", template, points=points))
        if self.left_out is None:
            template = "It is not known which points it was fitted on: they may be among these."
            return (judged, fact("loaded.fitted_on_unknown", template))
        return (judged,)


def evaluate_saved_model(
    model: LineClassifier, about: Mapping[str, Any], episode: Episode, X: np.ndarray
) -> LoadedModel:
    """Ask a loaded model about the query points of an episode."""
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
    """Rows of a dataset that a model was fitted on: none of another one; None if nobody knows."""
    if not {"digest", "shots", "draw"} <= set(about):
        return None
    if about["digest"] != data.digest:
        return np.empty(0, dtype=np.int64)
    try:
        return data.draw(about["shots"], about["draw"]).support
    except (DatasetError, TypeError):  # no numbers
        return None
