"""Many visitors at once: what each has to wait, and what the server holds.

    python -m benchmarks.load --sessions 1 5 25
    python -m benchmarks.load --sessions 25 --replicas 2
    python -m benchmarks.load --sessions 10 --soak 120
    python -m benchmarks.load --phones 100

Each session is a websocket that speaks Streamlit's protocol as a browser does: it looks again where
the page asks for that, and thinks between two actions. It opens Explore, draws, chooses methods,
trains DeepSLP, reads an error, uploads 2,000 texts of its own and draws from them. A light action
counts until its page is drawn. What stands in line (encoding) counts until it is done, and is lost
where that takes too long. With replicas the visitors are dealt out to them, as the
deployment's nginx does; they share one cache of vectors.

Phones join the room of a lecture at once, choose, and half of them choose something else; the
teacher's screen must count each of them once, with its last choice.
"""

from __future__ import annotations

import argparse
import asyncio
import itertools
import os
import random
import re
import socket
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections import defaultdict
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from contextlib import ExitStack, asynccontextmanager, contextmanager, suppress
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

import psutil
import websockets
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ClientState_pb2 import ClientState
from streamlit.proto.Common_pb2 import FileUploaderState, UploadedFileInfo
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.proto.WidgetStates_pb2 import WidgetState, WidgetStates
from streamlit.util import calc_hash

ROOT = Path(__file__).resolve().parents[1]
ROWS = 2_000
LIGHT = ("open", "draw", "method", "Explain", "upload", "draw from the upload")
GOAL = 2.0  # seconds, p95 of a light action
IN_ROOM = ("join", "choose", "change")
LECTURE = "lecture=prototypes&scene=2"  # and the choices of its question
CHOICES = ("Yes", "No", "Only near the middle")
PATIENCE = 120.0  # for an action
LOST = 900.0  # seconds, after which what stands in line has not come
METHODS = ("Nearest centroid", "DeepSLP", "constraintSLP")
MEGABYTE = 1024**2


@dataclass
class Results:
    """What all sessions of one run have met with."""

    seconds: dict[str, list[float]] = field(default_factory=lambda: defaultdict(list))
    errors: list[str] = field(default_factory=list)
    lost: list[str] = field(default_factory=list)


