"""The examples that a user types, in the URL while they are short.

A dataset of its own, which is kept with the uploads; or shots beside those of another dataset.
"""

from __future__ import annotations

from pages.session import settings
from pages.session.support_edits import choose_typed_shots, remember
from pages.session.uploads import add_upload, forget_upload, uploads
from slp_core.data import FewShotDataset
from slp_core.data.own_examples import NAME, TITLE, OwnExamples
from slp_core.data.typed_shots import base_of, every_class


def own_examples() -> OwnExamples:
    """The typed examples, from here or before a reload; at first two empty classes."""
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
    if is_own(dataset):
        return row
    n = len(base_of(dataset))
    return None if row < n else row - n


def last_typed(dataset: FewShotDataset | None, name: str) -> int | None:
    """The row of a class's last typed text; None if there is none."""
    before = 0 if dataset is None or is_own(dataset) else len(base_of(dataset))
    rows = typed_examples(dataset).rows
    return max((before + at for at, (_, each) in enumerate(rows) if each == name), default=None)


def choose_typed(dataset: FewShotDataset | None, typed: OwnExamples) -> None:
    """In a callback: change the typed examples of the current dataset."""
    if dataset is None or is_own(dataset):
        remember(settings.OWN)
        settings.OWN.set(typed)
        keep_own()
    else:
        choose_typed_shots(dataset, typed)


def keep_own() -> None:
    """Store the typed examples with the browser's uploads, over a reload."""
    settings.POINT.clear()  # rows are numbered anew
    if (dataset := settings.OWN.value.dataset()) is None:
        forget_upload(TITLE)
    else:
        add_upload(TITLE, dataset)
