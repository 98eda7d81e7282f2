"""Ensemble: the two prototypes that answer, alone and together, and whether to believe them."""

from __future__ import annotations

import streamlit as st

from pages.ensemble.data import diagnostics_of, elsewhere, outside
from pages.ensemble.draws import choose_single, effort, over_draws
from pages.session import settings
from pages.session.selection import choose_row, chosen_row
from pages.session.workspace import Workspace
from pages.shell.frame import current_workspace
from pages.widgets.chart import rows_height, show
from pages.widgets.job_progress import completed
from pages.widgets.tables import plain_table
from slp_core.diagnostics import EnsembleDiagnostics, Temperature, calibration
from slp_core.figures.calibration import EntropyDisplay, ReliabilityDisplay, SelectiveDisplay
from slp_core.figures.ensemble import (
    AccuracyAlongDisplay,
    DiversityDisplay,
    MembersDisplay,
    NLLDisplay,
    UncertaintyDisplay,
)
from slp_core.methods.protocols import has_constant_soft_labels, has_lines

TEMPERATURES: dict[str, Temperature] = {"softmax(z)": "none", "softmax(z / distance)": "distance"}
OVER = ["w", "distance"]


def page(chosen: Workspace) -> None:
    """The sentence, the draws, what each part is worth, one point, and calibration."""
    workspace = chosen.where(has_lines)
    if workspace is not chosen:
        st.caption(
            f":material/info: {chosen.method.title} has no prototypes, and so no members: this "
            "page shows constraintSLP."
        )
    headline = st.container()
    temperature = _temperature(workspace)
    diagnostics = diagnostics_of(workspace, temperature)
    headline.subheader(diagnostics.sentence())
    if not len(diagnostics.true):
        return
    st.fragment(_draws)(workspace, temperature)
    st.divider()
    _decompositions(diagnostics)
    st.divider()
    st.fragment(_points)(workspace, diagnostics)
    st.divider()
    st.fragment(_where)(diagnostics)
    st.divider()
    _calibration(workspace)
    if elsewhere(workspace):
        st.divider()
        st.fragment(_elsewhere)(workspace)


def _temperature(workspace: Workspace) -> Temperature:
    if has_constant_soft_labels(workspace.model):
        st.caption("A member is a prototype's soft label; together they are mixed by w.")
        return "none"
    chosen = st.segmented_control(
        "A member alone is",
        list(TEMPERATURES),
        default="softmax(z)",
        required=True,
        help="The paper takes softmax(z) and says that the distance does not change it. It does "
        "not change the answer, but it makes the distribution sharper or flatter, as a temperature "
        "does.",
        **settings.TEMPERATURE.bound(),
    )
    return TEMPERATURES[chosen]


def _draws(workspace: Workspace, temperature: Temperature) -> None:
    """NLL and uncertainty on every draw, as the paper plots them."""
    single = choose_single(workspace)
    job = over_draws(workspace, temperature, single)
    if not completed(job, lambda: over_draws(workspace, temperature, single, again=True)):
        return
    over = job.result
    left, right = st.columns(2, gap="large")
    with left:
        st.markdown("**Together or alone**")
        show(NLLDisplay(over))
        st.caption(f"{over.nll_sentence()} The paper finds it lower.")
    with right:
        st.markdown("**Where uncertainty comes from**")
        show(UncertaintyDisplay(over))
        st.caption(
            f"{over.uncertainty_sentence()} The paper finds it above its single model's, and "
            "driven by JSD. Bars and H(F) end at the same height only where F is the plain "
            "average of its members."
        )
    st.caption(
        f"{len(over.table)} draws of {workspace.shots_said}, means over the query points of "
        f"each; the single model is {over.single} on the same support sets{effort(single)}."
    )


def _decompositions(diagnostics: EnsembleDiagnostics) -> None:
    st.markdown("**Three ways to take it apart**")
    table = diagnostics.decompositions()
    plain_table(table, {"%.4f": table.columns[1:]})
    st.markdown("\n".join(f"- {sentence}" for sentence in diagnostics.exactness()))
    st.markdown(f"**{diagnostics.help_sentence()}**")


def _points(workspace: Workspace, diagnostics: EnsembleDiagnostics) -> None:
    """Every query point by disagreement and uncertainty; a click reads it."""
    query = workspace.episode.query
    texts = [workspace.texts[row] for row in query]
    left, right = st.columns([13, 9], gap="large")
    with left:
        st.markdown("**Disagreement and uncertainty, point by point**")
        key = f"{workspace.model_key} {diagnostics.temperature}"
        show(DiversityDisplay(diagnostics, query, texts, key=key), on_click=choose_row)
    with right:
        row = chosen_row(workspace)
        clicked = row is not None and row in query
        point = query.tolist().index(row) if clicked else diagnostics.most_diverse
        why = "" if clicked else " – where the two disagree most"
        st.markdown(f"**Query point {query[point]}**{why}")
        with st.container(border=True):
            st.text(texts[point])
        members = MembersDisplay(diagnostics, point)
        st.markdown(members.sentence())
        show(members)
        st.caption("Of each class: left alone (/), together (full), right alone (\\\\).")


def _where(diagnostics: EnsembleDiagnostics) -> None:
    """Accuracy of left, right and both: by class, and over w or distance."""
    left, right = st.columns([3, 2], gap="large")
    with left:
        st.markdown("**By class**")
        table = diagnostics.per_class()
        formats = {
            "percent": ["together", "left alone", "right alone"],
            "%.3f": ["NLL(F)", "mean NLL(f)", "JSD"],
        }
        plain_table(table, formats, height=rows_height(len(table), most=500))
    with right:
        what = st.segmented_control(
            "Accuracy over", OVER, default="w", required=True, **settings.OVER.bound()
        )
        bins = diagnostics.along(what)
        show(AccuracyAlongDisplay(bins, what))
        st.caption(
            f"{len(diagnostics.true):,} query points in {len(bins)} bins of about "
            f"{bins['points'].iloc[0]} each; a mark stands at the middle point of its bin."
        )


def _calibration(workspace: Workspace) -> None:
    judged = calibration(workspace.answers.probability, workspace.answers.true)
    st.markdown(f"**{judged.sentence()}**")
    left, right = st.columns(2, gap="large")
    with left:
        show(ReliabilityDisplay(judged))
        st.caption("Bars: share right in each bin of confidence. Strokes: mean confidence there.")
    with right:
        show(SelectiveDisplay(judged))
        st.caption("Accuracy if only the surest answers are given.")


def _elsewhere(workspace: Workspace) -> None:
    """Texts of another dataset through the same method: whether its entropy tells them apart."""
    others = elsewhere(workspace)
    title = st.selectbox(
        "Texts that do not belong: those of",
        list(others),
        help="They go through the same encoder and the same fitted method, whose classes mean "
        "nothing to them.",
        **settings.ELSEWHERE.bound(),
    )
    entropies = outside(workspace, others[title])
    if entropies is None:
        st.caption(
            ":material/info: These texts have not been seen through this encoder yet: open them "
            "on Explore once, and come back."
        )
        return
    display = EntropyDisplay(entropies, (workspace.dataset.title, title))
    st.markdown(f"**{display.sentence()}**")
    show(display)


page(current_workspace())
