"""A file that was made because somebody asked for it is there until it can have been fetched.

Streamlit makes it at a click and has the browser fetch it then; but once any two runs of any tab
have ended in between, it is gone. Where a class is at work, or a training is watched, that is soon.
"""

from __future__ import annotations

import time
from typing import Any

from streamlit.runtime import media_file_manager
from streamlit.runtime.media_file_manager import MediaFileMetadata

FETCHED = 60.0  # seconds within which a browser has begun to fetch what it was told of


class Lasting(MediaFileMetadata):
    """What Streamlit knows of a file, which it may drop when that has lasted long enough."""

    def __init__(self, *args: Any, **options: Any):
        super().__init__(*args, **options)
        self._made = time.monotonic()

    @property
    def is_marked_for_delete(self) -> bool:
        """Whether it may go, once no page shows it."""
        return super().is_marked_for_delete and time.monotonic() - self._made > FETCHED


def keep_downloads() -> None:
    """Have this process keep its files so."""
    media_file_manager.MediaFileMetadata = Lasting  # type: ignore[misc]
