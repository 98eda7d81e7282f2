"""The app's pages."""

from __future__ import annotations

from typing import Any

import streamlit as st


def navigation() -> Any:
    """Say which pages there are; returns the one that was asked for.

    Until this has been called once, a server takes every script in ``pages`` for a page that
    stands by itself, without what :mod:`pages.shared.frame` puts around it.
    """
    return st.navigation(
        [
            st.Page(
                "pages/explore.py",
                title="Explore",
                icon=":material/map:",
                default=True,
                help="A dataset, its class centroids, the lines through them, the prototypes at "
                "their ends, and what the method answers everywhere.",
            ),
            st.Page(
                "pages/train.py",
                title="Train",
                icon=":material/model_training:",
                help="DeepSLP learning while you watch: landscape, curves and soft labels, epoch "
                "by epoch; and the run to take away.",
            ),
            st.Page(
                "pages/explain.py",
                title="Explain",
                icon=":material/help_center:",
                help="Why the method is wrong where it is wrong: causes of all errors, the lines' "
                "bands and where the points are, and any point's vote taken apart.",
            ),
            st.Page(
                "pages/soft_labels.py",
                title="Soft labels",
                icon=":material/tune:",
                help="What each prototype carries, beside another method, draw or encoder; soft "
                "labels edited by hand; and how they vary over draws.",
            ),
            st.Page(
                "pages/ensemble.py",
                title="Ensemble",
                icon=":material/join_inner:",
                help="The two prototypes alone and together: NLL, entropy and divergence, three "
                "decompositions, calibration, and texts that do not belong.",
            ),
            st.Page(
                "pages/compare.py",
                title="Compare",
                icon=":material/compare_arrows:",
                help="Methods against each other over draws, in pairs and point by point; what "
                "each costs; and our results beside the paper's.",
            ),
            st.Page(
                "pages/encoders.py",
                title="Encoders",
                icon=":material/swap_horiz:",
                help="The same texts through two encoders: where every point goes, whom it stands "
                "next to, and how meta-training made the difference.",
            ),
        ]
    )
