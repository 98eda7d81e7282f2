"""What the frame around every page says: what is on the table, and how well it does."""

from __future__ import annotations

from collections.abc import Collection

import numpy as np

from slp_core.evaluation.draws import Spread
from slp_core.facts import ClassName, Fact, Facts, Verbatim, fact


def chosen_facts(dataset: str, encoder: str, shots: int, draw: int, method: str) -> Facts:
    """What the strip at the top of a page names: titles, and which draw."""
    template = "**{dataset}**  ·  {encoder}  ·  {shots:,} shot" + ("" if shots == 1 else "s")
    template += "  ·  draw {draw:,}  ·  **{method}**"
    names = {"dataset": Verbatim(dataset), "encoder": Verbatim(encoder), "method": method}
    return (fact("strip.chosen", template, shots=shots, draw=draw, **names),)


def right_facts(true: np.ndarray, predicted: np.ndarray) -> Facts:
    """How many of the m query points of this draw are answered rightly."""
    m = len(true)
    if not m:
        return (fact("strip.nothing_asked", "**no query points**"),)
    template = "**{accuracy:.1%} of {n:,} query point" + ("" if m == 1 else "s") + "** right"
    return (fact("strip.right", template, accuracy=float(np.mean(true == predicted)), n=m),)


def spread_facts(spread: Spread) -> Facts:
    """Mean and standard deviation (ddof = 0) of the accuracy over the draws, in per cent."""
    n = len(spread.draws)
    if n == 1:
        return (fact("strip.one_draw", "the only draw with so many shots"),)
    template = "{mean:.1%} ± {std:.1f} (SD) over {n:,} draws"
    return (fact("strip.spread", template, mean=spread.mean, std=100 * spread.std, n=n),)


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
        template += " Encoders named *by passage* read all of a long text."
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
