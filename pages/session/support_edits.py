"""Edits of the current support set, and examples that are typed, in the URL while they are short.

Typed examples are a dataset of their own, which is kept with the uploads, or shots beside those of
another dataset.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Any

from pages.session import settings
from pages.session.cache import cached_by
from pages.session.settings import Setting
from pages.session.uploads import add_upload, forget_upload, uploads
from pages.session.workspace import Workspace
from slp_core.data import FewShotDataset
from slp_core.data.edits import Edits
from slp_core.data.own_examples import NAME, TITLE, OwnExamples
from slp_core.data.typed_shots import (
    base_of,
    can_be_typed,
    carried_edits,
    every_class,
    typed_alone,
    typed_beside,
)
from slp_core.errors import DatasetError

_STEPS = 100  # that can be undone


def chosen_edits(dataset: FewShotDataset, shots: int, draw: int) -> Edits:
    """The edits of this draw, here or in the URL, as far as they can be made."""
    here = f"{base_of(dataset).digest} {shots} {draw}"
    settings.EDITS.keep_for(here)
    edits = settings.EDITS.value
    if edits and not _is_possible(lambda: dataset.draw(shots, draw).with_edits(edits)):
        settings.EDITS.clear()
    remember_of(here)
    return settings.EDITS.shows()


def choose_edits(edits: Edits) -> None:
    remember(settings.EDITS)
    _set(settings.EDITS, edits)


def edited_by_now(workspace: Workspace) -> Workspace:
    """In a callback: with the edits made since the page was drawn, to which one more is added."""
    return replace(workspace, edits=settings.EDITS.value)


def undo_edits() -> None:
    remember(settings.EDITS, settings.TYPED_SHOTS)
    settings.EDITS.clear()
    settings.TYPED_SHOTS.clear()


def with_typed_shots(dataset: FewShotDataset) -> FewShotDataset:
    """A dataset with the typed shots, chosen here or in the URL."""
    settings.TYPED_SHOTS.keep_for(dataset.digest)
    typed = settings.TYPED_SHOTS.value
    # Which may be no numbers of its rows
    if not can_be_typed(dataset) or not _is_possible(lambda: _typed_beside(dataset, typed)):
        settings.TYPED_SHOTS.clear()
    typed = settings.TYPED_SHOTS.shows()
    # Of equal contents, another browser's upload has its own title and row numbers
    return _typed_beside(dataset, typed) if typed.rows else dataset


@cached_by(lambda dataset, typed: f"{dataset.digest} {dataset.title} {typed}")
def _typed_beside(dataset: FewShotDataset, typed: OwnExamples) -> FewShotDataset:
    return typed_beside(dataset, typed)


def own_examples() -> OwnExamples:
    """The dataset that is typed, from here or before a reload; at first two empty classes."""
    if not settings.OWN.is_set and (kept := uploads().get(TITLE)):
        settings.OWN.set(OwnExamples.of_dataset(kept))
    return settings.OWN.shows()


def is_own(dataset: FewShotDataset) -> bool:
    return dataset.name == NAME and dataset.title == TITLE


def typed_examples(dataset: FewShotDataset | None) -> OwnExamples:
    if dataset is None or is_own(dataset):
        return own_examples()
    return every_class(base_of(dataset), settings.TYPED_SHOTS.value)


def typed_place(dataset: FewShotDataset, row: int) -> int | None:
    """The index of a row among the typed examples; None for other rows."""
    place = row - _first_typed(dataset)
    return None if place < 0 else place


def last_typed(dataset: FewShotDataset | None, name: str) -> int | None:
    """The row of a class's last typed text; None if there is none."""
    rows = enumerate(typed_examples(dataset).rows, _first_typed(dataset))
    return max((row for row, (_, each) in rows if each == name), default=None)


def _first_typed(dataset: FewShotDataset | None) -> int:
    return 0 if dataset is None or is_own(dataset) else len(base_of(dataset))


def choose_typed(dataset: FewShotDataset | None, typed: OwnExamples) -> None:
    """In a callback: change the typed examples of the current dataset."""
    if dataset is None or is_own(dataset):
        remember(settings.OWN)
        settings.OWN.set(typed)
        keep_own()
        return
    base = base_of(dataset)
    edits = carried_edits(settings.EDITS.value, dataset, typed_beside(base, typed))
    remember(settings.TYPED_SHOTS, settings.EDITS)
    _set(settings.TYPED_SHOTS, typed_alone(base, typed))
    _set(settings.EDITS, edits)


def keep_own() -> None:
    """Store the typed examples with the browser's uploads, over a reload."""
    settings.POINT.clear()  # rows are numbered anew
    if (dataset := settings.OWN.value.dataset()) is None:
        forget_upload(TITLE)
    else:
        add_upload(TITLE, dataset)


def remember_of(what: str) -> None:
    """Undo applies to the current support set alone."""
    if settings.EDITING.value != what:
        settings.EDITING.set(what)
        settings.UNDONE.set(())
        settings.DONE.set(())


def remember(*edited: Setting[Any]) -> None:
    """Record settings before a step edits them."""
    settings.DONE.set((*settings.DONE.value, _standing(edited))[-_STEPS:])
    settings.UNDONE.set(())


def step(back: Setting[tuple[Any, ...]], forward: Setting[tuple[Any, ...]]) -> None:
    """In a callback: undo what is done, or do what was undone."""
    if not back.value:  # pressed twice before the page was drawn
        return
    *rest, last = back.value
    back.set(tuple(rest))
    forward.set((*forward.value, _standing(setting for setting, _ in last)))
    for setting, value in last:
        _set(setting, value)


def _standing(edited: Iterable[Setting[Any]]) -> tuple[tuple[Setting[Any], Any], ...]:
    return tuple((setting, setting.value) for setting in edited)


def _set(setting: Setting[Any], value: Any) -> None:
    if value == setting.default:
        setting.clear()
    else:
        setting.set(value)


def _is_possible(make: Callable[[], object]) -> bool:
    try:
        make()
    except DatasetError:
        return False
    return True
