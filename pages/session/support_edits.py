"""The edits of the support set that is on the table: those of its draw, and of no other."""

from __future__ import annotations

from typing import Any

from pages.session import settings
from pages.session.settings import Setting
from slp_core.data import FewShotDataset
from slp_core.data.edits import NONE, Edits
from slp_core.errors import DatasetError

_STEPS = 100  # that can be undone


def chosen_edits(dataset: FewShotDataset, shots: int, draw: int) -> Edits:
    """What was edited of this draw, or what the URL asks for, as far as it can be had."""
    here = f"{dataset.digest} {shots} {draw}"
    of = "" if settings.EDITS.was_read else settings.EDITED_DRAW.value
    if of not in ("", here) or not _fit(dataset, shots, draw):
        settings.EDITS.clear()
    edits = settings.EDITS.shows()
    settings.EDITED_DRAW.set(here if edits else "")
    remember_of(here)
    return edits


def choose_edits(edits: Edits) -> None:
    """In a callback: edits of the draw that is on the table."""
    remember(settings.EDITS)
    _set(settings.EDITS, edits)


def undo_edits() -> None:
    """Back to the support set as it was drawn."""
    choose_edits(NONE)


def remember_of(what: str) -> None:
    """Steps can be taken back of what is on the table, and of nothing else."""
    if settings.EDITING.value != what:
        settings.EDITING.set(what)
        settings.UNDONE.set(())
        settings.DONE.set(())


def remember(setting: Setting[Any]) -> None:
    """Note where a setting stands before it is edited."""
    settings.DONE.set((*settings.DONE.value, (setting, setting.value))[-_STEPS:])
    settings.UNDONE.set(())


def step_back() -> None:
    """Undo the last edit."""
    _step(settings.DONE, settings.UNDONE)


def step_forward() -> None:
    """Do again what was undone last."""
    _step(settings.UNDONE, settings.DONE)


def _step(back: Setting[tuple[Any, ...]], forward: Setting[tuple[Any, ...]]) -> None:
    if not back.value:  # pressed twice before the page was drawn
        return
    *rest, (setting, value) = back.value
    back.set(tuple(rest))
    forward.set((*forward.value, (setting, setting.value)))
    _set(setting, value)


def _set(setting: Setting[Any], value: Any) -> None:
    if value:
        setting.set(value)
    else:
        setting.clear()


def _fit(dataset: FewShotDataset, shots: int, draw: int) -> bool:
    if not settings.EDITS.value:
        return True
    try:
        dataset.draw(shots, draw).with_edits(settings.EDITS.value)
    except DatasetError:
        return False
    return True
