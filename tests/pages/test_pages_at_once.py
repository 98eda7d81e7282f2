"""What the server writes leaves at once, also through sockets as Streamlit opens them."""

import asyncio
import socket

import uvicorn
from uvicorn.protocols.http.auto import AutoHTTPProtocol

from pages.shell.at_once import send_at_once

WAITS = (socket.IPPROTO_TCP, socket.TCP_NODELAY)


async def answers(scope, receive, send):
    await send({"type": "http.response.start", "status": 200, "headers": []})
    await send({"type": "http.response.body", "body": b"said"})


async def asked_once():
    """Whether the server's own end of a connection sends at once."""
    seen = []

    class Watched(AutoHTTPProtocol):
        def connection_made(self, transport):
            super().connection_made(transport)
            seen.append(transport.get_extra_info("socket").getsockopt(*WAITS))

    listening = socket.socket()  # names no protocol
    listening.bind(("127.0.0.1", 0))
    listening.listen()
    config = uvicorn.Config(answers, http=Watched, lifespan="off", log_level="error")
    server = uvicorn.Server(config)
    serving = asyncio.create_task(server.serve(sockets=[listening]))
    reader, writer = await asyncio.open_connection(*listening.getsockname())
    writer.write(b"GET / HTTP/1.0\r\n\r\n")
    assert (await reader.read()).endswith(b"said")
    writer.close()
    server.should_exit = True
    await serving
    return seen


def test_no_connection_waits_to_be_confirmed(monkeypatch):
    made = AutoHTTPProtocol.connection_made
    monkeypatch.setattr(AutoHTTPProtocol, "connection_made", made)  # as it was, in the end
    assert asyncio.run(asked_once()) == [0]  # what is mended here
    send_at_once()
    assert asyncio.run(asked_once()) == [1]
