"""What the Explain page reads off the library, each once for a model and kept."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from pages.explain.errors import Filtered
from pages.explain.typed_example import TypedExample
from pages.session.cache import cached_by
from pages.session.selection import chosen_row
from pages.session.workspace import Workspace
from slp_core.explain import (
    Causes,
    Counterfactuals,
    HalfPlane,
    Headline,
    LineProfile,
    PointReading,
    Theorem2,
    counterfactuals,
    half_planes,
    headline,
    line_profile,
    read_causes,
    read_point,
    theorem2,
)
from slp_core.explain.bands import Bands, winning_bands
from slp_core.explain.profile import labels_at
from slp_core.facts import Facts
from slp_core.figures.line.points import LinePoints
from slp_core.methods.table import METHODS

if TYPE_CHECKING:
    import numpy as np


@dataclass(frozen=True, eq=False)
class Chosen:
    """The point that is explained.

    Attributes
    ----------
    key : str
        Names it.
    row : int or None
        Of the dataset; None for an example that was typed.
    asked_for : bool
        Whether somebody chose it; else it is the one that the page opens on.
    title, words : str
        What it is, and the example itself.
    x : (d,) array
    reading : PointReading
    why : tuple of Fact
        Why the page opens on it, where nobody chose it.
    """

    key: str
    row: int | None
    asked_for: bool
    title: str
    words: str
    x: np.ndarray
    reading: PointReading
    why: Facts = ()


@dataclass(frozen=True, eq=False)
class LineView:
    """A line with its query points.

    Attributes
    ----------
    profile : LineProfile
    soft_labels : (2, K) array
        Where they depend on the point, logits at the chosen one.
    bands : Bands
        Of these.
    points : LinePoints
    half_planes : tuple of HalfPlane
        The method's own first; none for a line of no length.
    key : str
        Names the model, the line and what the filter shows.
    """

    profile: LineProfile
    soft_labels: np.ndarray
    bands: Bands
    points: LinePoints
    half_planes: tuple[HalfPlane, ...]
    key: str

    @property
    def number(self) -> int:
        """Of the line, counted from 0."""
        return self.profile.number

    @property
    def local(self) -> bool:
        """Whether soft labels depend on the point."""
        return self.profile.soft_labels is None


@cached_by(lambda workspace: workspace.model_key)
def causes_of(workspace: Workspace) -> Causes:
    """Why each query point was answered as it was."""
    episode = workspace.episode
    X, centroids = workspace.X[episode.query], workspace.centroids
    return read_causes(workspace.model, X, episode.y_query, centroids)


@cached_by(lambda workspace: workspace.model_key)
def headline_of(workspace: Workspace) -> Headline:
    """What to read first."""
    episode, title = workspace.episode, workspace.method.title
    X, causes = workspace.X[episode.query], causes_of(workspace)
    return headline(workspace.model, X, episode.y_query, title, causes)


@cached_by(lambda workspace: workspace.model_key)
def theorem2_of(workspace: Workspace) -> Theorem2:
    """How many points nearest to their own centroid lines give to another class."""
    episode = workspace.episode
    X, causes = workspace.X[episode.query], causes_of(workspace)
    return theorem2(workspace.line_model, X, episode.y_query, causes)


@cached_by(lambda workspace, chosen: f"{workspace.model_key} {chosen.key}")
def counterfactuals_of(workspace: Workspace, chosen: Chosen) -> Counterfactuals:
    """What would have been answered if one thing were otherwise."""
    name = "deep_slp" if workspace.method.name != "deep_slp" else "constraint_slp"
    other = workspace.with_method(METHODS[name])
    model, title, true = other.line_model, other.method.title, chosen.reading.true
    return counterfactuals(workspace.line_model, chosen.x, model, title, true)


def chosen_point(
    workspace: Workspace,
    typed: TypedExample | None,
    opening: tuple[int, Facts],
    filtered: Filtered,
) -> Chosen:
    """The example that was typed, the row that was clicked, or the one to open on, and why.

    One that a filter leaves to open on counts as asked for.
    """
    if typed is not None:
        reading = read_point(workspace.model, typed.vector, workspace.centroids)
        return Chosen(typed.key, None, True, "Your own", typed.words, typed.vector, reading)
    clicked = chosen_row(workspace)
    row, why = opening if clicked is None else (clicked, ())
    role = "Support" if row in workspace.episode.support else "Query"
    return Chosen(
        f"row {row}",
        row,
        clicked is not None or bool(filtered.key),
        f"{role} point {row}",
        workspace.dataset.describe(row),
        workspace.X[row],
        workspace.reading(row),
        why,
    )


def opening_row(
    workspace: Workspace, causes: Causes, line: int, filtered: Filtered
) -> tuple[int, Facts]:
    """The row to open a line on, and why; of the errors that a filter lets through, the surest."""
    episode = workspace.episode
    if filtered.key and (left := causes.surest(filtered.shown, line)) is not None:
        return int(episode.query[left]), ()
    opening = causes.opening(line)
    if opening is None:
        return int(episode.support[0]), ()
    return int(episode.query[opening.index]), opening.facts()


def line_view(workspace: Workspace, number: int, chosen: Chosen, filtered: Filtered) -> LineView:
    """A line's bands and points.

    Parameters
    ----------
    workspace : Workspace
    number : int
    chosen : Chosen
        Whose soft labels are taken where they depend on the point.
    filtered : Filtered
    """
    model, texts = workspace.line_model, workspace.texts
    profile = _profile(workspace, number)
    labels = labels_at(model, number, chosen.x)
    bands = winning_bands(*labels)
    rows = workspace.episode.query[profile.rows]
    points = LinePoints(
        rows,
        workspace.answers.true[profile.rows],
        workspace.answers.predicted[profile.rows],
        profile.w,
        profile.t,
        profile.r,
        profile.along,
        profile.answered_along,
        filtered.shown[profile.rows],
        [texts[row] for row in rows.tolist()],
    )
    along_line = model.distance == "along_line"
    planes = half_planes(profile, along_line, points.true, points.predicted)
    key = f"{workspace.model_key} {number} {filtered.key}"
    return LineView(profile, labels, bands, points, planes, key)


@cached_by(lambda workspace, number: f"{workspace.model_key} {number}")
def _profile(workspace: Workspace, number: int) -> LineProfile:
    return line_profile(workspace.line_model, number, workspace.X[workspace.episode.query])
