"""What is computed once and kept, by keys that name its content, and never without a bound."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from functools import wraps
from typing import Any, Generic, ParamSpec, TypeVar

import streamlit as st

from pages.session.sizes import MOST_RESULTS, RESULTS, Held, Parts, parts_of

P = ParamSpec("P")
R = TypeVar("R")
K = TypeVar("K")
V = TypeVar("V")


@dataclass(frozen=True)
class _Result:
    value: Any
    parts: Parts


@st.cache_resource(show_spinner=False)
def _results() -> BoundedStore[tuple[str, str], _Result]:
    """Of all functions and all visits, by function and key."""
    return BoundedStore(MOST_RESULTS, parts=lambda kept: kept.parts, most_bytes=RESULTS)


_making: dict[tuple[str, str], threading.Event] = {}
_lock = threading.Lock()  # of the table of what is being made


def cached_by(key: Callable[P, str]) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Keep what a function returns, for all sessions, by a key that names its content.

    Computed once, however many ask at a time. Streamlit's own cache hashes large arrays by sample,
    would read a workspace through, and is bounded by a number of entries of any size.

    Parameters
    ----------
    key : callable
        Takes the function's arguments.
    """

    def decorate(function: Callable[P, R]) -> Callable[P, R]:
        name = f"{function.__module__}.{function.__qualname__}"

        @wraps(function)
        def look_up(*args: P.args, **kwargs: P.kwargs) -> R:
            content, store = (name, key(*args, **kwargs)), _results()
            while True:
                with _lock:
                    if kept := store.get(content):
                        value: R = kept.value
                        return value
                    if (others := _making.get(content)) is None:
                        mine = _making[content] = threading.Event()
                        break
                others.wait()
            try:
                value = _held(lambda: function(*args, **kwargs))
                store.put(content, _Result(value, parts_of(value)))
                return value
            finally:
                with _lock:
                    del _making[content]
                mine.set()

        return look_up

    return decorate


def forget_results(digest: str) -> None:
    """Let go of all results whose key names these data."""
    store = _results()
    for content, _ in store.items():
        if digest in content[1]:
            store.pop(content)


_here = threading.local()


def others_may_wait() -> bool:
    """Whether this thread computes what :func:`cached_by` keeps: others wait who ask for it."""
    return getattr(_here, "depth", 0) > 0


def _held(compute: Callable[[], R]) -> R:
    _here.depth = getattr(_here, "depth", 0) + 1
    try:
        return compute()
    finally:
        _here.depth -= 1


class BoundedStore(Generic[K, V]):
    """Values by key, safe between threads: the longest unused that may go goes first.

    Parameters
    ----------
    most : int
        Values that are kept; more only where none may go.
    may_go : callable
        Whether a value may be let go.
    parts : callable
        What a value holds: see :func:`pages.session.sizes.parts_of`.
    most_bytes : float
        Of all values together; the newest is kept, however large.
    """

    def __init__(
        self,
        most: int,
        may_go: Callable[[V], bool] = lambda value: True,
        parts: Callable[[V], Parts] = lambda value: {},
        most_bytes: float = float("inf"),
    ):
        self._most, self._may_go = most, may_go
        self._parts, self._most_bytes = parts, most_bytes
        self._values: OrderedDict[K, V] = OrderedDict()
        self._counted: dict[K, Parts] = {}
        self._held = Held()
        self._lock = threading.Lock()

    def get(self, key: K) -> V | None:
        """The value of that key, if it is still kept."""
        with self._lock:
            return self._touched(key)

    def put(self, key: K, value: V) -> None:
        """Keep a value, in the place of any that the key had."""
        with self._lock:
            self._keep(key, value)

    def get_or_make(self, key: K, make: Callable[[], V], good: Callable[[V], bool]) -> V:
        """The value of that key if it is good, else a new one; made once, whoever asks."""
        with self._lock:
            value = self._touched(key)
            if value is None or not good(value):
                value = make()
                self._keep(key, value)
            return value

    def pop(self, key: K) -> V | None:
        """Take a value out."""
        with self._lock:
            return self._taken_out(key)

    def items(self) -> list[tuple[K, V]]:
        """All keys and values, the longest unused first."""
        with self._lock:
            return list(self._values.items())

    def _touched(self, key: K) -> V | None:
        if key in self._values:
            self._values.move_to_end(key)
        return self._values.get(key)

    def _keep(self, key: K, value: V) -> None:
        self._taken_out(key)
        self._values[key] = value
        self._count(key, value)
        self._let_go(key)

    def trim(self) -> None:
        """Let go of what has become too much since it was put here."""
        with self._lock:
            for key, value in self._values.items():
                self._count(key, value)
            self._let_go(next(reversed(self._values), None))

    def _count(self, key: K, value: V) -> None:
        self._held.remove(self._counted.pop(key, {}))
        self._counted[key] = self._parts(value)
        self._held.add(self._counted[key])

    def _taken_out(self, key: K) -> V | None:
        self._held.remove(self._counted.pop(key, {}))
        return self._values.pop(key, None)

    def _let_go(self, newest: K | None) -> None:
        if self._fits():
            return
        for key, value in list(self._values.items()):
            if self._fits():
                return
            if key != newest and self._may_go(value):
                self._taken_out(key)

    def _fits(self) -> bool:
        return len(self._values) <= self._most and self._held.bytes <= self._most_bytes
