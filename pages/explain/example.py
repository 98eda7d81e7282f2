"""The selected example, or a typed one: how it is predicted, and counterfactuals."""

from __future__ import annotations

from dataclasses import dataclass

import pandas as pd
import streamlit as st

from pages.explain.errors import FILTER, Filtered
from pages.session import settings
from pages.session.cache import cached_by
from pages.session.code import draw_code, script
from pages.session.selection import chosen_row
from pages.session.text import truncated_text
from pages.session.workspace import Workspace
from pages.widgets.example import example_image
from pages.widgets.job_progress import completed
from pages.widgets.pickers import second_number
from pages.widgets.say import read_sent, refuse, send
from pages.widgets.shots import shot_menu, start_influence
from pages.widgets.typed_text import example_of, parts_of, typed_text, typed_vector, write_in
from pages.widgets.way import point_way, row_way
from slp_core.data import Examples
from slp_core.errors import SLPError
from slp_core.explain import (
    Causes,
    PointReading,
    counterfactuals,
    read_point,
)
from slp_core.explain.counterfactuals import Counterfactual
from slp_core.explain.shots import ShotInfluences
from slp_core.explain.text import (
    cause_text,
    correcting_shot_text,
    correcting_shots_text,
    counterfactual_text,
    place_text,
    prediction_text,
    surroundings_text,
)
from slp_core.markdown import quoted
from slp_core.methods.table import METHODS

_FIELDS = "own"
_OWN_NUMBERS = "Try your own numbers"
_MOST = 3.4e38  # of either sign: encoders compute with 32 bits
_LONGEST = 110  # letters of the example in the summary
_SHOTS = 3  # that are listed


@dataclass(frozen=True, eq=False)
class Chosen:
    key: str
    row: int | None
    by_choice: bool
    title: str
    words: str
    reading: PointReading
    typed: Examples | None = None  # one row, where it is none of the dataset
    reason: str = ""


@cached_by(lambda workspace, chosen: f"{workspace.model_key} {chosen.key}")
def counterfactuals_of(workspace: Workspace, chosen: Chosen) -> list[Counterfactual]:
    name = "deep_slp" if workspace.method.name != "deep_slp" else "constraint_slp"
    other = workspace.with_method(METHODS[name])
    model, title = other.line_model, other.method.title
    return counterfactuals(workspace.line_model, chosen.reading, model, title)


def chosen_point(workspace: Workspace, default: tuple[int, str], filtered: Filtered) -> Chosen:
    """The selected or default example, and why this one."""
    clicked = chosen_row(workspace)
    row, reason = default if clicked is None else (clicked, "")
    return Chosen(
        f"row {row}",
        row,
        clicked is not None or bool(filtered.key),
        workspace.called(row),
        workspace.dataset.describe(row),
        workspace.reading(row),
        reason=reason,
    )


def default_row(
    workspace: Workspace, causes: Causes, line: int, filtered: Filtered
) -> tuple[int, str]:
    """The row to show on a line, and why; of filtered errors, the most confident one."""
    episode = workspace.episode
    if filtered.key and (left := causes.most_confident_error(filtered.shown, line)) is not None:
        return int(episode.query[left]), ""
    default = causes.default_point(line)
    if default is None:
        return int(episode.support[0]), ""
    why = "misclassified" if causes.wrong[default] else "smallest margin"
    return int(episode.query[default]), f" – {why}"


def typed_example(workspace: Workspace, row: int) -> Chosen | None:
    """Ask for an example; returns the last one typed for these data, if any."""
    settings.TYPED.keep_for(workspace.data_key)
    if settings.TYPED.was_read:
        example = _typed(workspace)
        if example is None:
            settings.TYPED.clear()
        elif example.texts is not None:
            write_in(_FIELDS, example.kind, parts_of(example))
    _form(workspace, row)
    examples = _typed(workspace)
    if examples is None:
        return None
    settings.TYPED.shows()
    try:
        with st.spinner("Encoding …", show_time=True):
            vector, cut = typed_vector(workspace, examples)
    except SLPError as error:
        refuse(error)
        return None
    if cut:
        st.caption(f":material/info: {truncated_text(1, 1)}")
    key, words = f"typed {examples.digest}", examples.describe(0, workspace.dataset.feature_names)
    reading = read_point(workspace.model, vector, workspace.centroids)
    return Chosen(key, None, True, "Your example", words, reading, examples)


def _typed(workspace: Workspace) -> Examples | None:
    """The last typed example."""
    parts = settings.TYPED.value or []
    whole = all(str(part).strip() for part in parts)  # as the form wants it
    return example_of(workspace.dataset, parts) if whole else None


def _form(workspace: Workspace, start: int) -> None:
    form = f"own {workspace.data_key}"
    settings.SENT_REFUSED.keep_for(f"{form} {start}")
    with st.form(form, border=False):
        row = st.container(horizontal=True, vertical_alignment="bottom")
    with row:
        if workspace.dataset.kind == "numeric":
            examples = _numbers(workspace, start)
        else:
            places, label = (row, row), "Try your own text"
            examples = typed_text(workspace.dataset, places, _FIELDS, label, "explain")
        icon = ":material/play_arrow:"
        st.form_submit_button("Explain it", icon=icon, on_click=send, args=(form,))
        # Before the page runs again: numbers are then those of the row at once.
        st.form_submit_button("Back to the dataset", on_click=_back)
    read_sent(form, lambda: _take(examples))


