"""The pages: each a folder with a script, an address, an icon and what it is for."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import streamlit as st

HOME = "explore"  # what the app opens on
PAGES = {
    "Learn": (
        "learn",
        ":material/school:",
        "Nine lessons from a soft label to meta-training.",
    ),
    "Explore": (
        "explore",
        ":material/map:",
        "A map of the dataset: class centroids, lines, prototypes and the decision landscape.",
    ),
    "Train": (
        "train",
        ":material/model_training:",
        "Watch soft labels being learnt, epoch by epoch.",
    ),
    "Explain": (
        "explain",
        ":material/help_center:",
        "Why each error happens.",
    ),
    "Soft labels": (
        "soft_labels",
        ":material/tune:",
        "The soft label of each prototype: edit it, and compare it with others.",
    ),
    "Ensemble": (
        "ensemble",
        ":material/join_inner:",
        "Both prototypes of a line as an ensemble: confidence, calibration and disagreement.",
    ),
    "Compare": (
        "compare",
        ":material/compare_arrows:",
        "Which method is more accurate, and whether that is chance.",
    ),
    "Encoders": (
        "encoders",
        ":material/swap_horiz:",
        "How meta-training moves the examples.",
    ),
}


def script(folder: str) -> str:
    """The script of a page, as links to it name it."""
    return str(Path(__file__).parents[1] / folder / "page.py")


def navigation() -> Any:
    """Say which pages there are; returns the one that was asked for."""
    return st.navigation(
        [
            st.Page(
                script(folder),
                title=title,
                url_path=folder,
                icon=icon,
                help=help_text,
                default=folder == HOME,
            )
            for title, (folder, icon, help_text) in PAGES.items()
        ]
    )
