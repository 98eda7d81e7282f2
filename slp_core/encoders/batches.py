"""Batches of about equal cost on a shared pool of threads."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Generator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from functools import cache
from typing import TypeVar

Result = TypeVar("Result")

TOKENS_PER_BATCH = 1024
"""Padding included. Fewer mean more Python calls; more no longer fit the processor's cache."""

_pool_lock = threading.Lock()


def plan_batches(lengths: Sequence[int], order: Sequence[int], budget: int) -> list[list[int]]:
    """Split `order` (indices by falling length) into batches of at most `budget` padded tokens."""
    batches: list[list[int]] = []
    for i in order:
        if batches and (len(batches[-1]) + 1) * lengths[batches[-1][0]] <= budget:
            batches[-1].append(i)
        else:
            batches.append([i])
    return batches


def run_batches(
    batches: Sequence[list[int]], work: Callable[[list[int]], Result]
) -> Generator[tuple[list[int], Result], None, None]:
    """Yield each batch, worked on by one thread of the shared pool, with its result when done."""
    with _pool_lock:
        pool, n_threads = _pool()
    waiting = iter(batches)
    running: dict[Future[Result], list[int]] = {}
    try:
        while True:
            while len(running) < 2 * n_threads and (batch := next(waiting, None)) is not None:
                running[pool.submit(work, batch)] = batch
            if not running:
                return
            for future in wait(running, return_when=FIRST_COMPLETED).done:
                yield running.pop(future), future.result()
    finally:
        for future in running:
            future.cancel()
        wait(running)


@cache
def _pool() -> tuple[ThreadPoolExecutor, int]:
    import torch

    n_threads = torch.get_num_threads()
    ready = threading.Barrier(n_threads + 1)

    def begin() -> None:
        torch.set_num_threads(1)  # for this thread ...
        ready.wait()

    pool = ThreadPoolExecutor(n_threads, thread_name_prefix="encode", initializer=begin)
    for _ in range(n_threads):
        pool.submit(int)
    ready.wait()
    torch.set_num_threads(n_threads)  # ... and restored for threads started later
    return pool, n_threads


if hasattr(os, "register_at_fork"):
    # A forked child has no threads of the pool and would wait for ever.
    os.register_at_fork(after_in_child=_pool.cache_clear)
