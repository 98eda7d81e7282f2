"""The glossary on a page: marked terms are explained in place, and listed behind a button."""

from __future__ import annotations

from pages.session.component import component
from slp_core.glossary import TERMS, anchor

_component = component(__file__, "words")
_DATA = {f"#{anchor(name)}": {"name": name, "text": text} for name, text in TERMS.items()}


def words() -> None:
    """Explain the page's marked terms at a touch, and draw the button that lists all."""
    _component(key="words", data=_DATA, width="content", height="content")
