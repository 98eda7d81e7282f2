"""What a report sets against each other over the draws, and how it says so."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from slp_core.encoders import Vectors
from slp_core.facts import EncoderName, Facts, Listed, MethodTitle, fact
from slp_core.methods.table import Method

COMPARED = ("constraint_slp", "deep_slp", "nearest_centroid", "logistic_regression")
"""Names of the methods that a report has unless others are chosen."""


@dataclass(frozen=True)
class Compared:
    """A method on an encoder's vectors."""

    method: Method
    options: Mapping[str, Any]
    encoder_title: str
    vectors: Vectors  # (n, d)


def compared_facts(
    methods: Sequence[str], encoders: Sequence[str], left_out: Sequence[str] = ()
) -> Facts:
    """Which methods a report compares, through which encoders, and which it does not."""
    template = "The comparison has {methods:inside}, through {encoders}."
    names = Listed([MethodTitle(title) for title in methods])
    through = Listed([EncoderName(title) for title in encoders])
    told = [fact("report.compared", template, methods=names, encoders=through)]
    if left_out:
        template = (
            "Methods that train the encoder are left out ({methods:inside}), and all query points "
            "are asked."
        )
        names = Listed([MethodTitle(title) for title in left_out])
        told.append(fact("report.left_out", template, methods=names))
    return tuple(told)
