"""The point that is chosen: a row of the dataset, on whatever page it was clicked."""

from __future__ import annotations

from pages.session import settings
from pages.session.workspace import Workspace


def chosen_row(workspace: Workspace) -> int | None:
    """The row that was chosen of these data, or that the URL asks for."""
    for setting in (settings.POINT, settings.SECOND):
        setting.keep_for(workspace.dataset.digest)
    return settings.POINT.shows(among=range(len(workspace.dataset)))


def row_or_default(workspace: Workspace) -> int:
    row, default, episode = (
        chosen_row(workspace),
        workspace.predictions.default_point(),
        workspace.episode,
    )
    if row is not None:
        return row
    return int(episode.support[0] if default is None else episode.query[default])


def choose_row(row: int | None) -> None:
    """A row is to be looked at, and no longer an example that was typed."""
    if row is None:
        return
    settings.POINT.set(int(row))
    settings.TYPED.clear()
