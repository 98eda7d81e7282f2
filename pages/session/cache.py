"""What is computed once and kept, by keys that name its content, and never without a bound."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable
from functools import wraps
from typing import Generic, ParamSpec, TypeVar

import streamlit as st

P = ParamSpec("P")
R = TypeVar("R")
K = TypeVar("K")
V = TypeVar("V")


def cached_by(
    key: Callable[P, str], max_entries: int = 48
) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Keep what a function returns, for all sessions, by a key that names its content.

    Streamlit hashes large arrays by sample, and would read a workspace through; a name is exact.

    Parameters
    ----------
    key : callable
        Takes the function's arguments.
    max_entries : int
        The oldest goes first.
    """

    def decorate(function: Callable[P, R]) -> Callable[P, R]:
        def compute(content: str, _function: Callable[[], R]) -> R:
            return _function()

        # Streamlit tells caches apart by the names of their functions.
        compute.__module__, compute.__qualname__ = function.__module__, function.__qualname__
        stored = st.cache_resource(max_entries=max_entries, show_spinner=False)(compute)

        @wraps(function)
        def look_up(*args: P.args, **kwargs: P.kwargs) -> R:
            return stored(key(*args, **kwargs), lambda: _held(lambda: function(*args, **kwargs)))

        return look_up

    return decorate


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
    n_bytes : callable
        Of a value.
    most_bytes : float
        Of all values together.
    """

    def __init__(
        self,
        most: int,
        may_go: Callable[[V], bool] = lambda value: True,
        n_bytes: Callable[[V], int] = lambda value: 0,
        most_bytes: float = float("inf"),
    ):
        self._most, self._may_go = most, may_go
        self._n_bytes, self._most_bytes = n_bytes, most_bytes
        self._values: OrderedDict[K, V] = OrderedDict()
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
            return self._values.pop(key, None)

    def items(self) -> list[tuple[K, V]]:
        """All keys and values, the longest unused first."""
        with self._lock:
            return list(self._values.items())

    def _touched(self, key: K) -> V | None:
        if key in self._values:
            self._values.move_to_end(key)
        return self._values.get(key)

    def _keep(self, key: K, value: V) -> None:
        self._values[key] = value
        self._values.move_to_end(key)
        self._let_go(key)

    def trim(self) -> None:
        """Let go of what has become too much since it was put here."""
        with self._lock:
            self._let_go(next(reversed(self._values), None))

    def _let_go(self, newest: K | None) -> None:
        total = sum(map(self._n_bytes, self._values.values()))
        for key, value in list(self._values.items()):
            if len(self._values) <= self._most and total <= self._most_bytes:
                return
            if key != newest and self._may_go(value):
                del self._values[key]
                total -= self._n_bytes(value)
