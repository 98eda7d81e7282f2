"""What is sent compressed: scripts that never change, once they were asked for; nothing else."""

import gzip
import time

import brotli
import pytest
from starlette.applications import Starlette
from starlette.responses import Response
from starlette.routing import Route
from starlette.testclient import TestClient

from pages.shell.packed import Packed

SCRIPT = b"const answer = 42;\n" * 500
FOREVER = {"cache-control": "public, immutable, max-age=31536000"}
UNPACK = {"br": brotli.decompress, "gzip": gzip.decompress}


asked = []  # of the app itself


def answers(request):
    asked.append(request.url.path)
    kind = "image/png" if request.url.path.endswith("png") else "application/javascript"
    kept = {} if "changes" in request.url.path else FOREVER
    return Response(SCRIPT, headers=kept | {"etag": "of-the-file"}, media_type=kind)


@pytest.fixture
def started(tmp_path, monkeypatch):
    """A server as it starts: with what an earlier one has kept."""
    monkeypatch.setenv("SLP_CACHE_DIR", str(tmp_path))
    return lambda: TestClient(Packed(Starlette(routes=[Route("/{name}", answers)])))


@pytest.fixture
def client(started):
    with started() as client:
        yield client


def ask(client, name, accept):
    """Headers and the body as it was sent."""
    with client.stream("GET", f"/{name}", headers={"accept-encoding": accept}) as answer:
        return answer.headers, b"".join(answer.iter_raw())


@pytest.mark.parametrize(
    ("accept", "coding"), [("gzip, deflate, br", "br"), ("gzip, deflate", "gzip")]
)
def test_a_script_is_sent_small_from_its_second_request_on(client, accept, coding):
    headers, body = ask(client, "a.js", accept)
    assert body == SCRIPT
    for _ in range(100):  # it is compressed meanwhile
        headers, body = ask(client, "a.js", accept)
        if "content-encoding" in headers:
            break
        time.sleep(0.05)
    assert headers["content-encoding"] == coding
    assert len(body) == int(headers["content-length"]) < len(SCRIPT) / 10
    assert UNPACK[coding](body) == SCRIPT
    assert "etag" not in headers
    assert headers["vary"] == "Accept-Encoding"
    asked.clear()
    assert UNPACK[coding](ask(client, "a.js", accept)[1]) == SCRIPT
    assert not asked  # the file is not read again
    assert ask(client, "a.js", "identity")[1] == SCRIPT


def test_the_next_start_sends_it_smaller_still_to_the_first_who_asks(client, started, tmp_path):
    ask(client, "a.js", "br")
    for _ in range(100):  # while nobody else wants the processor
        if list(tmp_path.glob("served/*")):
            break
        time.sleep(0.05)
    with started() as again:
        headers, body = ask(again, "a.js", "br")
    assert headers["content-encoding"] == "br"
    assert body == brotli.compress(SCRIPT, quality=11)
    with started() as again:  # in another coding nothing is kept
        assert ask(again, "a.js", "gzip")[1] == SCRIPT


@pytest.mark.parametrize("name", ["changes.js", "a.png"])
def test_what_may_change_and_pictures_are_sent_as_they_are(client, name):
    for _ in range(3):
        headers, body = ask(client, name, "gzip, br")
        assert body == SCRIPT
        assert "content-encoding" not in headers
        time.sleep(0.05)


def test_a_part_of_a_file_is_a_part_of_the_file(client):
    answer = client.get("/a.js", headers={"range": "bytes=0-9", "accept-encoding": "gzip"})
    assert answer.content == SCRIPT  # this app knows no ranges, and nothing was compressed
    assert "content-encoding" not in answer.headers
