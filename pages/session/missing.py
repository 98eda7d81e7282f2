"""A dataset that the URL requests and that is missing here."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from pages.session import settings


def look_for_missing(titles: Collection[str], by_name: Mapping[str, str]) -> None:
    """Record a missing dataset, so that the URL keeps naming it, and open another."""
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
    """Forget the missing dataset: another was chosen, or the notice was closed."""
    settings.MISSING.set("")
