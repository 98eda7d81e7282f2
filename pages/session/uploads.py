"""Uploads outlive a reload of the page: kept in memory for the browser that brought them.

What names a browser is a cookie of its own, which no link carries: another person's address for the
same upload opens nothing. Nothing is written to disk, and all is bounded.
"""

from __future__ import annotations

import secrets
import threading
import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import streamlit as st

from pages.session import settings
from slp_core.data import FewShotDataset

COOKIE = "slp_browser"
HOURS_KEPT = 2.0
UPLOADS_OF_A_BROWSER = 6
BYTES_KEPT = 512 * 1024**2  # of all browsers together


class BrowserCookie:
    """ASGI middleware: a browser without the cookie gets one with its first page.

    It ends with the browser's session, is read by no script, and sent to no other site.
    """

    def __init__(self, app: Any):
        self._app = app

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """Pass a request on, and add the cookie to the answer where it is wanted."""
        headers = dict(scope.get("headers", ()))
        page = scope["type"] == "http" and b"text/html" in headers.get(b"accept", b"")
        if not page or f"{COOKIE}=".encode() in headers.get(b"cookie", b""):
            await self._app(scope, receive, send)
            return
        cookie = f"{COOKIE}={secrets.token_urlsafe(32)}; Path=/; HttpOnly; SameSite=Lax"
        if scope.get("scheme") == "https":
            cookie += "; Secure"

        async def send_with_cookie(message: Any) -> None:
            if message["type"] == "http.response.start":
                message["headers"] = [
                    *message.get("headers", ()),
                    (b"set-cookie", cookie.encode()),
                ]
            await send(message)

        await self._app(scope, receive, send_with_cookie)


@dataclass
class _Kept:
    dataset: FewShotDataset
    used: float


class UploadStore:
    """Datasets by browser and title; the longest unused goes first, and nothing stays for ever.

    Parameters
    ----------
    seconds : float
        How long a dataset is kept that nobody uses.
    most : int
        Datasets of one browser.
    n_bytes : int
        Of all datasets together.
    clock : callable
        Seconds, from any beginning.
    """

    def __init__(
        self,
        seconds: float = HOURS_KEPT * 3600,
        most: int = UPLOADS_OF_A_BROWSER,
        n_bytes: int = BYTES_KEPT,
        clock: Callable[[], float] = time.monotonic,
    ):
        self._seconds, self._most, self._n_bytes, self._clock = seconds, most, n_bytes, clock
        self._kept: OrderedDict[tuple[str, str], _Kept] = OrderedDict()
        self._lock = threading.Lock()

    def put(self, browser: str, title: str, dataset: FewShotDataset) -> None:
        """Keep a dataset, in the place of any that the browser had under that title."""
        with self._lock:
            self._kept[browser, title] = _Kept(dataset, self._clock())
            self._kept.move_to_end((browser, title))
            self._let_go(browser)

    def of(self, browser: str) -> dict[str, FewShotDataset]:
        """The datasets of a browser by title, the longest unused first."""
        with self._lock:
            self._let_go(browser)
            return {title: kept.dataset for (b, title), kept in self._kept.items() if b == browser}

    def use(self, browser: str, title: str) -> None:
        """Say that a dataset is looked at."""
        with self._lock:
            if kept := self._kept.get((browser, title)):
                kept.used = self._clock()
                self._kept.move_to_end((browser, title))

    def forget(self, browser: str, title: str) -> None:
        """Let a dataset go."""
        with self._lock:
            self._kept.pop((browser, title), None)

    def total_bytes(self) -> int:
        """Of all datasets that are kept."""
        with self._lock:
            return sum(kept.dataset.n_bytes for kept in self._kept.values())

    def _let_go(self, browser: str) -> None:
        now = self._clock()
        for key in [k for k, kept in self._kept.items() if now - kept.used > self._seconds]:
            del self._kept[key]
        own = [key for key in self._kept if key[0] == browser]
        for key in own[: max(0, len(own) - self._most)]:
            del self._kept[key]
        total = sum(kept.dataset.n_bytes for kept in self._kept.values())
        while total > self._n_bytes:
            _, kept = self._kept.popitem(last=False)
            total -= kept.dataset.n_bytes


@st.cache_resource(show_spinner=False)
def upload_store() -> UploadStore:
    """The server's one store."""
    return UploadStore()


def uploads() -> dict[str, FewShotDataset]:
    """What this visit has uploaded by title, and what its browser has in earlier ones."""
    if settings.UPLOADS.key not in st.session_state:
        browser = browser_name()
        settings.UPLOADS.set(upload_store().of(browser) if browser else {})
    return settings.UPLOADS.value


def add_upload(title: str, dataset: FewShotDataset) -> None:
    """From now on a dataset is among them."""
    settings.UPLOADS.set(uploads() | {title: dataset})
    if browser := browser_name():
        upload_store().put(browser, title, dataset)


def use_upload(title: str) -> None:
    """Say that it is looked at, so that it stays."""
    if browser := browser_name():
        upload_store().use(browser, title)


def forget_upload(title: str) -> None:
    """Let it go, in this visit and in later ones."""
    settings.UPLOADS.set({t: dataset for t, dataset in uploads().items() if t != title})
    if browser := browser_name():
        upload_store().forget(browser, title)


def browser_name() -> str | None:
    """What names this browser; nothing where it takes no cookies."""
    return st.context.cookies.get(COOKIE)
