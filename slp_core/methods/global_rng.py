"""What SetFit's packages set for the whole process, lent to one fit at a time and given back.

Their trainer seeds the generators that Python, NumPy and PyTorch share among all threads, and draws
from them; what they tell on screen is on or off for everybody. A fit has all of it in its `Turn`,
and gives it back whenever it calls its caller, who may be kept waiting there for another fit.
"""

from __future__ import annotations

import logging
import random
import threading
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from typing import Any

import numpy as np
import torch

_ONE_AT_A_TIME = threading.Lock()


class Turn:
    """A fit's own generators and silence, which are the process's inside ``with``.

    It waits for the turns of other fits; what was there before is there again afterwards.
    """

    def __init__(self) -> None:
        self._own: tuple[Any, ...] | None = None
        self._held = ExitStack()

    def __enter__(self) -> Turn:
        with ExitStack() as held:
            held.enter_context(_ONE_AT_A_TIME)
            held.enter_context(_silence())
            held.callback(_set_generators, _generators())
            if self._own is not None:
                _set_generators(self._own)
            self._held = held.pop_all()
        return self

    def __exit__(self, *raised: object) -> None:
        self._own = _generators()
        self._held.close()

    @contextmanager
    def interrupted(self) -> Iterator[None]:
        """Others may have their turn; then the generators go on where they were left."""
        self.__exit__()
        try:
            yield
        finally:
            self.__enter__()


def _generators() -> tuple[Any, ...]:
    """The states of the generators that all threads share."""
    of_numpy = np.random.get_state()  # noqa: NPY002 (the one that the packages draw from)
    return random.getstate(), of_numpy, torch.get_rng_state()


def _set_generators(states: tuple[Any, ...]) -> None:
    of_python, of_numpy, of_torch = states
    random.setstate(of_python)
    np.random.set_state(of_numpy)  # noqa: NPY002 (likewise)
    torch.set_rng_state(of_torch)


@contextmanager
def _silence() -> Iterator[None]:
    """No bars, and no news of what goes well."""
    from datasets.utils import logging as of_datasets
    from huggingface_hub import utils as of_hub
    from transformers.utils import logging as of_transformers

    bars = of_datasets.is_progress_bar_enabled(), of_transformers.is_progress_bar_enabled()
    of_hub_shown = not of_hub.are_progress_bars_disabled()
    log = logging.getLogger("setfit")
    level = log.level
    of_datasets.disable_progress_bar()
    of_transformers.disable_progress_bar()  # and those of the hub with them
    log.setLevel(logging.WARNING)
    try:
        yield
    finally:
        log.setLevel(level)
        for package, shown in zip((of_datasets, of_transformers), bars, strict=True):
            if shown:
                package.enable_progress_bar()
        (of_hub.enable_progress_bars if of_hub_shown else of_hub.disable_progress_bars)()
