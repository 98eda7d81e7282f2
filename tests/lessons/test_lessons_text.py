"""What lessons say, as it reads."""

from types import SimpleNamespace

import numpy as np
import pytest

from pages.session.lessons import read_progress as read
from pages.session.lessons import written_progress as written
from slp_core import ConstraintSLPClassifier
from slp_core.explain import read_causes
from slp_core.explain.worked_example import worked_example
from slp_core.lessons.lesson import Progress
from slp_core.lessons.questions import (
    QuestionContext,
    assignment,
    deciding,
    far_away,
    jsd_halves,
    midway,
    placing,
    same_weight,
)
from slp_core.lessons.text import (
    done_text,
    guess_text,
    lines_text,
    step_text,
    theorem2_text,
    toy_text,
)

CASES = [
    (step_text(0, 3), "Step 1 of 3"),
    (step_text(3, 3), "Question"),
    (done_text({"a": Progress(done=True), "b": Progress()}, "abc"), "1 of 3 lessons done."),
    (guess_text("a_b", "a_b"), r"**Correct**: a\_b."),
    (guess_text("a", "$x$"), r"Your guess: a. **Correct answer**: \$x\$."),
    (
        toy_text(worked_example()[0]),
        "Predicted: **■\xa0“green”**, as in the paper. The paper divides by 1.5, the distance of "
        "*x*'s projection on the line; *x* itself is 1.70 away.",
    ),
]  # fmt: skip


@pytest.mark.parametrize(("text", "expected"), CASES)
def test_it_reads_so(text, expected):
    assert text == expected


def test_the_evidence_for_answers_reads_so():
    X = np.array([[-10.0, 0.0], [5.0, 0.0], [15.0, 0.0]])
    model, y = ConstraintSLPClassifier().fit(X, ["A", "B", "C"]), np.arange(3)
    here = QuestionContext(model, X, y, y, y, np.array([0.1, 0.2, 0.3]))
    assert midway(here).evidence == (
        "Midway between blue and green, the paper's soft labels give blue a score of 0.80 and "
        "green 0.71."
    )
    assert lines_text(model) == ("1 line for 3 classes. Classes with a prototype: 2; without: 1.")
    assert (
        far_away(here).evidence == "On line 1, ■\xa0“B” wins where both prototypes are equally far."
    )
    assert deciding(here).evidence == (
        "Of 3 predictions on line 1, 1 is ■\xa0“B”, the class that wins at equal distances, and 3 "
        "are the class of the nearest centroid."
    )
    assert same_weight(here).evidence == (
        "Classes predicted if all 3 query examples of line 1 had *w* = ½: 1."
    )
    assert assignment(here) is None
    half = QuestionContext(None, X, np.zeros(4), np.array([0, 0, 0, 1]), y, np.arange(4.0))
    assert jsd_halves(half).evidence == (
        "Accuracy: 100% (2 of 2) in the half with the lower JSD, 50% (1 of 2) in the other. The "
        "standard error of the difference is 35.4 percentage points."
    )
    # C's examples are predicted B: with them at its centroid's height over the line
    away = np.array([[-10.0, 0], [5, 0], [15, 0], [14, 9]])
    assert theorem2_text(read_causes(model, away, np.array([0, 1, 2, 2]))) == (
        "Misclassified although the nearest centroid is correct: 1 of 4 query examples."
    )
    steps = SimpleNamespace(for_loss=np.array([[0, 1]]), for_means=np.array([[1, 2]]))
    assert placing(QuestionContext(*(None,) * 5, episode=steps)).evidence == (
        "In 1 step, examples placed prototypes 2 times; 1 of these also gave the same step's loss."
    )
    two = ConstraintSLPClassifier(n_lines=2).fit([[0.0], [1.0], [8.0], [9.0]], list("abcd"))
    here = QuestionContext(two, np.array([[0.1], [8.1]]), y[:2], y[:2], y[:2])
    assert assignment(here).evidence == (
        "Of 2 query examples, 2 are assigned to the line with the nearest segment, and 2 to the "
        "one with the nearest prototype. No line alone has the most classes."
    )


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
