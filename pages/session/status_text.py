"""What the app says of what is under way, and of what it could not do."""

from __future__ import annotations

from collections.abc import Collection

from slp_core.errors import Cancelled, SLPError, one_sentence
from slp_core.facts import ClassName, Fact, Facts, MethodTitle, Verbatim, fact


def cut_facts(n_cut: int, n: int, whole: bool = False) -> Facts:
    """How many of n texts are longer than the encoder reads; `whole`: others could read all."""
    if not n_cut:
        return ()
    if n == 1:
        template = "The text is longer than the encoder reads, and was cut."
        return (fact("data.cut", template, cut=n_cut, n=n),)
    template = "{cut:,} of {n:,} texts " + ("is" if n_cut == 1 else "are")
    template += " longer than the encoder reads, and " + ("was" if n_cut == 1 else "were") + " cut."
    if whole:
        template += " *Long texts in chunks*, in the sidebar, reads all of them."
    return (fact("data.cut", template, cut=n_cut, n=n),)


def missing_facts(asked: str, instead: str, known: Collection[str], minutes: float) -> Facts:
    """That a dataset which the address names is not among those that can be chosen."""
    template = (
        "The address asks for the dataset {asked}, which is not here. An upload opens only in the "
        "browser that brought it, and is let go {minutes:,.0f} minutes after its last tab there "
        "was closed, or when the server starts anew. **What you see is {instead}.**"
    )
    names = {"asked": ClassName(asked), "instead": ClassName(instead)}
    return (fact("strip.missing", template, known=tuple(known), minutes=minutes, **names),)


def encoding_fact(n: int, encoder: str) -> Fact:
    """What is under way while the n examples of a dataset become vectors."""
    example = " example" if n == 1 else " examples"
    template = "Encoding {n:,}" + example + " with {encoder}"
    return fact("job.encoding", template, n=n, encoder=Verbatim(encoder))


def layout_fact(n: int) -> Fact:
    """What is under way while n examples are laid out on a plane."""
    example = " example" if n == 1 else " examples"
    return fact("job.layout", "Laying out {n:,}" + example, n=n)


def to_encode_facts(n: int) -> Facts:
    """What it costs to see n examples through another encoder."""
    example = " example" if n == 1 else " examples"
    return (fact("job.to_encode", "{n:,}" + example + ": takes some time, once", n=n),)


def failure_facts(title: str, error: BaseException | None, told: str = "") -> Facts:
    """A computation that did not end well."""
    shared = {"title": title, "error": one_sentence(told or str(error) or type(error).__name__)}
    if isinstance(error, Cancelled):
        template = "{title} was cancelled. It can be taken up again."
    elif isinstance(error, SLPError):
        template = "{error}"  # already a sentence
    else:
        template = "{title} failed: {error}."
    return (fact("job.failed", template, **shared),)


def job_facts(
    title: str, share: float | None, seconds_left: float | None, before: int | None = None
) -> Facts:
    """How far some other computation is."""
    if before is not None:
        return waiting_facts(title, before)
    if share is None:
        return (fact("job.going", "{title} …", title=title),)
    if seconds_left is None:
        return (fact("job.share", "{title}: {share:.0%}", title=title, share=share),)
    shared = {"title": title, "share": share, "seconds": seconds_left}
    if seconds_left < 90:
        template = "{title}: {share:.0%}, about {whole:,} s left"
        return (fact("job.seconds", template, whole=max(1, round(seconds_left)), **shared),)
    template = "{title}: {share:.0%}, about {minutes:.0f} min left"
    return (fact("job.minutes", template, minutes=seconds_left / 60, **shared),)


def waiting_facts(title: str, before: int) -> Facts:
    """Where a computation stands among those of all visits; ``before`` come before it."""
    template = "{title}: number {place:,} in line."
    return (fact("job.line", template, title=title, place=before + 1),)


def method_set_facts(before: str, now: str) -> Facts:
    """That the sidebar has another method than before, since a point of it was asked for."""
    template = (
        "The row that you ticked on Compare has set the sidebar's method to {now}; before, "
        "{before} was chosen there."
    )
    told = {"now": MethodTitle(now), "before": MethodTitle(before)}
    return (fact("compare.method_set", template, **told),)
