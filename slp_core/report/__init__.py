"""Everything about one view in one file: settings, figures, sentences."""

from slp_core.report.parts import PAGES, made_report
from slp_core.report.subject import COMPARED, Compared, Part, ReportSubject
from slp_core.report.text import made_text

__all__ = [
    "COMPARED",
    "PAGES",
    "Compared",
    "Part",
    "ReportSubject",
    "made_report",
    "made_text",
]
