"""What the server sends leaves at once: nothing waits for the browser to confirm what came before.

An answer is sent in two pieces, its head and its body. By default the system holds a second small
piece back until the first is confirmed, and the other side confirms after 40 ms, hoping to have
something to say by then: so each script of a page took 44 ms. asyncio tells the system not to wait,
but only of sockets that name their protocol, which those that Streamlit opens do not.
"""

from __future__ import annotations

import asyncio
import socket
from typing import Any

from uvicorn.protocols.http.auto import AutoHTTPProtocol


def send_at_once() -> None:
    """Have every connection to come send each piece as it is written."""
    made = AutoHTTPProtocol.connection_made

    def connection_made(protocol: Any, transport: asyncio.BaseTransport) -> None:
        connection = transport.get_extra_info("socket")
        if connection is not None and connection.family in (socket.AF_INET, socket.AF_INET6):
            connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        made(protocol, transport)

    AutoHTTPProtocol.connection_made = connection_made  # type: ignore[assignment, method-assign]
