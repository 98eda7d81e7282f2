"""Sentences about work in progress, links and failures."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from slp_core.errors import Cancelled, SLPError, one_sentence
from slp_core.markdown import literal
from slp_core.sentences import ClassName, MethodTitle, Verbatim, count, listed

NOTHING = "nothing"
_LOCALLY = "or run the app on your own computer."


def truncated_text(n_truncated: int, n: int, chunks_possible: bool = False) -> str:
    """How many of n texts the encoder truncated; empty if none."""
    if not n_truncated:
        return ""
    text = f"Texts truncated because the encoder has a length limit: {n_truncated:,} of {n:,}."
    if chunks_possible:
        text += " Switch on *Long texts in chunks* in the sidebar to read all of them."
    return text


def own_classes_text(n_classes: int) -> str:
    """That DeepSLP is trained on fewer examples than Algorithm 1 uses."""
    return (
        f"With {n_classes:,} classes, each line trains on its own classes only, as in the "
        "authors' code. Training each on all of them can take minutes: it is under *More options*."
    )


def missing_text(requested: str, instead: str, minutes: float) -> str:
    """That the link's dataset is not here."""
    return (
        f"The link asks for the dataset {ClassName(requested)}, which is not here. An upload opens "
        f"only in the browser it was uploaded from, and is deleted {minutes:,.0f} minutes after "
        "the last tab was closed or when the server restarts. "
        f"**This is {ClassName(instead)}.**"
    )


def encoding_text(n: int, encoder: str) -> str:
    """The title of a job that encodes n examples."""
    return f"Encoding {count(n, 'example')} with {Verbatim(encoder)}"


def size_text(model: str) -> str:
    """The title of a job that looks up a model's size."""
    return f"Asking the Hugging Face hub for the size of {Verbatim(model)}"


def download_text(megabytes: int) -> str:
    """The button that downloads a model."""
    return f"Download ({megabytes:,} MB)"


def projection_text(n: int) -> str:
    """The title of a job that computes a projection of n examples."""
    return f"Computing the projection of {count(n, 'example')}"


def encoding_cost_text(n: int) -> str:
    """The cost of encoding n examples with another encoder."""
    return f"{count(n, 'example')}, encoded once"


def failure_text(title: str, error: BaseException | None, message: str = "") -> str:
    """A failed job."""
    if isinstance(error, Cancelled):
        return f"{literal(title)} was cancelled. It can be continued."
    reason = literal(one_sentence(message or str(error) or type(error).__name__))
    return reason if isinstance(error, SLPError) else f"{literal(title)} failed: {reason}."


def job_text(
    title: str, share: float | None, seconds_left: float | None, before: int | None = None
) -> str:
    """A job's progress; ``before`` jobs come first while it waits."""
    name = literal(title)
    if before is not None:
        return f"{name}: queued (number {before + 1:,})"
    if share is None:
        return f"{name} …"
    if seconds_left is None:
        return f"{name}: {share:.0%}"
    if seconds_left < 90:
        return f"{name}: {share:.0%}, about {max(1, round(seconds_left)):,} s left"
    return f"{name}: {share:.0%}, about {seconds_left / 60:.0f} min left"


def method_set_text(before: str, now: str) -> str:
    """That the sidebar's method was changed to that of a selected row."""
    return (
        f"The row you selected on Compare was predicted by {MethodTitle(now)}, so the sidebar now "
        f"shows that method. Before, it was {MethodTitle(before)}."
    )


# Links


def is_granted(requested: Collection[str], value: Any) -> bool:
    """Whether a setting has the value that a link requests."""
    texts = list(requested)
    if isinstance(value, list | tuple):
        return sorted(filter(None, texts)) == sorted(map(str, value))
    last = texts[-1]
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


def refused_text(key: str, requested: Collection[str], value: Any, shown: str = "") -> str:
    """That a setting cannot have the value that the link requests; empty if it has."""
    if is_granted(requested, value):
        return ""
    text = f"The link asks for {ClassName(key)} = {_value(requested)}, which is not available here."
    return text if value in (None, "") else f"{text} Using {_value(shown or value)} instead."


def unknown_text(key: str, requested: Collection[str]) -> str:
    """That a link names an unknown setting."""
    return f"The link asks for {ClassName(key)} = {_value(requested)}. There is no such setting."


def no_picture_text(picture: str, pictures: Collection[str]) -> str:
    """That a scene's link opens no view that a lecture can show."""
    return f"there is no picture “{picture}”; choose one of {listed(list(pictures))}."


def no_setting_text(key: str) -> str:
    """That a scene's link names an unknown setting."""
    return f"there is no setting “{key}”; copy the link from Share."


def no_value_text(key: str, value: str) -> str:
    """That a scene's link gives a setting an invalid value."""
    return f"“{key}” cannot be “{value}” in a lecture."


def refused_row_text(requested: str, n: int) -> str:
    """That the dataset has no such row."""
    return (
        f"The link asks for example {ClassName(requested)}. These data have examples 0 to "
        f"{n - 1:,}."
    )


def _value(value: Any) -> ClassName:
    """A value in a sentence, shortened and escaped."""
    if isinstance(value, list | tuple):
        return ClassName(", ".join(map(str, value)) or NOTHING)
    if value in (None, ""):
        return ClassName(NOTHING)
    if isinstance(value, float):
        return ClassName(format(value, ".15g"))
    return ClassName(str(value).lower() if isinstance(value, bool) else str(value))


# Limits of a public server


def upload_limit_text(rows: int, classes: int) -> str:
    """The largest upload."""
    return f"This public server accepts at most {rows:,} rows and {classes:,} classes."


def size_limit_text(rows: int, classes: int, most_rows: int, most_classes: int) -> str:
    """Which limit a dataset exceeds; empty if none."""
    for n, most, what in ((rows, most_rows, "rows"), (classes, most_classes, "classes")):
        if n > most:
            return (
                f"The dataset has {n:,} {what}, and this public server accepts at most {most:,}: "
                f"remove some, {_LOCALLY}"
            )
    return ""


def chunks_limit_text(n: int, most: int) -> str:
    """Why n characters are not read in chunks; empty if they are."""
    if n <= most:
        return ""
    return (
        f"This public server reads at most {most:,} characters in chunks, and the texts have "
        f"{n:,}: switch off *Long texts in chunks*, {_LOCALLY}"
    )


def training_limit_text(classes: int, shots: int, most: int) -> str:
    """Why no encoder is trained on so many texts; empty if one is."""
    if (n := classes * shots) <= most:
        return ""
    return (
        f"This public server trains an encoder on at most {most:,} texts, and {shots:,} shots of "
        f"{classes:,} classes make {n:,}: choose fewer shots, {_LOCALLY}"
    )
