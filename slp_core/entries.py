"""Entries of JSON files: described as data, and one sentence for what does not fit."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import dataclass
from typing import Any

import numpy as np

from slp_core.allowed import check
from slp_core.errors import SLPError
from slp_core.sentences import listed


@dataclass(frozen=True)
class Text:
    """Texts of at most so many characters, without halves of surrogate pairs."""

    most: int

    def takes(self, value: Any) -> bool:
        short = isinstance(value, str) and len(value) <= self.most
        return short and not any("\ud800" <= character <= "\udfff" for character in value)

    def __str__(self) -> str:
        return f"a text of at most {self.most:,} characters"


def read_entries(content: str | bytes, entries: Any) -> Any:
    """What JSON holds, which is as described.

    A dict has these entries, where ``name?`` may be missing or null; with one :class:`Text`, any
    names. A list has any number of its one. The rest is as options are, several in a tuple.
    """
    try:
        raw = content.encode() if isinstance(content, str) else content
        found = json.loads(raw, object_pairs_hook=_unique)
    except (ValueError, RecursionError) as error:
        raise SLPError(f"It is not JSON: {error}.") from None
    _check(found, entries)
    return found


def written(content: dict[str, Any]) -> str:
    """JSON for :func:`read_entries` and for people."""
    return json.dumps(content, ensure_ascii=False, indent=1, default=_plain)


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    for name, times in Counter(name for name, _ in pairs).items():
        if times > 1:
            raise ValueError(f"the entry {name!r} is there twice: remove one")
    return dict(pairs)


def _check(value: Any, entries: Any, *at: Any) -> None:
    where = " → ".join(map(str, at)) or "It"
    if isinstance(entries, dict):
        if not isinstance(value, dict):
            needed = [each for each in entries if isinstance(each, str) and each[-1] != "?"]
            holds = f" with {listed(needed)}" if needed else ""
            raise SLPError(f"{where} must be an object {{…}}{holds}, not {value!r:.40}.")
        for name, its_entries in entries.items():
            if isinstance(name, Text):
                for key, part in value.items():
                    _check(key, name, *at, key)
                    _check(part, its_entries, *at, key)
            elif value.get(key := name.rstrip("?")) is not None:
                _check(value[key], its_entries, *at, key)
            elif key == name:
                raise SLPError(f"{' → '.join(map(str, (*at, key)))} is missing.")
    elif isinstance(entries, list):
        check(where, value, [list])
        for number, part in enumerate(value, start=1):
            _check(part, entries[0], *at, number)
    else:
        check(where, value, entries if isinstance(entries, tuple) else [entries])


def _plain(value: Any) -> Any:
    """NumPy's numbers as Python's."""
    if isinstance(value, np.generic):
        return value.item()
    raise SLPError(f"a {type(value).__name__} is not a number, a text, a list or a dict")
