"""Everything about one view in one file, to keep, print and send: settings, figures, sentences."""

from slp_core.report.parts import compared_facts, made_report
from slp_core.report.size import about_size, made_facts, size_facts
from slp_core.report.subject import COMPARED, Compared, ReportSubject

__all__ = [
    "COMPARED",
    "Compared",
    "ReportSubject",
    "about_size",
    "compared_facts",
    "made_facts",
    "made_report",
    "size_facts",
]
