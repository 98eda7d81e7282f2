"""How large a report is, said before and after it is made."""

from __future__ import annotations

from slp_core.data import Episode, FewShotDataset
from slp_core.facts import Facts, fact
from slp_core.methods.protocols import HasProbabilities
from slp_core.report.page import packed_plotly

_MEGABYTE = 1_000_000


def about_size(dataset: FewShotDataset, episode: Episode, model: HasProbabilities) -> int:
    """Bytes that the report will have, to about a tenth.

    Parameters
    ----------
    dataset : FewShotDataset
    episode : Episode
    model : fitted classifier
    """
    return len(packed_plotly())


def size_facts(n_bytes: int) -> Facts:
    """What to expect of a file of about so many bytes."""
    template = "One HTML file of about {megabytes:.1f} MB, which opens without a connection."
    return (fact("report.size", template, megabytes=n_bytes / _MEGABYTE),)


def made_facts(n_bytes: int) -> Facts:
    """What was made."""
    template = "Made: {megabytes:.1f} MB. It opens in any browser, and prints on A4."
    return (fact("report.made", template, megabytes=n_bytes / _MEGABYTE),)
