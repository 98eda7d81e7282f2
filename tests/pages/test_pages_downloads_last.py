"""Files that are made when somebody asks for them."""

from types import SimpleNamespace

import pytest
from streamlit.runtime import media_file_manager
from streamlit.runtime.media_file_storage import MediaFileStorageError
from streamlit.runtime.memory_media_file_storage import MemoryMediaFileStorage

from pages.shell import downloads


def test_a_file_is_there_to_be_fetched_whatever_runs_meanwhile_and_goes_later(monkeypatch):
    clock = SimpleNamespace(now=100.0)
    monkeypatch.setattr(downloads.time, "monotonic", lambda: clock.now)
    monkeypatch.setattr(media_file_manager, "MediaFileMetadata", downloads.MediaFileMetadata)
    downloads.keep_downloads()
    storage = MemoryMediaFileStorage("/media")
    manager = media_file_manager.MediaFileManager(storage)
    button = manager.add_deferred(lambda: "content", "text/plain", "1.2", "file.txt")
    name = manager.execute_deferred(button).removeprefix("/media/")
    clock.now += downloads.FETCHED
    for _ in range(3):
        manager.remove_orphaned_files()
    assert storage.get_file(name).content == b"content"
    clock.now += 1
    manager.remove_orphaned_files()
    with pytest.raises(MediaFileStorageError):
        storage.get_file(name)
