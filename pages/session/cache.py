"""Results cached for all sessions, by keys that name their content."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable
from typing import Any, ParamSpec, TypeVar

import streamlit as st

P = ParamSpec("P")
R = TypeVar("R")
K = TypeVar("K")
V = TypeVar("V")

_kept: list[tuple[Any, BoundedStore[str, None]]] = []  # each function's cache, and its keys
_lock = threading.Lock()  # of the keys


def cached_by(key: Callable[P, str], most: int = 48) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Cache results by keys that name their content: Streamlit would hash arrays by sample."""

    def decorate(function: Callable[P, R]) -> Callable[P, R]:
        def compute(key: str, _arguments: Any, _options: Any) -> Any:
            return function(*_arguments, **_options)

        # What Streamlit tells one cache from another by
        compute.__module__, compute.__qualname__ = function.__module__, function.__qualname__
        kept = st.cache_resource(max_entries=most, show_spinner=False)(compute)
        keys = BoundedStore[str, None](2 * most)
        _kept.append((kept, keys))

        def look_up(*args: P.args, **kwargs: P.kwargs) -> R:
            content = key(*args, **kwargs)
            with _lock:
                keys.put(content, None)
            result: R = kept(content, args, kwargs)
            return result

        return look_up

    return decorate


def forget_results(digest: str) -> None:
    """Evict results whose key names these data."""
    for kept, keys in _kept:
        with _lock:
            found = [content for content in keys if digest in content]
            for content in found:
                del keys[content]
        for content in found:
            kept.clear(content, (), {})


class BoundedStore(OrderedDict[K, V]):
    """Values by key, for a session or for all; evicts the least recently used."""

    def __init__(self, most: int):
        super().__init__()
        self._most = most

    def get(self, key: K, default: Any = None) -> Any:
        """The value of a key; marks it as used."""
        if key in self:
            self.move_to_end(key)
        return super().get(key, default)

    def put(self, key: K, value: V) -> None:
        self[key] = value
        self.move_to_end(key)
        while len(self) > self._most:
            self.popitem(last=False)
