"""Where runs are carried out: processes of this machine, or the workers of a Dask cluster.

A pool's ``run`` yields (run, scores, words) in the order in which runs finish. Results are written
by the caller alone, so a worker that dies can neither lose a finished one nor write one twice.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

from slp_core.errors import SLPError

if TYPE_CHECKING:
    from slp_core.evaluation.inputs import Inputs
    from slp_core.evaluation.protocol import Run
    from slp_core.evaluation.results import Scores

    Finished = tuple[Run, Scores | None, str]

Work = TypeVar("Work")


class WorkersLost(Exception):
    """Says in words why the runs that are left cannot be carried out here."""


class Pool(Protocol):
    """Carries runs out."""

    def run(
        self, function: Callable[[Work, Inputs], Finished], works: Sequence[Work], rows: Inputs
    ) -> Iterator[Finished]:
        """Call an importable function with each of the works, and yield what it returns.

        ``rows``, the largest argument by far, is the same for all of them, and is sent to a worker
        once. Raises WorkersLost.
        """


@contextmanager
def open_pool(n_jobs: int, dask: str | None) -> Iterator[Pool]:
    """A pool of ``n_jobs`` processes here, or of the workers of a Dask scheduler."""
    if dask is None:
        try:
            yield _Processes(n_jobs)
        except KeyboardInterrupt:
            from joblib.externals.loky import get_reusable_executor

            get_reusable_executor().shutdown(kill_workers=True)  # joblib starts some anew
            raise
        return
    try:
        from distributed import Client
    except ImportError:
        raise SLPError(
            "A Dask cluster needs the package distributed: pip install -r requirements-extra.txt."
        ) from None
    try:
        client = Client(dask, timeout="5s")
    except (OSError, ValueError) as error:
        raise SLPError(
            f"There is no Dask scheduler at {dask} ({error}): start one with 'dask scheduler' and "
            "give the address that it prints."
        ) from error
    with client:
        yield _Cluster(client)


class _Processes:
    def __init__(self, n_jobs: int) -> None:
        self.n_jobs = n_jobs

    def run(
        self, function: Callable[[Work, Inputs], Finished], works: Sequence[Work], rows: Inputs
    ) -> Iterator[Finished]:
        from joblib import Parallel, delayed, parallel_config
        from joblib.externals.loky.process_executor import BrokenProcessPool

        # joblib hands a large array to its workers as a memory map, written once for all of them
        try:
            with parallel_config("loky", inner_max_num_threads=1):
                yield from Parallel(n_jobs=self.n_jobs, return_as="generator_unordered")(
                    delayed(function)(work, rows) for work in works
                )
        except BrokenProcessPool as death:
            raise WorkersLost(
                f"a worker process died ({type(death).__name__}; memory may have run out)"
            ) from death


class _Cluster:
    def __init__(self, client: Any) -> None:
        self.client = client

    def run(
        self, function: Callable[[Work, Inputs], Finished], works: Sequence[Work], rows: Inputs
    ) -> Iterator[Finished]:
        from distributed import as_completed

        # On every worker, so that the death of one takes no copy away that is needed.
        sent = self.client.scatter(rows, broadcast=True)
        futures = [self.client.submit(function, work, sent, pure=False) for work in works]
        lost = []
        for future in as_completed(futures):
            if future.status == "finished":
                yield future.result()
            else:
                lost.append(future)
        if lost:
            raise WorkersLost(
                f"the cluster's workers died at them ({type(lost[0].exception()).__name__})"
            )
