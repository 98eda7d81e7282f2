"""Where Compare's figures have their highest and their lowest marks, as facts."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from slp_core.evaluation.comparison import listed, other_draws_facts
from slp_core.evaluation.method_runs import MethodRuns
from slp_core.evaluation.paired import SAME
from slp_core.facts import Fact, Facts, Listed, MethodTitle, fact


def extremes_fact(
    what: str,
    marks: Sequence[MethodTitle | Fact],
    values: Sequence[float],
    digits: str,
    **told: Any,
) -> Fact:
    """Whose value is the highest and whose the lowest; what is equal but for rounding is level."""
    high, low = max(values), min(values)
    told |= {"high": high, "most": _listed(marks, values, high)}
    if high - low < SAME:
        whose = "all" if len(marks) > 1 else "{most:inside}"
        template = f"{what} is {{high:{digits}}} for {whose}."
    else:
        told |= {"low": low, "least": _listed(marks, values, low)}
        template = (
            f"{what} is highest for {{most:inside}} ({{high:{digits}}}) and lowest for "
            f"{{least:inside}} ({{low:{digits}}})."
        )
    return fact("compare.extremes", template, **told)


def mean_accuracy_facts(
    runs: Sequence[tuple[str, MethodRuns]], where: str = "", **told: Any
) -> Facts:
    """Which methods are right most and least often in the mean, and if that is of other draws."""
    names = [MethodTitle(name) for name, _ in runs]
    means = [float(run.accuracy.mean()) for _, run in runs]
    measure = "mean accuracy" if any(len(run.draws) > 1 for _, run in runs) else "accuracy"
    what = f"{where} {measure}" if where else measure.capitalize()
    other = other_draws_facts([run for _, run in runs])
    return extremes_fact(what, names, means, ".1%", **told), *other


def _listed(
    marks: Sequence[MethodTitle | Fact], values: Sequence[float], at: float
) -> Listed[MethodTitle | Fact]:
    return listed(
        [mark for mark, value in zip(marks, values, strict=True) if abs(value - at) < SAME]
    )
