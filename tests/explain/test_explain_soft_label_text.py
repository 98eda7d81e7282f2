"""What is said of soft labels, word by word; the numbers are checked where they are computed."""

from dataclasses import replace

import numpy as np
import pytest

from slp_core.explain.predictions import Predictions
from slp_core.explain.soft_label_draws import soft_labels_over_draws
from slp_core.explain.soft_label_pairs import SoftLabelPairs
from slp_core.explain.soft_label_text import (
    draws_caption,
    draws_text,
    edit_text,
    pairs_caption,
    pairs_text,
    path_text,
    prototype_order_text,
    seen_text,
    theorem1_text,
)
from slp_core.explain.soft_labels import Prototype, SoftLabels
from slp_core.lines import Line

NAMES = ("ant", "$x$", "cat", "dog", "eel")


def labels_of(a, b, method="it", constant=True, line=(0, 1, 2), at=(0, 1, 3)):
    """Soft labels of one line at these positions, with these weights of five classes."""
    ends, weights = (line, line[::-1]), np.array([a, b], dtype=float)
    along = (np.array(at, dtype=float), at[-1] - np.array(at[::-1], dtype=float))
    prototypes = tuple(
        Prototype(0, side, ends[side][0], ends[side], along[side], weights[side], 0 * a, 0.25)
        for side in (0, 1)
    )
    lines = (Line(line, np.array(at, dtype=float), np.zeros(len(line)), float(at[-1])),)
    return SoftLabels(method, NAMES, lines, prototypes, constant)


def weights(*shares):
    return np.array([*shares, *[0.0] * (5 - len(shares))])


FALLING = labels_of(weights(0.6, 0.4, 0), weights(0.0002, 0.4498, 0.55), "constraintSLP")
RISING = labels_of(weights(0.5, 0.1, 0.4), weights(0.1, 0.2, 0.7), "Own [x]")
CLOSE = labels_of(weights(0.34, 0.3298, 0.3302), weights(0.1, 0.2, 0.7))
MEANS = labels_of(weights(0.5, 0.1, 0.2, 0.2), weights(0.1, 0.2, 0.7), "DeepSLP", False)
UNKNOWN = labels_of(np.full(5, np.nan), np.full(5, np.nan), "DeepSLP", False)
LONG = labels_of(
    weights(0.4, 0.3, 0.2, 0.1),
    weights(0.1, 0.2, 0.3, 0.4),
    "two",
    True,
    (0, 1, 2, 3),
    (0, 1, 2, 3),
)
ELSEWHERE = labels_of(weights(0, 0, 0, 1), np.eye(5)[4], "two", True, (3, 4), (0, 1))


def predictions(predicted, true=(0, 1, 1, 0)):
    codes, true = np.array(predicted, dtype=int), np.array(true, dtype=int)
    nothing = np.zeros(len(true), dtype=bool)
    return Predictions("DeepSLP", ("a", "b"), true, codes, true, nothing, np.eye(2)[codes])


@pytest.mark.parametrize(
    ("said", "text"),
    [
        (
            theorem1_text(FALLING),
            "constraintSLP: closer classes get more weight at 2 of 2 prototypes (Theorem 1).",
        ),
        (
            theorem1_text(RISING),
            "Own \\[x\\]: closer classes get more weight at 1 of 2 prototypes (Theorem 1).",
        ),
        (
            theorem1_text(MEANS),
            "DeepSLP: closer classes get more weight at 1 of 2 prototypes (Theorem 1, about "
            "constant soft labels; these are means).",
        ),
        (
            theorem1_text(replace(FALLING, prototypes=())),
            "constraintSLP has no soft labels that Theorem 1 applies to.",
        ),
        (
            prototype_order_text(FALLING, FALLING.ordered[1]),
            "Line 1, prototype B, closest class first: ◆\xa0“cat” 0.550, ■\xa0“\\$x\\$” 0.450 and "
            "●\xa0“ant” 0.0002.",
        ),
        (
            prototype_order_text(MEANS, MEANS.ordered[0]),
            "Line 1, prototype A, closest class first: ●\xa0“ant” 0.500, ■\xa0“\\$x\\$” 0.100 and "
            "◆\xa0“cat” 0.200. ◆\xa0“cat” is further away than ■\xa0“\\$x\\$” and has more weight. "
            "In this order at 25% of the line's query examples.",
        ),
        (
            prototype_order_text(CLOSE, CLOSE.ordered[0]),
            "Line 1, prototype A, closest class first: ●\xa0“ant” 0.3400, ■\xa0“\\$x\\$” 0.3298 "
            "and ◆\xa0“cat” 0.3302. ◆\xa0“cat” is further away than ■\xa0“\\$x\\$” and has more "
            "weight.",
        ),
        (
            pairs_text(SoftLabelPairs(FALLING, MEANS)),
            "constraintSLP and DeepSLP differ by up to 0.19 nats (JSD), at ●\xa0“ant”. "
            "constraintSLP: ●\xa0“ant” 0.60, ■\xa0“\\$x\\$” 0.40 and ◆\xa0“cat” 0.00. "
            "DeepSLP (mean): ●\xa0“ant” 0.50, ◆\xa0“cat” 0.20, ■\xa0“\\$x\\$” 0.10 "
            "and off the line 0.20.",
        ),
        (
            pairs_text(SoftLabelPairs(LONG, FALLING)),
            "two and constraintSLP differ by up to 0.12 nats (JSD), at ●\xa0“ant”. two: "
            "●\xa0“ant” 0.40, ■\xa0“\\$x\\$” 0.30, ◆\xa0“cat” 0.20 and 1 more 0.10. constraintSLP: "
            "●\xa0“ant” 0.60, ■\xa0“\\$x\\$” 0.40 and ◆\xa0“cat” 0.00.",
        ),
        (
            pairs_text(SoftLabelPairs(FALLING, UNKNOWN)),
            "constraintSLP and DeepSLP have no soft labels at the same class to compare.",
        ),
        (
            pairs_caption(SoftLabelPairs(FALLING, MEANS)),
            "One bar per soft label; where it depends on the example, its mean over the "
            "line's query examples.",
        ),
        (
            pairs_caption(SoftLabelPairs(FALLING, ELSEWHERE)),
            "One bar per soft label. Only constraintSLP has a prototype at ●\xa0“ant” and "
            "◆\xa0“cat”. Only two has a prototype at ▲\xa0“dog” and ⬟\xa0“eel”.",
        ),
        (
            seen_text(1, 3, np.array([7, 9, 2_000]), np.arange(1_200)),
            "Fitted on support set 3 at 1 shot, which holds 2 of the 1,200 query examples here: "
            "accuracy may be too high.",
        ),
    ],
)
def test_what_is_said_of_soft_labels(said, text):
    assert said == text


