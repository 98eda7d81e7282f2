"""Uploads outlive a reload of the page: kept in memory for the browser that brought them.

They go some minutes after its last tab was closed, with all that was computed of them. Another
person's address for the same upload opens nothing. Nothing is written to disk, and all is bounded.
"""

from __future__ import annotations

import threading
import time
from collections import OrderedDict
from collections.abc import Callable

import streamlit as st

from pages.session import settings
from pages.session.cache import forget_results
from pages.session.jobs import job_pool
from pages.session.visits import BrowserSession, browser_name, current_visit
from slp_core.data import FewShotDataset
from slp_core.data.limits import MB
from slp_core.errors import DatasetError
from slp_core.memory import return_what_is_free

MINUTES_KEPT = 5  # after a browser's last tab was closed: for a reload, or a broken connection
UPLOADS_OF_A_BROWSER = 6
UPLOADS = 256 * MB  # of datasets, all browsers together


class UploadStore:
    """Datasets by browser and title, for as long as a tab of the browser is open."""

    def __init__(
        self,
        seconds: float = 60 * MINUTES_KEPT,
        most: int = UPLOADS_OF_A_BROWSER,
        n_bytes: int = UPLOADS,
        clock: Callable[[], float] = time.monotonic,
        gone: Callable[[str], None] = lambda digest: None,
    ):
        self._seconds, self._most, self._n_bytes, self._clock = seconds, most, n_bytes, clock
        self._gone = gone
        self._kept: OrderedDict[tuple[str, str], FewShotDataset] = OrderedDict()
        self._tabs: dict[str, set[BrowserSession]] = {}
        self._left: dict[str, float] = {}  # when the last tab was closed
        self._lock = threading.RLock()

    def put(self, browser: str, title: str, dataset: FewShotDataset) -> None:
        """Keep a dataset, in the place of any that the browser had under that title."""
        with self._lock:
            self._pop((browser, title))
            self._kept[browser, title] = dataset
            own = [key for key in self._kept if key[0] == browser]
            for key in own[: max(0, len(own) - self._most)]:
                self._pop(key)
            while self.total_bytes() > self._n_bytes:
                self._pop(next(iter(self._kept)))

    def of(self, browser: str) -> dict[str, FewShotDataset]:
        """The datasets of a browser by title, the longest unused first."""
        with self._lock:
            return {title: dataset for (b, title), dataset in self._kept.items() if b == browser}

    def use(self, browser: str, title: str) -> None:
        """Say that a dataset is looked at."""
        with self._lock:
            if (browser, title) in self._kept:
                self._kept.move_to_end((browser, title))

    def forget(self, browser: str, title: str) -> None:
        """Let a dataset go."""
        with self._lock:
            self._pop((browser, title))

    def total_bytes(self) -> int:
        """Of all datasets that are kept."""
        with self._lock:
            return sum(dataset.n_bytes for dataset in self._kept.values())

    def attend(self, browser: str, tab: BrowserSession) -> None:
        """Say that a tab of the browser is open; what is its browser's stays until all are shut."""
        with self._lock:
            tabs = self._tabs.setdefault(browser, set())
            self._left.pop(browser, None)
            if tab not in tabs:
                tabs.add(tab)
                tab.when_it_ends(lambda: self._leave(browser, tab))

    def let_go(self) -> None:
        """Let go of what belongs to browsers that were left long enough ago."""
        with self._lock:
            now = self._clock()
            for browser in [b for b, at in self._left.items() if now - at >= self._seconds]:
                del self._left[browser]
                for title in self.of(browser):
                    self._pop((browser, title))
        return_what_is_free()

    def _leave(self, browser: str, tab: BrowserSession) -> None:
        with self._lock:
            tabs = self._tabs.get(browser, set())
            tabs.discard(tab)
            if not tabs:
                self._tabs.pop(browser, None)
                self._left[browser] = self._clock()
                timer = threading.Timer(self._seconds, self.let_go)
                timer.daemon = True
                timer.start()

    def _pop(self, key: tuple[str, str]) -> None:
        dataset = self._kept.pop(key, None)
        if dataset and all(dataset.digest != other.digest for other in self._kept.values()):
            self._gone(dataset.digest)


@st.cache_resource(show_spinner=False)
def upload_store() -> UploadStore:
    """The server's one store."""

    def gone(digest: str) -> None:
        forget_results(digest)
        job_pool().forget_results(digest)

    return UploadStore(gone=gone)


def uploads() -> dict[str, FewShotDataset]:
    """What this browser has brought, by title; one without cookies, in this visit."""
    browser = browser_name()
    if not browser:
        return settings.UPLOADS.value
    store = upload_store()
    if visit := current_visit():
        store.attend(browser, visit)
    return store.of(browser)


def free_title(title: str, dataset: FewShotDataset) -> str:
    """The title to keep a dataset under, so that it takes the place of no other data."""
    own = uploads()
    titles = [title, *(f"{title} ({n})" for n in range(2, len(own) + 2))]
    same = (each for each in titles if each in own and own[each].digest == dataset.digest)
    return next(same, None) or next(each for each in titles if each not in own)


def makes_room(title: str) -> str | None:
    """The upload that goes when one is kept under a title; None where none has to."""
    own = uploads()
    return next(iter(own)) if title not in own and len(own) >= UPLOADS_OF_A_BROWSER else None


def check_memory(dataset: FewShotDataset, filename: str) -> None:
    """Raise where a dataset alone takes more than is kept of all uploads together."""
    if dataset.n_bytes > UPLOADS:
        raise DatasetError(
            f"{filename} takes more than {UPLOADS // MB} MB of memory, which is all that is kept "
            "of uploads: keep fewer rows, or shorten texts and names of classes."
        )


def add_upload(title: str, dataset: FewShotDataset) -> None:
    """From now on a dataset is among them."""
    if browser := browser_name():
        upload_store().put(browser, title, dataset)
    else:
        own = list((uploads() | {title: dataset}).items())
        settings.UPLOADS.set(dict(own[-UPLOADS_OF_A_BROWSER:]))


def use_upload(title: str) -> None:
    """Say that it is looked at, so that others go first."""
    if browser := browser_name():
        upload_store().use(browser, title)


def forget_upload(title: str) -> None:
    """Let it go, in this visit and in later ones."""
    if browser := browser_name():
        upload_store().forget(browser, title)
    else:
        settings.UPLOADS.set({t: dataset for t, dataset in uploads().items() if t != title})
