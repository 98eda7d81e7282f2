"""Two replicas behind nginx, as docs/deploy.md has them: one is killed while people use both."""

import os
import re
import socket
import ssl
import subprocess
import sys
import threading
import time
import urllib.request
from pathlib import Path

import pytest
from playwright.sync_api import sync_playwright
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import connect

from tools.chromium import chromium

pytestmark = pytest.mark.deploy
ROOT = Path(__file__).resolve().parents[2]
HERE = Path(__file__).parent
USERS = 6
LETTERS = ("BCDFGHJKLM", "NPQRSTVWXZ")  # of rooms' codes, as docs/deploy.md deals them out
PATIENCE = 90.0  # seconds for one answer


def free_ports(n):
    sockets = [socket.socket() for _ in range(n)]
    for one in sockets:
        one.bind(("127.0.0.1", 0))
    ports = [one.getsockname()[1] for one in sockets]
    for one in sockets:
        one.close()
    return ports


def start_replica(port, folder, letters):
    return subprocess.Popen(
        [sys.executable, "-m", "slp_core.launch", "--address=127.0.0.1", f"--port={port}",
         "--server.headless=true"],
        cwd=ROOT, stdout=(folder / f"{port}.log").open("w"), stderr=subprocess.STDOUT,
        env=os.environ | {
            "OMP_NUM_THREADS": "1", "SLP_LOG": "json", "SLP_PUBLIC": "1",
            "SLP_CACHE_DIR": str(folder / "embeddings"),
            "STREAMLIT_SERVER_COOKIE_SECRET": "the same for all",
            "SLP_ROOM_LETTERS": letters,
        },
    )  # fmt: skip


def wait_for(address, context=None):
    for _ in range(300):
        try:
            return urllib.request.urlopen(address, timeout=2, context=context)
        except urllib.error.HTTPError as answer:
            return answer
        except OSError:
            time.sleep(0.2)
    raise AssertionError(f"{address} does not answer")


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    """The site's ports, with and without TLS; the replicas by their ports; where their logs are."""
    folder = tmp_path_factory.mktemp("replicas")
    one, two, plain, secure = free_ports(4)
    certificate, key = folder / "cert.pem", folder / "key.pem"
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj",
         "/CN=localhost", "-keyout", str(key), "-out", str(certificate)],
        check=True, capture_output=True, timeout=60,
    )  # fmt: skip
    conf = (ROOT / "deploy/nginx.conf").read_text()
    for there, here in {
        "127.0.0.1:8501": f"127.0.0.1:{one}",
        "127.0.0.1:8502": f"127.0.0.1:{two}",
        "listen 80;": f"listen 127.0.0.1:{plain};",
        "listen 443 ssl;": f"listen 127.0.0.1:{secure} ssl;",
        "/etc/ssl/certs/slp.example.org.pem": str(certificate),
        "/etc/ssl/private/slp.example.org.key": str(key),
        "slp.example.org": "localhost",
    }.items():
        assert there in conf
        conf = conf.replace(there, here)
    kinds = ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    temporary = "".join(f"{kind}_temp_path {folder}/{kind};\n" for kind in kinds)
    (folder / "nginx.conf").write_text(
        f"pid {folder}/pid;\nerror_log {folder}/error.log;\nworker_processes 1;\n"
        f"events {{}}\nhttp {{\naccess_log off;\n{temporary}{conf}}}\n"
    )
    fetched = subprocess.run(
        [HERE / "get_nginx.sh", ROOT / ".cache/nginx"], capture_output=True, text=True, timeout=120
    )
    assert fetched.returncode == 0, fetched.stderr
    replicas = {
        port: start_replica(port, folder, letters)
        for port, letters in zip((one, two), LETTERS, strict=True)
    }
    nginx = subprocess.Popen(
        [fetched.stdout.strip(), "-p", str(folder), "-c", str(folder / "nginx.conf"),
         "-g", "daemon off;"],
        stdout=subprocess.DEVNULL, stderr=(folder / "nginx.log").open("w"),
    )  # fmt: skip
    try:
        for port in replicas:
            wait_for(f"http://127.0.0.1:{port}/_stcore/health")
        yield secure, plain, replicas, folder
    finally:
        for process in (nginx, *replicas.values()):
            process.terminate()
        for process in (nginx, *replicas.values()):
            process.wait(60)