@pytest.mark.parametrize(
    ("edit", "text"),
    [
        (
            (True, (0, 1, 0, 0), (0, 1, 1, 0), True),
            "Edited: accuracy 100.0%; 1 prediction changed. As fitted: 75.0%.",
        ),
        (
            (False, (0, 1, 0, 0), (1, 1, 1, 0), True),
            "Edited: accuracy 75.0%; 2 predictions changed. With mean soft labels: 75.0%.",
        ),
        ((True, (0, 1, 0, 0), (0, 1, 0, 0), False), "As fitted: accuracy 75.0%."),
        (
            (False, (0, 1, 0, 0), (0, 1, 0, 0), False),
            "With mean soft labels: accuracy 75.0%; DeepSLP itself: 100.0%.",
        ),
    ],
)
def test_what_is_said_of_an_edit(edit, text):
    constant, before, now, touched = edit
    own = predictions((0, 1, 1, 0))
    edited = predictions(now) if touched else None
    said = edit_text(own, constant, predictions(before), edited)
    assert said == text


def test_what_is_said_of_an_edit_without_query_examples():
    none = predictions((), ())
    said = edit_text(none, True, none, none)
    assert said == "Edited: accuracy not known; 0 predictions changed. As fitted: not known."


def test_what_is_said_of_several_draws():
    moved = soft_labels_over_draws({0: FALLING, 7: RISING})
    assert draws_text(moved) == (
        "Over 2 support sets, no weight in constraintSLP varies more than that of ◆\xa0“cat” at "
        "●\xa0“ant”: 0.00 to 0.40. The grouping of classes into lines is always the same."
    )
    hard = replace(FALLING, method="Nearest centroid")
    assert draws_text(soft_labels_over_draws({0: hard, 7: hard})) == (
        "Over 2 support sets, the soft labels of nearest centroid stay the same. The grouping of "
        "classes into lines is always the same."
    )
    assert pairs_text(SoftLabelPairs(MEANS, hard)).startswith(
        f"{MEANS.method} and nearest centroid"
    )
    assert draws_caption(moved, 0, 7) == (
        "●\xa0“ant” has a soft label in 2 of 2 support sets, one dot each. "
        "Bar: mean; band: ±1 SD. Ringed: support set 7."
    )
    apart = soft_labels_over_draws({0: UNKNOWN, 1: ELSEWHERE})
    assert draws_text(apart) == (
        "Over 2 support sets, no soft label of DeepSLP occurs twice at the same class. Classes are "
        "grouped into lines in 2 ways."
    )
    there = int(apart.known.index[0])
    assert draws_caption(apart, there, 0).endswith(
        "in 1 of 2 support sets, one dot each. Bar: mean; band: ±1 SD."
    )


@pytest.mark.parametrize(
    ("accuracy", "text"),
    [
        (
            [0.5, 0.25],
            "it: the linear programme moves from hard labels (accuracy 50.0%) to its optimum "
            "(accuracy 25.0%).",
        ),
        ([0.5], "it: no line has a third class, so all soft labels are hard (accuracy 50.0%)."),
        (
            [np.nan, np.nan],
            "it: the linear programme moves from hard labels to its optimum (no query example).",
        ),
    ],
)
def test_what_is_said_of_the_linear_programme(accuracy, text):
    assert path_text("it", np.array(accuracy)) == text
