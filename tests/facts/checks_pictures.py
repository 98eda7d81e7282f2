"""That a method has no lines."""

from facts_book import Saying, check, subject

from slp_core.explain.headline import without_lines
from slp_core.methods.protocols import predicts_from_lines


@subject
def lines(case):
    if not predicts_from_lines(case.model):
        yield Saying(without_lines("The method", "another"))


@check("headline.without_lines")
def _(fact, case):
    assert all(len(line.classes) < 2 for line in getattr(case.model, "lines_", ()))
