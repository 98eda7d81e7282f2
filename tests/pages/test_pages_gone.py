"""Clicks on a part of a page that has been replaced meanwhile."""

from types import SimpleNamespace

import pandas as pd
import streamlit as st

from pages.session import settings
from pages.widgets import chart
from slp_core.figures.style.theme import LIGHT

ROWS = pd.DataFrame({"row": [4, 7], "text": ["late", "kind"]})


def test_a_click_on_a_chart_that_has_gone_is_nothing(monkeypatch):
    told, picked, state = [], [], {}
    monkeypatch.setattr(st, "session_state", state)
    monkeypatch.setattr(chart, "_over", lambda **o: told.append(o["on_clicked_change"]))
    chart._over_chart("here", (), LIGHT, picked.append)
    (tell,) = told
    tell()
    assert not picked
    state["here"] = SimpleNamespace(clicked=[7])
    tell()
    assert picked == [7]


def test_a_row_is_picked_while_its_table_is_there_and_is_not_the_one_on_show(monkeypatch):
    drawn, picked, state = [], [], {}
    monkeypatch.setattr(st, "session_state", state)
    monkeypatch.setattr(st, "dataframe", lambda *_, **options: drawn.append(options))

    def say(row, options):
        state[options["key"]] = SimpleNamespace(selection=SimpleNamespace(cells=[(row, "text")]))
        options["on_select"]()

    def draw(chosen):
        chart.pick_row(ROWS, [4, 7], "here", picked.append, chosen)
        return drawn[-1]

    first = draw(4)
    assert first["selection_default"] == {"selection": {"cells": [(0, "row")]}}
    first["on_select"]()  # another table has taken its place
    assert not picked
    say(1, first)
    assert picked == [7]
    assert draw(7)["key"] == first["key"]  # by hand: it stays
    by_code = draw(4)
    assert by_code["key"] != first["key"]
    say(1, first)  # what the table before showed, again
    assert picked == [7]
    say(0, first)  # a choice on it, before the page has answered
    assert picked == [7, 4]
    assert settings.VIEWS.value["here"].version == 1
