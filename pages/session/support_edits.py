"""The edits of the support set that is on the table: those of its draw, and of no other."""

from __future__ import annotations

from pages.session import settings
from slp_core.data import FewShotDataset
from slp_core.data.edits import NONE, Edits
from slp_core.errors import DatasetError


def chosen_edits(dataset: FewShotDataset, shots: int, draw: int) -> Edits:
    """What was edited of this draw, or what the URL asks for, as far as it can be had."""
    here = f"{dataset.digest} {shots} {draw}"
    of = "" if settings.EDITS.was_read else settings.EDITED_DRAW.value
    if of not in ("", here) or not _fit(dataset, shots, draw):
        settings.EDITS.clear()
    edits = settings.EDITS.shows()
    settings.EDITED_DRAW.set(here if edits else "")
    return edits


def choose_edits(edits: Edits) -> None:
    """In a callback: edits of the draw that is on the table."""
    if edits:
        settings.EDITS.set(edits)
    else:
        settings.EDITS.clear()


def undo_edits() -> None:
    """Back to the support set as it was drawn."""
    choose_edits(NONE)


def _fit(dataset: FewShotDataset, shots: int, draw: int) -> bool:
    if not settings.EDITS.value:
        return True
    try:
        dataset.draw(shots, draw).with_edits(settings.EDITS.value)
    except DatasetError:
        return False
    return True
