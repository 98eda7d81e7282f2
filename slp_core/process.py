"""A child process that calls functions for the program, and ends with it, however it ends.

What holds up every other thread of a process, or may take all of its memory, has one to itself.

- A program that is killed closes the pipe that the process listens to, and it ends by that.
- A program that comes to its end first waits for the threads of its executors, one of which may
  be waiting for a response. But from then on executors take no work: whoever waits for a response
  tries that at every look, and ends the process when it is refused.

Requests and responses are pickled. Both ends are this program, with the same rights: nothing that
came from outside is ever unpickled, only what this program has made of it.
"""

from __future__ import annotations

import os
import pickle
import signal
import subprocess
import sys
import threading
import time
import traceback
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor, wait
from contextlib import suppress
from dataclasses import dataclass
from importlib.abc import MetaPathFinder
from queue import Empty, SimpleQueue
from typing import Any, TypeVar

from slp_core.errors import Cancelled

_LOOK = 0.1  # seconds between two looks at whether a call was cancelled
_OF_PIPES = (OSError, EOFError, pickle.UnpicklingError)
_FRESH = 0.9  # of its idle time, for which a process is given another request

Result = TypeVar("Result")

# Not multiprocessing: its child would run the program's main module, an app, once more.
_COMMAND = (
    "import pickle, sys; sys.path[:] = pickle.load(sys.stdin.buffer); "
    "from slp_core.process import _serve; _serve()"
)
_threads = ThreadPoolExecutor(thread_name_prefix="waits for a process")


def let_threads_sleep() -> None:
    """Have OpenMP's threads sleep while they wait; to be called before torch is loaded.

    By default they spin: where another program has one of the cores, a training of many small
    products takes seven times as long (research/performance.md).
    """
    os.environ.setdefault("OMP_WAIT_POLICY", "passive")


class ProcessEnded(Exception):
    """The process ended before it responded: killed, or by a fault in a library."""


class TookTooLong(ProcessEnded):
    """The process was ended because its response took longer than allowed."""


@dataclass(frozen=True)
class Bounds:
    """Limits of a call, enforced by the operating system where possible (Unix)."""

    memory_bytes: int  # of address space, beside what the process has when the call begins
    cpu_seconds: int
    kept_bytes: int  # that the process may hold after a call; with more it ends


class ChildProcess:
    """A process for `what`, without some packages, started on demand; one call at a time."""

    def __init__(
        self,
        what: str,
        idle_seconds: float,
        bounds: Bounds | None = None,
        environment: Mapping[str, str] | None = None,
        without: tuple[str, ...] = (),
    ) -> None:
        self._what, self._idle_seconds, self._environment = what, idle_seconds, environment or {}
        self._told = what, idle_seconds, bounds, without
        self._turn = threading.Lock()
        self._child: subprocess.Popen[bytes] | None = None
        self._asked = 0.0

    @property
    def running(self) -> bool:
        return self._child is not None and self._child.poll() is None

    def call(
        self,
        function: Callable[..., Result],
        *args: Any,
        cancelled: Callable[[], bool] | None = None,
        seconds: float | None = None,
        **options: Any,
    ) -> Result:
        """Call an importable function there; `cancelled` or too many `seconds` end the process."""
        request = pickle.dumps((function, args, options), protocol=5)
        cancelled = cancelled or (lambda: False)
        mine = False
        while not mine:
            if cancelled():
                raise Cancelled
            mine = self._turn.acquire(timeout=_LOOK)
        try:
            response, last = self._ask(request, cancelled, seconds)
            if last:
                self._end()
        except (*_OF_PIPES, ValueError, RuntimeError) as error:  # the last as the program ends
            too_long = self._end() == -getattr(signal, "SIGXCPU", signal.SIGTERM)
            if cancelled():
                raise Cancelled from None
            raise (TookTooLong if too_long else ProcessEnded)(self._what) from error
        except BaseException:
            self._end()
            raise
        finally:
            self._asked = time.monotonic()
            self._turn.release()
        fine, result = pickle.loads(response)
        if not fine:
            raise result
        found: Result = result
        return found

    def _ask(
        self, request: bytes, cancelled: Callable[[], bool], seconds: float | None
    ) -> tuple[bytes, bool]:
        """The response, and whether the process should end after it."""
        response = _threads.submit(_exchange, self._running(), request)
        begun = time.monotonic()
        while not wait([response], timeout=_LOOK).done:
            _threads.submit(int)  # raises RuntimeError where the program ends
            if cancelled():
                raise Cancelled
            if seconds is not None and time.monotonic() > begun + seconds:
                raise TookTooLong(self._what)
        return response.result()

    def _running(self) -> subprocess.Popen[bytes]:
        fresh = time.monotonic() < self._asked + _FRESH * self._idle_seconds
        if self._child is None or not (fresh and self.running):
            self._end()
            self._child = subprocess.Popen(
                [sys.executable, "-c", _COMMAND],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                env=os.environ | self._environment,
            )
            for told in (sys.path, self._told):
                _send(self._child.stdin, told)
        return self._child

    def _end(self) -> int | None:
        """End the process; its exit code."""
        child = self._child
        if child is None:
            return None
        child.kill()
        code = child.wait()
        for pipe in (child.stdin, child.stdout):
            with suppress(OSError, ValueError):
                if pipe is not None:
                    pipe.close()
        self._child = None
        return code


