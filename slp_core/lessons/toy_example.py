"""Lesson: the paper's toy example, number by number."""

from __future__ import annotations

from slp_core.lessons.lesson import Answer, Lesson, Question, Setup, Step, Try
from slp_core.lessons.questions import midway_facts, midway_on_the_papers_labels

_TOY = Setup("toy_blue_green_yellow")

LESSON = Lesson(
    name="toy_example",
    title="The toy example",
    sentence="The paper's first example, number by number, and where its .6 and .4 come from.",
    steps=(
        Step(
            "Three centroids on a line",
            (
                "The paper explains its method on three classes: blue, green and yellow. The "
                "*centroid* of a class is the mean of its known examples. Here the three centroids "
                "stand on one line, at equal gaps.",
                "Two points with soft labels are put on the centroids at the ends: these are the "
                "*prototypes*. A soft label is a list of numbers that add up to 1, one for each "
                "class. Rings on the map show how a prototype's label is shared out.",
            ),
            _TOY,
            ("map",),
            "Click points between two centroids, and read beside the map which class has how much "
            "influence on the answer.",
        ),
        Step(
            "What the soft labels are solved for",
            (
                "The influence of a class at a point is the sum of its two soft labels, each "
                "divided by the distance from that prototype. **constraintSLP** asks for soft "
                "labels with which every class has the most influence at its own centroid, and "
                "with which neighbours have equal influence midway between their centroids. It "
                "makes the lead as large as it can: a linear programme.",
                "*w* is the left prototype's share of the vote: 1 beside it, 0 beside the right "
                "one. Over w every class is a straight line, so the places where the winner "
                "changes are exact.",
            ),
            _TOY,
            ("bands",),
            "Take another support set: the centroids wander a little, and the bands with them.",
            (
                Try("Other examples", Setup("toy_blue_green_yellow", draw=3)),
                Try("The first ones again", _TOY),
            ),
        ),
        Step(
            "One point, number by number",
            (
                "The paper asks what a point just above the middle of the line is answered. Its "
                "soft labels are .6 and .4 at either end. The table computes every number again, "
                "from centroids at exactly the paper's places, and says where the two differ.",
                "The paper's labels illustrate the idea: they are not what its own conditions "
                "lead to. Its distance is that of the point's *foot*, the nearest place on the "
                "line.",
            ),
            _TOY,
            ("worked example",),
            "Read down the table: which numbers differ, and does the answer?",
        ),
    ),
    question=Question(
        "constraintSLP asks that neighbours have equal influence midway between their centroids. "
        "With the paper's .6 and .4, midway between blue and green: which has more?",
        (
            Answer(
                "Neither: they are equal",
                "Divide each soft label by its distance from that place: a quarter of the line "
                "from the left prototype, three quarters from the right one.",
            ),
            Answer(
                "Blue",
                "Green's second part comes from the far prototype, divided by three times the "
                "distance: too little to make up the difference.",
            ),
            Answer(
                "Green",
                "Green gets something from both prototypes, but the far one's part is divided by "
                "three times the distance.",
            ),
        ),
        midway_on_the_papers_labels,
        midway_facts,
    ),
    page="explain",
    further="Both of the paper's examples, and any point of your data taken apart like this.",
)
