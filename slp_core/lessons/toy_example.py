"""Lesson: the paper's toy example, number by number."""

from __future__ import annotations

from slp_core.lessons.lesson import Choice, Lesson, Question, Setup, Step, Try
from slp_core.lessons.questions import midway
from slp_core.lessons.text import midway_text

_TOY = Setup("toy_blue_green_yellow")

LESSON = Lesson(
    name="toy_example",
    title="Five numbers make a prediction",
    steps=(
        Step(
            "Three centroids on a line",
            (
                "The paper's first example has three classes, blue, green and yellow. Their "
                "*centroids* (class means) are on one line, at equal distances.",
                "The two outer centroids are *prototypes*. The rings around them show their soft "
                "labels.",
            ),
            _TOY,
            ("map",),
            "Click examples between two centroids. Which class has which score?",
        ),
        Step(
            "What constraintSLP computes",
            (
                "*constraintSLP* maximises how far each class leads at its own centroid, with "
                "equal scores midway between neighbours: a linear programme.",
                "Over the weight *w* of prototype A every class score is a straight line, so the "
                "decision boundaries are exact.",
            ),
            _TOY,
            ("bands",),
            "Resample the support set: the centroids move a little, and the boundaries with them.",
            (
                Try("Resample", Setup("toy_blue_green_yellow", draw=3)),
                Try("First support set", _TOY),
            ),
        ),
        Step(
            "One example, number by number",
            (
                "Which class is predicted just above the middle of the line, at *x* = (1.5, 0.8)? "
                "Five numbers decide it: two distances, the weight, two soft labels, and the class "
                "scores that follow.",
            ),
            _TOY,
            ("five numbers",),
            "Compute the score of green yourself: each of its shares over a distance.",
        ),
    ),
    question=Question(
        "Neighbours should have equal scores midway between their centroids. With the paper's "
        "shares of .6 and .4, which class has the higher score midway between blue and green?",
        (
            Choice(
                "Neither: the scores are equal",
                "Divide each share by the distance: a quarter of the line from prototype A, three "
                "quarters from B.",
            ),
            Choice(
                "Blue",
                "Green's share at prototype B is divided by three times the distance, so it adds "
                "too little.",
            ),
            Choice(
                "Green",
                "Green has a share of both prototypes, but B's is divided by three times the "
                "distance.",
            ),
        ),
        midway,
        midway_text,
    ),
    page="explain",
    further="The same numbers for any example of your data.",
)
