"""How large a report is, said before and after it is made."""

from __future__ import annotations

from slp_core.data import FewShotDataset
from slp_core.facts import Facts, fact
from slp_core.methods.protocols import HasProbabilities, has_lines, predicts_from_lines
from slp_core.report.page import packed_plotly
from slp_core.report.parts import MOST_LINES

_MEGABYTE = 1_000_000
# Bytes, measured on bundled data: the page and its landscape, a cell of where answers go, a line
# with its strip and soft labels; a point and a letter of its text, on the map and on a strip.
_ROOM, _A_CELL, _A_LINE = 75_000, 200, 40_000
_ON_MAP, _ON_STRIP = (60, 1), (40, 4)
_MOST_ON_MAP, _MOST_ON_STRIP = 4_000, 600  # points; of more, figures show some
_MOST_LETTERS = 192  # of a text on a figure


def about_size(dataset: FewShotDataset, model: HasProbabilities) -> int:
    """Bytes that the report will have, to about a tenth."""
    drawn = min(len(dataset), _MOST_ON_MAP)
    letters = [min(len(dataset.describe(row)), _MOST_LETTERS) for row in range(drawn)]
    mean = sum(letters) / drawn
    strips = len(model.lines_) if predicts_from_lines(model) and has_lines(model) else 0
    on_strips = min(drawn, _MOST_ON_STRIP * min(strips, MOST_LINES))
    varying = _ROOM + _A_CELL * len(dataset.classes) ** 2 + _A_LINE * strips
    for n, (point, letter) in ((drawn, _ON_MAP), (on_strips, _ON_STRIP)):
        varying += round(n * (point + letter * mean))
    return len(packed_plotly()) + varying


def size_facts(n_bytes: int) -> Facts:
    """What to expect of a file of about so many bytes."""
    template = "One HTML file of about {megabytes:.1f} MB, which opens without a connection."
    return (fact("report.size", template, megabytes=n_bytes / _MEGABYTE),)


def made_facts(n_bytes: int) -> Facts:
    """What was made."""
    template = "Made: {megabytes:.1f} MB. It opens without a connection, and can be printed."
    return (fact("report.made", template, megabytes=n_bytes / _MEGABYTE),)
