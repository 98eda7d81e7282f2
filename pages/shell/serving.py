"""The server around the script: middleware, the home page's own address, logs."""

from __future__ import annotations

import os
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from importlib import import_module
from pathlib import Path
from threading import Thread
from typing import Any

import streamlit as st
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import RedirectResponse
from starlette.routing import Route
from threadpoolctl import threadpool_limits  # type: ignore[import-untyped]

import slp_core
from pages.shell import logs
from pages.shell.headers import OwnHeaders
from pages.shell.navigation import HOME
from slp_core import launch
from slp_core.process import let_threads_sleep

let_threads_sleep()
SCRIPT = Path(__file__).resolve().with_name("main.py")
FIRST = "pages.shell.frame", "slp_core.methods.constraint_slp"  # that a first picture needs
_THREADS = ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS")


def to_home(request: Request) -> RedirectResponse:
    """Redirect to the home page, which Streamlit serves only at the app's root."""
    query = request.url.query
    return RedirectResponse(f"./?{query}" if query else "./")


@asynccontextmanager
async def running(app: st.App) -> AsyncIterator[None]:
    """While the server runs.

    Products of matrices take one thread, unless somebody has said how many: visitors and jobs are
    the threads of a server. The script's folder stays on `sys.path`, from which Streamlit takes it
    away at the end of each run: an import on another thread at that moment finds no module. And
    what the first picture needs is imported while the first browser loads its scripts.
    """
    if not any(name in os.environ for name in _THREADS):
        os.environ["OPENBLAS_NUM_THREADS"] = "1"  # for SciPy's, which comes later
        threadpool_limits(limits=1, user_api="blas")
    if str(SCRIPT.parent) not in sys.path:
        sys.path.append(str(SCRIPT.parent))
    Thread(target=lambda: [import_module(name) for name in FIRST], daemon=True).start()
    if launch.logs_json():
        logs.write_json()
    logs.tell("started", version=slp_core.__version__)
    yield
    logs.tell("stopped")
    from pages.session.jobs import job_pool  # not on the way to the first page

    job_pool().end()  # the program would wait for its threads


def options() -> dict[str, Any]:
    below = st.get_option("server.baseUrlPath").strip("/")
    return {
        "lifespan": running,
        "routes": [Route("/".join(["", *filter(None, [below]), HOME]), to_home)],
        "middleware": [Middleware(OwnHeaders)],
    }
