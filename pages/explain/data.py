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
    PointReading,
    counterfactuals,
    read_point,
)
from slp_core.facts import Facts
from slp_core.methods.table import METHODS

if TYPE_CHECKING:
    import numpy as np


@dataclass(frozen=True, eq=False)
class Chosen:
    """The point that is explained."""

    key: str
    row: int | None
    asked_for: bool
    title: str
    words: str
    x: np.ndarray  # (d,)
    reading: PointReading
    why: Facts = ()


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
    """The example that was typed, the row that was clicked, or the one to open on, and why."""
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
    if filtered.key and (left := causes.most_confident_error(filtered.shown, line)) is not None:
        return int(episode.query[left]), ()
    opening = causes.opening(line)
    if opening is None:
        return int(episode.support[0]), ()
    return int(episode.query[opening.index]), opening.facts()
