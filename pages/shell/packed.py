"""Streamlit's own files, sent small: each is compressed once and kept so."""

from __future__ import annotations

import asyncio
import gzip
from collections.abc import Callable
from typing import Any

import brotli

# What a browser may ask for, the smallest first; it asks for the first over HTTPS and at home only.
_CODINGS: dict[bytes, Callable[[bytes], bytes]] = {
    b"br": lambda body: brotli.compress(body, quality=9),
    b"gzip": lambda body: gzip.compress(body, 9, mtime=0),
}
_KINDS = (b"text/css", b"application/javascript", b"text/javascript")
_SMALL = 1_000  # bytes that are not worth it
_CHANGED = {b"content-length", b"accept-ranges", b"etag"}  # which were of the file as it is


class Packed:
    """ASGI middleware: scripts and styles that never change are sent compressed.

    Streamlit leaves that to a proxy, since it would compress each of them for every visitor anew.
    The first to ask for a file gets it as it is, and it is compressed meanwhile.
    """

    def __init__(self, app: Any):
        self._app = app
        self._packed: dict[tuple[str, bytes], bytes] = {}
        self._packing: set[asyncio.Task[None]] = set()  # a task that nothing holds may vanish

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """Pass a request on, and send what is kept instead of the file."""
        headers = dict(scope.get("headers", ()))
        asked = headers.get(b"accept-encoding", b"").replace(b" ", b"").split(b",")
        coding = next((each for each in _CODINGS if each in asked), None)
        whole = scope["type"] == "http" and scope["method"] == "GET" and b"range" not in headers
        if not whole or coding is None:
            await self._app(scope, receive, send)
            return
        key = (scope["path"], coding)
        body: bytearray | None = None  # of an answer that is to be compressed, as it goes by
        replaced = False

        async def send_packed(message: Any) -> None:
            nonlocal body, replaced
            if message["type"] == "http.response.start":
                if _never_changes(message):
                    kept = self._packed.get(key)
                    if kept is not None:
                        replaced = True
                        await send(_repacked(message, coding, len(kept)))
                        await send({"type": "http.response.body", "body": kept})
                        return
                    body = bytearray()
            elif replaced:
                return
            elif body is not None:
                body += message.get("body", b"")
            await send(message)
            if body and message["type"] == "http.response.body" and not message.get("more_body"):
                task = asyncio.create_task(self._pack(key, bytes(body)))
                self._packing.add(task)
                task.add_done_callback(self._packing.discard)

        await self._app(scope, receive, send_packed)

    async def _pack(self, key: tuple[str, bytes], body: bytes) -> None:
        if key not in self._packed and len(body) > _SMALL:
            self._packed[key] = await asyncio.to_thread(_CODINGS[key[1]], body)


def _never_changes(start: Any) -> bool:
    """Whether an answer is a whole script or style whose name says what is in it."""
    headers = dict(start.get("headers", ()))
    return (
        start["status"] == 200
        and b"immutable" in headers.get(b"cache-control", b"")
        and headers.get(b"content-type", b"").split(b";")[0] in _KINDS
        and b"content-encoding" not in headers
    )


def _repacked(start: Any, coding: bytes, length: int) -> Any:
    kept = [pair for pair in start["headers"] if pair[0].lower() not in _CHANGED]
    new = [
        (b"content-encoding", coding),
        (b"content-length", str(length).encode()),
        (b"vary", b"Accept-Encoding"),
    ]
    return start | {"headers": [*kept, *new]}