class Visitor:
    """One browser tab."""

    def __init__(self, address: str, socket: websockets.ClientConnection):
        self.address, self._socket = address, socket
        self.query, self.page, self.looks = "", "", True
        self._ids: dict[tuple[str, str], str] = {}
        self._looks: dict[str, asyncio.Task[None]] = {}
        self._asked_for: set[str] = set()  # in this run: to look at again
        self._drawn, self._seen = asyncio.Event(), b""
        self._answers: asyncio.Queue[ForwardMsg] = asyncio.Queue()
        self.exceptions: list[str] = []
        self._reading = asyncio.create_task(self._read())

    async def close(self) -> None:
        """As a tab that is closed."""
        for task in (self._reading, *self._looks.values()):
            task.cancel()
        await self._socket.close()

    async def run(self, *states: WidgetState) -> None:
        """Have the page run, and wait until it is drawn."""
        self._drawn.clear()
        self._seen = b""
        await self._send(ClientState(
            query_string=self.query,
            page_script_hash=calc_hash(self.page),
            widget_states=WidgetStates(widgets=states),
        ))  # fmt: skip
        await asyncio.wait_for(self._drawn.wait(), PATIENCE)
        if self.exceptions:
            raise RuntimeError(self.exceptions.pop())

    async def press(self, label: str) -> None:
        """Click a button."""
        await self.run(WidgetState(id=await self._id("button", label), trigger_value=True))

    async def choose(self, label: str, option: str) -> None:
        """Choose from a list."""
        await self.run(WidgetState(id=await self._id("selectbox", label), string_value=option))

    @property
    def at_rest(self) -> bool:
        """Whether the page does not ask to be looked at again."""
        return not self._looks

    async def until(self, *words: str) -> None:
        """Wait until the page says something; it is looked at as it asks for."""
        end = time.monotonic() + LOST
        while not any(word.encode() in self._seen for word in words):
            if time.monotonic() > end:
                raise TimeoutError(f"never said: {words[0]}")
            await asyncio.sleep(0.1)

    def says(self, pattern: str) -> str:
        """What the page says at the place that is in brackets."""
        found = re.search(pattern, self._seen.decode())
        if found is None:
            raise ValueError(f"the page does not say {pattern}")
        return found[1]

    async def upload(self, name: str, content: bytes) -> None:
        """Bring a file."""
        request = BackMsg()
        request.file_urls_request.request_id = name
        request.file_urls_request.file_names.append(name)
        await self._socket.send(request.SerializeToString())
        response = await asyncio.wait_for(self._answers.get(), PATIENCE)
        (urls,) = response.file_urls_response.file_urls
        await asyncio.to_thread(_put, f"{self.address}{urls.upload_url}", name, content)
        info = UploadedFileInfo(name=name, size=len(content), file_id=urls.file_id, file_urls=urls)
        state = FileUploaderState(uploaded_file_info=[info])
        uploader = await self._id("file_uploader", "File")
        await self.run(WidgetState(id=uploader, file_uploader_state_value=state))

    async def _id(self, kind: str, label: str) -> str:
        end = time.monotonic() + PATIENCE
        while (kind, label) not in self._ids:
            if time.monotonic() > end:
                raise TimeoutError(f"no {kind} {label!r}")
            await asyncio.sleep(0.05)
        return self._ids[kind, label]

    async def _send(self, state: ClientState) -> None:
        await self._socket.send(BackMsg(rerun_script=state).SerializeToString())

    async def _read(self) -> None:
        try:
            await self._read_all()
        except Exception as error:
            self.exceptions.append(f"{type(error).__name__}: {error}")
            self._drawn.set()
            raise

    async def _read_all(self) -> None:
        async for data in self._socket:
            assert isinstance(data, bytes)
            message = ForwardMsg.FromString(data)
            kind = message.WhichOneof("type")
            if kind == "new_session":
                self._asked_for = set()
            elif kind == "delta":
                self._see(message)
            elif kind == "auto_rerun" and self.looks:
                self._look_again(message.auto_rerun.fragment_id, message.auto_rerun.interval)
            elif kind == "stop_auto_rerun":
                self._stop_looking(message.stop_auto_rerun.fragment_ids)
            elif kind == "file_urls_response":
                self._answers.put_nowait(message)
            elif kind == "page_info_changed":
                self.query = message.page_info_changed.query_string
            elif kind == "script_finished" and message.script_finished == 0:  # of a whole page
                self._stop_looking([f for f in self._looks if f not in self._asked_for])
                self._drawn.set()

    def _see(self, message: ForwardMsg) -> None:
        element = message.delta.new_element
        kind = element.WhichOneof("type")
        if kind in ("button", "selectbox", "file_uploader"):
            widget = getattr(element, kind)
            self._ids[kind, widget.label] = widget.id
        elif kind == "markdown":
            self._seen += element.markdown.body.encode() + b"\n"
        elif kind == "html":
            self._seen += element.html.body.encode() + b"\n"
        elif kind == "exception":
            self.exceptions.append(f"{element.exception.type}: {element.exception.message}")
        elif kind == "alert":
            self._seen += element.alert.body.encode() + b"\n"

    def _look_again(self, fragment: str, seconds: float) -> None:
        async def look() -> None:
            while True:
                await asyncio.sleep(seconds)
                state = ClientState(
                    query_string=self.query,
                    page_script_hash=calc_hash(self.page),
                    fragment_id=fragment,
                    is_auto_rerun=True,
                )
                with suppress(websockets.ConnectionClosed):
                    await self._send(state)

        self._stop_looking([fragment])
        self._asked_for.add(fragment)
        self._looks[fragment] = asyncio.create_task(look())

    def _stop_looking(self, fragments: list[str]) -> None:
        for fragment in fragments:
            if task := self._looks.pop(fragment, None):
                task.cancel()


