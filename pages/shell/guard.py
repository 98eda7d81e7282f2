"""What every answer of the server says to the browser, and whom the server answers at all."""

from __future__ import annotations

import base64
import hashlib
import os
import re
from collections.abc import Iterable
from ipaddress import ip_address
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from streamlit import config
from streamlit.file_util import get_static_dir

from pages.shell.logs import tell
from pages.shell.paths import below

HOSTS = "SLP_ALLOWED_HOSTS"  # names separated by commas; *.example.org for all below it, * for any
_HERE = ("localhost", "127.0.0.1", "::1")
_HEALTH = "/_stcore/health"
_CLOSED = "/_stcore/metrics"  # Streamlit's own, which counts for whoever asks
_SCRIPT = re.compile(rb"<script(?![^>]*\bsrc=)[^>]*>(.*?)</script>", re.DOTALL)
_FIXED = {
    b"x-content-type-options": b"nosniff",
    b"referrer-policy": b"same-origin",
    b"cross-origin-opener-policy": b"same-origin",
    b"cross-origin-resource-policy": b"same-origin",
    b"permissions-policy": b"camera=(), display-capture=(), geolocation=(), microphone=(), "
    b"payment=(), usb=()",
}


def allowed_hosts() -> frozenset[str]:
    """Names that the server may be called by: this machine's own, and those it was told."""
    told = os.environ.get(HOSTS, "").split(",")
    # The address that it was told to listen at is a name too, unless it stands for all of them.
    address = config.get_option("server.address") or ""
    if not _is_wildcard(address):
        told.append(address)
    return frozenset([*_HERE, *(name.strip().lower().rstrip(".") for name in told if name.strip())])


def is_allowed(host: str, allowed: Iterable[str]) -> bool:
    """Whether a request's ``Host``, port and all, is one of the names.

    Parameters
    ----------
    host : str
    allowed : iterable of str
        Of :func:`allowed_hosts`.
    """
    try:
        url = urlsplit(f"//{host}")
        name = (url.hostname or "").rstrip(".")
        _ = url.port  # raises where it is no number
    except ValueError:
        return False
    if not name or url.netloc != host or "@" in host:
        return False
    return any(
        pattern in ("*", name) or (pattern.startswith("*.") and name.endswith(pattern[1:]))
        for pattern in allowed
    )


def policy(pages: Iterable[bytes]) -> bytes:
    """The content security policy: all comes from the server itself, and scripts only from files.

    Plotly and Streamlit write styles into the page, draw on ``blob:`` and load a component's script
    from one.

    Parameters
    ----------
    pages : iterable of bytes
        HTML whose inline scripts may run, each by its digest.
    """
    scripts = [script for page in pages for script in _SCRIPT.findall(page)]
    digests = (base64.b64encode(hashlib.sha256(script).digest()).decode() for script in scripts)
    inline = " ".join(f"'sha256-{digest}'" for digest in dict.fromkeys(digests))
    return (
        f"default-src 'self'; script-src 'self' blob: {inline}; style-src 'self' 'unsafe-inline'; "
        "img-src 'self' data: blob:; font-src 'self' data:; media-src 'self' data: blob:; "
        "connect-src 'self' blob: data:; worker-src 'self' blob:; frame-src 'self' blob:; "
        "object-src 'none'; base-uri 'self'; form-action 'self'; frame-ancestors 'self'"
    ).encode()


class Guard:
    """ASGI middleware: refuses hosts and origins that are not its own, and sets headers.

    A visitor who leaves while something is being sent to them is no failure: Streamlit, which then
    listens once more to who is gone, would fill the log with that.

    Parameters
    ----------
    app
        What answers.
    head : bytes
        HTML that is put into every page, with scripts that may run.
    """

    def __init__(self, app: Any, head: bytes = b""):
        self._app = app
        self._allowed = allowed_hosts()
        index = (Path(get_static_dir()) / "index.html").read_bytes()
        self._headers = [
            (b"content-security-policy", policy([index, head])),
            *_FIXED.items(),
        ]

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """Refuse a request, or pass it on and add the headers to its answer."""
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return

        gone = False

        async def send_guarded(message: Any) -> None:
            nonlocal gone
            if message["type"] == "http.response.start":
                names = {name for name, _ in self._headers}
                kept = [pair for pair in message.get("headers", ()) if pair[0].lower() not in names]
                message["headers"] = [*kept, *self._headers]
            try:
                await send(message)
            except OSError:  # a server's way to say that nobody is there
                gone = True
                raise

        refusal = self._refusal(scope)
        if refusal is None:
            try:
                await self._app(scope, receive, send_guarded)
            except RuntimeError:
                if not gone:
                    raise
        elif scope["type"] == "websocket":
            await send({"type": "websocket.close", "code": 1008})  # before it is accepted: a 403
        else:
            status, text = refusal
            plain = (b"content-type", b"text/plain; charset=utf-8")
            await send_guarded(
                {"type": "http.response.start", "status": status, "headers": [plain]}
            )
            await send({"type": "http.response.body", "body": text.encode()})

    def _refusal(self, scope: Any) -> tuple[int, str] | None:
        """Why a request is not answered, as status and sentence."""
        if scope["path"] == below(_HEALTH):  # who balances loads may ask a replica by its number
            return None
        headers = dict(scope["headers"])
        if not is_allowed(headers.get(b"host", b"").decode("latin-1"), self._allowed):
            tell("host refused")
            return (
                400,
                f"SLP Explorer does not answer by this name: its operator can add it to {HOSTS}.",
            )
        if scope["type"] == "websocket":
            # A page of another site may open one, and the browser would send our cookies along.
            origin = headers.get(b"origin")
            if origin is not None and not self._is_own(origin.decode("latin-1"), headers):
                tell("origin refused")
                return 403, ""
        if scope["path"].rstrip("/") == below(_CLOSED):
            return 404, "Not Found"
        return None

    def _is_own(self, origin: str, headers: dict[bytes, bytes]) -> bool:
        """Whether a page's origin is the host that it calls, or another of its names."""
        netloc = origin.partition("://")[2]
        return netloc == headers[b"host"].decode("latin-1") or is_allowed(netloc, self._allowed)


def _is_wildcard(address: str) -> bool:
    try:
        return ip_address(address).is_unspecified
    except ValueError:
        return address.startswith("unix://")
