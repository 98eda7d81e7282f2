"""Lesson: Theorem 2, that the nearest centroid does not always win, with A, B and C to move."""

from __future__ import annotations

from slp_core.lessons.lesson import Answer, Lesson, Question, Setup, Step, Try
from slp_core.lessons.questions import answer_far_away, far_facts

_ABC = Setup("toy_abc")

LESSON = Lesson(
    name="theorem2",
    title="Theorem 2",
    sentence="Where the nearest centroid loses: move A, B and C, and see the region.",
    steps=(
        Step(
            "Two rules that differ",
            (
                "The simplest rule for a few examples: answer the class whose *centroid*, the mean "
                "of its known examples, is nearest. **constraintSLP** has another rule. Two "
                "*prototypes* at the ends of a line carry *soft labels*, shares for every class "
                "that add up to 1. Each is divided by its distance from the point, and the class "
                "with the larger sum wins.",
                "*Theorem 2* of the paper: the second rule does not always select the nearest "
                "centroid. The picture shows the line from the side. Across: the place along the "
                "line. Up: the distance from it. Colours say who is answered, and the hatched "
                "region is where the two rules differ.",
            ),
            _ABC,
            ("theorem 2",),
            "Find the dotted lines, midway between neighbours. Close to the axis colours and "
            "dotted lines agree. Where do they part?",
        ),
        Step(
            "Move A, B and C",
            (
                "Here are the same three classes without any points, only their centroids. Soft "
                "labels and regions are solved again for every place you choose.",
                "The paper's proof takes a point from which the two ends are seen at a right "
                "angle. With it, the tie between two classes comes down to an angle, which the "
                "sentence under the picture gives.",
            ),
            _ABC,
            ("three to move",),
            "Bring B close to A, then put it midway. When is the hatched region large?",
        ),
        Step(
            "The paper's numbers",
            (
                "The paper's counter-example has A at −10, B at 5 and C at 15. The table computes "
                "each of its numbers again and says where the two differ, and why.",
                "So much for one point. How many points of real data does this happen to? That is "
                "what *Explain* counts under the causes *concentration* and *off line*.",
            ),
            _ABC,
            ("counter-example", "theorem 2"),
            "Look at the hatched region on texts: few points or many?",
            (
                Try("Airline tweets", Setup("airline")),
                Try("Product ratings", Setup("ratings")),
                Try("A, B and C again", _ABC),
            ),
        ),
    ),
    question=Question(
        "A point starts beside the left end of a line that carries three classes, and moves "
        "straight away from the line, without end. Which class is it answered in the end?",
        (
            Answer(
                "The class at the left end, whose centroid stays the nearest",
                "It does stay the nearest. But far away both prototypes are nearly equally far, so "
                "the left one's share of the vote falls towards one half.",
            ),
            Answer(
                "A class between the ends",
                "Far away both prototypes are nearly equally far and count alike; then whoever has "
                "something from both can have the most.",
            ),
            Answer(
                "The class at the right end",
                "Far away both prototypes count nearly alike: the right one never counts more than "
                "the left one, which stays the nearer.",
            ),
        ),
        answer_far_away,
        far_facts,
    ),
    page="explain",
    further="The region on every line, and the count on your own data.",
)
