"""What a report says of itself."""

import numpy as np
from facts_book import Saying, check, near, subject

from slp_core.methods.table import methods_that_read
from slp_core.report import compared_facts, made_facts, size_facts
from slp_core.report.parts import soft_labels_at_facts, table_facts


@subject
def reports(case):
    n, shown = case.seed % 50, min(case.seed % 50, 40)
    yield Saying(table_facts(shown, n), {"n": n})
    yield Saying(soft_labels_at_facts(case.seed), {"n": case.seed})
    draw = np.random.default_rng(case.seed)
    known = {
        "methods": [m.title for m in methods_that_read("vectors") if draw.random() < 0.5][:3],
        "encoders": ["one", "the *other*"][: 1 + case.seed % 2],
        "left_out": [m.title for m in methods_that_read("texts") if draw.random() < 0.3],
    }
    if known["methods"]:
        yield Saying(compared_facts(**known), known)
    yield Saying(size_facts(1_000 * case.seed), {"n": case.seed})
    yield Saying(made_facts(1_000 * case.seed), {"n": case.seed})


@check("report.errors_shown")
def _(fact, case, n):
    assert fact["shown"] == 40 < fact["n"] == n


@check("report.soft_labels_at")
def _(fact, case, n):
    assert fact["row"] == n


@check("report.compared")
def _(fact, case, methods, encoders, left_out):
    assert [*map(str, fact["methods"].items)] == methods
    assert [*map(str, fact["encoders"].items)] == encoders


@check("report.left_out")
def _(fact, case, methods, encoders, left_out):
    assert [*map(str, fact["methods"].items)] == left_out != []


@check("report.size", "report.made")
def _(fact, case, n):
    assert near(fact["megabytes"] * 1_000, n)
