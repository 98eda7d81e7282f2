"""Ensemble: the two prototypes that answer, alone and together, and whether to believe them."""

from __future__ import annotations

from typing import Any

import streamlit as st

from pages.ensemble.code import code
from pages.ensemble.data import elsewhere, outside
from pages.ensemble.draws import choose_single, effort, is_wanted, over_draws
from pages.ensemble.parts import (
    BY_CLASS,
    CALIBRATION,
    DECOMPOSITIONS,
    DRAWS,
    ELSEWHERE,
    PARTS,
    POINTS,
)
from pages.session import settings
from pages.session.code import offer_code
from pages.session.selection import choose_row, chosen_row
from pages.session.workspace import Workspace
from pages.shell.frame import current_workspace
from pages.widgets.chart import rows_height, show
from pages.widgets.example import example
from pages.widgets.job_progress import completed
from pages.widgets.parts import folded, heading, list_parts
from pages.widgets.readings import diagnostics_of
from pages.widgets.say import say
from pages.widgets.tables import NO_VALUE, plain_table
from slp_core.diagnostics import EnsembleDiagnostics, Temperature, calibration
from slp_core.diagnostics.draws import EnsembleOverDraws
from slp_core.diagnostics.members import members_facts
from slp_core.figures.calibration import EntropyDisplay, ReliabilityDisplay, SelectiveDisplay
from slp_core.figures.ensemble import (
    AccuracyAlongDisplay,
    DiversityDisplay,
    MembersDisplay,
    NLLDisplay,
    UncertaintyDisplay,
)
from slp_core.methods.protocols import has_constant_soft_labels, has_members
from slp_core.methods.table import Method
from slp_core.on_demand import picked

TEMPERATURES: dict[str, Temperature] = {"softmax(z)": "none", "softmax(z / distance)": "distance"}
OVER = ["w", "distance"]


def page(chosen: Workspace) -> None:
    """The sentence, the draws, what each part is worth, one point, and calibration."""
    workspace = chosen.where(has_members)
    headline = st.container()
    if workspace is not chosen:
        why = members_facts(chosen.model, chosen.method.title)
        with headline:
            say(why, st.caption, ":material/info: ", " This page shows constraintSLP.")
    with st.container():  # with a choice or without, what follows stays where it is
        temperature = _temperature(workspace)
    offer_code(lambda: code(workspace, temperature), workspace)
    diagnostics = diagnostics_of(workspace, temperature)
    with headline:
        say(diagnostics.facts(), st.subheader)
        if not len(diagnostics.true):
            return
        say(diagnostics.nothing_facts(), st.caption)
        others = elsewhere(workspace)
        list_parts((*PARTS, ELSEWHERE) if others else PARTS)
    st.fragment(_draws)(workspace, temperature)
    st.fragment(folded)(DECOMPOSITIONS, _decompositions, diagnostics)
    st.fragment(_points)(workspace, diagnostics)
    st.divider()
    _calibration(workspace, diagnostics)
    st.fragment(folded)(BY_CLASS, _where, diagnostics)
    if others:
        st.fragment(folded)(ELSEWHERE, _elsewhere, workspace)


def _temperature(workspace: Workspace) -> Temperature:
    how = members_facts(workspace.model, workspace.method.title)
    if has_constant_soft_labels(workspace.model):
        say(how, st.caption)
        return "none"
    chosen = st.segmented_control(
        "A member alone is",
        required=True,
        help="The paper takes softmax(z) and says that the distance does not change it. It does "
        "not change the answer, but it makes the distribution sharper or flatter, as a temperature "
        "does.",
        **settings.TEMPERATURE.bound(options=list(TEMPERATURES), opens="default"),
    )
    say(how, st.caption)
    return TEMPERATURES[chosen]


def _draws(workspace: Workspace, temperature: Temperature) -> None:
    """NLL and uncertainty on every draw, as the paper plots them."""
    heading(DRAWS)
    single = choose_single(workspace)
    if not is_wanted(workspace, temperature, single):
        return
    with st.container(key="over draws"):
        job = over_draws(workspace, temperature, single)
        if completed(job, lambda: over_draws(workspace, temperature, single, again=True)):
            _on_every_draw(job.result, workspace.shots, single)


