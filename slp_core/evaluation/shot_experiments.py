"""Four experiments on a support set: edits of it, and how far they move centroids."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Literal

import numpy as np

from slp_core.data import Episode
from slp_core.data.edits import Edits
from slp_core.errors import DatasetError
from slp_core.lines import class_means, distances

Kind = Literal["wrong label", "outlier", "twice the shots", "same examples"]


@dataclass(frozen=True)
class Experiment:
    """Edits of a support set, and what they do to the centroid of one class beside another's."""

    kind: Kind
    edits: Edits
    rows: tuple[int, ...]  # that are added or relabelled
    classes: tuple[str, ...]
    watched: int  # the class whose centroid moves
    other: int  # for a wrong label the shot's own, else the class with the nearest centroid
    moved: float  # how far, in units of the distance between both before
    apart: float  # the distance between both after, in the same units


def experiment(kind: Kind, episode: Episode, X: np.ndarray) -> Experiment:
    """One of the experiments; X (n, d) are all rows of the dataset. DatasetError if impossible."""
    names = episode.dataset.classes
    if len(names) < 2:
        raise DatasetError("An experiment needs two classes: there is one.")
    before = class_means(X[episode.support], episode.y_support, len(names))
    away = distances(before, before)
    np.fill_diagonal(away, np.inf)
    watched, other, edited = _KINDS[kind](episode, X, before, away)
    after = class_means(X[edited.support], edited.y_support, len(names))
    unit = float(away[watched, other]) or 1.0
    rows = np.union1d(
        np.setdiff1d(edited.support, episode.support),
        [row for row, _ in set(edited.edits.relabelled) - set(episode.edits.relabelled)],
    )
    return Experiment(
        kind,
        edited.edits,
        tuple(rows.astype(int).tolist()),
        names,
        watched,
        other,
        float(np.linalg.norm(after[watched] - before[watched])) / unit,
        float(np.linalg.norm(after[watched] - after[other])) / unit,
    )


_Edited = tuple[int, int, Episode]  # the watched class, the other, and the episode after


def _wrong_label(episode: Episode, X: np.ndarray, means: np.ndarray, away: np.ndarray) -> _Edited:
    """The shot nearest to its centroid gets the label of the class furthest from it."""
    y, support = episode.y_support, episode.support
    able = np.flatnonzero(np.bincount(y)[y] > 1)
    if not len(able):
        raise DatasetError("A wrong label needs a class with two shots: add a shot first.")
    from_own = np.linalg.norm(X[support[able]] - means[y[able]], axis=1)
    shot = int(able[from_own.argmin()])
    row, own = int(support[shot]), int(y[shot])
    wrong = int(np.where(np.isfinite(away[own]), away[own], -1).argmax())
    return wrong, own, episode.edited(relabel={row: episode.dataset.classes[wrong]})


def _outlier(episode: Episode, X: np.ndarray, means: np.ndarray, away: np.ndarray) -> _Edited:
    """The query example that moves the centroid of its class most becomes a shot."""
    query, y = episode.query, episode.y_query
    if not len(query):
        raise DatasetError("There is no example to add: the query set is empty.")
    moves = np.linalg.norm(X[query] - means[y], axis=1) / (np.bincount(episode.y_support) + 1)[y]
    place = int(moves.argmax())
    k = int(y[place])
    return k, int(away[k].argmin()), episode.edited(add=[int(query[place])])


def _twice(episode: Episode, X: np.ndarray, means: np.ndarray, away: np.ndarray) -> _Edited:
    """The class with most query examples a shot has its shots doubled, by random ones of them."""
    shots = np.bincount(episode.y_support)
    left = np.bincount(episode.y_query, minlength=len(shots))
    k = int((left / shots).argmax())
    if left[k] < shots[k]:
        raise DatasetError("No class has enough query examples to double its shots.")
    rng = np.random.default_rng(episode.draw)
    rows = rng.permutation(episode.query[episode.y_query == k])[: shots[k]]
    return k, int(away[k].argmin()), episode.edited(add=rows.tolist())


def _same(episode: Episode, X: np.ndarray, means: np.ndarray, away: np.ndarray) -> _Edited:
    """The two classes with the nearest centroids exchange every second shot."""
    names, y = episode.dataset.classes, episode.y_support
    shots = np.bincount(y)
    away = np.where((shots[:, None] > 1) & (shots > 1), away, np.inf)
    if not np.isfinite(away).any():
        raise DatasetError("Two classes with two shots each are needed: add shots first.")
    a, b = (int(k) for k in np.unravel_index(away.argmin(), away.shape))
    relabel = {
        int(row): names[to] for k, to in ((a, b), (b, a)) for row in episode.support[y == k][1::2]
    }
    return a, b, episode.edited(relabel=relabel)


_Make = Callable[[Episode, np.ndarray, np.ndarray, np.ndarray], _Edited]
_KINDS: Mapping[Kind, _Make] = {
    "wrong label": _wrong_label,
    "outlier": _outlier,
    "twice the shots": _twice,
    "same examples": _same,
}
