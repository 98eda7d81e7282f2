"""Links of the app before it was rebuilt open what they opened: see frozen_links.py."""

import json
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))
import frozen_links

LINKS = json.loads(frozen_links.FILE.read_text(encoding="utf-8"))


@pytest.mark.parametrize("link", LINKS)
def test_an_old_link_opens_the_same_view(link):
    shown = [key for key, value in LINKS[link]["settings"].items() if value is not None]
    assert frozen_links.view(link, shown) == LINKS[link]
