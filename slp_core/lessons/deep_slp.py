"""Lesson: DeepSLP, whose soft labels depend on the point."""

from __future__ import annotations

from slp_core.lessons.lesson import Answer, Lesson, Question, Setup, Step, Try
from slp_core.lessons.questions import same_w_facts, same_w_same_answer

_AIRLINE = Setup("airline", method="deep_slp")

LESSON = Lesson(
    name="deep_slp",
    title="DeepSLP",
    sentence="Soft labels that are learnt and depend on the point; and who learns from which loss.",
    steps=(
        Step(
            "A soft label for every point",
            (
                "At the ends of a line stand two *prototypes* with *soft labels*: shares for every "
                "class. constraintSLP gives each prototype one soft label for all points. Then the "
                "answer follows from *w* alone, the left prototype's share of the vote.",
                "**DeepSLP** gives each prototype a small linear model, a *head*, that reads the "
                "point and computes a score for every class from it: its *logits*. The two heads' "
                "logits, each divided by its distance from the point, are added.",
            ),
            _AIRLINE,
            ("local labels",),
            "Click points on the strip, or step through them by number. The lines and bands "
            "change with the point.",
            (
                Try("DeepSLP", _AIRLINE),
                Try("constraintSLP", Setup("airline")),
            ),
        ),
        Step(
            "Watch it learn",
            (
                "The heads are fitted on the *support set*, the few labelled examples: again and "
                "again all of them are answered, and all weights are moved a little so that the "
                "*loss* falls. The loss is large where the right class gets little probability. "
                "Once through all examples is an *epoch*.",
                "By default the heads start as the rule of the nearest class mean and improve on "
                "it; in the paper they start at random.",
            ),
            _AIRLINE,
            ("training",),
            "Move the slider under the picture through the epochs: regions, curves and soft labels "
            "move together.",
            (
                Try("As nearest centroid", _AIRLINE),
                Try(
                    "At random, as in the paper",
                    Setup("airline", method="deep_slp", options={"preset": "paper"}),
                ),
            ),
        ),
        Step(
            "Who learns from which example",
            (
                "An example's loss is shared out between the two heads. In the paper's Algorithm 1 "
                "the nearer prototype gets the larger part, example by example. The authors' code "
                "does it batch by batch: one part for all the examples of a step together.",
                "Do such choices matter? Three small experiments, made on the data at hand.",
            ),
            _AIRLINE,
            ("loss sharing",),
            "Read the three answers. Then take other data: which of them stays the same?",
            (
                Try("Airline tweets", _AIRLINE),
                Try("Product ratings", Setup("ratings", method="deep_slp")),
                Try("Iris flowers", Setup("iris", method="deep_slp")),
            ),
        ),
    ),
    question=Question(
        "Many points ask the same line. Suppose all of them had the same w. Would this method "
        "answer them all alike?",
        (
            Answer(
                "Yes",
                "That is so where each prototype has one soft label for all points: w is then all "
                "that can differ.",
            ),
            Answer(
                "No",
                "Where the soft labels themselves depend on the point, two points with one w can "
                "be answered differently. It is how DeepSLP escapes the strip.",
            ),
        ),
        same_w_same_answer,
        same_w_facts,
    ),
    page="train",
    further="Training live with every hyperparameter, and the run to take away.",
)