@asynccontextmanager
async def visitor(address: str, browser: str = "") -> AsyncIterator[Visitor]:
    """A tab that is opened, and closed at the end; with the cookie of a browser."""
    uri = address.replace("http", "ws", 1) + "/_stcore/stream"
    async with websockets.connect(
        uri,
        subprotocols=[websockets.Subprotocol("streamlit")],
        max_size=None,
        additional_headers={"Cookie": f"slp_browser={browser}"} if browser else None,
    ) as connection:
        tab = Visitor(address, connection)
        try:
            yield tab
        finally:
            await tab.close()


async def visit(address: str, number: int, think: float, results: Results) -> None:
    """One scripted visit."""
    chance = random.Random(number)

    async def act(what: str, action: Callable[[], object]) -> None:
        await asyncio.sleep(think * chance.uniform(0.5, 1.5))
        start = time.perf_counter()
        await action()  # type: ignore[misc]
        results.seconds[what].append(time.perf_counter() - start)

    async def await_line(what: str, tab: Visitor, *words: str) -> None:
        start = time.perf_counter()
        try:
            await tab.until(*words)
            results.seconds[what].append(time.perf_counter() - start)
        except TimeoutError as error:
            results.lost.append(f"{what}: {error}")

    async def open_page(tab: Visitor, page: str) -> None:
        tab.page = page
        await tab.run()

    try:
        async with visitor(address) as tab:
            await act("open", lambda: open_page(tab, "explore"))
            for method in METHODS:
                await act("method", partial(tab.choose, "Method", method))
                for _ in range(2):
                    await act("draw", lambda: tab.press("Resample"))
            await act("open", lambda: open_page(tab, "train"))
            await act("Explain", lambda: open_page(tab, "explain"))
            await act("draw", lambda: tab.press("Resample"))
            await act("upload", lambda: tab.press("Upload a dataset"))
            name, content = f"visitor{number}.csv", texts(number)
            await act("upload", lambda: tab.upload(name, content))
            await act("upload", lambda: tab.press("Use this dataset"))
            await await_line("encoding, with its line", tab, "accuracy **")
            for _ in range(3):
                await act("draw from the upload", lambda: tab.press("Resample"))
    except Exception as error:  # each is counted, and told
        results.errors.append(f"visitor {number}: {type(error).__name__}: {error}"[:300])


async def phone(
    address: str, code: str, number: int, think: float, results: Results, counted: list[str]
) -> None:
    """A phone that joins a room, chooses, perhaps chooses again, and hears what is correct."""
    chance = random.Random(number)
    try:
        async with visitor(address, f"phone{number}") as tab:
            tab.query, choice = f"room={code}", ""
            for what in IN_ROOM[: 2 + number % 2]:
                await asyncio.sleep(think * chance.uniform(0, 1))
                choice = chance.choice(CHOICES)
                start = time.perf_counter()
                await (tab.run() if what == "join" else tab.press(choice))
                results.seconds[what].append(time.perf_counter() - start)
            counted.append(choice)
            await tab.until("Correct: ")
    except Exception as error:  # each is counted, and told
        results.errors.append(f"phone {number}: {type(error).__name__}: {error}"[:300])


