"""What a server holds after long visits, beside the goal for it.

    python -m benchmarks.memory

One visit to every page with every bundled set, and on another server one that uploads 7,000 texts
and goes to every page with them. Each page is left once it asks for nothing more, or after a while.
Measured are the server and, apart from it, the processes that it has started.
"""

from __future__ import annotations

import asyncio
import time

import psutil

import slp_core as slp
from benchmarks.load import MEGABYTE, Visitor, servers, texts, visitor
from pages.shell.navigation import HOME, PAGES

GOAL = 1_024  # MB, of the server and of what it has started
TEXTS = 7_000
SETTLES = 15.0  # seconds; after them a page is left as it is


async def every_page(tab: Visitor) -> None:
    """Go to each page, and wait until it is at rest."""
    for folder, *_ in PAGES.values():
        tab.page = folder
        await tab.run()
        end = time.monotonic() + SETTLES
        while not tab.at_rest and time.monotonic() < end:
            await asyncio.sleep(0.2)


async def every_set(address: str, process: psutil.Process) -> None:
    """All pages with each bundled set."""
    async with visitor(address) as tab:
        for info in slp.list_datasets():
            tab.page = HOME
            await tab.run()
            await tab.choose("Dataset", info.title)
            await every_page(tab)
            print(f"    {info.title:32} {said(process)}", flush=True)


async def many_texts(address: str, process: psutil.Process) -> None:
    """All pages with an upload."""
    async with visitor(address) as tab:
        tab.page = HOME
        await tab.run()
        await tab.press("Upload a dataset")
        await tab.upload("many.csv", texts(0, TEXTS))
        await tab.press("Use this dataset")
        await tab.until("accuracy **")
        print(f"    encoded   {said(process)}", flush=True)
        await every_page(tab)


def said(process: psutil.Process) -> str:
    """Memory of the server, and of the processes that it has started; all, what is shared once."""
    every = [process, *process.children(recursive=True)]
    own, *others = (each.memory_info().rss / MEGABYTE for each in every)
    together = sum(each.memory_full_info().pss for each in every) / MEGABYTE
    beside = " + ".join(f"{each:.0f}" for each in others) or "0"
    return f"{own:6.0f} MB, and {beside} beside it: {together:.0f} MB together"


def main() -> None:
    """Both visits, one after the other."""
    for what, go in (("every page, every set", every_set), (f"{TEXTS:,} texts", many_texts)):
        print(f"\n{what} (goal ≤ {GOAL:,} MB)")
        with servers(1) as ((address,), (process,)):
            asyncio.run(go(address, process))
            print(f"  at the end {said(process)}")


if __name__ == "__main__":
    main()
