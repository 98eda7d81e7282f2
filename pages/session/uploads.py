"""Uploads survive a page reload: stored in memory by visitor.

They go some minutes after the last tab was closed, with all that was computed of them. Another
person's address for the same upload opens nothing. Nothing is written to disk, and all is bounded.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable

import streamlit as st

from pages.session.cache import forget_results
from pages.session.jobs import job_pool
from pages.session.visits import current_visitor, visitor_name
from slp_core.data import FewShotDataset
from slp_core.data.limits import MB
from slp_core.errors import DatasetError
from slp_core.memory import return_what_is_free

MINUTES_KEPT = 5  # after a browser's last tab was closed: for a reload, or a broken connection
UPLOADS_OF_A_BROWSER = 6
UPLOADS = 256 * MB  # of datasets, all browsers together


class UploadStore:
    """Datasets by visitor and title."""

    def __init__(
        self,
        most: int = UPLOADS_OF_A_BROWSER,
        n_bytes: int = UPLOADS,
        gone: Callable[[str], None] = lambda digest: None,
    ):
        self._most, self._n_bytes, self._gone = most, n_bytes, gone
        self._kept: OrderedDict[tuple[str, str], FewShotDataset] = OrderedDict()
        self._lock = threading.RLock()

    def put(self, browser: str, title: str, dataset: FewShotDataset) -> None:
        """Store a dataset, replacing the browser's earlier one of that title."""
        with self._lock:
            self._pop((browser, title))
            self._kept[browser, title] = dataset
            own = [key for key in self._kept if key[0] == browser]
            for key in own[: -self._most]:
                self._pop(key)
            while sum(each.n_bytes for each in self._kept.values()) > self._n_bytes:
                self._pop(next(iter(self._kept)))

    def of(self, browser: str) -> dict[str, FewShotDataset]:
        """A browser's datasets by title, the least recently used first."""
        with self._lock:
            return {title: dataset for (b, title), dataset in self._kept.items() if b == browser}

    def use(self, browser: str, title: str) -> None:
        with self._lock:
            if (browser, title) in self._kept:
                self._kept.move_to_end((browser, title))

    def forget(self, browser: str, *titles: str) -> None:
        with self._lock:
            for title in titles:
                self._pop((browser, title))
        return_what_is_free()

    def _pop(self, key: tuple[str, str]) -> None:
        dataset = self._kept.pop(key, None)
        if dataset and all(dataset.digest != other.digest for other in self._kept.values()):
            self._gone(dataset.digest)


@st.cache_resource(show_spinner=False)
def upload_store() -> UploadStore:
    def gone(digest: str) -> None:
        forget_results(digest)
        job_pool().forget_results(digest)

    return UploadStore(gone=gone)


def uploads() -> dict[str, FewShotDataset]:
    """Uploads of the visitor by title."""
    current_visitor()  # who has a tab open
    return upload_store().of(visitor_name())


def free_title(title: str, dataset: FewShotDataset) -> str:
    """A title for a dataset that replaces no other data."""
    own = uploads()
    titles = [title, *(f"{title} ({n})" for n in range(2, len(own) + 2))]
    same = (each for each in titles if each in own and own[each].digest == dataset.digest)
    return next(same, None) or next(each for each in titles if each not in own)


def makes_room(title: str) -> str | None:
    """The upload that is evicted if one is added under a title; None if there is room."""
    own = uploads()
    return next(iter(own)) if title not in own and len(own) >= UPLOADS_OF_A_BROWSER else None


def check_memory(dataset: FewShotDataset, filename: str) -> None:
    """Raise if a dataset alone exceeds the memory for all uploads."""
    if dataset.n_bytes > UPLOADS:
        raise DatasetError(
            f"{filename} takes more than {UPLOADS // MB} MB of memory, which is all that is kept "
            "of uploads: keep fewer rows, or shorten texts and names of classes."
        )


def add_upload(title: str, dataset: FewShotDataset) -> None:
    store, name = upload_store(), visitor_name()
    store.put(name, title, dataset)
    if visitor := current_visitor():
        visitor.when_gone(store, lambda: store.forget(name, *store.of(name)), 60 * MINUTES_KEPT)


def use_upload(title: str) -> None:
    """Mark as used, so that others are evicted first."""
    upload_store().use(visitor_name(), title)


def forget_upload(title: str) -> None:
    """Remove it for this session and later ones."""
    upload_store().forget(visitor_name(), title)
