"""Headers, hosts and origins; the operator's counters and logs."""

import asyncio
import json
import logging
import re
import threading
import time
from contextlib import nullcontext
from types import SimpleNamespace

import pytest
from starlette.requests import Request
from starlette.websockets import WebSocket, WebSocketDisconnect
from streamlit import runtime
from streamlit.runtime.stats import StatsManager

from pages.session import jobs
from pages.session.jobs import JobPool
from pages.shell import counters, guard, logs, paths
from pages.shell.looks import scripts
from pages.shell.navigation import to_home
from slp_core import launch


@pytest.mark.parametrize(
    ("host", "allowed"),
    [
        ("localhost", True),
        ("LOCALHOST.:8501", True),
        ("127.0.0.1:8501", True),
        ("[::1]:8501", True),
        ("slp.example.org", True),
        ("a.b.school.example", True),
        ("school.example", False),
        ("evil.example", False),
        ("slp.example.org.evil.example", False),
        ("localhost@evil.example", False),
        ("evil.example/localhost", False),
        ("localhost:port", False),
        ("localhost:99999", False),
        ("[::1", False),
        ("", False),
    ],
)
def test_only_its_own_names_are_answered(monkeypatch, host, allowed):
    monkeypatch.setenv(guard.HOSTS, "SLP.example.org, *.school.example,")
    assert guard.is_allowed(host, guard.allowed_hosts()) is allowed


def test_a_star_is_any_name_and_a_wildcard_address_is_none(monkeypatch):
    monkeypatch.setenv(guard.HOSTS, "*")
    assert guard.is_allowed("anything.example:80", guard.allowed_hosts())
    monkeypatch.delenv(guard.HOSTS)
    for address, name in (
        ("0.0.0.0", False),
        ("::", False),
        ("unix:///run/x", False),
        ("pc", True),
    ):
        monkeypatch.setattr(guard.config, "get_option", lambda option, address=address: address)
        assert guard.is_allowed("pc", guard.allowed_hosts()) is name
        assert not guard.is_allowed("0.0.0.0", guard.allowed_hosts())


def ask(path="/", kind="http", **headers):
    """What the guard sends for a request, and whether the app was asked."""
    sent, asked = [], []

    async def app(scope, receive, send):
        asked.append(scope)
        plain = [(b"X-Content-Type-Options", b"none"), (b"content-type", b"text/html")]
        await send({"type": "http.response.start", "status": 200, "headers": plain})

    async def send(message):
        sent.append(message)

    pairs = [(name.encode(), value.encode()) for name, value in headers.items()]
    scope = {"type": kind, "path": path, "headers": pairs}
    asyncio.run(guard.Guard(app, scripts())(scope, None, send))
    return sent, bool(asked)


def test_every_answer_has_the_headers_once():
    for request in ({"host": "localhost:8501"}, {"host": "evil.example"}):
        (start, *_), asked = ask(**request)
        assert asked is (start["status"] == 200)
        names = [name.lower() for name, _ in start["headers"]]
        assert names.count(b"x-content-type-options") == names.count(b"referrer-policy") == 1
        rules = dict(start["headers"])[b"content-security-policy"].decode()
        assert "frame-ancestors 'self'" in rules
        assert "'unsafe-inline'" not in re.search(r"script-src [^;]*", rules)[0]


@pytest.mark.parametrize("leaves", [True, False])
def test_a_visitor_who_leaves_meanwhile_is_no_failure(leaves):
    async def app(scope, receive, send):  # as Streamlit's stream of messages
        socket = WebSocket(scope, receive, send)
        await socket.accept()
        try:
            await socket.send_bytes(b"")
        except WebSocketDisconnect:
            await socket.receive_bytes()
        raise RuntimeError("of another kind")

    async def receive():
        return {"type": "websocket.connect"}

    async def send(message):
        if leaves and message["type"] == "websocket.send":
            raise OSError

    scope = {"type": "websocket", "path": "/", "headers": [(b"host", b"localhost")]}
    raised = nullcontext() if leaves else pytest.raises(RuntimeError, match="of another kind")
    with raised:
        asyncio.run(guard.Guard(app)(scope, receive, send))


def test_other_names_and_other_sites_pages_are_refused(monkeypatch):
    (start, body), asked = ask(host="evil.example")
    assert (start["status"], asked) == (400, False)
    assert guard.HOSTS in body["body"].decode()
    assert ask("/_stcore/health", host="10.0.0.9:8501")[1]  # a load balancer's question
    assert ask("/_stcore/metrics", host="localhost")[0][0]["status"] == 404
    with monkeypatch.context() as below:
        below.setattr(paths.config, "get_option", lambda name: "/slp/")
        assert ask("/slp/_stcore/health", host="10.0.0.9:8501")[1]
        assert ask("/slp/_stcore/metrics", host="localhost")[0][0]["status"] == 404
        assert paths.below("/fonts/{name}") == "/slp/fonts/{name}"
    stream = "/_stcore/stream"
    for origin in ("https://evil.example", "null", "https://localhost.evil.example"):
        assert ask(stream, "websocket", host="localhost:1", origin=origin) == (
            [{"type": "websocket.close", "code": 1008}],
            False,
        )
    assert ask(stream, "websocket", host="localhost:1", origin="http://localhost:1")[1]
    assert ask(stream, "websocket", host="localhost:1")[1]  # a program, which sends none


def may_read(client, **headers):
    pairs = [(name.replace("_", "-").encode(), value.encode()) for name, value in headers.items()]
    return counters._may_read(Request({"type": "http", "headers": pairs, "client": client}))


def test_counters_are_for_this_machine_or_by_token(monkeypatch):
    monkeypatch.delenv(counters.TOKEN, raising=False)
    assert may_read(("127.0.0.1", 5))
    assert may_read(("::1", 5))
    assert not may_read(("10.0.0.7", 5))
    assert not may_read(("127.0.0.1", 5), x_forwarded_for="10.0.0.7")  # a proxy on this machine
    assert not may_read(None)
    monkeypatch.setenv(counters.TOKEN, "secret")
    assert may_read(("10.0.0.7", 5), authorization="Bearer secret")
    assert not may_read(("127.0.0.1", 5))
    assert not may_read(("10.0.0.7", 5), authorization="Bearer secrets")


def test_counters_tell_jobs_in_line_from_those_under_way(monkeypatch):
    pool, release = JobPool(workers=1), threading.Event()
    for key in range(3):
        pool.start(key, "waits", lambda job: release.wait(30))
    for _ in range(500):
        if pool.waiting == 2:
            break
        time.sleep(0.01)
    monkeypatch.setattr(jobs, "job_pool", lambda: pool)
    monkeypatch.setattr(runtime, "get_instance", lambda: SimpleNamespace(stats_mgr=StatsManager()))
    told = dict(re.findall(r"^(slp_\w+) (\S+)$", counters._text().decode(), re.MULTILINE))
    release.set()
    assert (told["slp_jobs_running"], told["slp_jobs_waiting"]) == ("1.0", "2.0")
    assert told["slp_sessions"] == "0.0"
    assert float(told["slp_upload_bytes"]) >= 0
    assert b"process_resident_memory_bytes" in counters._text()


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
    assert told["frames"] == [f"tests/pages/test_pages_guard.py:{found[2].tb_lineno}"]
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
