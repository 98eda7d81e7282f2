"""Lesson: Theorem 2, that the nearest centroid does not always win, with A, B and C to move."""

from __future__ import annotations

from slp_core.lessons.lesson import Choice, Lesson, Question, Setup, Step, Try
from slp_core.lessons.questions import far_away
from slp_core.lessons.text import far_text

_ABC = Setup("toy_abc")

LESSON = Lesson(
    name="theorem2",
    title="The nearest centroid does not always win",
    steps=(
        Step(
            "Two rules that differ",
            (
                "The simplest rule predicts the class with the nearest *centroid* (class mean). "
                "*constraintSLP* divides the soft labels of two prototypes by their distances and "
                "predicts the class with the larger sum.",
                "The chart shows the line from the side: position along it, and distance from it. "
                "The two rules differ in the hatched region.",
            ),
            _ABC,
            ("theorem 2",),
            "The dotted lines are midway between neighbours. Where do the colours leave them?",
        ),
        Step(
            "Move A, B and C",
            (
                "The same three classes as centroids only. The soft labels are solved again for "
                "every position.",
                "The paper's proof looks at points from which the two ends are seen at 90°. Below "
                "the chart is the angle θ at which two classes tie there.",
            ),
            _ABC,
            ("three to move",),
            "Move B close to A, then midway. When is the hatched region large?",
        ),
        Step(
            "The paper's numbers",
            (
                "The paper's counter-example has A at −10, B at 5 and C at 15. A point closer to A "
                "is predicted B.",
                "That is one point. The line below the chart counts how many examples of real data "
                "it happens to.",
            ),
            _ABC,
            ("theorem 2", "counter-example"),
            "With texts: are few examples in the hatched region, or many?",
            (
                Try("Airline tweets", Setup("airline")),
                Try("Product ratings", Setup("ratings")),
                Try("A, B and C", _ABC),
            ),
        ),
    ),
    question=Question(
        "An example starts next to prototype A of a line with three classes and moves straight "
        "away from the line. Which class is predicted in the end?",
        (
            Choice(
                "Prototype A's class, whose centroid stays the nearest",
                "It does stay the nearest. But far away both distances are nearly equal, so A's "
                "weight falls towards one half.",
            ),
            Choice(
                "A class between the ends",
                "Far away both prototypes count alike, and a class with a share of both can have "
                "the highest score.",
            ),
            Choice(
                "Prototype B's class",
                "B never counts more than A here, since A stays the closer one.",
            ),
        ),
        far_away,
        far_text,
    ),
    page="explain",
    further="The cause of every error on your own data.",
)
