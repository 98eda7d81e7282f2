"""What the Explain page reads off the library, each once for a model and kept."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial

import numpy as np
import streamlit as st

from pages.explain.typed_example import Own
from pages.session import settings
from pages.session.methods import METHODS
from pages.session.workspace import Workspace
from slp_core.explain.bands import Bands, winning_bands
from slp_core.explain.causes import Causes, read_causes
from slp_core.explain.counterfactuals import Counterfactuals, counterfactuals
from slp_core.explain.headline import Headline, headline
from slp_core.explain.profile import LineProfile, line_profile
from slp_core.explain.theorem2 import Theorem2, theorem2
from slp_core.explain.votes import Votes, read_votes
from slp_core.figures.line.points import LinePoints, vote_at, winner_at
from slp_core.lines import Line

_read = partial(st.cache_resource, max_entries=48, show_spinner=False)


@dataclass(frozen=True, eq=False)
class Chosen:
    """The point that is explained.

    Attributes
    ----------
    key : str
        Names it.
    asked_for : bool
        Whether somebody chose it; else it is the one that the page opens on.
    title, words : str
        What it is, and the example itself.
    x : (d,) array
    true : int or None
        None for an example of one's own.
    votes : Votes
    """

    key: str
    asked_for: bool
    title: str
    words: str
    x: np.ndarray
    true: int | None
    votes: Votes


@dataclass(frozen=True, eq=False)
class HalfPlane:
    """One of the two half-planes: its points carry what is answered with these distances."""

    name: str
    title: str
    sentence: str
    along_line: bool
    points: LinePoints


@dataclass(frozen=True, eq=False)
class LineView:
    """A line with its query points.

    Attributes
    ----------
    number : int
    line : Line
    soft_labels : (2, K) array
        Logits at the chosen point where ``local``.
    bands : Bands
    local : bool
        Whether soft labels depend on the point.
    points : LinePoints
    sentence : str
    half_planes : tuple of HalfPlane
        The method's own first; none for a line of no length.
    """

    number: int
    line: Line
    soft_labels: np.ndarray
    bands: Bands
    local: bool
    points: LinePoints
    sentence: str
    half_planes: tuple[HalfPlane, ...]


def causes_of(workspace: Workspace) -> Causes:
    """Why each query point was answered as it was."""
    return _causes(workspace.model_key, workspace)


def headline_of(workspace: Workspace) -> Headline:
    """What to read first."""
    return _headline(workspace.model_key, workspace)


def theorem2_of(workspace: Workspace) -> Theorem2:
    """How many points nearest to their own centroid lines give to another class."""
    return _theorem2(workspace.model_key, workspace)


def counterfactuals_of(workspace: Workspace, chosen: Chosen) -> Counterfactuals:
    """What would have been answered if one thing were otherwise."""
    return _counterfactuals(f"{workspace.model_key} {chosen.key}", workspace, chosen)


def chosen_point(workspace: Workspace, own: Own | None, opening_row: int) -> Chosen:
    """The example of one's own, the row that was clicked, or the one to open on."""
    if own is not None:
        x, true, title, words = own.vector, None, "Your own", own.words
        key = f"own {own.words}"
    else:
        clicked = settings.POINT.value
        row = clicked if clicked is not None and clicked < len(workspace.dataset) else opening_row
        x, true = workspace.X[row], int(workspace.dataset.y[row])
        role = "Support" if row in workspace.episode.support else "Query"
        title, words = f"{role} point {row}", workspace.dataset.describe(row)
        key = f"row {row}"
    asked_for = own is not None or settings.POINT.value is not None
    votes = _votes(f"{workspace.model_key} {key}", workspace, x)
    return Chosen(key, asked_for, title, words, x, true, votes)


def opening_row(workspace: Workspace, found: Causes, line: int) -> int:
    """The surest error of a line, of those whose nearest centroid is right, to open on."""
    episode = workspace.episode
    if not len(found.true):
        return int(episode.support[0])
    here = found.line == line
    crossed = here & np.isin(found.cause, ("concentration", "off_line"))
    preferred = (crossed, here & found.wrong, here, np.ones_like(here))
    among = next(some for some in preferred if some.any())
    return int(episode.query[np.where(among, found.margin, np.inf).argmin()])


