"""Ensemble: the two prototypes that answer, alone and together, and whether to believe them."""

from __future__ import annotations

from typing import Any

import streamlit as st

from pages.compare.runs import watch
from pages.ensemble.data import (
    calibration_of,
    diagnostics_of,
    elsewhere,
    outside,
    with_members,
)
from pages.ensemble.draws import choose_single, effort, find_over_draws, start_over_draws
from pages.session import settings
from pages.session.workspace import Workspace
from pages.shell.frame import current_workspace
from pages.widgets.chart import chart, theme
from pages.widgets.map import follow_click
from slp_core.diagnostics import EnsembleDiagnostics, Temperature
from slp_core.figures import calibration as pictures
from slp_core.figures import ensemble as figures
from slp_core.markdown import named

TEMPERATURES: dict[str, Temperature] = {"softmax(z)": "none", "softmax(z / distance)": "distance"}
OVER = {"w": "w", "distance": "distance"}


def page(workspace: Workspace) -> None:
    """The sentence, the draws, what each part is worth, one point, and calibration."""
    own = with_members(workspace)
    if own is not workspace:
        st.caption(
            f":material/info: {workspace.method.title} has no prototypes, and so no members: this "
            "page shows constraintSLP."
        )
    headline = st.container()
    temperature = _temperature(own)
    found = diagnostics_of(own, temperature)
    headline.subheader(found.sentence())
    if not len(found.true):
        return
    st.fragment(_draws)(own, temperature)
    st.divider()
    _decompositions(found)
    st.divider()
    st.fragment(_points)(own, found)
    st.divider()
    st.fragment(_where)(found)
    st.divider()
    _calibration(own)
    if elsewhere(own):
        st.divider()
        st.fragment(_elsewhere)(own)


def _temperature(workspace: Workspace) -> Temperature:
    if hasattr(workspace.model, "soft_labels_"):
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
    job = find_over_draws(workspace, temperature, single)
    job.wait(0.4)
    if not job.ready:
        watch(job, lambda: start_over_draws(workspace, temperature, single))
        return
    over = job.result
    left, right = st.columns(2, gap="large")
    with left:
        st.markdown("**Together or alone**")
        chart(
            figures.nll_figure(over, theme()),
            lambda: over.table,
            "nll",
            alt=over.nll_sentence(),
        )
        st.caption(f"{over.nll_sentence()} The paper finds it lower.")
    with right:
        st.markdown("**Where uncertainty comes from**")
        chart(
            figures.uncertainty_figure(over, theme()),
            lambda: over.table,
            "uncertainty",
            alt=over.uncertainty_sentence(),
        )
        st.caption(
            f"{over.uncertainty_sentence()} The paper finds it above its single model's, and "
            "driven by JSD. Bars and H(F) end at the same height only where F is the plain "
            "average of its members."
        )
    st.caption(
        f"{len(over.table)} draws of {workspace.shots_said}, means over the query points of "
        f"each; the single model is {over.single} on the same support sets{effort(single)}."
    )


def _decompositions(found: EnsembleDiagnostics) -> None:
    st.markdown("**Three ways to take it apart**")
    table = figures.decompositions_table(found)
    number = st.column_config.NumberColumn(format="%.4f")
    st.dataframe(
        table,
        hide_index=True,
        height="content",
        column_config=dict.fromkeys(table.columns[1:], number),
    )
    st.markdown("\n".join(f"- {sentence}" for sentence in found.exactness()))
    st.markdown(f"**{found.help_sentence()}**")


