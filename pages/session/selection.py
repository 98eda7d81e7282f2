"""The point that is chosen: a row of the dataset, on whatever page it was clicked."""

from __future__ import annotations

import re

from pages.session import settings
from pages.session.text import refused_row_text
from pages.session.workspace import Workspace


def chosen_row(workspace: Workspace) -> int | None:
    """The row that was chosen of these data, or that the URL asks for."""
    n, digest = len(workspace.dataset), workspace.dataset.digest
    of_others = settings.POINT_DATA.value not in ("", digest)
    read, second_read = settings.POINT.was_read, settings.SECOND.was_read
    if read:
        for requested in (settings.REQUESTED.value or {}).get(settings.POINT.key, ())[-1:]:
            if parse_row_index(requested, n) is None:
                settings.POINT_REFUSED.set((refused_row_text(requested, n),))
    if (of_others and not read) or (settings.POINT.value or 0) >= n:
        settings.POINT.clear()
    if of_others and not second_read:
        settings.SECOND.clear()
    settings.POINT_DATA.set(digest)
    return settings.POINT.shows(among=range(n))


def row_or_default(workspace: Workspace) -> int:
    """The chosen row, or the query example that pages open on."""
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
    settings.POINT_DATA.set("")
    settings.POINT_REFUSED.set(())
    settings.TYPED.clear()


def choose_none() -> None:
    """Back to the point that a page opens on."""
    settings.POINT.clear()


def parse_row_index(text: str, n: int) -> int | None:
    """A row of n that is written in digits alone; else None."""
    return int(text) if re.fullmatch(r"[0-9]{1,12}", text) and int(text) < n else None
