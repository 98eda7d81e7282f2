"""A report as one page of HTML, self-contained and printable.

Whatever comes from data is escaped: by the template, by the Markdown reader, which passes no HTML,
and in the figures' JSON. Plotly's script is in the page once, packed; a browser unpacks it.
"""

from __future__ import annotations

import base64
import gzip
import json
import re
from collections.abc import Sequence
from functools import cache
from numbers import Integral
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from jinja2 import Environment, FileSystemLoader
from markdown_it import MarkdownIt
from markupsafe import Markup, escape

from slp_core.data.images import pixel_svg
from slp_core.data.remarks import edits_text, support_set_text
from slp_core.data.typed_shots import typed_text
from slp_core.evaluation.status import accuracy_text, correct_text, settings_texts
from slp_core.explain.text import predictions_text
from slp_core.figures.display import Display, with_ring
from slp_core.figures.style.theme import LIGHT, Theme
from slp_core.markdown import unmarked, without_terms
from slp_core.report.subject import Part, ReportSubject

_NOISE = 1e-12  # what a sum of ratios is off by
WIDTH = 720  # px of figures: what A4 and US letter have between narrow margins
_SHEET = 930  # px of a figure that a sheet of A4 or US letter holds at full size
_TALL = 760  # and from which it may leave its sentences behind on the sheet before
_SMALLEST = 0.6  # of its size, to which a figure is made smaller for one sheet; else it takes two
_LONG = re.compile(r"(\S{17,})")  # a word that a column of a table need not be as wide as
_IN_A_CELL = 32  # px of an image in a table
_HERE = Path(__file__).parent
_markdown = MarkdownIt("commonmark", {"html": False}).disable(["link", "image", "autolink"])
_templates = Environment(
    loader=FileSystemLoader(_HERE), autoescape=True, trim_blocks=True, lstrip_blocks=True
)


def rendered(subject: ReportSubject, parts: Sequence[Part]) -> str:
    dataset, predictions = subject.dataset, subject.predictions
    chosen = settings_texts(
        dataset.title, subject.encoder_title, subject.shots, subject.method.title
    )
    accuracy = accuracy_text(predictions.true, predictions.predicted)
    correct = correct_text(predictions.true, predictions.predicted)
    support_set = support_set_text(subject.draw, subject.edits)
    look = LIGHT.for_classes(dataset.classes, dataset.made)
    drawn = [(part, [_figure(each, look) for each in part.displays]) for part in parts]
    return _templates.get_template("report.html").render(
        title=f"{dataset.title}: {subject.method.title}",
        strip=_text(f"{' · '.join(chosen)} · {accuracy} (support set {support_set}). {correct}"),
        headline=_text(predictions_text(predictions)),
        settings=_settings(subject),
        parts=drawn,
        css=Markup((_HERE / "report.css").read_text(encoding="utf-8")),
        script=Markup((_HERE / "report.js").read_text(encoding="utf-8")),
        figures=[figure["json"] for _, figures in drawn for figure in figures],
        plotly=packed_plotly(),
    )


def _settings(subject: ReportSubject) -> dict[str, str]:
    typed = typed_text(subject.dataset)
    versions = ", ".join(f"{name} {version}" for name, version in subject.versions.items())
    return {
        "dataset": subject.dataset.title,
        "data hash": subject.dataset.digest,
        **({"typed shots": typed} if typed else {}),
        "encoder": subject.encoder_title,
        **({"normalisation": subject.scaling} if subject.scaling else {}),
        "shots per class": str(subject.shots),
        "support set": str(subject.draw),
        **({"edits": f"{edits_text(subject.edits)} ({subject.edits})"} if subject.edits else {}),
        "method": subject.method.title,
        **subject.method.labelled(subject.options),
        "made on": subject.date,
        "with": versions,
    }


def _text(text: str) -> Markup:
    """Markdown as HTML: emphasis is read, and nothing else that a name may hold."""
    return Markup(_markdown.renderInline(without_terms(text)))


def _card(card: str) -> Markup:
    """A data card as HTML; its headings stand under the part's own."""
    tokens = _markdown.parse(card)
    for token in tokens:
        if token.type in ("heading_open", "heading_close"):
            token.tag = "h3"
    return Markup(_markdown.renderer.render(tokens, _markdown.options, {}))


def _figure(display: Display, look: Theme) -> dict[str, Any]:
    """A figure's JSON as it may stand inside a script element, and how it stands on paper."""
    figure = with_ring(display.figure(look), display.ring, look)
    figure.update_layout(width=WIDTH, autosize=False, dragmode=False)
    drawn, height = json.loads(figure.to_json()), figure.layout.height
    packed = json.dumps({"data": drawn["data"], "layout": drawn["layout"]})
    share = min(_SHEET / height, 1.0)
    return {
        "json": Markup(packed.replace("<", "\\u003c")),
        "alt": unmarked(display.sentence()),
        "tall": height > _TALL,
        "on_paper": round(share, 3) if share >= _SMALLEST else 1.0,  # smaller is not legible
    }


def _cell(value: Any) -> Markup:
    """As it is read; long words may break anywhere, others stay whole."""
    if isinstance(value, np.ndarray):
        return Markup(pixel_svg(value, "the example as an image", _IN_A_CELL))
    if value is None or value is pd.NA or value != value:
        text = "–"
    elif not isinstance(value, float):
        text = f"{value:,}" if isinstance(value, Integral) else str(value)
    else:
        text = "0" if abs(value) < _NOISE else f"{value:.4g}"
    parts = enumerate(_LONG.split(text))
    return Markup().join(
        Markup('<span class="long">{}</span>').format(part) if i % 2 else escape(part)
        for i, part in parts
    )


_templates.filters |= {
    "markdown": _text,
    "card": _card,
    "cell": _cell,
    "svg": lambda image, title: Markup(pixel_svg(image, title)),
}


@cache
def packed_plotly() -> str:
    """Plotly's script, packed with gzip, in base64."""
    from plotly.offline import get_plotlyjs

    packed = gzip.compress(get_plotlyjs().encode(), compresslevel=9, mtime=0)
    return base64.b64encode(packed).decode()
