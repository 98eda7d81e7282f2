"""What is said of an address that asks for what cannot be had."""

import numpy as np
from facts_book import Saying, check, subject

from pages.session.url_requests import refused_facts, unknown_facts

VALUES = [16, 0, 0.5, True, False, "MiniLM", "", None, ["a", "b"], [], 60.0]
ASKED = [
    ["16"], ["0"], ["0.5"], ["true"], ["FALSE"], ["MiniLM"], [""], ["b", "a"], ["a"], ["nan"],
    ["1e9"], ["60"], ["<script>"], ["3", "16"], ["x" * 3_000],
]  # fmt: skip


@subject
def addresses(case):
    rng = np.random.default_rng(case.seed)
    value, asked = VALUES[rng.integers(len(VALUES))], ASKED[rng.integers(len(ASKED))]
    told = refused_facts("shots", asked, value)
    same = asked_for(asked, value)
    assert bool(told) != same, (asked, value)
    yield Saying(told, {"asked": asked, "value": value})
    if case.seed % 5 == 0:
        yield Saying(unknown_facts("*no* such", asked), {"asked": asked, "value": None})


def asked_for(asked, value):
    """Whether a widget with this value would write this address."""
    if isinstance(value, list):
        return {a for a in asked if a} == set(value)
    written = {"": [""], None: [""], True: ["true"], False: ["false"]}
    for known, texts in written.items():
        if value is known or (value == known and isinstance(value, str)):
            return asked[-1].lower() in texts
    return asked[-1] in (str(value), f"{value:g}" if not isinstance(value, str) else value)


@check("asked.refused")
def _(fact, case, *, asked, value):
    assert fact["key"] == "shots"
    assert fact["asked"] == (", ".join(asked) or "nothing")
    assert ("{instead}" in fact.template) == (value is not None and value != "")
    if isinstance(value, list):
        assert fact["instead"] == (", ".join(value) or "nothing")
    elif isinstance(value, float):
        assert float(fact["instead"]) == value
        assert not fact["instead"].endswith(".0")
    elif value not in (None, ""):
        assert fact["instead"].lower() == str(value).lower()


@check("asked.unknown")
def _(fact, case, *, asked, **_):
    assert fact["key"] == "*no* such"
    assert fact["asked"] == (", ".join(asked) or "nothing")