def line_view(
    workspace: Workspace, number: int, chosen: Chosen, shown: np.ndarray, shown_key: str
) -> LineView:
    """A line's bands and points.

    Parameters
    ----------
    workspace : Workspace
    number : int
    chosen : Chosen
        Whose soft labels are taken where they depend on the point.
    shown : (m,) bool array
        Query points that the filter lets through, which ``shown_key`` names.
    """
    model, names = workspace.model, workspace.dataset.classes
    profile = _profile(f"{workspace.model_key} {number}", workspace, number)
    local = profile.soft_labels is None
    labels = profile.soft_labels
    if labels is None:
        labels = model.vote_labels(chosen.x[None, :], np.array([number]))[0]
    bands = profile.bands if profile.bands is not None else winning_bands(*labels)
    key = f"{workspace.model_key} {number} {shown_key}"
    points = _line_points(key, workspace, profile, shown)
    length = profile.line.length
    planes: tuple[HalfPlane, ...] = ()
    if length > 0:
        own_way = model.distance == "along_line"
        # What soft labels of its own would give each point at its own distances, a line knows
        # only along the line.
        ways = (own_way,) if local and own_way else (own_way, not own_way)
        planes = tuple(_half_plane(profile, bands, points, way, way == own_way) for way in ways)
    return LineView(
        number, profile.line, labels, bands, local, points, profile.sentence(names), planes
    )


def with_lines(workspace: Workspace) -> Workspace:
    """The workspace itself, or with constraintSLP where its method has no lines."""
    if any(len(line.classes) > 1 for line in getattr(workspace.model, "lines_", ())):
        return workspace
    return replace(workspace, method=METHODS["constraint_slp"], options={})


def _half_plane(
    profile: LineProfile, bands: Bands, points: LinePoints, along: bool, own: bool
) -> HalfPlane:
    what = "along the line" if along else "of the points themselves"
    n = len(points)
    if not own:
        w = vote_at(points.t, points.r, profile.line.length, along)
        answered = profile.answered_along if along else winner_at(bands, w)
        points = replace(points, w=w, predicted=answered)
    right = int((points.predicted == points.true).sum())
    would = ("is" if right == 1 else "are") if own else "would be"
    sentence = f"{right:,} of the {n:,} points that ask this line {would} answered right."
    return HalfPlane(
        "half-plane along the line" if along else "half-plane",
        f"{'As it votes' if own else 'If it voted otherwise'}: distances {what}",
        sentence if n else "No query point asks this line.",
        along,
        points,
    )


@_read()
def _causes(key: str, _workspace: Workspace) -> Causes:
    episode = _workspace.episode
    X, centroids = _workspace.X[episode.query], _workspace.centroids
    return read_causes(_workspace.model, X, episode.y_query, centroids)


@_read()
def _headline(key: str, _workspace: Workspace) -> Headline:
    episode, title = _workspace.episode, _workspace.method.title
    X, found = _workspace.X[episode.query], causes_of(_workspace)
    return headline(_workspace.model, X, episode.y_query, title, found)


@_read()
def _theorem2(key: str, _workspace: Workspace) -> Theorem2:
    episode = _workspace.episode
    X = _workspace.X[episode.query]
    return theorem2(_workspace.model, X, episode.y_query, causes_of(_workspace))


@_read()
def _profile(key: str, _workspace: Workspace, number: int) -> LineProfile:
    return line_profile(_workspace.model, number, _workspace.X[_workspace.episode.query])


@_read()
def _line_points(
    key: str, _workspace: Workspace, _profile: LineProfile, _shown: np.ndarray
) -> LinePoints:
    rows = _workspace.episode.query[_profile.rows]
    describe = _workspace.dataset.describe
    return LinePoints(
        rows,
        _workspace.answers.true[_profile.rows],
        _workspace.answers.predicted[_profile.rows],
        _profile.w,
        _profile.t,
        _profile.r,
        _profile.along,
        _shown[_profile.rows],
        [describe(row) for row in rows.tolist()],
    )


@_read()
def _votes(key: str, _workspace: Workspace, _x: np.ndarray) -> Votes:
    return read_votes(_workspace.model, _x)


@_read()
def _counterfactuals(key: str, _workspace: Workspace, _chosen: Chosen) -> Counterfactuals:
    other_name = "DeepSLP" if _workspace.method.name != "deep_slp" else "constraintSLP"
    name = "deep_slp" if other_name == "DeepSLP" else "constraint_slp"
    other = replace(_workspace, method=METHODS[name], options=_shared_options(_workspace, name))
    return counterfactuals(_workspace.model, _chosen.x, other.model, other_name, _chosen.true)


def _shared_options(workspace: Workspace, name: str) -> dict[str, object]:
    """Options of the one method that the other has too, such as how lines are found."""
    method = METHODS[name]
    taken = {option.parameter for option in (*method.main, *method.more)}
    return {k: v for k, v in workspace.options.items() if k in taken}
