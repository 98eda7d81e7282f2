"""Where runs are carried out: processes of this machine, or the workers of a Dask cluster."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, TypeVar

from slp_core.errors import SLPError, missing

if TYPE_CHECKING:
    from slp_core.evaluation.inputs import Inputs
    from slp_core.evaluation.protocol import Run
    from slp_core.evaluation.results import Scores

    Finished = tuple[Run, Scores | None, str]

Work = TypeVar("Work")


class WorkersLost(Exception):
    """Says in words why the runs that are left cannot be carried out here."""


class Pool:
    """Carries runs out by joblib: in so many processes, or, where it is None, by Dask's workers."""

    def __init__(self, n_jobs: int | None) -> None:
        self.n_jobs = n_jobs

    def run(
        self, function: Callable[[Work, Inputs], Finished], works: Sequence[Work], rows: Inputs
    ) -> Iterator[Finished]:
        """Call an importable function with each of the works, and yield as they finish."""
        from joblib import Parallel, delayed, parallel_config

        config: dict[str, Any] = {"backend": "loky", "inner_max_num_threads": 1}
        if self.n_jobs is None:
            config = {"backend": "dask", "scatter": [rows]}
        with parallel_config(**config, n_jobs=-1 if self.n_jobs is None else self.n_jobs):
            calls = (delayed(function)(work, rows) for work in works)
            try:
                yield from Parallel(return_as="generator_unordered")(calls)
            except Exception as death:  # what a run raises is returned by `function` in words
                raise WorkersLost(
                    f"a worker process died ({type(death).__name__}; memory may have run out)"
                ) from death


@contextmanager
def open_pool(n_jobs: int, dask: str | None) -> Iterator[Pool]:
    """A pool of ``n_jobs`` processes here, or of the workers of a Dask scheduler."""
    if dask is None:
        try:
            yield Pool(n_jobs)
        except KeyboardInterrupt:
            from joblib.externals.loky import get_reusable_executor

            get_reusable_executor().shutdown(kill_workers=True)  # joblib starts some anew
            raise
        return
    try:
        from distributed import Client
    except ImportError:
        raise missing("A Dask cluster", "distributed", "extra") from None
    try:
        client = Client(dask, timeout="5s")
    except (OSError, ValueError) as error:
        raise SLPError(
            f"There is no Dask scheduler at {dask} ({error}): start one with 'dask scheduler' and "
            "give the address that it prints."
        ) from error
    with client:
        yield Pool(None)
