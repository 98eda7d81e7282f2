"""Links of the app before it was rebuilt open what they opened: see frozen_links.py."""

import json

import frozen_links
import pytest
from streamlit.navigation.page import StreamlitPage

LINKS = json.loads(frozen_links.FILE.read_text(encoding="utf-8"))
# What stands in the sidebar or is read with it: the page itself need not be drawn.
AROUND = {
    *("dataset", "dimension", "encoder", "normalisation", "shots", "draw", "method", "distance"),
    *("lesson", "step", "hide"),
}


@pytest.mark.parametrize("link", LINKS)
def test_an_old_link_opens_the_same_view(link, monkeypatch):
    settings = LINKS[link]["settings"]
    if settings.keys() <= AROUND:
        monkeypatch.setattr(StreamlitPage, "run", lambda page: None)
    shown = [key for key, value in settings.items() if value is not None]
    assert frozen_links.view(link, shown) == LINKS[link]
