"""What SetFit's packages set for the whole process, lent to one fit at a time and given back.

Their trainer seeds the generators that Python, NumPy and PyTorch share among all threads, and draws
from them; what they tell on screen is on or off for everybody.
"""

from __future__ import annotations

import logging
import random
import threading
from collections.abc import Iterator
from contextlib import contextmanager

import numpy as np
import torch

_ONE_AT_A_TIME = threading.Lock()


@contextmanager
def own_generators() -> Iterator[None]:
    """Have the process's generators, and silence, for oneself; as they were before afterwards."""
    with _ONE_AT_A_TIME, _silence():
        of_python, of_torch = random.getstate(), torch.get_rng_state()
        of_numpy = np.random.get_state()  # noqa: NPY002 (the one that the packages draw from)
        try:
            yield
        finally:
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
