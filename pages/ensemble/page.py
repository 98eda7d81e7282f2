"""Ensemble: the two prototypes of a line as members, separately and together, and their
calibration.
"""

from __future__ import annotations

from functools import partial
from typing import Any

import streamlit as st

from pages.ensemble.data import code, elsewhere, outside
from pages.ensemble.draws import FINE_TUNED, choose_single, effort, fine_tuned, over_draws
from pages.session import settings
from pages.session.code import offer_code, offer_report
from pages.session.selection import choose_row, chosen_row
from pages.session.workspace import Workspace
from pages.shell.frame import current_workspace
from pages.widgets.accuracy import say_as_drawn
from pages.widgets.chart import show
from pages.widgets.example import example_row
from pages.widgets.job_progress import completed
from pages.widgets.parts import alone, folded
from pages.widgets.readings import diagnostics_of
from pages.widgets.tables import NO_VALUE, plain_table
from slp_core.data.images import image_of
from slp_core.diagnostics.calibration import Calibration, calibration
from slp_core.diagnostics.draws import EnsembleOverDraws
from slp_core.diagnostics.ensemble import EnsembleDiagnostics
from slp_core.diagnostics.members import Temperature
from slp_core.diagnostics.text import (
    divergence_text,
    ensemble_text,
    identity_texts,
    members_text,
    most_diverse_text,
    nll_text,
    over_draws_text,
)
from slp_core.figures.calibration import EntropyDisplay, ReliabilityDisplay, SelectiveDisplay
from slp_core.figures.ensemble import (
    AccuracyAlongDisplay,
    ConfidenceDisplay,
    DiversityDisplay,
    MembersDisplay,
    NLLDisplay,
    UncertaintyDisplay,
)
from slp_core.methods.protocols import ConstantSoftLabels
from slp_core.methods.table import Method
from slp_core.report.subject import Part
from slp_core.sentences import number

TEMPERATURES: dict[str, Temperature] = {"softmax(z)": "none", "softmax(z / distance)": "distance"}
OVER = ["w", "distance"]


def page(workspace: Workspace) -> None:
    """A fragment, so that a click redraws nothing else."""
    random = workspace.options.get("preset") == "paper"
    title = "DeepSLP from random start" if random else workspace.method.title
    headline = st.container()
    left, right = st.columns([13, 7], gap="medium")
    with right, st.popover("View", icon=":material/tune:", width="stretch"):
        temperature = _temperature(workspace)
    offer_code(lambda: code(workspace, temperature), workspace)
    diagnostics = diagnostics_of(workspace, temperature)
    headline.subheader(ensemble_text(diagnostics, title), anchor=False)
    if not len(diagnostics.true):
        return
    point, row, why = _selected(workspace, diagnostics)
    key = f"{workspace.model_key} {temperature}"
    about = (diagnostics, workspace.episode.query, workspace.texts, row)
    with left:
        display = ConfidenceDisplay(*about, key=key)
        show(display, on_click=choose_row)
        st.caption(display.sentence())
    members = MembersDisplay(diagnostics, point, row)
    offer_report(f"{key} {row}", lambda: _reported(workspace, title, display, members, row))
    with right:
        st.markdown(f"**{workspace.dataset.called(row).capitalize()}**{why}")
        example_row(workspace.dataset, row)
        show(members, of=f"row {row}")
        st.caption(members.sentence())
    _calibration(workspace)
    folded(
        "Ensemble against members and a single model", "over_draws", _draws, workspace, temperature
    )
    folded(
        "Disagreement and entropy", "disagreement", _disagreement, DiversityDisplay(*about, key=key)
    )
    folded("Uncertainty decompositions", "parts", _decompositions, diagnostics)
    folded("By class, and over w or distance", "by_class", _by_class, diagnostics)
    if elsewhere(workspace):
        folded("Out-of-distribution texts", "elsewhere", _elsewhere, workspace)


def _reported(
    workspace: Workspace,
    title: str,
    display: ConfidenceDisplay,
    members: MembersDisplay,
    row: int,
) -> list[Part]:
    read, dataset = display.diagnostics, workspace.dataset
    image = image_of(dataset, row)
    texts = [ensemble_text(read, title), display.sentence(), nll_text(read), *identity_texts(read)]
    tables = {"Uncertainty decompositions": read.decompositions()}
    judged = ReliabilityDisplay(_calibration_of(workspace))
    return [
        Part("Two prototypes as an ensemble", texts, [display], tables),
        Part(
            dataset.called(row).capitalize(),
            [members.sentence()],
            [members],
            plain=dataset.describe(row) if image is None else "",
            image=image,
        ),
        Part("Calibration", [judged.sentence()], [judged]),
    ]


