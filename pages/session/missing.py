"""A dataset that the URL requests and that is not here, or no longer."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from pages.session import settings


def look_for_missing(titles: Collection[str], by_name: Mapping[str, str]) -> None:
    """Note a dataset that is not there, for the URL to go on naming it, and open another."""
    requested = settings.DATASET.value
    if requested in titles:
        return
    settings.DATASET.clear()
    if requested in by_name:
        settings.DATASET.set(by_name[requested])
        return
    settings.POINT.clear()
    settings.MISSING.set(requested)


def miss_no_more() -> None:
    """Something else was chosen than the dataset that is missing, or the notice was closed."""
    settings.MISSING.set("")
