"""What is clicked on a part of a page that another has taken the place of meanwhile."""

from types import SimpleNamespace

import pandas as pd
import pytest
import streamlit as st

from pages.widgets import chart, over_chart, row_list
from slp_core.figures.style.theme import LIGHT

ROWS = pd.DataFrame({"row": [4, 7], "text": ["late", "kind"]})


@pytest.mark.parametrize(
    ("draw", "told_by", "said"),
    [
        (lambda pick: row_list.row_list(ROWS, "Errors", "here", pick), "picked", 7),
        (lambda pick: over_chart.over_chart("here", (), LIGHT, pick), "clicked", [7]),
        (
            lambda pick: chart.pick_row(ROWS, [4, 7], "here", pick),
            "selection",
            SimpleNamespace(rows=[1], cells=[]),
        ),
    ],
)
def test_only_what_is_still_there_is_picked(monkeypatch, draw, told_by, said):
    told, picked, state = [], [], {}
    monkeypatch.setattr(st, "session_state", state)
    monkeypatch.setattr(row_list, "_component", lambda **o: told.append(o["on_picked_change"]))
    monkeypatch.setattr(over_chart, "_component", lambda **o: told.append(o["on_clicked_change"]))
    monkeypatch.setattr(st, "dataframe", lambda *_, **o: told.append(o["on_select"]))
    draw(picked.append)
    (tell,) = told
    tell()
    assert not picked
    state["here"] = SimpleNamespace(**{told_by: said})
    tell()
    assert picked == [7]
