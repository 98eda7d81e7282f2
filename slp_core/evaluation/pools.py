"""Where runs are executed: processes of this machine, or the workers of a Dask cluster."""

from __future__ import annotations

import pickle
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

import slp_core
from slp_core.errors import SLPError, missing

if TYPE_CHECKING:
    from slp_core.data import Examples
    from slp_core.encoders import Vectors
    from slp_core.encoders.trainable import LowerStates
    from slp_core.evaluation.predictions_file import Predictions
    from slp_core.evaluation.protocol import Run
    from slp_core.evaluation.results import Scores

    Finished = tuple[Run, Scores | None, str, Predictions | None]

Inputs: TypeAlias = "Vectors | LowerStates | Examples"
"""All rows of a dataset, of which a run's are taken by their numbers."""

# Calls an importable function with each work and the rows, and yields results as they finish.
Pool: TypeAlias = (
    "Callable[[Callable[[Any, Inputs], Finished], Sequence[Any], Inputs], Iterator[Finished]]"
)

WITHIN = 5.0  # seconds that a cluster is given to have a worker
_LOOK = 0.05  # seconds between two looks at what is finished


class WorkersLost(Exception):
    """Says why the remaining runs cannot be executed here."""


def _on_processes(
    n_jobs: int, function: Callable[[Any, Inputs], Finished], works: Sequence[Any], rows: Inputs
) -> Iterator[Finished]:
    from joblib import Parallel, delayed, parallel_config

    with parallel_config(backend="loky", inner_max_num_threads=1, n_jobs=n_jobs):
        calls = (delayed(function)(work, rows) for work in works)
        try:
            yield from Parallel(return_as="generator_unordered")(calls)
        except Exception as death:  # what a run raises is returned by `function` in words
            raise WorkersLost(
                f"a worker process died ({type(death).__name__}; memory may have run out)"
            ) from death


def _on_cluster(
    client: Any,
    address: str,
    function: Callable[[Any, Inputs], Finished],
    works: Sequence[Any],
    rows: Inputs,
) -> Iterator[Finished]:
    """On the workers of a Dask scheduler: the work of one that dies is redone by others."""
    from cloudpickle import dumps  # type: ignore[import-untyped]
    from distributed import CancelledError, KilledWorker

    def call(pickled: bytes, there: Inputs) -> Finished:  # sent itself, and not by its name
        import pickle

        function, work = pickle.loads(pickled)
        found: Finished = function(work, there)
        return found

    # The scheduler loads every task, and may have no slp_core: it is given bytes alone.
    calls = [dumps((function, work)) for work in works]
    try:
        # Made by a task, unlike scattered, the rows are there again after their holder died.
        there = client.submit(pickle.loads, dumps(rows), pure=False)
        futures = client.map(call, calls, [there] * len(calls), pure=False)
        for future, found in _finished(client, address, futures):
            if future.status in ("error", "cancelled"):
                future.result()  # which raises it
            yield found
    except WorkersLost:
        raise
    except KilledWorker as death:
        raise WorkersLost(
            "a run ended every worker that it was given to (memory may have run out)"
        ) from death
    except (CancelledError, OSError) as error:
        raise WorkersLost(f"the Dask scheduler at {address} responds no more") from error
    except Exception as error:  # of what a worker cannot load; a run's own are words
        raise WorkersLost(
            f"a worker cannot carry them out ({type(error).__name__}: {error})"
        ) from error


def _finished(client: Any, address: str, futures: Sequence[Any]) -> Iterator[tuple[Any, Any]]:
    """The futures with their results, as they finish, while there are workers."""
    from distributed import as_completed

    # With what they found: asked for later, it would be waited for without end where its
    # worker, the last one, has died with it.
    finished, last_seen = as_completed(futures, with_results=True), time.monotonic()
    while not finished.is_empty():
        if batch := finished.next_batch(block=False):
            yield from batch
            continue
        time.sleep(_LOOK)
        if client.nthreads():
            last_seen = time.monotonic()
        elif time.monotonic() > last_seen + WITHIN:
            raise WorkersLost(f"the Dask scheduler at {address} has no workers any more")


@contextmanager
def open_pool(n_jobs: int, dask: str | None) -> Iterator[Pool]:
    """A pool of ``n_jobs`` processes here, or of the workers of a Dask scheduler."""
    if dask is None:
        try:
            yield partial(_on_processes, n_jobs)
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
        _check_workers(client, dask)
        yield partial(_on_cluster, client, dask)


def _check_workers(client: Any, address: str) -> None:
    """Raise SLPError where there is no worker, or one that cannot run what this program sends."""
    try:
        client.wait_for_workers(1, timeout=WITHIN)
    except TimeoutError:
        raise SLPError(
            f"The Dask scheduler at {address} has no workers: start one with "
            f"'dask worker {address}'."
        ) from None
    here = sys.version_info[:2]
    for worker, about in client.get_versions()["workers"].items():
        python = about["packages"]["python"].split(".")[:2]
        if python != list(map(str, here)):
            raise SLPError(
                f"The Dask worker {worker} runs Python {'.'.join(python)}, and this is Python "
                f"{'.'.join(map(str, here))}: start workers of the same Python."
            )

    def version() -> str:  # not at the top: so the code itself is sent, not its name
        try:
            import slp_core
        except ImportError as error:
            return f"no slp_core ({error})"
        return f"slp_core {slp_core.__version__}"

    # One that cannot be asked has just died; others do what there is.
    for worker, found in client.run(version, on_error="ignore").items():
        if found != version():
            raise SLPError(
                f"The Dask worker {worker} has {found}, and this is {version()}: install the same "
                "slp-explorer where workers run, or start them with "
                f"PYTHONPATH={Path(slp_core.__file__).parents[1]}."
            )
