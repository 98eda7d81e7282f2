"""A row of a dataset that somebody asks for in words, such as those of an address."""

from __future__ import annotations

import re

from slp_core.facts import ClassName, Facts, fact

_DIGITS = 12  # more are no row of any dataset


def asked_row(asked: str, n: int) -> tuple[int | None, Facts]:
    """The row that is meant; or None, and why there is none."""
    if re.fullmatch(rf"[0-9]{{1,{_DIGITS}}}", asked) and int(asked) < n:
        return int(asked), ()
    template = (
        "The address asks for the point {asked}; these data have the points {first:,} to {last:,}."
    )
    return None, (fact("asked_row.none", template, asked=ClassName(asked), first=0, last=n - 1),)
