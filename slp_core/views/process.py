"""Pictures that take seconds, made in a process of their own.

UMAP compiles itself on first use and is not thread-safe, and both hold up every other thread of
the process it runs in. Here it has a process of low priority to itself, which ends when it has
not been asked for an hour, and with the program that it serves, however that ends:

- A program that is killed closes the pipe that the process listens to, and it ends by that.
- A program that comes to its end first waits for the threads of its executors, one of which may
  be waiting for a picture, and only then runs what is registered with ``atexit``. The pools of
  ``concurrent.futures`` and of loky wait for their work in the same way, so neither is used, but
  a plain child process. What can be known in time is that Python first wakes the executors'
  threads: an idle one, kept for nothing else, then ends at once, and whoever has waited for that
  kills the process, so that nobody waits for a picture any more.
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
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from queue import SimpleQueue
from typing import IO, Any, TypeVar

import numpy as np

from slp_core.errors import Cancelled, SLPError
from slp_core.views.projection import fit_projection

IDLE_SECONDS = 3_600
_LOOK = 0.2  # seconds between two looks at whether a call was cancelled

Result = TypeVar("Result")

# Not multiprocessing: its child would run the program's main module, an app, once more.
_COMMAND = (
    "import pickle, sys; sys.path[:] = pickle.load(sys.stdin.buffer); "
    "from slp_core.views.process import _serve; _serve()"
)
_HEADER = 8  # bytes, which say how many follow


def run_in_process(
    function: Callable[..., Result],
    *args: Any,
    cancelled: Callable[[], bool] | None = None,
    **options: Any,
) -> Result:
    """Call a function in the process for pictures, and wait for it; calls queue.

    Parameters
    ----------
    function : callable
        Importable, as are its arguments' types.
    cancelled : callable, optional
        Asked several times a second; when it says so the process is ended, and the next call has
        a new one.
    *args, **options
        Of the function.

    Raises
    ------
    Cancelled
    SLPError
        Where the process was ended from outside, as by a machine that runs out of memory.
    """
    question = pickle.dumps((function, args, options))
    fine, answer = pickle.loads(_process.ask(question, cancelled or (lambda: False)))
    if not fine:
        raise answer
    result: Result = answer
    return result


def warm_up() -> None:
    """Start the process and have it compile UMAP."""
    run_in_process(_first_layout)


def _first_layout() -> None:
    fit_projection(np.random.default_rng(0).normal(size=(40, 8)), "umap")


class _PictureProcess:
    """The process, started when it is asked and not there; one call at a time."""

    def __init__(self) -> None:
        self._turn = threading.Lock()
        self._ending = threading.Event()
        self._child: subprocess.Popen[bytes] | None = None
        self._asked = time.monotonic()
        self._watcher: ThreadPoolExecutor | None = None

    def ask(self, question: bytes, cancelled: Callable[[], bool] = lambda: False) -> bytes:
        with self._turn:
            if cancelled():
                raise Cancelled
            answered = threading.Event()
            try:
                child = self._running()
                assert child.stdin is not None
                assert child.stdout is not None
                threading.Thread(
                    target=_kill_if, args=(cancelled, child, answered), daemon=True
                ).start()
                _send(child.stdin, question)
                return _receive(child.stdout)
            except (OSError, EOFError) as error:
                self._end()
                if cancelled():
                    raise Cancelled from None
                raise SLPError(
                    "The process that makes this picture was ended from outside, perhaps for want "
                    "of memory: ask for it again, or use PCA."
                ) from error
            finally:
                answered.set()
                self._asked = time.monotonic()

    def _running(self) -> subprocess.Popen[bytes]:
        if self._child is None or self._child.poll() is not None:
            if self._watcher is None:
                self._watcher = self._watch()
            self._child = subprocess.Popen(
                [sys.executable, "-c", _COMMAND], stdin=subprocess.PIPE, stdout=subprocess.PIPE
            )
            assert self._child.stdin is not None
            pickle.dump(sys.path, self._child.stdin)
        if self._ending.is_set():  # asked last: either this sees the end, or the end the child
            self._end()
            raise SLPError("The program is ending.")
        return self._child

    def _end(self) -> None:
        if self._child is not None:
            self._child.kill()
            with suppress(OSError):
                self._child.communicate()
            self._child = None

    def _watch(self) -> ThreadPoolExecutor:
        """Have the process ended when it is idle, and when the program ends.

        The executor's one thread waits for nothing else, and ends with the executor too: keep it.
        """
        executor = ThreadPoolExecutor(1, thread_name_prefix="end of the program")
        idle = executor.submit(threading.current_thread).result()
        threading.Thread(target=self._end_with, args=(idle,), daemon=True).start()
        return executor

    def _end_with(self, idle: threading.Thread) -> None:
        while idle.is_alive():
            idle.join(timeout=IDLE_SECONDS / 60)
            if time.monotonic() - self._asked > IDLE_SECONDS and self._turn.acquire(blocking=False):
                self._end()
                self._turn.release()
        self._ending.set()
        child = self._child
        if child is not None:
            child.kill()


def _kill_if(
    cancelled: Callable[[], bool], child: subprocess.Popen[bytes], answered: threading.Event
) -> None:
    """End the process when its answer is not wanted any more: what it computes cannot be told."""
    while not answered.wait(_LOOK):
        if cancelled():
            child.kill()
            return


_process = _PictureProcess()


def _serve() -> None:
    """In the process: give way to the program it serves, and answer its questions in turn."""
    if hasattr(os, "nice"):  # not on Windows
        os.nice(10)
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # for the program to decide
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # whatever prints does not print among the answers
    questions: SimpleQueue[bytes] = SimpleQueue()
    threading.Thread(target=_listen, args=(questions,), daemon=True).start()
    while True:
        _send(answers, _answer(questions.get()))


def _listen(questions: SimpleQueue[bytes]) -> None:
    """Take questions in, and end this process at the end of the program, in whatever it is at."""
    with suppress(OSError, EOFError):
        while True:
            questions.put(_receive(sys.stdin.buffer))
    os._exit(0)


def _answer(question: bytes) -> bytes:
    try:
        function, args, options = pickle.loads(question)
        return pickle.dumps((True, function(*args, **options)))
    except Exception as error:
        error.add_note(f"In the process for pictures:\n{traceback.format_exc()}")
        return pickle.dumps((False, error))


def _send(pipe: IO[bytes], message: bytes) -> None:
    pipe.write(len(message).to_bytes(_HEADER, "little"))
    pipe.write(message)
    pipe.flush()


def _receive(pipe: IO[bytes]) -> bytes:
    header = pipe.read(_HEADER)
    size = int.from_bytes(header, "little")
    message = pipe.read(size)
    if len(header) < _HEADER or len(message) < size:
        raise EOFError
    return message