def _temperature(workspace: Workspace) -> Temperature:
    shown: Temperature = "none"
    if not isinstance(workspace.model, ConstantSoftLabels):
        chosen = st.segmented_control(
            "Probabilities of a member",
            required=True,
            help="The paper uses softmax(z). Dividing by the distance does not change a member's "
            "prediction, but makes its distribution sharper or flatter, as a temperature does.",
            **settings.TEMPERATURE.bound(options=list(TEMPERATURES), opens="default"),
        )
        shown = TEMPERATURES[chosen]
    st.caption(members_text(workspace.model, workspace.method.title))
    return shown


def _selected(workspace: Workspace, diagnostics: EnsembleDiagnostics) -> tuple[int, int, str]:
    """The selected example's place in the query set, its row, and why it was selected."""
    query, row = workspace.episode.query, chosen_row(workspace)
    place = None if row is None else workspace.episode.place_of(row)
    if place is not None:
        return place, int(query[place]), ""
    place = diagnostics.most_diverse
    return place, int(query[place]), most_diverse_text(diagnostics)


def _calibration_of(workspace: Workspace) -> Calibration:
    return calibration(workspace.predictions.probability, workspace.predictions.true)


def _calibration(workspace: Workspace) -> None:
    found = _calibration_of(workspace)
    st.markdown(ReliabilityDisplay(found).sentence())
    left, right = st.columns(2, gap="medium")
    with left:
        show(ReliabilityDisplay(found))
        st.caption("Bars: accuracy per bin of confidence. Tick marks: mean confidence.")
    with right:
        show(SelectiveDisplay(found))


def _draws(workspace: Workspace, temperature: Temperature) -> None:
    single = choose_single(workspace)
    tuned = fine_tuned(workspace) if single is FINE_TUNED else None
    if single is FINE_TUNED and tuned is None:
        return
    with st.container(key="over draws"):
        over = completed(over_draws(workspace, temperature, tuned))
        if over is not None:
            _on_every_draw(over, workspace.shots, single)
            say_as_drawn(workspace)


def _on_every_draw(over: EnsembleOverDraws, shots: int, single: Method) -> None:
    for column, display, finding in zip(
        st.columns(2, gap="medium"),
        (NLLDisplay(over), UncertaintyDisplay(over)),
        ("The paper finds NLL(F) lower.", "The paper finds H(F) higher, because of its JSD."),
        strict=True,
    ):
        with column:
            show(display)
            st.caption(f"{display.sentence()} {finding}")
    st.caption(over_draws_text(over, shots, effort(single)))


def _disagreement(display: DiversityDisplay) -> None:
    show(display, on_click=choose_row)
    st.markdown(display.sentence())
    st.caption(divergence_text(display.diagnostics))


def _decompositions(diagnostics: EnsembleDiagnostics) -> None:
    table = diagnostics.decompositions()
    figures: dict[Any, Any] = {column: partial(number, decimals=4) for column in table.columns[2:]}
    plain_table(table.style.format(figures, na_rep=NO_VALUE), {"%d": ["examples"]})
    for text in identity_texts(diagnostics):
        st.markdown(f"- {text}")


def _by_class(diagnostics: EnsembleDiagnostics) -> None:
    table = diagnostics.per_class()
    plain_table(table, {"percent": ["together", "A alone", "B alone"], "%.3f": table.columns[6:]})
    st.caption(nll_text(diagnostics))
    what = st.segmented_control(
        "Accuracy over",
        required=True,
        **settings.OVER.bound(options=OVER, opens="default"),
    )
    display = AccuracyAlongDisplay(diagnostics.along(what), what)
    show(display)
    st.caption(display.sentence())


def _elsewhere(workspace: Workspace) -> None:
    others = elsewhere(workspace)
    title = st.selectbox(
        "Out-of-distribution texts from",
        help="They go through the same encoder and the same fitted method.",
        **settings.ELSEWHERE.bound(next(iter(others)), options=list(others)),
    )
    entropies = outside(workspace, others[title])
    if entropies is None:
        st.caption("These texts are not encoded yet: open them on Explore first.")
        return
    display = EntropyDisplay(entropies, (workspace.dataset.title, title))
    st.markdown(display.sentence())
    show(display)


alone(page, current_workspace())
