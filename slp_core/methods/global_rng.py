"""Process-wide state that SetFit's trainer changes: global random generators, and output.

One fit at a time uses it, and it is restored afterwards.
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
def exclusive_global_rng() -> Iterator[None]:
    """Exclusive use of the global random generators, without output; restored afterwards."""
    with _ONE_AT_A_TIME, _silence():
        python_state, torch_state = random.getstate(), torch.get_rng_state()
        numpy_state = np.random.get_state()  # noqa: NPY002 (the generator that the packages use)
        try:
            yield
        finally:
            random.setstate(python_state)
            np.random.set_state(numpy_state)  # noqa: NPY002 (likewise)
            torch.set_rng_state(torch_state)


@contextmanager
def _silence() -> Iterator[None]:
    """No progress bars and no info messages."""
    from datasets.utils import logging as datasets_logging
    from huggingface_hub import utils as hub
    from transformers.utils import logging as transformers_logging

    packages = datasets_logging, transformers_logging
    bars = [package.is_progress_bar_enabled() for package in packages]
    hub_bars = not hub.are_progress_bars_disabled()
    log = logging.getLogger("setfit")
    level = log.level
    for package in packages:  # transformers' also disables the hub's
        package.disable_progress_bar()
    log.setLevel(logging.WARNING)
    try:
        yield
    finally:
        log.setLevel(level)
        for package, shown in zip(packages, bars, strict=True):
            if shown:
                package.enable_progress_bar()
        (hub.enable_progress_bars if hub_bars else hub.disable_progress_bars)()
