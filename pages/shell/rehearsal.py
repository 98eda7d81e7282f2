"""The server opens its first page once for itself, so that no visitor waits for what it loads.

A first run imports the library, reads the bundled data and vectors, and fits and draws the opening
view: some seconds, while all later runs of it take a fraction of one. A class that opens the page
within a minute of the server's start would all wait for it; a person who starts the app has it
half done when the browser is there. What makes later visits lighter is prepared once that is done.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import partial
from typing import TYPE_CHECKING, Any

from streamlit.runtime import get_instance

from pages.shell import fonts, logs

if TYPE_CHECKING:
    from pages.session.jobs import Job

_LOOK = 0.05  # seconds between two looks whether the server is up
_LATER = 20.0  # seconds after which UMAP is compiled: the first visitor has the processor before


@asynccontextmanager
async def running(app: Any) -> AsyncIterator[None]:
    """The time that the server runs: logged, and begun with a rehearsal beside its first work."""
    async with logs.running(app):
        rehearsing = asyncio.create_task(rehearse())
        try:
            yield
        finally:
            rehearsing.cancel()
            await asyncio.gather(rehearsing, return_exceptions=True)


async def rehearse() -> None:
    """Run the opening page once, for nobody, and log how it ended.

    Then fonts that no start before has cut are cut and, a little later, UMAP is compiled.
    """
    missing = await asyncio.to_thread(fonts.find)
    runtime = get_instance()
    while not (await runtime.is_ready_for_browser_connection)[0]:
        await asyncio.sleep(_LOOK)
    _, how = await runtime.does_script_run_without_error()
    logs.tell("rehearsed", ended=how)
    # With it comes most of the library, half a second before which the server would not listen
    from pages.session.jobs import PICTURES, job_pool

    for name in missing:
        job_pool().start(f"cut {name}", "Cutting a font", partial(_cut, name))
    await asyncio.sleep(_LATER)
    job_pool().start("warm up", "Compiling UMAP", _compile_umap, lane=PICTURES)


def _cut(name: fonts.Name, job: Job) -> None:
    fonts.make(name)


def _compile_umap(job: Job) -> None:
    from slp_core.views.process import warm_up

    warm_up()
