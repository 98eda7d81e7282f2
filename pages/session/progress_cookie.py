"""How far somebody has come in the lessons, in a form that a browser can keep."""

from __future__ import annotations

import re
from collections.abc import Mapping

from slp_core.lessons.lesson import Progress

_ONE = re.compile(r"([a-z0-9_]{1,40})\.(\d{1,2})\.(\d{1,2})\.(\d?)\.([01])")
LONGEST = 1_000  # characters that are read of what a browser kept


def written(progress: Mapping[str, Progress]) -> str:
    """All of it, in letters that a cookie can hold."""
    return "~".join(
        f"{name}.{p.step}.{p.furthest}.{'' if p.answer is None else p.answer}.{int(p.done)}"
        for name, p in progress.items()
    )


def read(text: str, lengths: Mapping[str, int]) -> dict[str, Progress]:
    """What a browser kept, as far as it can be true."""
    found = {}
    for part in text[:LONGEST].split("~"):
        match = _ONE.fullmatch(part)
        if match is None or match[1] not in lengths:
            continue
        most = lengths[match[1]]
        furthest = min(int(match[3]), most)
        answer = int(match[4]) if match[4] else None
        found[match[1]] = Progress(min(int(match[2]), furthest), furthest, answer, match[5] == "1")
    return found
