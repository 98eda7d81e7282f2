"""Lesson: DeepSLP, whose soft labels are learnt and depend on the example."""

from __future__ import annotations

from slp_core.lessons.lesson import Choice, Lesson, Question, Setup, Step, Try
from slp_core.lessons.questions import same_weight
from slp_core.lessons.text import same_weight_text

_RANDOM = Setup("airline", method="deep_slp", options={"preset": "paper"})
_AIRLINE = Setup("airline", method="deep_slp")

LESSON = Lesson(
    name="deep_slp",
    title="Soft labels can be learnt",
    steps=(
        Step(
            "Watch it learn",
            (
                "*DeepSLP* gives each prototype a small linear model, a *head*, that reads the "
                "example. The heads start at random here, as in the paper.",
                "The *loss* is large where the true class gets little probability. In each "
                "*epoch*, one pass over the support set, all weights move so that it falls.",
            ),
            _RANDOM,
            ("training",),
            "Play the training again. When does the accuracy stop rising?",
            (
                Try("Random start", _RANDOM),
                Try("Start as nearest centroid", _AIRLINE),
            ),
        ),
        Step(
            "A soft label for every example",
            (
                "constraintSLP gives a prototype one soft label for all examples, so *w* alone, "
                "the weight of the first prototype, decides.",
                "A head computes a score for every class from the example: its *logits*. The two "
                "heads' logits, each divided by a distance, are added.",
            ),
            _RANDOM,
            ("local labels",),
            "Click examples on the strip. The lines and intervals change with the example.",
            (
                Try("DeepSLP", _RANDOM),
                Try("constraintSLP", Setup("airline")),
            ),
        ),
        Step(
            "Which head learns from which example",
            (
                "An example's loss is split between the two heads. In Algorithm 1 the closer "
                "prototype's head gets the larger part of each example; the authors' code splits "
                "whole batches.",
                "Do such choices matter? Three small experiments on the data at hand:",
            ),
            _AIRLINE,
            ("loss weighting",),
            "Take other data. Which of the three results stays the same?",
            (
                Try("Airline tweets", _AIRLINE),
                Try("Product ratings", Setup("ratings", method="deep_slp")),
                Try("Iris flowers", Setup("iris", method="deep_slp")),
            ),
        ),
    ),
    question=Question(
        "Many examples are assigned to the same line. If all had the same *w*, would this method "
        "predict one class for all of them?",
        (
            Choice(
                "Yes: *w* decides",
                "That holds where a prototype has one soft label for all examples.",
            ),
            Choice(
                "No: the soft labels differ from example to example",
                "So two examples with the same *w* can be predicted differently.",
            ),
            Choice(
                "Only those with the same true label",
                "The method never sees the true label of a query example.",
            ),
        ),
        same_weight,
        same_weight_text,
    ),
    page="train",
    further="Training live, with every hyperparameter.",
)
