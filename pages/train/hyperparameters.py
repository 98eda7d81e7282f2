"""Every hyperparameter of a training run, with its default, its range and what it does."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import streamlit as st

from pages.session import settings
from pages.session.methods import LOSS_SCALING, METHODS, PRESET, SEED, TRAIN_ON, Option
from pages.session.workspace import Workspace

CUSTOM = "custom"
PRESETS = [*PRESET.choices, CUSTOM]


@dataclass(frozen=True)
class Number:
    """A hyperparameter that is a number.

    Attributes
    ----------
    parameter : str
        Of the estimator, and in the URL.
    label : str
    default, low, high, step : float
    help : str
    whole : bool
    """

    parameter: str
    label: str
    default: float
    low: float
    high: float
    step: float
    help: str
    whole: bool = False

    def widget(self) -> float:
        """Draw it; returns the value."""
        kind = int if self.whole else float
        return st.number_input(
            f"{self.label} ({self.low:g} to {self.high:g})",
            min_value=kind(self.low),
            max_value=kind(self.high),
            value=kind(self.default),
            step=kind(self.step),
            format="%d" if self.whole else "%.4g",
            help=self.help,
            **settings.Setting(f"run_{self.parameter}", kind, kind(self.default)).bound(),
        )


NUMBERS = (
    Number("epochs", "Epochs", 60, 1, 500, 5, "How often every support point is seen.", True),
    Number(
        "learning_rate", "Learning rate", 1e-3, 1e-5, 1.0, 1e-3, "How far a weight moves in a step."
    ),
    Number(
        "batch_size",
        "Batch size",
        0,
        0,
        256,
        1,
        "Support points a step; 0 is the whole support set at once.",
        True,
    ),
    Number(
        "temperature",
        "τ of the start",
        2.0,
        0.1,
        20.0,
        0.5,
        "How sure the heads are when they start as the nearest-centroid rule.",
    ),
    Number(
        "weight_decay", "Weight decay", 0.01, 0.0, 1.0, 0.01, "How much AdamW shrinks all weights."
    ),
    Number("warmup", "Warm-up", 0.1, 0.0, 1.0, 0.05, "Share of the steps in which the rate rises."),
)
INIT = Option(
    "init",
    "Heads start",
    {"as nearest centroid": "prototype", "at random (Xavier)": "xavier"},
    "As the nearest-centroid rule, or with small random weights.",
)


def run_options(workspace: Workspace) -> dict[str, Any]:
    """Widgets for a run of DeepSLP; returns the classifier's parameters.

    What has to do with lines is the sidebar's, where that is set to DeepSLP.
    """
    from_sidebar = dict(workspace.options) if workspace.method.name == "deep_slp" else {}
    chosen = st.selectbox("Preset", PRESETS, help=PRESET.help, **settings.RUN_PRESET.bound())
    options = from_sidebar | {PRESET.parameter: PRESET.choices.get(chosen, "prototype")}
    with st.expander("Hyperparameters", expanded=chosen == CUSTOM):
        for option in (LOSS_SCALING, TRAIN_ON, SEED):
            title = st.selectbox(
                option.label,
                list(option.choices),
                help=option.help,
                **settings.setting_of("run", option.parameter).bound(),
            )
            options[option.parameter] = option.choices[title]
        if chosen == CUSTOM:
            title = st.selectbox(
                INIT.label,
                list(INIT.choices),
                help=INIT.help,
                **settings.setting_of("run", "init").bound(),
            )
            options[INIT.parameter] = INIT.choices[title]
            for number in NUMBERS:
                options[number.parameter] = number.widget()
        else:
            st.caption(
                "Epochs, rates and batches are the preset's; choose *custom* to set them yourself."
            )
    return options


def make(options: dict[str, Any]) -> Any:
    """The classifier, not fitted."""
    return METHODS["deep_slp"].make(options)
