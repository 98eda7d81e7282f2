"""SLP Explorer: look inside few-shot classifiers made of soft-label prototypes."""

from pathlib import Path

import streamlit as st

from pages.shared.frame import after_page, frame

st.set_page_config(
    page_title="SLP Explorer",
    page_icon=str(Path(__file__).parent / "pages/shared/icon.svg"),  # its own: offline
    layout="wide",
    menu_items={"About": "Look inside few-shot classifiers made of soft-label prototypes."},
)

page = st.navigation(
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
            "pages/soft_labels.py",
            title="Soft labels",
            icon=":material/tune:",
            help="What each prototype carries, beside another method, draw or encoder; soft labels "
            "edited by hand; and how they vary over draws.",
        ),
    ]
)
frame()
page.run()
after_page()
