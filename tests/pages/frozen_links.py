"""Sixty links of the app before it was rebuilt, and the view that each opened.

``python tests/pages/frozen_links.py`` writes ``frozen_links.json`` anew. A link is somebody's
bookmark, or stands in a lesson plan: it opens the same view for good. What differs, on
purpose: the lesson on ensembles is about other data now, ``ask=answer`` asks for a prediction, and
where a page does not draw the chosen method, what it draws instead is named everywhere.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from urllib.parse import parse_qs

from driving import chosen, open_page, until
from streamlit.testing.v1 import AppTest

from pages.session.files import WORKSPACE

FILE = Path(__file__).with_suffix(".json")


def view(link: str, shown: Iterable[str] = ()) -> dict[str, object]:
    """What a link opens: what is settled, and how well it does.

    ``shown`` are settings to wait for, which a page shows once it has computed what they are of.
    """
    folder, _, query = link.partition("?")
    app = open_page(folder, query=parse_qs(query), folded=True)
    until(app, lambda: WORKSPACE in app.session_state)  # what has to be encoded first
    until(app, lambda: set(shown) <= set(app.session_state["shown"]))
    workspace = app.session_state[WORKSPACE]
    return {
        "dataset": workspace.dataset.title,
        "vectors": round(float(abs(workspace.X).mean()), 5),
        "shots": workspace.shots,
        "draw": workspace.draw,
        "method": workspace.method.name,
        "options": {key: str(value) for key, value in sorted(workspace.options.items())},
        "correct": int((workspace.predictions.predicted == workspace.predictions.true).sum()),
        "settings": {key: _plain(_value(app, key)) for key in sorted(parse_qs(query))},
    }


def _value(app: AppTest, key: str) -> object:
    """Where a setting stands, by its key; None where the page does not show it."""
    return chosen(app, key) if key in app.session_state["shown"] else None


def _plain(value: object) -> object:
    return json.loads(json.dumps(value, default=str))


if __name__ == "__main__":
    links = json.loads(FILE.read_text(encoding="utf-8"))
    text = json.dumps({link: view(link) for link in links}, indent=1, ensure_ascii=False)
    FILE.write_text(text + "\n", encoding="utf-8")
