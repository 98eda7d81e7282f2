"""How large a report is, said before and after it is made."""

from __future__ import annotations

from slp_core.data import FewShotDataset
from slp_core.facts import Facts, fact
from slp_core.methods.protocols import HasProbabilities, has_lines
from slp_core.report.page import packed_plotly

_MEGABYTE = 1_000_000
# Bytes, measured on bundled data: the page and its landscape, a point on its figures, a letter of
# its text, a line with its strip and soft labels; beyond so many points figures are thinned.
_ROOM, _A_POINT, _A_LETTER, _A_LINE, _MOST_DRAWN = 90_000, 330, 3, 20_000, 4_000


def about_size(dataset: FewShotDataset, model: HasProbabilities) -> int:
    """Bytes that the report will have, to about a tenth.

    Parameters
    ----------
    dataset : FewShotDataset
    model : fitted classifier
    """
    drawn = min(len(dataset), _MOST_DRAWN)
    letters = sum(len(dataset.describe(row)) for row in range(drawn))
    lines = len(model.lines_) if has_lines(model) else 0
    varying = _ROOM + _A_POINT * drawn + _A_LETTER * letters + _A_LINE * lines
    return len(packed_plotly()) + round(varying)


def size_facts(n_bytes: int) -> Facts:
    """What to expect of a file of about so many bytes."""
    template = "One HTML file of about {megabytes:.1f} MB, which opens without a connection."
    return (fact("report.size", template, megabytes=n_bytes / _MEGABYTE),)


def made_facts(n_bytes: int) -> Facts:
    """What was made."""
    template = "Made: {megabytes:.1f} MB. It opens without a connection, and can be printed."
    return (fact("report.made", template, megabytes=n_bytes / _MEGABYTE),)