def _exchange(child: subprocess.Popen[bytes], request: bytes) -> Any:
    """A response, waited for in a thread: pipes may be full."""
    _send(child.stdin, request)
    return pickle.load(child.stdout)  # type: ignore[arg-type]


def _send(pipe: Any, message: Any) -> None:
    pickle.dump(message, pipe, protocol=5)
    pipe.flush()


def _serve() -> None:
    """In the process: lower its priority, and respond to requests in turn, until none comes."""
    what, idle_seconds, bounds, without = pickle.load(sys.stdin.buffer)
    sys.meta_path.insert(0, _Absent(without))
    if hasattr(os, "nice"):  # not on Windows
        os.nice(10)
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # for the program to decide
    responses = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # whatever prints does not print among the responses
    requests: SimpleQueue[bytes] = SimpleQueue()
    threading.Thread(target=_listen, args=(requests,), daemon=True).start()
    with suppress(Empty):
        while True:
            response = _respond(requests.get(timeout=idle_seconds), what, bounds)
            _send(responses, (response, bounds is not None and _memory()[1] > bounds.kept_bytes))
    os._exit(0)


class _Absent(MetaPathFinder):
    """Makes some packages appear as not installed."""

    def __init__(self, names: tuple[str, ...]) -> None:
        self._names = names

    def find_spec(self, fullname: str, *_: object) -> None:
        """None for all others, which other finders look for."""
        if fullname in self._names:
            raise ModuleNotFoundError(f"No module named {fullname!r}", name=fullname)


def _listen(requests: SimpleQueue[bytes]) -> None:
    """Receive requests, and end this process with the program, whatever it is doing."""
    with suppress(*_OF_PIPES):
        while True:
            requests.put(pickle.load(sys.stdin.buffer))
    os._exit(0)


def _respond(request: bytes, what: str, bounds: Bounds | None) -> bytes:
    try:
        function, args, options = pickle.loads(request)
        del request
        if bounds is not None:
            _bound(bounds)
        return pickle.dumps((True, function(*args, **options)), protocol=5)
    except Exception as error:
        error.add_note(f"In the process for {what}:\n{traceback.format_exc()}")
        return pickle.dumps((False, error))


def _bound(bounds: Bounds) -> None:
    """Have the system limit memory, and end the process after so much work."""
    try:
        import resource
    except ImportError:  # on Windows
        return
    used = resource.getrusage(resource.RUSAGE_SELF)
    seconds = int(used.ru_utime + used.ru_stime) + bounds.cpu_seconds + 1
    for kind, most in (
        (resource.RLIMIT_AS, _memory()[0] + bounds.memory_bytes),
        (resource.RLIMIT_CPU, seconds),
        (resource.RLIMIT_CORE, 0),
    ):
        with suppress(ValueError, OSError):  # of a lower limit for the whole program, which stays
            resource.setrlimit(kind, (most, resource.getrlimit(kind)[1]))


def _memory() -> tuple[int, int]:
    """Bytes of address space and of memory that this process has, as Linux tells."""
    try:
        with open("/proc/self/statm", encoding="ascii") as file:
            space, held = file.read().split()[:2]
    except OSError:
        return 2**40, 0
    size = os.sysconf("SC_PAGE_SIZE")
    return int(space) * size, int(held) * size
