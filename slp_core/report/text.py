"""The report's sentences about itself; those about results come from their own packages."""

from __future__ import annotations

_MEGABYTE = 1_000_000


def made_text(n_bytes: int) -> str:
    return f"Ready: {n_bytes / _MEGABYTE:.1f} MB. It opens offline and can be printed."


def errors_shown_text(shown: int, n: int) -> str:
    return f"Errors shown: {shown:,} of {n:,}, the most confident first."
