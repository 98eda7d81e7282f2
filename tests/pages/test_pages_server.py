"""Headers and origins of the server; the operator's logs."""

import asyncio
import json
import logging
import os
import subprocess
import sys
from pathlib import Path

import pytest
from starlette.requests import Request

from pages.shell import logs
from pages.shell.headers import OwnHeaders
from pages.shell.serving import to_home
from slp_core import launch

ROOT = Path(__file__).resolve().parents[2]


def ask(path="/", kind="http", **headers):
    """What is sent for a request, and whether the app was asked."""
    sent, asked = [], []

    async def app(scope, receive, send):
        asked.append(scope)
        plain = [(b"x-content-type-options", b"none"), (b"content-type", b"text/html")]
        await send({"type": "http.response.start", "status": 200, "headers": plain})

    async def send(message):
        sent.append(message)

    pairs = [(name.encode(), value.encode()) for name, value in headers.items()]
    scope = {"type": kind, "path": path, "headers": pairs}
    asyncio.run(OwnHeaders(app)(scope, None, send))
    return sent, bool(asked)


def test_every_answer_has_the_headers_once():
    (start, *_), asked = ask(host="localhost:8501")
    assert asked
    names = [name.lower() for name, _ in start["headers"]]
    assert names.count(b"x-content-type-options") == names.count(b"referrer-policy") == 1
    rules = dict(start["headers"])[b"content-security-policy"].decode()
    assert rules.endswith("frame-ancestors 'self'")  # a blank at its end would be no header
    assert "'unsafe-inline'" not in rules.partition("script-src")[2].partition(";")[0]


def test_a_page_of_another_site_may_be_allowed_to_frame_the_app():
    code = "from pages.shell.headers import POLICY; print(POLICY)"
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=ROOT,
        env=os.environ | {"SLP_FRAME_ANCESTORS": "https://course.example.org"},
    )  # fmt: skip
    assert done.stdout.endswith("frame-ancestors 'self' https://course.example.org\n")


@pytest.mark.parametrize(
    "origin", ["https://evil.example", "null", "https://localhost.evil.example", "http://localhost"]
)
def test_pages_of_other_sites_open_no_connection(origin):
    stream = "/_stcore/stream"
    assert ask(stream, "websocket", host="localhost:1", origin=origin) == (
        [{"type": "websocket.close", "code": 1008}],
        False,
    )
    assert ask(stream, "websocket", host="localhost:1", origin="http://localhost:1")[1]
    assert ask(stream, "websocket", host="localhost:1")[1]  # a program, which sends none


def test_logs_quote_nothing_that_a_visitor_wrote(monkeypatch):
    record = logs.JsonRecord
    try:
        raise ValueError("secret text")
    except ValueError as error:
        found = (ValueError, error, error.__traceback__)
    other = record(
        "streamlit", logging.ERROR, "/srv/x/a/b/c.py", 7, "saw %s", ("secret text",), found
    )
    line = logging.Formatter("%(message)s").format(other)
    assert "secret" not in line
    assert "srv" not in line
    told = json.loads(line)
    assert (told["level"], told["at"], told["error"]) == ("error", "a/b/c.py:7", "ValueError")
    assert told["frames"] == [f"tests/pages/test_pages_server.py:{found[2].tb_lineno}"]
    own = record("slp_explorer", logging.INFO, "x.py", 1, "started", (), None)
    own.version = "1"
    told = json.loads(own.getMessage())
    assert (told["event"], told["version"]) == ("started", "1")


def test_one_switch_asks_for_json(monkeypatch):
    monkeypatch.setenv(launch.LOGS, "json")
    assert "--logger.messageFormat=%(message)s" in launch.command([])
    monkeypatch.delenv(launch.LOGS)
    assert not any("logger" in option for option in launch.command([]))


def test_the_name_of_the_opening_page_leads_to_it():
    scope = {"type": "http", "method": "GET", "path": "/explore", "headers": []}
    for query, place in (
        (b"", "./"),
        (b"draw=3&dataset=Iris+flowers", "./?draw=3&dataset=Iris+flowers"),
    ):
        assert to_home(Request(scope | {"query_string": query})).headers["location"] == place
