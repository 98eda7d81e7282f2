"""Which sentences are read of a case, and how each kind of fact is checked by brute force.

A file ``checks_PART.py`` registers both: ``@subject`` functions yield what a page says of a case,
with what a check has to know of it; ``@check("part.claim")`` functions recompute one claim from
the case's arrays, by loops of their own and none of the code that made the fact.
"""

import re
from dataclasses import dataclass, field

from slp_core.facts import Fact, Listed

CHECKS = {}
SUBJECTS = []


@dataclass
class Saying:
    """Facts that a page states of a case, and whatever their checks need beside the case."""

    facts: tuple
    context: dict = field(default_factory=dict)


def check(*kinds):
    """Register a function ``(fact, case, **context)`` that asserts what these kinds claim."""

    def register(function):
        for kind in kinds:
            assert kind not in CHECKS, f"{kind} is checked twice"
            CHECKS[kind] = function
        return function

    return register


def subject(function):
    """Register a function ``case -> iterable of Saying``."""
    SUBJECTS.append(function)
    return function


def every_fact(facts):
    """Facts with those inside their values."""
    for each in facts:
        assert isinstance(each, Fact), each
        yield each
        for value in each.values.values():
            if isinstance(value, Fact):
                yield from every_fact([value])
            elif isinstance(value, Listed) and value.items and isinstance(value.items[0], Fact):
                yield from every_fact(value.items)


def check_facts(saying, case, **context):
    """Check every fact of a saying; the kinds that were seen."""
    seen = set()
    for each in every_fact(saying):
        words = re.sub(r"{[^{}]*}", "", each.template)
        assert not re.search(r"\d", words), f"{each.kind} has a figure in its template: {words}"
        assert str(each), each.kind
        assert not re.search(r"(?<!\S)-\d", str(each)), f"{each.kind}: a hyphen for a minus: {each}"
        CHECKS[each.kind](each, case, **context)
        seen.add(each.kind)
    return seen


def check_case(case):
    """Check all that is said of a case; the kinds that were seen."""
    seen = set()
    for read in SUBJECTS:
        for saying in read(case):
            seen |= check_facts(saying.facts, case, **saying.context)
    return seen


def near(a, b, tolerance=1e-9):
    """Equal but for the last digits."""
    return abs(a - b) <= tolerance * max(1.0, abs(a), abs(b))
