"""Projections that take seconds, computed in a process of their own.

UMAP compiles itself on first use and is not thread-safe, and both hold up every other thread of
the process it runs in. Here it has a process of low priority to itself, which ends when it has
been idle for an hour.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from slp_core.errors import SLPError
from slp_core.process import ChildProcess, ProcessEnded

Result = TypeVar("Result")

# scikit-learn loads pandas where it is installed: 60 MB for tables, of which there are none here.
_process = ChildProcess("projections", idle_seconds=3_600, without=("pandas",))


def run_in_process(
    function: Callable[..., Result],
    *args: Any,
    cancelled: Callable[[], bool] | None = None,
    **options: Any,
) -> Result:
    """Call a function in the process for projections, and wait for it; calls queue."""
    try:
        return _process.call(function, *args, cancelled=cancelled, **options)
    except ProcessEnded as error:
        raise SLPError(
            "The process that computes this projection was ended from outside, perhaps for want "
            "of memory: try again, or use PCA."
        ) from error
