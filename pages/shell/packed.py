"""Streamlit's own files, sent small: each is compressed once an installation and kept so."""

from __future__ import annotations

import asyncio
import gzip
import os
import sys
import threading
from functools import lru_cache
from queue import SimpleQueue
from typing import Any, NamedTuple

import brotli

from pages.shell import kept

# What a browser may ask for, the smallest first; it asks for the first over HTTPS and at home only.
_CODINGS = (b"br", b"gzip")
_QUICK, _BEST = {b"br": 9, b"gzip": 6}, {b"br": 11, b"gzip": 9}
_KINDS = (b"text/css", b"application/javascript", b"text/javascript")
_SMALL = 1_000  # bytes that are not worth it
_CHANGED = {b"content-length", b"accept-ranges", b"etag"}  # which were of the file as it is


class _Work(NamedTuple):
    name: str  # of what is kept
    coding: bytes
    body: bytes


class Packed:
    """ASGI middleware: scripts and styles that never change are sent compressed.

    Streamlit leaves that to a proxy, since it would compress each of them for every visitor anew.
    The first to ask for a file gets it as it is, and it is compressed meanwhile: at once, and once
    more as small as can be, which takes twenty times as long, while nobody wants the processor.
    """

    def __init__(self, app: Any):
        self._app = app
        self._packed: dict[str, bytes | None] = {}  # None for what this disk has not either
        # By path and coding, the name and how the answer starts: the file need not be read again.
        self._known: dict[tuple[str, bytes], tuple[str, Any]] = {}
        self._packing: set[asyncio.Task[None]] = set()  # a task that nothing holds may vanish
        self._begun: set[str] = set()
        self._waiting: SimpleQueue[_Work] = SimpleQueue()
        threading.Thread(target=self._pack_best, name="packing", daemon=True).start()

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """Pass a request on, and send what is kept instead of the file."""
        headers = dict(scope.get("headers", ()))
        coding = coding_for(headers)
        whole = scope["type"] == "http" and scope["method"] == "GET" and b"range" not in headers
        if not whole or coding is None:
            await self._app(scope, receive, send)
            return
        asked = (scope["path"], coding)
        if asked in self._known:
            await self._send(*self._known[asked], coding, send)
            return
        name = ""
        body: bytearray | None = None  # of an answer that is to be compressed, as it goes by
        replaced = False

        async def send_packed(message: Any) -> None:
            nonlocal name, body, replaced
            if message["type"] == "http.response.start":
                if _never_changes(message):
                    name = _name(scope["path"], coding, message)
                    if await self._find(name) is not None:
                        replaced = True
                        self._known[asked] = name, message
                        await self._send(name, message, coding, send)
                        return
                    body = bytearray()
            elif replaced:
                return
            elif body is not None:
                body += message.get("body", b"")
            await send(message)
            if body and message["type"] == "http.response.body" and not message.get("more_body"):
                self._pack(_Work(name, coding, bytes(body)))

        await self._app(scope, receive, send_packed)

    async def _send(self, name: str, start: Any, coding: bytes, send: Any) -> None:
        """Send what is packed by now."""
        small = self._packed[name]
        assert small is not None
        await send(repacked(start, coding, len(small)))
        await send({"type": "http.response.body", "body": small})

    async def _find(self, name: str) -> bytes | None:
        if name not in self._packed:
            self._packed[name] = await asyncio.to_thread(kept.read, name)
        return self._packed[name]

    def _pack(self, work: _Work) -> None:
        if work.name not in self._begun and len(work.body) > _SMALL:
            self._begun.add(work.name)
            task = asyncio.create_task(self._pack_quickly(work))
            self._packing.add(task)
            task.add_done_callback(self._packing.discard)

    async def _pack_quickly(self, work: _Work) -> None:
        packed = await asyncio.to_thread(_pack, work.body, work.coding, _QUICK)
        self._packed[work.name] = packed
        self._waiting.put(work)

    def _pack_best(self) -> None:
        if sys.platform == "linux":  # where a thread has a priority of its own
            os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), 19)
        while True:
            name, coding, body = self._waiting.get()
            packed = _pack(body, coding, _BEST)
            kept.keep(name, packed)
            self._packed[name] = packed


def coding_for(headers: dict[bytes, bytes]) -> bytes | None:
    """How a browser may be answered; None for as it is.

    Parameters
    ----------
    headers : dict
        Of its request.
    """
    asked = headers.get(b"accept-encoding", b"").replace(b" ", b"").split(b",")
    return next((each for each in _CODINGS if each in asked), None)


@lru_cache(maxsize=8)
def packed_page(body: bytes, coding: bytes) -> bytes:
    """A page compressed, which is the same for most who ask.

    Parameters
    ----------
    body : bytes
    coding : bytes
        Of :func:`coding_for`.
    """
    return _pack(body, coding, _QUICK)


def repacked(start: Any, coding: bytes, length: int) -> Any:
    """The start of an answer whose body is compressed.

    Parameters
    ----------
    start : ASGI message
    coding : bytes
        Of :func:`coding_for`.
    length : int
        Of the body, in bytes.
    """
    left = [pair for pair in start["headers"] if pair[0].lower() not in _CHANGED]
    new = [
        (b"content-encoding", coding),
        (b"content-length", str(length).encode()),
        (b"vary", b"Accept-Encoding"),
    ]
    return start | {"headers": [*left, *new]}


def _pack(body: bytes, coding: bytes, quality: dict[bytes, int]) -> bytes:
    if coding == b"br":
        return bytes(brotli.compress(body, quality=quality[coding]))
    return gzip.compress(body, quality[coding], mtime=0)


def _name(path: str, coding: bytes, start: Any) -> str:
    """Of what is kept of a file: by its path, and by length and tag, which change with it."""
    headers = dict(start["headers"])
    said = (headers.get(name, b"") for name in (b"content-length", b"etag"))
    return kept.digest(path.encode(), coding, *said)


def _never_changes(start: Any) -> bool:
    """Whether an answer is a whole script or style whose name says what is in it."""
    headers = dict(start.get("headers", ()))
    return (
        start["status"] == 200
        and b"immutable" in headers.get(b"cache-control", b"")
        and headers.get(b"content-type", b"").split(b";")[0] in _KINDS
        and b"content-encoding" not in headers
    )