async def room(phones: int, think: float) -> None:
    """A lecture's question to that many phones, whose choices its screen must show."""
    results, chosen = Results(), list[str]()
    with servers(1) as ((address,), processes):
        async with visitor(address, "teacher") as teacher:
            teacher.page, teacher.query = "learn", LECTURE
            await teacher.run()
            await teacher.press("Ask the room")
            code = teacher.says("<b>([A-Z]{4})</b>")
            before, start = processor_seconds(processes), time.perf_counter()
            everybody = asyncio.gather(
                *(phone(address, code, n, think, results, chosen) for n in range(phones))
            )
            while len(chosen) + len(results.errors) < phones:
                await asyncio.sleep(0.1)
            await teacher.press("Reveal")
            counts = tuple(
                teacher.says(f"<span>{choice} .*?</span><b>([0-9]+)</b>") for choice in CHOICES
            )
            seconds, used = time.perf_counter() - start, processor_seconds(processes) - before
            revealed = time.perf_counter()
            await everybody
            revealed = time.perf_counter() - revealed
        held = megabytes(processes)
    print(
        f"\n{phones} phones in a room for {seconds:.0f} s: {held:.0f} MB, "
        f"{used:.0f} s of processor time"
    )
    report(results, IN_ROOM)
    lost = sum(
        abs(int(n) - chosen.count(choice)) for n, choice in zip(counts, CHOICES, strict=True)
    )
    print(f"  choices lost {lost}; all phones say what is correct {revealed:.1f} s after *Reveal*")


def texts(number: int, rows: int = ROWS) -> bytes:
    """A file of short texts that nobody else has."""
    chance = random.Random(number)
    words = {
        "calm": ["quiet", "still", "mild", "gentle", "soft"],
        "storm": ["wind", "rain", "hail", "roar"],
    }
    lines = (
        f"{chance.choice(words[label])} {chance.choice(words[label])} {number} {row},{label}"
        for row, label in zip(range(rows), itertools.cycle(words), strict=False)
    )
    return "\n".join(["text,label", *lines]).encode()


def _put(address: str, name: str, content: bytes) -> None:
    end = b"browser-like"
    head = f'Content-Disposition: form-data; name="file"; filename="{name}"'.encode()
    body = b"\r\n".join([b"--" + end, head, b"", content, b"--" + end + b"--", b""])
    kind = {"Content-Type": f"multipart/form-data; boundary={end.decode()}"}
    request = urllib.request.Request(address, body, kind, method="PUT")
    urllib.request.urlopen(request, timeout=PATIENCE).close()


@contextmanager
def servers(replicas: int) -> Iterator[tuple[list[str], list[psutil.Process]]]:
    """The app on that many servers with one cache, empty at first; addresses and processes."""
    with tempfile.TemporaryDirectory() as folder, ExitStack() as all_of_them:
        started = [all_of_them.enter_context(server(folder)) for _ in range(replicas)]
        for address, _ in started:
            wait_for(address)
        yield [address for address, _ in started], [process for _, process in started]


