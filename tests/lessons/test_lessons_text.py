"""What lessons say, as it reads."""

from types import SimpleNamespace

import numpy as np
import pytest

from pages.session import settings
from pages.session.lessons import read_progress as read
from pages.session.lessons import written_progress as written
from slp_core import ConstraintSLPClassifier
from slp_core.explain import read_causes
from slp_core.explain.worked_example import worked_example
from slp_core.lessons.experiments import ConstantFactor, InitialHeads, LossWeighting
from slp_core.lessons.lesson import Progress
from slp_core.lessons.questions import (
    FarAway,
    QuestionContext,
    assignment,
    deciding,
    jsd_halves,
    midway,
    placing,
    same_weight,
)
from slp_core.lessons.text import (
    assignment_text,
    constant_factor_text,
    deciding_text,
    done_text,
    experiment_table,
    far_text,
    guess_text,
    halves_text,
    initial_heads_text,
    lines_text,
    loss_weighting_text,
    midway_text,
    placing_text,
    same_weight_text,
    step_text,
    theorem2_text,
    toy_text,
    values_table,
)

CASES = [
    (step_text(0, 3), "Step 1 of 3"),
    (step_text(3, 3), "Question"),
    (done_text({"a": Progress(done=True), "b": Progress()}, "abc"), "1 of 3 lessons done."),
    (guess_text("a_b", "a_b"), r"**Correct**: a\_b."),
    (guess_text("a", "$x$"), r"Your guess: a. **Correct answer**: \$x\$."),
    (
        midway_text(midway(None)),
        "Midway between blue and green, the paper's soft labels give blue a score of 0.80 and "
        "green 0.71.",
    ),
    (
        toy_text(worked_example()),
        "Predicted: **■\xa0“green”**, as in the paper. The paper divides by 1.5, the distance of "
        "*x*'s projection on the line; *x* itself is 1.70 away.",
    ),
    (
        loss_weighting_text(LossWeighting((0.5, 0.5), (1.0, 1.0), 3, 60)),
        "**Does it matter whether the loss is weighted per example?** Predictions that differ: 3 "
        "of 60.",
    ),
    (
        constant_factor_text(ConstantFactor((0.5, 0.5), 0.3, 0.000012)),
        "**Does a constant factor on the loss matter?** Hardly: Adam divides it out. Training "
        "changed a weight by up to 0.30, the factor by up to 0.000012.",
    ),
    (
        initial_heads_text(InitialHeads((0.5, 0.5), (0.5, 0.5), 1)),
        "**Does it matter where the heads start?** Accuracy after one epoch and at the end, on 1 "
        "query example.",
    ),
]  # fmt: skip


@pytest.mark.parametrize(("text", "expected"), CASES)
def test_it_reads_so(text, expected):
    assert text == expected


def test_the_evidence_for_answers_reads_so():
    X = np.array([[-10.0, 0.0], [5.0, 0.0], [15.0, 0.0]])
    model, y = ConstraintSLPClassifier().fit(X, ["A", "B", "C"]), np.arange(3)
    here = QuestionContext(model, X, y, y, y, np.array([0.1, 0.2, 0.3]))
    assert lines_text(model) == ("1 line for 3 classes. Classes with a prototype: 2; without: 1.")
    assert (
        far_text(FarAway.of(here))
        == "On line 1, ■\xa0“B” wins where both prototypes are equally far."
    )
    assert deciding_text(deciding(here)) == (
        "Of 3 predictions on line 1, 1 is ■\xa0“B”, the class that wins at equal distances, and 3 "
        "are the class of the nearest centroid."
    )
    assert same_weight_text(same_weight(here)) == (
        "Classes predicted if all 3 query examples of line 1 had *w* = ½: 1."
    )
    assert assignment(here) is None
    half = QuestionContext(None, X, np.zeros(4), np.array([0, 0, 0, 1]), y, np.arange(4.0))
    assert halves_text(jsd_halves(half)) == (
        "Accuracy: 100% (2 of 2) in the half with the lower JSD, 50% (1 of 2) in the other. The "
        "standard error of the difference is 35.4 percentage points."
    )
    # C's examples are predicted B: with them at its centroid's height over the line
    away = np.array([[-10.0, 0], [5, 0], [15, 0], [14, 9]])
    assert theorem2_text(read_causes(model, away, np.array([0, 1, 2, 2]))) == (
        "Misclassified although the nearest centroid is correct: 1 of 4 query examples."
    )
    steps = SimpleNamespace(for_loss=np.array([[0, 1]]), for_means=np.array([[1, 2]]))
    assert placing_text(placing(QuestionContext(*(None,) * 5, episode=steps))) == (
        "In 1 step, examples placed prototypes 2 times; 1 of these also gave the same step's loss."
    )
    two = ConstraintSLPClassifier(n_lines=2).fit([[0.0], [1.0], [8.0], [9.0]], list("abcd"))
    here = QuestionContext(two, np.array([[0.1], [8.1]]), y[:2], y[:2], y[:2])
    assert assignment_text(assignment(here)) == (
        "Of 2 query examples, 2 are assigned to the line with the nearest segment, 2 to the one "
        "with the nearest prototype, and 0 to the one with the most classes."
    )


def test_tables_have_a_row_a_step_or_fit():
    steps = worked_example().steps
    assert values_table(steps[:5])["quantity"].tolist()[-1] == "class scores"
    table = experiment_table(InitialHeads((0.1, 0.2), (0.3, 0.4), 1))
    assert table.to_numpy().tolist() == [
        ["as nearest centroid", 0.1, 0.3],
        ["at random", 0.2, 0.4],
    ]


def test_progress_is_read_as_it_was_written():
    rng = np.random.default_rng(0)
    names = ["one", "two_2", "three"]
    for _ in range(50):
        kept = {}
        for name in names:
            step, answer = int(rng.integers(0, 5)), [None, 0, 2][rng.integers(3)]
            if rng.random() < 0.7:
                kept[name] = Progress(step, max(step, 2), answer, bool(rng.random() < 0.5))
        assert read(written(kept), dict.fromkeys(names, 4)) == kept


def test_a_link_hides_what_it_knows():
    words = ["method", "sidebar", "what", "<b>", "$x$", ":smile:", "", "method"]
    assert set(settings.HIDDEN.read([",".join(words)])) == {"method", "sidebar"}