def _back() -> None:
    settings.TYPED.clear()
    settings.SENT_REFUSED.clear()


def _take(examples: Examples | str) -> None:
    if isinstance(examples, str):
        raise SLPError(examples)
    settings.TYPED.set(parts_of(examples))
    settings.EXPLAINED_LINE.clear()


def _numbers(workspace: Workspace, row: int) -> Examples | str:
    """A row of numbers to edit, or what is missing from it."""
    shown, point = workspace.dataset.examples.take([row]), f"{row}"
    if (typed := _typed(workspace)) is not None:
        shown, point = typed, typed.digest
    features = shown.features
    assert features is not None
    names = workspace.dataset.feature_names or tuple(f"x{i + 1}" for i in range(features.shape[1]))
    with st.container(gap="xsmall"):
        st.markdown(f":small[{_OWN_NUMBERS}]")  # the table has no label of its own
        table = st.data_editor(
            pd.DataFrame(features, columns=list(names)),
            hide_index=True,
            key=f"own numbers {workspace.data_key} {point}",
            alt=_OWN_NUMBERS,
        )
    numbers = table.to_numpy(dtype=float)
    for name, number in zip(names, numbers[0], strict=True):
        if not abs(number) <= _MOST:
            return f"{name} has no number, or one too large: a number up to {_MOST} is needed."
    return Examples("numeric", features=numbers)


def example_summary(workspace: Workspace, causes: Causes, chosen: Chosen) -> None:
    with st.container(border=True, key="in short"), st.container(key="in short text"):
        st.markdown(f"**{chosen.title}**{chosen.reason}")
        if not example_image(workspace.dataset, chosen.row):
            st.markdown(quoted(chosen.words, _LONGEST))
        st.markdown(f"{prediction_text(chosen.reading)} {_cause(workspace, causes, chosen)}")


def example_details(workspace: Workspace, chosen: Chosen) -> None:
    if chosen.row is not None:
        row_way(workspace, chosen.row, "first")
    elif chosen.typed is not None:
        point_way(workspace, chosen.title, chosen.typed, chosen.reading, "first")
    second = second_number(workspace)
    if second is not None and second != chosen.row:
        row_way(workspace, second, "second")
    left, right = st.columns(2, gap="large")
    with left:
        st.caption(f"{place_text(chosen.reading)} {surroundings_text(chosen.reading)}")
        on_map = settings.fold("map").value and chosen.row in workspace.episode.support
        if chosen.row is not None and not on_map:  # beside which the menu of a shot is
            shot_menu(workspace, chosen.row)
    with right:
        st.markdown("**Counterfactuals**")
        for item in counterfactuals_of(workspace, chosen):
            text = counterfactual_text(item, chosen.reading)
            st.markdown(f"{_mark(item.predicted, chosen)}{text}")
        _correcting_shots(workspace, chosen)


def _correcting_shots(workspace: Workspace, chosen: Chosen) -> None:
    place = None if chosen.row is None else workspace.episode.place_of(chosen.row)
    if place is None or chosen.reading.predicted == chosen.reading.true:
        return
    found: ShotInfluences | None = completed(start_influence(workspace))
    if found is None:
        return
    st.markdown(correcting_shots_text(found, place))
    for shot in found.correcting(place)[:_SHOTS].tolist():
        words = workspace.texts[int(workspace.episode.support[shot])]
        st.markdown(f":material/check: {correcting_shot_text(found, shot, words)}")


def _cause(workspace: Workspace, causes: Causes, chosen: Chosen) -> str:
    place = None if chosen.row is None else workspace.episode.place_of(chosen.row)
    return "" if place is None else cause_text(causes, place)


def _mark(predicted: int | None, chosen: Chosen) -> str:
    if predicted is None or predicted == chosen.reading.predicted:
        return ":material/remove: "
    correct = predicted == chosen.reading.true
    return f":material/{'check' if correct else 'swap_horiz'}: "


_BODY = """
errors = slp.explain_errors(model, X, y)
numbers["errors"] = len(errors)
for cause, n in errors["cause"].value_counts().items():
    numbers[f"errors by {cause}"] = int(n)
"""
_FILTER = """shown = errors[{conditions}]
numbers["errors that the filter keeps"] = len(shown)
"""
_POINT = """
episode = {episode}
x = encoder.encode(dataset, support=episode.support)[[{row}]]
at = model.place(x)
numbers["{name} is predicted"] = str(model.predict(x)[0])
numbers["its line, counted from 1"] = int(at.line[0]) + 1
numbers["its w"], numbers["its t"], numbers["its r"] = (
    float(at.w[0]), float(at.t[0]), float(at.r[0])
)
"""


def code(workspace: Workspace, chosen: Chosen) -> str:
    body = _BODY
    *columns, margin = (setting.value for setting in FILTER)
    conditions = [
        f'(errors["{column}"] == {value!r})'
        for column, value in zip(("cause", "true", "line"), columns, strict=True)
        if value is not None
    ]
    if margin:
        conditions.append(f'(errors["margin"] <= -{margin!r})')
    if conditions:
        body += _FILTER.format(conditions=" & ".join(conditions))
    if chosen.row is not None:
        body += _POINT.format(
            episode=draw_code(workspace.episode),
            row=chosen.row,
            name=workspace.dataset.called(chosen.row),
        )
    return script(workspace, "Explain", body)
