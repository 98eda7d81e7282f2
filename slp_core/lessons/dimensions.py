"""Lesson: why high dimensions make it worse."""

from __future__ import annotations

from slp_core.lessons.lesson import Answer, Lesson, Question, Setup, Step, Try
from slp_core.lessons.questions import answered_in_high_dimensions, half_facts

_TWO = Setup("toy_dimensions", dimension=2)
_MANY = Setup("toy_dimensions", dimension=512)
_AIRLINE = Setup("airline")

LESSON = Lesson(
    name="dimensions",
    title="High dimensions",
    sentence="As dimensions grow, all distances become alike: first on a toy, then on real tweets.",
    steps=(
        Step(
            "One strip says it all",
            (
                "Three classes, A, B and C, share a line. At its ends stand two *prototypes*: "
                "points with a *soft label*, a share for every class. A new point takes both soft "
                "labels, each divided by its distance, and answers the class with the larger sum.",
                "So all that counts is the left prototype's share of the vote, ***w***: near 1 "
                "beside the left prototype, near 0 beside the right one, one half where both are "
                "equally far away. The *strip* shows every w from 0 to 1, the class that wins "
                "there, and the points where they are. Hollow marks are wrong answers.",
            ),
            _TWO,
            ("strip",),
            "Each class has its band and its points. Do they lie over one another?",
        ),
        Step(
            "More dimensions, nothing else",
            (
                "Now every point gets more numbers: the same noise in more and more directions. "
                "The centroids (the class means) stay where they are, and so does the distance "
                "between the prototypes. But every point is off the line in all the new "
                "directions at once, and so gets further from *both* prototypes.",
                "Two large distances that differ by little: their ratio goes to 1, and w goes to "
                "one half. This is called *concentration* of distances.",
            ),
            _TWO,
            ("dimensions", "strip"),
            "Drag the slider under the first picture. Then set the dimension of the strip below.",
            (
                Try("Two", _TWO),
                Try("Sixteen", Setup("toy_dimensions", dimension=16)),
                Try("Sixty-four", Setup("toy_dimensions", dimension=64)),
                Try("Five hundred and twelve", _MANY),
            ),
        ),
        Step(
            "Real tweets",
            (
                "These are tweets to airlines. An *encoder*, a language model, has turned each "
                "into a list of some hundred numbers. So they are points in as many dimensions, "
                "and what happened to the toy happens to them.",
                "The bands are as wide as before. It is the points that no longer reach them.",
            ),
            _AIRLINE,
            ("strip",),
            "Compare the range of w that the points have with the w that each class needs.",
            (
                Try("Airline tweets", _AIRLINE),
                Try("Product ratings", Setup("ratings")),
                Try("The toy in two dimensions", _TWO),
            ),
        ),
        Step(
            "A remedy",
            (
                "The soft labels were solved for points *on* the line. So ask them there: take "
                "each point's *foot*, the nearest place on the line, and divide by the distances "
                "of the foot. Nothing else changes. In the sidebar this is *Distances: along the "
                "line*; the row below the strip shows where the points would then be.",
                "This remedy is this app's own; the paper's remedy is to learn the soft labels "
                "instead (DeepSLP).",
            ),
            _AIRLINE,
            ("strip",),
            "Switch between the two, and watch the points, and the share of right answers at the "
            "top.",
            (
                Try(
                    "Along the line",
                    Setup("airline", options={"distance": "along_line"}),
                ),
                Try("Of the points themselves", _AIRLINE),
            ),
        ),
    ),
    question=Question(
        "Take the tweets with the distances of the points themselves. What decides most of "
        "constraintSLP's answers?",
        (
            Answer(
                "Which centroid is nearest",
                "It would, if the vote followed the nearest centroid. In many dimensions all "
                "distances are nearly alike, and the vote hardly hears the difference.",
            ),
            Answer(
                "Which class wins where both prototypes are equally far",
                "Nearly all points have a w near one half. Whoever wins there is the answer, "
                "whatever the text says.",
            ),
        ),
        answered_in_high_dimensions,
        half_facts,
    ),
    page="explain",
    further="The cause of every single error, on these tweets or your own texts.",
)
