"""What an address asks a page for, and whether it got that."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from slp_core.facts import ClassName, Facts, fact

NOTHING = "nothing"


def is_granted(asked: Sequence[str], value: Any) -> bool:
    """Whether a setting stands at what an address asks for."""
    if isinstance(value, list | tuple):
        return sorted(filter(None, asked)) == sorted(map(str, value))
    last = asked[-1]
    if value is None:
        return last == ""
    if isinstance(value, bool):
        return last.lower() == str(value).lower()
    if isinstance(value, int | float):
        try:
            return float(last) == value
        except ValueError:
            return False
    return last == str(value)


def refused_facts(key: str, asked: Sequence[str], value: Any, shown: str = "") -> Facts:
    """That a setting which the address names cannot be had as it says; empty where it is had."""
    if is_granted(asked, value):
        return ()
    template = "The address asks for {key} = {asked}, which cannot be had here; the page opened "
    template += "without it." if value in (None, "") else "with {instead}."
    named = {"key": ClassName(key), "asked": _told(asked), "instead": _told(shown or value)}
    return (fact("asked.refused", template, **named),)


def unknown_facts(key: str, asked: Sequence[str]) -> Facts:
    """That the address names a setting which there is not."""
    template = (
        "The address asks for {key} = {asked}; there is no such setting, and nothing changed."
    )
    return (fact("asked.unknown", template, key=ClassName(key), asked=_told(asked)),)


def _told(value: Any) -> ClassName:
    """A value as a name in a sentence, which shortens it and interprets nothing."""
    if isinstance(value, list | tuple):
        return ClassName(", ".join(map(str, value)) or NOTHING)
    if value in (None, ""):
        return ClassName(NOTHING)
    if isinstance(value, float):
        return ClassName(format(value, ".15g"))
    return ClassName(str(value).lower() if isinstance(value, bool) else str(value))
