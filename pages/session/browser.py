"""A cookie that identifies a browser; no link carries it and no script reads it."""

from __future__ import annotations

import secrets
from typing import Any

from starlette.datastructures import Headers, MutableHeaders

COOKIE = "slp_browser"


class BrowserCookie:
    """ASGI middleware: gives a browser without the cookie one with its first page."""

    def __init__(self, app: Any):
        self._app = app

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        headers = Headers(raw=scope.get("headers", []))
        page = scope["type"] == "http" and "text/html" in headers.get("accept", "")
        if not page or f"{COOKIE}=" in headers.get("cookie", ""):
            await self._app(scope, receive, send)
            return
        cookie = f"{COOKIE}={secrets.token_urlsafe(32)}; Path=/; HttpOnly; SameSite=Lax"
        if scope.get("scheme") == "https":
            cookie += "; Secure"

        async def send_with_cookie(message: Any) -> None:
            if message["type"] == "http.response.start":
                MutableHeaders(scope=message).append("set-cookie", cookie)
            await send(message)

        await self._app(scope, receive, send_with_cookie)