def _on_every_draw(over: EnsembleOverDraws, shots: int, single: Method) -> None:
    left, right = st.columns(2, gap="large")
    with left:
        st.markdown("**Together or alone**")
        show(NLLDisplay(over))
        facts = over.nll_facts()
        infinite = facts[0].kind == "ensemble_draws.nll_infinite"
        say(facts, st.caption, after="" if infinite else " The paper finds NLL(F) lower.")
    with right:
        st.markdown("**Where uncertainty comes from**")
        show(UncertaintyDisplay(over))
        say(
            over.uncertainty_facts(),
            st.caption,
            after=" The paper finds it above its single model's, and driven by its JSD. Bars and "
            "H(F) end at the same height where F is the plain average of its members.",
        )
    say(over.facts_of_draws(shots, effort(single)), st.caption)


def _decompositions(diagnostics: EnsembleDiagnostics) -> None:
    table = diagnostics.decompositions()
    plain_table(table, {"%d": ["points"], "%.4f": table.columns[2:]})
    for facts in diagnostics.identity_facts():
        say(facts, before="- ")


def _points(workspace: Workspace, diagnostics: EnsembleDiagnostics) -> None:
    """Every query point by disagreement and uncertainty; a click reads it."""
    query, row = workspace.episode.query, chosen_row(workspace)
    texts = picked(workspace.texts, query)
    clicked = None if row is None else workspace.episode.place_of(row)
    point = diagnostics.most_diverse if clicked is None else clicked
    heading(POINTS)
    left, right = st.columns([13, 9], gap="large")
    with left:
        key = f"{workspace.model_key} {diagnostics.temperature}"
        display = DiversityDisplay(diagnostics, query, texts, int(query[point]), key=key)
        show(display, on_click=choose_row)
        say(display.facts(), before="**", after="**")
        say((*diagnostics.divergence_facts(), *diagnostics.line_facts()), st.caption)
    with right:
        why = diagnostics.most_diverse_facts() if clicked is None else ()
        say(why, before=f"**Query point {query[point]}**{' – ' if why else ''}")
        example(texts[point])
        members = MembersDisplay(diagnostics, point, int(query[point]))
        say(members.facts())
        show(members, of=f"row {query[point]}")
        st.caption("Of each class: left alone (/), together (full), right alone (\\\\).")


def _where(diagnostics: EnsembleDiagnostics) -> None:
    """Accuracy of left, right and both: by class, and over w or distance."""
    st.markdown("**By class**")
    table = diagnostics.per_class()
    shares, nats = table.columns[2:5], table.columns[6:]
    formats: dict[Any, Any] = dict.fromkeys(shares, "{:.0%}") | dict.fromkeys(nats, "{:.3f}")
    height = rows_height(len(table), most=500)
    st.dataframe(table.style.format(formats), hide_index=True, height=height, placeholder=NO_VALUE)
    what = st.segmented_control(
        "Accuracy over", required=True, **settings.OVER.bound(options=OVER, opens="default")
    )
    display = AccuracyAlongDisplay(diagnostics.along(what), what)
    show(display)
    say(display.facts(), st.caption)


def _calibration(workspace: Workspace, diagnostics: EnsembleDiagnostics) -> None:
    heading(CALIBRATION)
    judged = calibration(workspace.answers.probability, workspace.answers.true)
    say(judged.facts(), before="**", after="**")
    left, right = st.columns(2, gap="large")
    with left:
        show(ReliabilityDisplay(judged))
        st.caption("Bars: share right in each bin of confidence. Strokes: mean confidence there.")
        if why := judged.bin_facts():
            say((*why, *diagnostics.vote_facts()), st.caption)
    with right:
        show(SelectiveDisplay(judged))
        st.caption("Accuracy if only the surest answers are given.")


def _elsewhere(workspace: Workspace) -> None:
    """Texts of another dataset through the same method: whether its entropy tells them apart."""
    if workspace.encoder_name == "tfidf-svd":
        st.caption(
            ":material/info: This encoder is fitted on all rows of the dataset at once, so texts "
            "of another have no place in it. Another encoder takes them."
        )
        return
    others = elsewhere(workspace)
    title = st.selectbox(
        "Texts that do not belong: those of",
        help="They go through the same encoder and the same fitted method, whose classes mean "
        "nothing to them.",
        **settings.ELSEWHERE.bound(next(iter(others)), options=list(others)),
    )
    entropies = outside(workspace, others[title])
    if entropies is None:
        st.caption(
            ":material/info: These texts have not been seen through this encoder yet: open them "
            "on Explore once, and come back."
        )
        return
    display = EntropyDisplay(entropies, (workspace.dataset.title, title))
    say(display.facts(), before="**", after="**")
    show(display)


page(current_workspace())
