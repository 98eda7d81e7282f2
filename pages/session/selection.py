"""The point that is chosen: a row of the dataset, on whatever page it was clicked.

The address carries it. No widget could: pages that have none would take it away.
"""

from __future__ import annotations

import re

import streamlit as st

from pages.session import settings
from pages.session.address import keep, went_back
from pages.session.workspace import Workspace
from slp_core.facts import ClassName, Facts, fact


def chosen_row(workspace: Workspace) -> int | None:
    """The row that was chosen of these data, or at first that of the address; kept there.

    The browser's Back leads to that of the address too, or to the one that a page opens on.
    """
    if went_back():
        settings.POINT.set(None)
        settings.POINT_DATA.set("")
    if went_back() or not settings.ADDRESS_READ.value:
        settings.ADDRESS_READ.set(True)
        _read_address(len(workspace.dataset))
    row, digest = settings.POINT.value, workspace.dataset.digest
    if settings.POINT_DATA.value not in ("", digest) or (row or 0) >= len(workspace.dataset):
        row = None  # of other data
        settings.POINT.set(row)
    settings.POINT_DATA.set("" if row is None else digest)
    keep(settings.POINT)
    return row


def choose_row(row: int) -> None:
    """A row is to be looked at, and no longer an example that was typed."""
    settings.POINT.set(int(row))
    settings.POINT_DATA.set("")
    settings.POINT_REFUSED.set(())
    settings.TYPED_EXAMPLE.set(None)


def choose_none() -> None:
    """Back to the point that a page opens on."""
    settings.POINT.set(None)


def _read_address(n: int) -> None:
    asked = st.query_params.get(settings.POINT.key)
    if asked is not None and settings.POINT.value is None:
        row = parse_row_index(asked, n)
        settings.POINT.set(row)
        settings.POINT_REFUSED.set(() if row is not None else refused_row_facts(asked, n))


def parse_row_index(text: str, n: int) -> int | None:
    """A row of n that is written in digits alone; else None."""
    return int(text) if re.fullmatch(r"[0-9]{1,12}", text) and int(text) < n else None


def refused_row_facts(asked: str, n: int) -> Facts:
    """That the data have no such row."""
    template = (
        "The address asks for the point {asked}; these data have the points {first:,} to {last:,}."
    )
    return (fact("asked_row.none", template, asked=ClassName(asked), first=0, last=n - 1),)
