"""The point that is chosen: a row of the dataset, on whatever page it was clicked."""

from __future__ import annotations

from pages.session import settings
from pages.session.workspace import Workspace


def chosen_row(workspace: Workspace) -> int | None:
    """The row that was chosen, if the dataset has it."""
    row = settings.POINT.value
    return row if row is not None and row < len(workspace.dataset) else None


def choose_row(row: int) -> None:
    """A row is to be looked at, and no longer an example that was typed."""
    settings.POINT.set(int(row))
    settings.TYPED_EXAMPLE.set(None)
