"""Everything about one view in one file, to keep, print and send: settings, figures, sentences."""

from slp_core.report.compared import COMPARED, Compared, compared_facts
from slp_core.report.parts import ReportSubject, made_report
from slp_core.report.size import about_size, made_facts, size_facts

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
