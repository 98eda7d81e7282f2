"""Data cards: a Markdown file beside each bundled dataset."""

from __future__ import annotations

from pathlib import Path

from slp_core.errors import DatasetError


def read_card(path: Path) -> str:
    """The text of a card."""
    try:
        return path.read_text(encoding="utf-8")
    except OSError as error:
        raise DatasetError(f"The card {path} is missing: restore it.") from error