def unchecked():
    context = ssl.create_default_context()
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    return context


def get(port, path, **headers):
    request = urllib.request.Request(f"https://localhost:{port}{path}", headers=headers)
    try:
        return urllib.request.urlopen(request, timeout=30, context=unchecked())
    except urllib.error.HTTPError as answer:
        return answer


class User(threading.Thread):
    """A browser as the server sees it: one cookie, one connection, runs of the script in a row."""

    def __init__(self, port):
        super().__init__(daemon=True)
        self.port = port
        page = get(port, "/", Accept="text/html")
        cookies = page.headers.get_all("Set-Cookie")
        (own,) = (cookie for cookie in cookies if cookie.startswith("slp_browser="))
        assert "Secure" in own
        assert page.headers["Strict-Transport-Security"]
        assert "frame-ancestors" in page.headers["Content-Security-Policy"]
        self.cookie = own.split(";")[0]
        self.connections, self.runs, self.errors = 0, 0, []
        self.done = threading.Event()

    def run(self):
        while not self.done.is_set():
            try:
                self._visit()
            except (ConnectionClosed, InvalidStatus, OSError):
                time.sleep(0.5)  # as Streamlit's own client does, it tries again

    def _visit(self):
        with connect(
            f"wss://localhost:{self.port}/_stcore/stream",
            ssl=unchecked(),
            origin=f"https://localhost:{self.port}",
            additional_headers={"Cookie": self.cookie},
            subprotocols=["streamlit"],
            max_size=None,
            open_timeout=30,
        ) as stream:
            self.connections += 1
            self.runs = 0  # of this connection
            while not self.done.is_set():
                asked = BackMsg()
                asked.rerun_script.query_string = f"draw={self.runs % 5}"
                stream.send(asked.SerializeToString())
                finished = False
                while not finished:
                    told = ForwardMsg()
                    told.ParseFromString(stream.recv(timeout=PATIENCE))
                    if told.delta.new_element.WhichOneof("type") == "exception":
                        self.errors.append(told.delta.new_element.exception.message)
                    finished = told.WhichOneof("type") == "script_finished"
                self.runs += 1
                self.done.wait(1.0)


def until(condition, what):
    end = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < end, what
        time.sleep(0.2)


def sessions(port):
    counters = f"http://127.0.0.1:{port}/_stcore/metrics"
    text = urllib.request.urlopen(counters, timeout=10).read().decode()
    return float(re.search(r"^active_sessions (\S+)", text, re.MULTILINE)[1])


def test_the_site_closes_counters_packs_scripts_and_bounds_uploads(site):
    secure, plain, *_ = site
    wait_for(f"https://localhost:{secure}/_stcore/health", unchecked())
    assert get(secure, "/_stcore/metrics").status == 404
    script = re.search(r'src="\.(/static/js/\S+?)"', get(secure, "/").read().decode())[1]
    packed = get(secure, script, **{"Accept-Encoding": "gzip"})
    assert packed.headers["Content-Encoding"] == "gzip"
    with socket.create_connection(("127.0.0.1", plain), timeout=10) as raw:
        raw.sendall(b"GET / HTTP/1.0\r\nHost: localhost\r\n\r\n")
        assert b"301 Moved" in raw.recv(100)
    with unchecked().wrap_socket(
        socket.create_connection(("127.0.0.1", secure), timeout=10)
    ) as raw:
        raw.sendall(
            b"PUT /_stcore/upload_file/a/b HTTP/1.0\r\nHost: localhost\r\n"
            b"Content-Length: 300000000\r\n\r\n"
        )
        assert b"413" in raw.recv(100)


