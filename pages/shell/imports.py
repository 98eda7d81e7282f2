"""Modules can be imported on any thread while pages run on others."""

from __future__ import annotations

import sys
from pathlib import Path

SCRIPT = Path(__file__).resolve().with_name("main.py")


def steady_imports() -> None:
    """Leave `sys.path` as it is while the server runs.

    Streamlit puts the script's folder in front for every run that does not find it there, and takes
    it away at the run's end. An import on another thread that goes through the list at that moment
    passes over one of its folders, and finds no module that is there: PyTorch could be missing
    where somebody encoded texts while somebody else opened a page. At the end of the list the
    folder hides nothing.
    """
    folder = str(SCRIPT.parent)
    if folder not in sys.path:
        sys.path.append(folder)