@contextmanager
def server(folder: str) -> Iterator[tuple[str, psutil.Process]]:
    """One replica that keeps its vectors in the folder: address and process."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [sys.executable, "-m", "streamlit", "run", "app.py", "--server.headless=true"]
    flags = ["--server.address=127.0.0.1", f"--server.port={port}"]
    xsrf = ["--server.enableXsrfProtection=false"]  # uploads come with no cookie
    process = subprocess.Popen(
        [*command, *flags, *xsrf], cwd=ROOT,
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        env=os.environ | {"SLP_CACHE_DIR": folder},
    )  # fmt: skip
    try:
        yield f"http://127.0.0.1:{port}", psutil.Process(process.pid)
    finally:
        process.terminate()
        process.wait(20)


def wait_for(address: str) -> None:
    """Until the server answers."""
    while True:
        try:
            urllib.request.urlopen(f"{address}/_stcore/health", timeout=1).close()
            return
        except OSError:
            time.sleep(0.1)


def megabytes(processes: list[psutil.Process]) -> float:
    """Resident memory of the servers and their children."""
    total = 0
    for process in processes:
        for each in (process, *process.children(recursive=True)):
            with suppress(psutil.Error):
                total += each.memory_info().rss
    return total / MEGABYTE


def processor_seconds(processes: list[psutil.Process]) -> float:
    """That the servers themselves have used."""
    return sum(process.cpu_times().user + process.cpu_times().system for process in processes)


async def load(sessions: int, think: float, replicas: int) -> None:
    """That many visits at once on fresh servers, and a table of what they met with."""
    results = Results()
    with servers(replicas) as (addresses, processes):
        before = processor_seconds(processes)
        places = zip(range(sessions), itertools.cycle(addresses), strict=False)
        await asyncio.gather(*(visit(place, one, think, results) for one, place in places))
        used, held = processor_seconds(processes) - before, megabytes(processes)
    counted = sum(map(len, results.seconds.values()))
    print(f"\n{sessions} sessions, {replicas} replicas: {held:.0f} MB, {used:.0f} s of processor "
          f"time, {used / max(counted, 1):.2f} s an action")  # fmt: skip
    report(results, LIGHT)


def report(results: Results, light_actions: Sequence[str]) -> None:
    """A table of what visits met with, against the goal for light actions."""
    for what, seconds in results.seconds.items():
        print(f"  {what:26} n {len(seconds):4}   p50 {statistics.median(seconds):6.2f}   "
              f"p95 {p95(seconds):6.2f}")  # fmt: skip
    light = [second for what in light_actions for second in results.seconds.get(what, ())]
    if light:
        print(
            f"  {'every light action':26} n {len(light):4}   p50 {statistics.median(light):6.2f}   "
            f"p95 {p95(light):6.2f}   (goal p95 ≤ {GOAL} s)"
        )
    print(f"  errors {len(results.errors)}, lost runs {len(results.lost)}")
    for each in (*results.errors, *results.lost):
        print(f"    {each}")


async def soak(sessions: int, think: float, replicas: int, minutes: float) -> None:
    """Visits that come and go for a while, and the servers' memory over that time."""
    results, numbers = Results(), itertools.count()
    end = time.monotonic() + 60 * minutes

    async def comes_again() -> None:
        while time.monotonic() < end:
            number = next(numbers)
            await visit(addresses[number % replicas], number, think, results)

    async def watch() -> None:
        start = time.monotonic()
        while time.monotonic() < end:
            await asyncio.sleep(min(60, 6 * minutes))
            minutes_gone = (time.monotonic() - start) / 60
            actions = sum(map(len, results.seconds.values()))
            print(
                f"  {minutes_gone:6.1f} min  {megabytes(processes):6.0f} MB  {actions} actions, "
                f"{len(results.errors)} errors, {len(results.lost)} lost",
                flush=True,
            )

    with servers(replicas) as (addresses, processes):
        print(f"\n{sessions} sessions that come and go for {minutes:g} minutes")
        await asyncio.gather(watch(), *(comes_again() for _ in range(sessions)))
    for each in (*results.errors, *results.lost):
        print(f"    {each}")


def p95(seconds: list[float]) -> float:
    """The 95th percentile; of few numbers the largest."""
    return statistics.quantiles(seconds, n=20)[-1] if len(seconds) >= 20 else max(seconds)


def main() -> None:
    """Read what is asked for."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--sessions", type=int, nargs="+", default=[1, 5, 25])
    parser.add_argument("--think", type=float, default=3.0, help="seconds between two actions")
    parser.add_argument("--replicas", type=int, default=1, help="servers that share the visitors")
    parser.add_argument("--phones", type=int, help="in the room of a lecture, instead of sessions")
    parser.add_argument("--soak", type=float, default=0.0, metavar="MINUTES")
    asked = parser.parse_args()
    if asked.phones:
        asyncio.run(room(asked.phones, asked.think))
        return
    for sessions in asked.sessions:
        if asked.soak:
            asyncio.run(soak(sessions, asked.think, asked.replicas, asked.soak))
        else:
            asyncio.run(load(sessions, asked.think, asked.replicas))


if __name__ == "__main__":
    main()
