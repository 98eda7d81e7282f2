"""What a report says of itself."""

from facts_book import Saying, check, near, subject

from slp_core.report import made_facts, size_facts
from slp_core.report.parts import soft_labels_at_facts, table_facts


@subject
def reports(case):
    n, shown = case.seed % 50, min(case.seed % 50, 40)
    yield Saying(table_facts(shown, n), {"n": n})
    yield Saying(soft_labels_at_facts(case.seed), {"n": case.seed})
    yield Saying(size_facts(1_000 * case.seed), {"n": case.seed})
    yield Saying(made_facts(1_000 * case.seed), {"n": case.seed})


@check("report.errors_shown")
def _(fact, case, n):
    assert fact["shown"] == 40 < fact["n"] == n


@check("report.soft_labels_at")
def _(fact, case, n):
    assert fact["row"] == n


@check("report.size", "report.made")
def _(fact, case, n):
    assert near(fact["megabytes"] * 1_000, n)