def test_a_phone_goes_to_the_replica_that_holds_its_room(site):
    secure, _, replicas, _ = site
    for port, letters in zip(replicas, LETTERS, strict=True):
        for code in (f"{letters[0]}TTT", f"{letters[-1].lower()}bbb"):
            page = get(secure, f"/?room={code}", Accept="text/html")
            kept = "; ".join(c.split(";")[0] for c in page.headers.get_all("Set-Cookie"))
            assert f"slp_room={code}" in kept
            with connect(
                f"wss://localhost:{secure}/_stcore/stream", ssl=unchecked(),
                origin=f"https://localhost:{secure}", additional_headers={"Cookie": kept},
                subprotocols=["streamlit"], max_size=None, open_timeout=30,
            ):  # fmt: skip
                assert sessions(port) == 1
            until(lambda: not any(map(sessions, replicas)), "a connection was not given up")
    cookies = get(secure, "/?room=B;x", Accept="text/html").headers.get_all("Set-Cookie")
    assert not [cookie for cookie in cookies if cookie.startswith("slp_room")]


def test_an_open_page_goes_on_after_its_replica_is_killed(site):
    secure, _, replicas, folder = site
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium(), args=["--no-sandbox"])
        page = browser.new_context(ignore_https_errors=True).new_page()
        page.set_default_timeout(1000 * PATIENCE)
        page.goto(f"https://localhost:{secure}/explain?draw=3")
        page.wait_for_selector(".js-plotly-plot .main-svg")
        (own,) = (port for port in replicas if sessions(port))
        (other,) = set(replicas) - {own}
        replicas[own].kill()
        until(lambda: sessions(other) == 1, "the page did not reconnect")
        page.get_by_role("link", name="Soft labels", exact=True).click()
        page.wait_for_url("**/soft_labels?*")
        page.get_by_test_id("stMain").get_by_role("heading").first.wait_for()
        assert "draw=3" in page.url  # the address kept the view
        assert page.get_by_test_id("stException").count() == 0
        browser.close()
    replicas[own].wait(60)
    letters = LETTERS[list(replicas).index(own)]
    replicas[own] = start_replica(own, folder, letters)  # one that comes back is used again
    wait_for(f"http://127.0.0.1:{own}/_stcore/health")
    until(lambda: not sessions(other), "the page's visit did not end")
    time.sleep(5)  # nginx's fail_timeout


def test_users_of_a_replica_that_is_killed_go_on_with_the_other(site):
    secure, _, replicas, _ = site
    users = [User(secure) for _ in range(USERS)]
    while len(set(map(sticks_to(secure, replicas), users))) < 2:  # a hash may send all to one
        users.append(User(secure))
    for user in users:
        user.start()
    until(lambda: all(user.runs > 1 for user in users), "not every user was served")
    first, second = replicas
    before = {port: sessions(port) for port in replicas}
    assert sum(before.values()) == len(users)
    assert min(before.values()) > 0
    assert all(user.connections == 1 for user in users)  # nobody was sent to and fro
    replicas[first].kill()
    until(lambda: sessions(second) == len(users), "not all went to the other replica")
    until(lambda: all(user.runs > 1 for user in users), "not every user was served again")
    assert sum(user.connections for user in users) == len(users) + before[first]
    for user in users:
        user.done.set()
    for user in users:
        user.join(PATIENCE)
    assert not [error for user in users for error in user.errors]


def sticks_to(secure, replicas):
    """Which replica a user's connections go to: the one that then counts it."""

    def replica(user):
        with connect(
            f"wss://localhost:{secure}/_stcore/stream", ssl=unchecked(),
            origin=f"https://localhost:{secure}", additional_headers={"Cookie": user.cookie},
            subprotocols=["streamlit"], max_size=None, open_timeout=30,
        ):  # fmt: skip
            (port,) = (port for port in replicas if sessions(port))
        until(lambda: not any(map(sessions, replicas)), "a connection was not given up")
        return port

    return replica
