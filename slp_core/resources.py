"""The project's data files: sample data, checkpoints, the app."""

from __future__ import annotations

import warnings
from pathlib import Path

_PACKAGES = Path(__file__).resolve().parents[1]
INSTALLED = "slp_explorer"  # what the wheel calls the folder of all that is no library


def resource(name: str) -> Path:
    """A file or folder beside ``slp_core``, or in the wheel's; warns of a missing one."""
    installed = _PACKAGES / INSTALLED
    path = (installed if installed.is_dir() else _PACKAGES) / name
    if not path.exists():
        warnings.warn(
            f"{name} of SLP Explorer is missing in {path.parent}: install the package again.",
            stacklevel=2,
        )
    return path
