"""The stage: centroids to drag, with every rule's landscape computed in the browser."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import Any

import streamlit as st

from pages.session import settings
from pages.session.address import leave_for
from pages.session.lessons import apply
from pages.session.settings import view
from pages.session.workspace import Workspace
from pages.shell.navigation import HOME, script
from pages.widgets.chart import theme
from slp_core.figures.style.theme import DARK, LIGHT, blend, class_style
from slp_core.lessons.lesson import Setup
from slp_core.lessons.stage import (
    CLASSES,
    DIMENSIONS,
    LESSON_STAGES,
    PRESETS,
    RULES,
    STAGE,
    TOLERANCES,
    Stage,
    read_stage,
    unit_cloud,
)

_TINT = 0.32  # of a class's colour, in its region
_HERE = Path(__file__).parent
_HTML, _CSS, _GEOMETRY, _JS = (
    (_HERE / name).read_text(encoding="utf-8")
    for name in ("stage.html", "stage.css", "geometry.js", "stage.js")
)
_component = st.components.v2.component("stage", html=_HTML, css=_CSS, js=_GEOMETRY + _JS)


def opening_stage() -> None:
    """The stage as the URL has it; it can be opened as a dataset."""
    if settings.OPENS_STAGE.value:  # which the run that a click asked for may not live to see
        settings.OPENS_STAGE.clear()
        leave_for(script(HOME), **{settings.STAGE.key: settings.STAGE.value})
    shown = settings.STAGE.shows()
    bound = view("stage", shown, settings.STAGE.set, lambda told: told.stage or "")
    _draw(bound["key"], settings.shown_stage(), True, bound["on_change"])


def lesson_stage(name: str, _workspace: Workspace) -> None:
    _draw(f"stage {name}", LESSON_STAGES[name], False, lambda: None)


def _draw(key: str, stage: Stage, opens: bool, on_stage: Any) -> None:
    def opened() -> None:
        here: Any = st.session_state.get(key)
        if here is not None and here.opened is not None:
            _open(here.opened)

    look = (DARK if theme().name == "dark" else LIGHT).for_classes(CLASSES[max(CLASSES)])
    usual = asdict(Stage((), (0, 0), 1))
    data = {
        "state": asdict(stage),
        "presets": {name: asdict(preset) for name, preset in PRESETS.items()} if opens else {},
        "usual": {k: v for k, v in usual.items() if k not in ("centroids", "probe", "noise")},
        "rules": RULES,
        "dimensions": DIMENSIONS,
        "tolerances": TOLERANCES,
        "cloud": unit_cloud(),
        "colors": {"background": look.background, "text": look.text},
        "classes": [
            {
                "name": name,
                "color": class_style(k, look).color,
                "tint": blend(class_style(k, look).color, look.background, _TINT),
            }
            for k, name in enumerate(CLASSES[max(CLASSES)])
        ],
        "marks": [class_style(k, look).character for k in range(max(CLASSES))],
        "opens": opens,
    }
    _component(
        key=key, data=data, height="content", on_stage_change=on_stage, on_opened_change=opened
    )


def _open(text: str) -> None:
    """Use the stage's points as the dataset on every page, with its lines."""
    stage = read_stage(text)
    if stage is None:
        return
    settings.STAGE.set(text)
    settings.OPENS_STAGE.set(True)
    lines = {"n_lines": stage.lines, "tolerance": stage.tolerance}
    apply(Setup(STAGE, dimension=stage.dimension, options=lines))
