"""The app's pages: each a folder with a script, an address, an icon, and what it is for."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import streamlit as st

HOME = "explore"  # what the app opens on
PAGES = {
    "Learn": (
        "learn",
        ":material/school:",
        "Nine lessons from a soft label to meta-training, each on the app's own pictures; and "
        "links that open a lesson, or a page, for a class.",
    ),
    "Explore": (
        "explore",
        ":material/map:",
        "A dataset, its class centroids, the lines through them, the prototypes at their ends, and "
        "what the method answers everywhere.",
    ),
    "Train": (
        "train",
        ":material/model_training:",
        "DeepSLP learning while you watch: landscape, curves and soft labels, epoch by epoch; and "
        "the run to take away.",
    ),
    "Explain": (
        "explain",
        ":material/help_center:",
        "Why the method is wrong where it is wrong: causes of all errors, the lines' bands and "
        "where the points are, and any point's vote taken apart.",
    ),
    "Soft labels": (
        "soft_labels",
        ":material/tune:",
        "What each prototype carries, beside another method, draw or encoder; soft labels edited "
        "by hand; and how they vary over draws.",
    ),
    "Ensemble": (
        "ensemble",
        ":material/join_inner:",
        "The two prototypes alone and together: NLL, entropy and divergence, three decompositions, "
        "calibration, and texts that do not belong.",
    ),
    "Compare": (
        "compare",
        ":material/compare_arrows:",
        "Methods against each other over draws, in pairs and point by point; what each costs; and "
        "our results beside the paper's.",
    ),
    "Encoders": (
        "encoders",
        ":material/swap_horiz:",
        "The same texts through two encoders: where every point goes, whom it stands next to, and "
        "how meta-training made the difference.",
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
