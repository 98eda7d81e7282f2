"""Sentences of the page Compare that are about the page itself."""

from __future__ import annotations

from collections.abc import Sequence

from slp_core.evaluation.method_runs import MethodRuns
from slp_core.evaluation.text_runs import MOST_QUERY
from slp_core.evaluation.wording import Count, method_titles
from slp_core.facts import Fact, Facts, Listed, MethodTitle, fact
from slp_core.methods.table import Method


def taken_apart_facts(b: str) -> Facts:
    """That Explain takes a method's answers apart."""
    template = "Tick a row to have Explain take the answer of {b:inside} apart."
    return (fact("compare.taken_apart", template, b=MethodTitle(b)),)


def read_as_facts(b: str, encoder: str, method: str) -> Facts:
    """That Explain shows a point as another method answers it, since B trains the encoder."""
    template = (
        "Explain takes answers apart that come from an encoder's vectors, and {b:inside} trains "
        "the encoder itself: tick a row to see there where {encoder} has it, as {method}, the "
        "sidebar's method, answers it."
    )
    told = {"encoder": MethodTitle(encoder), "method": MethodTitle(method)}
    return (fact("compare.read_as", template, b=MethodTitle(b), **told),)


def out_of_sight_facts(b: str, there: str, here: str) -> Facts:
    """That Explain looks through the sidebar's encoder, ``here``, and B through another."""
    template = (
        "Explain looks through the sidebar's encoder, {here}: choose {there} there to take the "
        "answers of {b:inside} apart."
    )
    told = {"here": MethodTitle(here), "there": MethodTitle(there)}
    return (fact("compare.out_of_sight", template, b=MethodTitle(b), **told),)


def settings_facts(
    methods: Sequence[Method], judged_by: int | None = None, available: int = 0
) -> Facts:
    """What methods are made to do where somebody waits for them; at least one method."""
    efforts = Listed([effort_fact(each) for each in {m.name: m for m in methods}.values()])
    template = "Settings lower than the command line's: {efforts}."
    facts = (fact("texts.settings", template, efforts=efforts),)
    if judged_by is None or available <= judged_by:
        return facts
    template = (
        "Every method here is judged by the same {judged_by:,} of {available:,} query points, "
        "drawn at random once."
    )
    return (*facts, fact("texts.judged_by", template, judged_by=judged_by, available=available))


def most_asked_fact() -> Fact:
    """How many query points are asked about where a method trains the encoder."""
    template = "Answers are asked of {most:,} query points at most, drawn at random once."
    return fact("texts.most_asked", template, most=MOST_QUERY)


def effort_fact(method: Method) -> Fact:
    """What one method is made to do, in its own units."""
    assert method.lighter is not None
    value, unit = method.lighter.value, method.lighter.unit
    told = {"method": MethodTitle(method.title), "value": value, "unit": unit}
    return fact("texts.effort", "{method} {value:,} {unit}", **told)


def trained_draws_facts(draws: Sequence[int]) -> Facts:
    """Which draws methods are trained on; at least one."""
    template = "Trained on draws {draws}." if len(draws) > 1 else "Trained on draw {draws}."
    return (fact("texts.draws", template, draws=Listed(draws)),)


def more_facts(titles: Sequence[str], trainings: int) -> Facts:
    """That methods were trained with one number of shots, and what the others would take."""
    template = "{methods}: only the sidebar's number of shots. The others take {trainings}."
    told = {"trainings": Count(trainings, "more training")}
    return (fact("texts.more", template, methods=Listed(method_titles(titles)), **told),)


def files_facts(runs: Sequence[MethodRuns]) -> Facts:
    """What is in the files of runs."""
    shots = sorted({run.shots for run in runs})
    template = (
        "Shots a class: {shots}. The CSV has every run, as the command line's `evaluate` writes "
        "them; the LaTeX table has the means shown here, and needs the package booktabs."
    )
    return (fact("compare.files", template, shots=Listed(shots)),)
