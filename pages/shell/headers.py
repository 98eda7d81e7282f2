"""Response headers of the server; pages of other sites open no connection."""

from __future__ import annotations

from os import environ
from typing import Any
from urllib.parse import urlsplit

import streamlit as st
from starlette.datastructures import Headers, MutableHeaders

from pages.session.browser import new_cookie

# Of the one script that stands in Streamlit's page itself: "window.prerenderReady = false"
_INLINE = "'sha256-THxz9J9+wf7rhwR2YkXJoSZ13UCmYyC+3lNDv2+8ugA='"
FRAMED_BY = "SLP_FRAME_ANCESTORS"  # addresses of pages that may show the app in a frame
# All comes from the server itself. Plotly and Streamlit write styles into the page, draw on `blob:`
# and load a component's script from one.
POLICY = (
    f"default-src 'self'; script-src 'self' blob: {_INLINE}; style-src 'self' 'unsafe-inline'; "
    "img-src 'self' data: blob:; font-src 'self' data:; media-src 'self' data: blob:; "
    "connect-src 'self' blob: data:; worker-src 'self' blob:; frame-src 'self' blob:; "
    "object-src 'none'; base-uri 'self'; form-action 'self'; "
    f"frame-ancestors 'self' {environ.get(FRAMED_BY, '')}"
).strip()
HEADERS = {
    "content-security-policy": POLICY,
    "x-content-type-options": "nosniff",
    "referrer-policy": "same-origin",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), display-capture=(), geolocation=(), microphone=(), "
    "payment=(), usb=()",
}


class OwnHeaders:
    """ASGI middleware: adds the headers and the browser's cookie, and refuses connections that
    another site's page opens.
    """

    def __init__(self, app: Any):
        self._app = app

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        if scope["type"] == "websocket" and _is_foreign(Headers(scope=scope)):
            await send({"type": "websocket.close", "code": 1008})  # before it is accepted: a 403
            return
        cookie = new_cookie(scope) if scope["type"] == "http" else ""

        async def send_with_headers(message: Any) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                headers.update(HEADERS)
                if cookie:
                    headers.append("set-cookie", cookie)
            await send(message)

        await self._app(scope, receive, send_with_headers)


def _is_foreign(headers: Headers) -> bool:
    origin = headers.get("origin")
    if origin is None or urlsplit(origin).netloc == headers.get("host"):
        return False
    return origin not in st.get_option("server.corsAllowedOrigins")
