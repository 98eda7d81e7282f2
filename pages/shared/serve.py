"""The app with a warm start: ``streamlit run pages/shared/serve.py``, which ``make app`` does.

While the browser is still connecting, a thread imports what the first picture needs and computes
it. ``streamlit run app.py`` shows the same app, a second or so later.
"""

from __future__ import annotations

import sys
import threading
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import streamlit as st

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))


@asynccontextmanager
async def lifespan(app: Any) -> AsyncIterator[None]:
    """Warm up beside the server, not before it."""
    threading.Thread(target=warm_up, name="warm-up", daemon=True).start()
    yield


def warm_up() -> None:
    """Compute the first visit's picture into the caches that the pages share."""
    from pages.shared.workspace import first_workspace

    first = first_workspace()
    first.landscape("pca").boundaries  # noqa: B018 - computed and kept by being asked for
    first.answers  # noqa: B018
    import slp_core.figures.confusion
    import slp_core.figures.map  # noqa: F401


app = st.App(str(ROOT / "app.py"), lifespan=lifespan)
