import pytest


@pytest.fixture(autouse=True)
def cache_dir(tmp_path, monkeypatch):
    """An empty disk cache of each test's own."""
    folder = tmp_path / "cache"
    monkeypatch.setenv("SLP_CACHE_DIR", str(folder))
    return folder
