"""What a page puts into its report: its own sentences, figures and tables, as they stand there."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from pages.session import settings

if TYPE_CHECKING:
    from slp_core.report.subject import Part


def offer_report(key: str, make: Callable[[], Sequence[Part]]) -> None:
    """Say what the report of this page holds, made when it is wanted; a key that names it."""
    settings.REPORTED.set((key, make))
