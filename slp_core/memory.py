"""Memory of this process, and the system's."""

from __future__ import annotations

import ctypes
from contextlib import suppress


def return_what_is_free() -> None:
    """Return freed memory to the system, where its C library can (glibc)."""
    with suppress(OSError, AttributeError, TypeError):
        ctypes.CDLL(None).malloc_trim(0)
