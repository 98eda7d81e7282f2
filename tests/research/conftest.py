import pytest

from research import interpolation
from tests.meta.meta_fixtures import (  # noqa: F401
    change_weights,
    data,
    few_rows,
    few_sample_texts,
    small,
)


@pytest.fixture(autouse=True)
def few_interpolated_texts(monkeypatch):
    """Shares of the way are asked about few rows, for the same reason as a card."""
    monkeypatch.setattr(interpolation, "load_dataset", few_rows)
