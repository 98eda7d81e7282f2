"""A file that somebody may ask for, or was made because somebody asked, lasts until it can be had.

Streamlit makes it at a click and has the browser fetch it then. But once any run of any tab has
ended, what makes the file is gone if a new run has drawn its button anew, of which the browser that
clicked need not know yet; and once two have ended, so is the file. Where a class is at work, or a
training is watched, that is soon.
"""

from __future__ import annotations

import time
from typing import Any

from streamlit.runtime import media_file_manager, runtime
from streamlit.runtime.media_file_manager import MediaFileManager, MediaFileMetadata

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


class LastingFiles(MediaFileManager):
    """Streamlit's files, where what makes one stays for a while after its button is gone."""

    def __init__(self, *args: Any, **options: Any):
        super().__init__(*args, **options)
        self._gone: dict[str, float] = {}  # since when no page has shown the button

    def _remove_orphaned_deferred_callables(self) -> None:
        """Let go of what no page has shown for long enough; the caller holds the lock."""
        now = time.monotonic()
        shown = set[str]().union(*(s.values() for s in self._files_by_session_and_coord.values()))
        unseen = self._deferred_callables.keys() - shown
        self._gone = {each: self._gone.get(each, now) for each in unseen}
        for each, since in self._gone.items():
            if now - since > FETCHED:
                self._drop_deferred_id(each)


def keep_downloads() -> None:
    """Have this process keep its files so; before a server is made."""
    media_file_manager.MediaFileMetadata = Lasting  # type: ignore[misc]
    runtime.MediaFileManager = LastingFiles  # type: ignore[misc]
