"""Sentences about work in progress, links and failures."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from pages.session.public import shown
from slp_core.errors import Cancelled, SLPError, one_sentence
from slp_core.markdown import literal
from slp_core.progress import Progress
from slp_core.sentences import ClassName, MethodTitle, Verbatim, count

NOTHING = "nothing"


def truncated_text(n_truncated: int, n: int, chunks_possible: bool = False) -> str:
    """How many of n texts the encoder truncated; empty if none."""
    if not n_truncated:
        return ""
    text = f"Texts truncated because the encoder has a length limit: {n_truncated:,} of {n:,}."
    if chunks_possible:
        text += " Switch on *Long texts in chunks* in the sidebar to read all of them."
    return text


def encoding_text(n: int, encoder: str) -> str:
    return f"Encoding {count(n, 'example')} with {Verbatim(encoder)}"


def failure_text(title: str, error: BaseException | None) -> str:
    if isinstance(error, Cancelled):
        return f"{literal(title)} was cancelled. It can be continued."
    reason = literal(one_sentence(shown(str(error)) or type(error).__name__))
    return reason if isinstance(error, SLPError) else f"{literal(title)} failed: {reason}."


def job_text(title: str, progress: Progress | None, before: int | None = None) -> str:
    """A job's progress; ``before`` jobs come first while it waits."""
    name = literal(title)
    if before is not None:
        return f"{name}: queued (number {before + 1:,})"
    if progress is None:
        return f"{name} …"
    text, left = f"{name}: {progress.share:.0%}", progress.seconds_left
    if left is None:
        return text
    time = f"{max(1, round(left)):,} s" if left < 90 else f"{left / 60:.0f} min"
    return f"{text}, about {time} left"


def method_set_text(before: str, now: str) -> str:
    """That the sidebar's method was changed to that of a selected row."""
    return (
        f"The row you selected on Compare was predicted by {MethodTitle(now)}, so the sidebar now "
        f"shows that method. Before, it was {MethodTitle(before)}."
    )


# Links


def refused_text(key: str, requested: Collection[str], value: Any, most: int | None = None) -> str:
    """That a setting cannot have the value that the link requests; rows go from 0 to ``most``."""
    text = f"The link asks for {ClassName(key)} = {_value(requested)}, which is not available here."
    if most is not None:
        return f"{text[:-1]}: rows go from 0 to {most:,}."
    return text if value in (None, "") else f"{text} Using {_value(value)} instead."


def unknown_text(key: str, requested: Collection[str]) -> str:
    return f"The link asks for {ClassName(key)} = {_value(requested)}. There is no such setting."


def _value(value: Any) -> ClassName:
    """A value in a sentence, shortened and escaped."""
    words = ", ".join(map(str, value)) if isinstance(value, list | tuple) else str(value)
    return ClassName(words or NOTHING)
