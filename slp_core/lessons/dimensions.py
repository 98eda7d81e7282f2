"""Lesson: why high dimensions make it worse."""

from __future__ import annotations

from slp_core.lessons.lesson import Choice, Lesson, Question, Setup, Step, Try
from slp_core.lessons.questions import deciding
from slp_core.lessons.text import deciding_text

_TWO = Setup("toy_dimensions", dimension=2)
_AIRLINE = Setup("airline")

LESSON = Lesson(
    name="dimensions",
    title="In high dimensions all distances look alike",
    steps=(
        Step(
            "One strip shows it all",
            (
                "Classes A, B and C share a line with two *prototypes*. A prediction depends only "
                "on ***w***, the weight of the first prototype: near 1 next to it, near 0 next to "
                "the other, ½ where both are equally far.",
                "The strip shows which class wins at each *w*, and the *w* of every query example. "
                "Outlined marks are misclassified.",
            ),
            _TWO,
            ("strip",),
            "Does each class's interval cover its examples?",
        ),
        Step(
            "More dimensions, nothing else",
            (
                "Every example gets more numbers: the same noise in more directions. The centroids "
                "stay, but every example moves away from *both* prototypes.",
                "Two large distances that differ little have a ratio near 1, so *w* goes to ½. "
                "This is called *concentration* of distances.",
            ),
            _TWO,
            ("dimensions", "strip"),
            "Drag the slider below the first chart, then change the dimension of the strip.",
            tuple(
                Try(f"{d} dimensions", Setup("toy_dimensions", dimension=d))
                for d in (2, 16, 64, 512)
            ),
        ),
        Step(
            "Real tweets",
            (
                "An *encoder*, a language model, turned each of these tweets to airlines into "
                "hundreds of numbers. The same happens here.",
                "The intervals are as wide as before. The examples no longer reach them.",
            ),
            _AIRLINE,
            ("strip",),
            "Compare the range of *w* that the examples have with the *w* that each class needs.",
            (
                Try("Airline tweets", _AIRLINE),
                Try("Product ratings", Setup("ratings")),
                Try("Toy in 2 dimensions", _TWO),
            ),
        ),
        Step(
            "A remedy",
            (
                "Soft labels are solved for points *on* the line. So project each example onto the "
                "line first, and use the distances of its projection.",
                "This remedy is the app's own. The paper learns the soft labels instead (DeepSLP).",
            ),
            _AIRLINE,
            ("strip",),
            "Switch between the two. What happens to the examples, and to the accuracy?",
            (
                Try(
                    "Projected onto the line", Setup("airline", options={"distance": "along_line"})
                ),
                Try("Full distances", _AIRLINE),
            ),
        ),
    ),
    question=Question(
        "Tweets with full distances: what decides most of constraintSLP's predictions?",
        (
            Choice(
                "Which centroid is nearest",
                "In many dimensions all distances are nearly alike, and the weight hardly shows "
                "the difference.",
            ),
            Choice(
                "Which class wins where both prototypes are equally far",
                "Nearly all examples have a *w* near one half. The class that wins there is "
                "predicted, whatever the text says.",
            ),
            Choice("Both about equally often", "Then the two counts differ by less than chance."),
        ),
        deciding,
        deciding_text,
    ),
    page="explain",
    further="The cause of every error, on these tweets or your own texts.",
)