def _points(workspace: Workspace, found: EnsembleDiagnostics) -> None:
    """Every query point by disagreement and uncertainty; a click reads it."""
    query = workspace.episode.query
    texts = _texts(workspace.model_key, workspace)
    left, right = st.columns([13, 9], gap="large")
    with left:
        st.markdown("**Disagreement and uncertainty, point by point**")
        look = theme()
        key = f"{workspace.model_key} {found.temperature} {look.name}"
        event = chart(
            _diversity_figure(key, found, query, texts, look),
            lambda: figures.diversity_table(found, query, texts),
            "members",
            alt=found.help_sentence(),
            on_select="rerun",
            selection_mode="points",
        )
        follow_click(event)
    with right:
        chosen = [i for i, row in enumerate(query) if row == settings.POINT.value]
        row = chosen[0] if chosen else int(found.jsd.argmax())
        why = "" if chosen else " – where the two disagree most"
        st.markdown(f"**Query point {query[row]}**{why}")
        with st.container(border=True):
            st.text(texts[row])
        names = found.classes
        joint, alone = found.members.joint[row], found.members.alone[row]
        st.markdown(
            f"It is {named(names[found.true[row]])}. Alone the left prototype says "
            f"{named(names[alone[0].argmax()])}, the right one "
            f"{named(names[alone[1].argmax()])}; together they say "
            f"{named(names[joint.argmax()])}. JSD {found.jsd[row]:.3f}, H(F) "
            f"{found.entropy[row]:.3f} nats."
        )
        chart(
            figures.members_figure(found, row, theme()),
            lambda: figures.members_table(found, row),
            "distributions",
            alt="What left, right and the two together say of the point",
        )
        st.caption("Of each class: left alone (/), together (full), right alone (\\\\).")


@st.cache_resource(max_entries=12, show_spinner=False)
def _texts(key: str, _workspace: Workspace) -> list[str]:
    return [_workspace.dataset.describe(row) for row in _workspace.episode.query]


@st.cache_resource(max_entries=12, show_spinner=False)
def _diversity_figure(
    key: str, _found: EnsembleDiagnostics, _query: Any, _texts: list[str], _theme: Any
) -> Any:
    return figures.diversity_figure(_found, _query, _texts, _theme)


def _where(found: EnsembleDiagnostics) -> None:
    """Accuracy of left, right and both: by class, and over w or distance."""
    left, right = st.columns([3, 2], gap="large")
    with left:
        st.markdown("**By class**")
        table = found.per_class()
        share = st.column_config.NumberColumn(format="percent")
        number = st.column_config.NumberColumn(format="%.3f")
        st.dataframe(
            table,
            hide_index=True,
            height=min(500, 38 + 35 * len(table)),
            column_config=dict.fromkeys(["together", "left alone", "right alone"], share)
            | dict.fromkeys(["NLL(F)", "mean NLL(f)", "JSD"], number),
        )
    with right:
        what = st.segmented_control(
            "Accuracy over",
            list(OVER),
            default="w",
            required=True,
            **settings.OVER.bound(),
        )
        bins = found.along(OVER[what])
        chart(
            figures.along_figure(bins, OVER[what], theme()),
            lambda: bins,
            "accuracy along",
            alt=f"Accuracy together and alone, over {what}",
        )
        st.caption(
            f"{len(found.true):,} query points in {len(bins)} bins of about "
            f"{bins['points'].iloc[0]} each; a mark stands at the middle point of its bin."
        )


def _calibration(workspace: Workspace) -> None:
    found = calibration_of(workspace)
    st.markdown(f"**{found.sentence()}**")
    left, right = st.columns(2, gap="large")
    with left:
        chart(
            pictures.reliability_figure(found, theme()),
            lambda: pictures.reliability_table(found),
            "reliability",
            alt=found.sentence(),
        )
        st.caption("Bars: share right in each bin of confidence. Strokes: mean confidence there.")
    with right:
        chart(
            pictures.selective_figure(found, theme()),
            lambda: pictures.selective_table(found),
            "selective accuracy",
            alt=found.sentence(),
        )
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
    found = outside(workspace, others[title])
    if found is None:
        st.caption(
            ":material/info: These texts have not been seen through this encoder yet: open them "
            "on Explore once, and come back."
        )
        return
    st.markdown(f"**{found.sentence(title)}**")
    names = (workspace.dataset.title, title)
    chart(
        pictures.entropy_figure(found, names, theme()),
        lambda: pictures.entropy_table(found, names),
        "entropies",
        alt=found.sentence(title),
    )


page(current_workspace())
