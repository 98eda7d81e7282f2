"""SLP Explorer: look inside few-shot classifiers made of soft-label prototypes."""

import streamlit as st

from pages.shell.serving import SCRIPT, options

# The script is pages/shell/main.py: beside a folder called `pages`, Streamlit would take the first
# visitor's address for that of a script there.
app = st.App(SCRIPT, **options())
