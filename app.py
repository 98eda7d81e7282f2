"""SLP Explorer: look inside few-shot classifiers made of soft-label prototypes.

The script of the app stands apart from this file because of the name of the folder ``pages``: beside
it, Streamlit would take every first visitor's address for that of a script there.
"""

import streamlit as st

app = st.App("pages/shell/main.py")
