"""Where runs are carried out: processes of this machine, or the workers of a Dask cluster.

A pool's ``run`` takes the arguments of each run, and yields (run, scores, words) in the order in
which they finish. Rows are written by the caller alone, so a worker that dies can neither lose a
finished one nor write one twice.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Protocol

from slp_core.errors import SLPError

if TYPE_CHECKING:
    from slp_core.evaluation.protocol import Run
    from slp_core.evaluation.results import Scores

    Finished = tuple[Run, Scores | None, str]

ROWS = 3
"""Where the task's rows, the largest argument by far, stand among the arguments of a run."""


class WorkersLost(Exception):
    """Says in words why the runs that are left cannot be carried out here."""


class Pool(Protocol):
    """Carries runs out."""

    def run(self, arguments: Sequence[tuple[Any, ...]]) -> Iterator[Finished]:
        """Yield each run as it finishes; raises WorkersLost."""


@contextmanager
def open_pool(n_jobs: int, dask: str | None) -> Iterator[Pool]:
    """A pool of ``n_jobs`` processes here, or of the workers of a Dask scheduler.

    Raises
    ------
    SLPError
        The scheduler cannot be reached, or Dask is not installed.
    """
    if dask is None:
        yield _Processes(n_jobs)
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

    def run(self, arguments: Sequence[tuple[Any, ...]]) -> Iterator[Finished]:
        from joblib import Parallel, delayed, parallel_config
        from joblib.externals.loky.process_executor import BrokenProcessPool

        from slp_core.evaluation.runner import run_one

        # joblib hands a large array to its workers as a memory map, written once for all of them
        try:
            with parallel_config("loky", inner_max_num_threads=1):
                yield from Parallel(n_jobs=self.n_jobs, return_as="generator_unordered")(
                    delayed(run_one)(*each) for each in arguments
                )
        except BrokenProcessPool as death:
            raise WorkersLost(
                f"a worker process died ({type(death).__name__}; memory may have run out)"
            ) from death


class _Cluster:
    def __init__(self, client: Any) -> None:
        self.client = client

    def run(self, arguments: Sequence[tuple[Any, ...]]) -> Iterator[Finished]:
        from distributed import as_completed

        from slp_core.evaluation.runner import run_one

        # On every worker, so that the death of one takes no copy away that is needed.
        rows = self.client.scatter(arguments[0][ROWS], broadcast=True)
        futures = {
            self.client.submit(run_one, *each[:ROWS], rows, *each[ROWS + 1 :], pure=False): each[0]
            for each in arguments
        }
        lost = []
        for future in as_completed(list(futures)):
            if future.status == "finished":
                yield future.result()
            else:
                lost.append(future)
        if lost:
            raise WorkersLost(
                f"the cluster's workers died at them ({type(lost[0].exception()).__name__})"
            )
