"""The app on Streamlit Community Cloud, as a public server: this file is its "Main file path".

What Streamlit's own commands serve to this computer alone, the settings beside this file open.
"""

import os
import sys
from pathlib import Path

import streamlit as st

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
os.environ.setdefault("SLP_PUBLIC", "1")

from pages.shell.serving import SCRIPT, options

app = st.App(SCRIPT, **options())
