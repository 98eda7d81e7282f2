"""The example that Explain shows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from pages.explain.filter import Filtered
from pages.explain.typed_example import TypedExample
from pages.session.cache import cached_by
from pages.session.selection import chosen_row
from pages.session.workspace import Workspace
from slp_core.data import Examples
from slp_core.explain import (
    Causes,
    Counterfactuals,
    PointReading,
    counterfactuals,
    read_point,
)
from slp_core.methods.table import METHODS

if TYPE_CHECKING:
    import numpy as np


@dataclass(frozen=True, eq=False)
class Chosen:
    """The selected example."""

    key: str
    row: int | None
    by_choice: bool
    title: str
    words: str
    x: np.ndarray  # (d,)
    reading: PointReading
    typed: Examples | None = None  # one row, where it is none of the dataset
    reason: str = ""


@cached_by(lambda workspace, chosen: f"{workspace.model_key} {chosen.key}")
def counterfactuals_of(workspace: Workspace, chosen: Chosen) -> Counterfactuals:
    """Single changes that alter the prediction."""
    name = "deep_slp" if workspace.method.name != "deep_slp" else "constraint_slp"
    other = workspace.with_method(METHODS[name])
    model, title, true = other.line_model, other.method.title, chosen.reading.true
    return counterfactuals(workspace.line_model, chosen.x, model, title, true)


def chosen_point(
    workspace: Workspace,
    typed: TypedExample | None,
    default: tuple[int, str],
    filtered: Filtered,
) -> Chosen:
    """The typed, selected or default example, and why this one."""
    if typed is not None:
        reading = read_point(workspace.model, typed.vector, workspace.centroids)
        x, example = typed.vector, typed.example
        return Chosen(typed.key, None, True, "Your example", typed.words, x, reading, example)
    clicked = chosen_row(workspace)
    row, reason = default if clicked is None else (clicked, "")
    role = "Support" if row in workspace.episode.support else "Query"
    return Chosen(
        f"row {row}",
        row,
        clicked is not None or bool(filtered.key),
        f"{role} {workspace.dataset.called(row)}",
        workspace.dataset.describe(row),
        workspace.X[row],
        workspace.reading(row),
        reason=reason,
    )


def default_row(
    workspace: Workspace, causes: Causes, line: int, filtered: Filtered
) -> tuple[int, str]:
    """The row to show on a line, and why; of filtered errors, the most confident one."""
    episode = workspace.episode
    if filtered.key and (left := causes.most_confident_error(filtered.shown, line)) is not None:
        return int(episode.query[left]), ""
    default = causes.default_point(line)
    if default is None:
        return int(episode.support[0]), ""
    why = "misclassified" if causes.wrong[default] else "smallest margin"
    return int(episode.query[default]), f" – {why}"
