"""A cookie that identifies a browser; no link carries it and no script reads it."""

from __future__ import annotations

import secrets
from typing import Any

from starlette.datastructures import Headers

COOKIE = "slp_browser"


def new_cookie(scope: Any) -> str:
    """A cookie for a browser that asks for a page without one; else empty."""
    headers = Headers(scope=scope)
    if "text/html" not in headers.get("accept", "") or f"{COOKIE}=" in headers.get("cookie", ""):
        return ""
    cookie = f"{COOKIE}={secrets.token_urlsafe(32)}; Path=/; HttpOnly; SameSite=Lax"
    return f"{cookie}; Secure" if scope.get("scheme") == "https" else cookie
