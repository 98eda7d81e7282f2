"""Products of matrices on one thread each: visitors and jobs are the threads of a server."""

from __future__ import annotations

import os

from threadpoolctl import threadpool_limits  # type: ignore[import-untyped]

_TOLD = ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS")


def one_thread_a_product() -> None:
    """Have BLAS take one thread, unless somebody has said how many.

    Its products here are small: two threads gain nothing on them, and wait for each other wherever
    something else has one of the cores (research/performance.md). Networks are PyTorch's, which has
    threads of its own.
    """
    if any(name in os.environ for name in _TOLD):
        return
    os.environ["OPENBLAS_NUM_THREADS"] = "1"  # for SciPy's, which comes later
    threadpool_limits(limits=1, user_api="blas")
