"""The dataset that a visitor types: in the address while it is short, and with the uploads."""

from __future__ import annotations

from pages.session import settings
from pages.session.support_edits import remember
from pages.session.uploads import add_upload, forget_upload, uploads
from slp_core.data import FewShotDataset
from slp_core.data.own_examples import NAME, TITLE, OwnExamples

EMPTY = OwnExamples.of({"class 1": (), "class 2": ()})


def own_examples() -> OwnExamples:
    """What was typed, here or before a reload; at first two empty classes."""
    if not settings.OWN.is_set and (kept := uploads().get(TITLE)):
        settings.OWN.set(OwnExamples.of_dataset(kept))
    own = settings.OWN.shows(EMPTY)
    assert own is not None  # as it opens with some
    return own


def is_own(dataset: FewShotDataset) -> bool:
    """Whether a dataset is the one that is typed."""
    return dataset.name == NAME and dataset.title == TITLE


def choose_own(own: OwnExamples) -> None:
    """In a callback: other examples, which the browser's uploads keep as well."""
    remember(settings.OWN)
    settings.OWN.set(own)
    keep_own()


def keep_own() -> None:
    """Keep what is typed now over a reload."""
    settings.POINT.clear()  # rows are numbered anew
    own = settings.OWN.value
    dataset = None if own is None else own.dataset()
    if dataset is None:
        forget_upload(TITLE)
    else:
        add_upload(TITLE, dataset)
