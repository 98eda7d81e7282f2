"""Lesson: a soft label, and two prototypes that serve three classes."""

from __future__ import annotations

from slp_core.lessons.lesson import Answer, Lesson, Question, Setup, Step
from slp_core.lessons.questions import middle_facts, where_the_middle_wins

_TOY = Setup("toy_blue_green_yellow")

LESSON = Lesson(
    name="soft_label",
    title="A soft label",
    sentence="What it is, and how two prototypes serve three classes.",
    steps=(
        Step(
            "A label that is shared out",
            (
                "A *label* says which class an example belongs to. A *hard label* names one class. "
                "A *soft label* is shared out: it gives every class a number from 0 to 1, and the "
                "numbers add up to 1.",
                "A *prototype* is a point that carries a label. Beside this text there are two of "
                "them, at the two ends of a line. The left one shares its label between the "
                "classes *left* and *middle*, the right one between *right* and *middle*.",
                "The picture runs from the right prototype (w = 0) to the left one (w = 1). Each "
                "class is a straight line: how strong it is there. The strongest class wins, and "
                "the background has its colour.",
            ),
            _TOY,
            ("shared",),
            "Move the slider: how much do both prototypes have to lend to *middle* before it wins "
            "anywhere?",
        ),
        Step(
            "How two prototypes answer",
            (
                "A new point is answered by both prototypes. Each divides its soft label by its "
                "distance from the point, so that the nearer one counts more. The two results are "
                "added: the sum is a class's *influence*. The class with the most influence is the "
                "answer.",
                "For the answer only the ratio of the two distances matters. So one number is "
                "enough: ***w***, the left prototype's share of the vote. It is the distance from "
                "the right prototype, divided by the sum of both distances.",
            ),
            _TOY,
            ("one vote",),
            "Find two distances with which the answer is *middle*. Then double them both: the "
            "influences change, w and the answer do not.",
        ),
        Step(
            "Three classes of points",
            (
                "Now a small dataset: blue, green and yellow points. A few points of each class "
                "are known to the method; they are its *support set*. Their mean is the "
                "*centroid* of the class. The three centroids lie on one line, and the prototypes "
                "stand on the two centroids at its ends.",
                "The method here is **constraintSLP**: it solves for soft labels with which each "
                "class wins at its own centroid. All other points are *query points*: they are "
                "only asked about. The background of the map is what the method would answer "
                "there.",
            ),
            _TOY,
            ("editor",),
            "Take the share of the class in the middle away from both prototypes. What becomes of "
            "its band, of its region on the map, and of the right answers? *Back to fitted* takes "
            "it back.",
        ),
    ),
    question=Question(
        "The class in the middle of the line has no prototype of its own. With the soft labels as "
        "fitted, where does it win?",
        (
            Answer(
                "Nowhere",
                "A class needs no prototype of its own to win: it can have a part of both.",
            ),
            Answer(
                "Where both prototypes are about equally far away",
                "Half of one vote and half of the other can be more than either end has there.",
            ),
            Answer(
                "Only beside one of the prototypes",
                "Beside a prototype that prototype's own class is strongest.",
            ),
        ),
        where_the_middle_wins,
        middle_facts,
    ),
    page="soft_labels",
    further="Soft labels of every dataset and method, and the same editor.",
)
