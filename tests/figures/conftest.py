"""Every value of every figure is one that Plotly knows."""

import pytest

from slp_core.figures.style import figure


@pytest.fixture(autouse=True)
def values_are_checked(monkeypatch):
    monkeypatch.setattr(figure, "CHECKED", True)
