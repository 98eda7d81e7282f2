"""Lesson: Theorem 1, that nearer classes have the larger soft label."""

from __future__ import annotations

from slp_core.lessons.lesson import Answer, Lesson, Question, Setup, Step, Try
from slp_core.lessons.questions import least_at_the_left, middle_facts

_ABC = Setup("toy_abc")


LESSON = Lesson(
    name="theorem1",
    title="Theorem 1",
    sentence="The further a class is from a prototype, the less of its soft label it has.",
    steps=(
        Step(
            "What a prototype gives to whom",
            (
                "A line carries three classes, A, B and C. Its two *prototypes* are the points at "
                "its ends, on the centroids (class means) of A and C. Each has a *soft label*: a "
                "share for every class, adding up to 1.",
                "**constraintSLP** solves for these shares so that every class wins at its own "
                "centroid. At A's place A has to beat B and C, and the left prototype decides "
                "almost alone: so A has the most of it. In the middle B has to win, so B needs "
                "something from both ends. C wins beside the left prototype nowhere: it needs "
                "nothing there.",
            ),
            _ABC,
            ("soft labels",),
            "Read the bars from the prototype's own class outwards: does a share ever rise?",
        ),
        Step(
            "What the theorem says, and what it does not",
            (
                "*Theorem 1* of the paper says that a class's share is inversely proportional to "
                "its distance from the prototype. Its proof shows the order alone: a class that is "
                "further along the line has no larger share. Strict inverse proportion is not "
                "possible: the prototype stands on a centroid, at no distance.",
                "The theorem is about constraintSLP. **DeepSLP** learns soft labels that depend on "
                "the point, and nothing keeps them in that order.",
            ),
            _ABC,
            ("soft labels", "bands"),
            "Try more classes, real texts, and DeepSLP. The sentences under the figure say of "
            "every prototype whether the order holds.",
            (
                Try("Five classes", Setup("toy_five_on_two_lines")),
                Try("Customer intents", Setup("intents")),
                Try("The same with DeepSLP", Setup("intents", method="deep_slp")),
                Try("A, B and C again", _ABC),
            ),
        ),
    ),
    question=Question(
        "A line carries three classes. At its left prototype, which of them has the least?",
        (
            Answer(
                "The class at that end",
                "It has to win beside this prototype, where the other one hardly counts.",
            ),
            Answer(
                "The class in the middle",
                "It needs a part of both prototypes to win between them.",
            ),
            Answer(
                "The class at the other end",
                "Near this prototype it has no place where it should win, so a share here would "
                "only be in the way of the others.",
            ),
        ),
        least_at_the_left,
        middle_facts,
    ),
    page="soft_labels",
    further="Theorem 1 at every prototype, on every dataset and draw.",
)
