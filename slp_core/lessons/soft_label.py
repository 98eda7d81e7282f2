"""Lesson: a soft label, and two prototypes that serve three classes."""

from __future__ import annotations

from slp_core.lessons.lesson import Choice, Lesson, Question, Setup, Step
from slp_core.lessons.questions import middle_class
from slp_core.lessons.text import middle_text

_TOY = Setup("toy_blue_green_yellow")

LESSON = Lesson(
    name="soft_label",
    title="Two prototypes can serve three classes",
    steps=(
        Step(
            "A label can be shared",
            (
                "A hard label names one class. A *soft label* gives every class a share; the "
                "shares add up to 1.",
                "Two *prototypes*, A and B, carry soft labels here: A for *first* and *middle*, B "
                "for *last* and *middle*. Each line in the chart is the score of a class, and the "
                "highest score wins.",
            ),
            _TOY,
            ("shared",),
            "Raise the share of *middle*. When does it begin to win?",
        ),
        Step(
            "Two prototypes make one prediction",
            (
                "Each soft label is divided by its prototype's distance from the example: the "
                "closer prototype counts more. The sum is the *class score*, and the class with "
                "the highest score is predicted.",
                "Only the ratio of the two distances matters. So one number says it all: the "
                "weight ***w*** of prototype A, 1 at A, 0 at B, and ½ where both are equally far.",
            ),
            _TOY,
            ("one prediction",),
            "Find distances at which *middle* is predicted, then double both. The scores change; "
            "the prediction does not.",
        ),
        Step(
            "Three classes of examples",
            (
                "The *support set* holds a few labelled examples of each class; their mean is the "
                "class's *centroid*. The prototypes stand on the two outer centroids.",
                "*constraintSLP* computes soft labels with which every class wins at its own "
                "centroid. The background of the map is the class predicted there.",
            ),
            _TOY,
            ("editor",),
            "Set the share of the middle class to 0 at both prototypes. What happens to its "
            "region, and to the accuracy?",
        ),
    ),
    question=Question(
        "The middle class has no prototype of its own. With the fitted soft labels, where does it "
        "win?",
        (
            Choice("Nowhere", "A class needs no prototype of its own: it can have a share of two."),
            Choice(
                "Where both prototypes are about equally far",
                "Two shares together can exceed what either end has there.",
            ),
            Choice(
                "Only next to one of the prototypes",
                "Next to a prototype, the prototype's own class has the highest score.",
            ),
        ),
        middle_class,
        middle_text,
    ),
    page="soft_labels",
    further="The same editor for every dataset and method.",
)
