"""Every hyperparameter of a training run."""

from __future__ import annotations

from typing import Any

import streamlit as st

from pages.session import settings
from pages.session.workspace import Workspace
from pages.widgets.pickers import option_widget
from pages.widgets.training import CUSTOM, DEEP_SLP
from slp_core.methods.options import LINES, PRESET

SIDEBAR = "as in the sidebar"
PAPER = "as in the paper"


def run_options(workspace: Workspace) -> dict[str, Any]:
    """Widgets for a run of DeepSLP; returns the classifier's parameters."""
    in_sidebar = workspace.method is DEEP_SLP
    choices = [*([SIDEBAR] if in_sidebar else []), *PRESET.choices, CUSTOM]
    bound = settings.RUN_PRESET.bound(SIDEBAR if in_sidebar else PAPER, options=choices)
    chosen = st.selectbox("Hyperparameters", help=PRESET.help, **bound)
    options = dict(workspace.options) if in_sidebar else {}
    if chosen in PRESET.choices:
        options[PRESET.parameter] = PRESET.choices[chosen]
    elif chosen == CUSTOM and not settings.METHOD.is_set:
        options[PRESET.parameter] = "prototype"
    if not in_sidebar:
        n_classes = len(workspace.dataset.classes)
        options |= {
            option.parameter: option_widget(option, "run_", option.opening(n_classes))
            for option in DEEP_SLP.more
            if option not in LINES
        }
    training = DEEP_SLP.training if chosen == CUSTOM else ()
    return options | {option.parameter: option_widget(option, "run_") for option in training}
