"""Lesson: Theorem 1, that closer classes have the larger soft label."""

from __future__ import annotations

from slp_core.lessons.lesson import Choice, Lesson, Question, Setup, Step, Try
from slp_core.lessons.questions import smallest_share
from slp_core.lessons.text import middle_text

_ABC = Setup("toy_abc")

LESSON = Lesson(
    name="theorem1",
    title="Closer classes get more weight",
    steps=(
        Step(
            "What a prototype gives to each class",
            (
                "A line carries the classes A, B and C; its *prototypes* are the centroids (class "
                "means) of A and C. Each has a *soft label*: shares that add up to 1.",
                "At A's centroid A has to win, so A gets most of the first soft label. B has to "
                "win in the middle and needs a share of both. C wins nowhere near A and gets "
                "nothing there.",
            ),
            _ABC,
            ("soft labels",),
            "Read the bars outwards from each prototype. Does a share ever rise?",
        ),
        Step(
            "What Theorem 1 says",
            (
                "*Theorem 1* of the paper says that shares are inversely proportional to distance. "
                "Its proof shows the order only: a class further along the line has no larger "
                "share.",
                "*DeepSLP* learns soft labels that depend on the example. Nothing keeps them in "
                "that order.",
            ),
            _ABC,
            ("soft labels", "bands"),
            "Try more classes, real texts, and DeepSLP. Does the order hold?",
            (
                Try("Five classes", Setup("toy_five_on_two_lines")),
                Try("Customer intents", Setup("intents")),
                Try("Intents with DeepSLP", Setup("intents", method="deep_slp")),
                Try("A, B and C", _ABC),
            ),
        ),
    ),
    question=Question(
        "A line carries three classes. Which one has the smallest share at prototype A?",
        (
            Choice(
                "Prototype A's own class",
                "It has to win next to this prototype, where the other one hardly counts.",
            ),
            Choice("The middle class", "It needs a share of both prototypes to win between them."),
            Choice(
                "The class at the other end",
                "It should win nowhere near this prototype, so a share here would only get in the "
                "way.",
            ),
        ),
        smallest_share,
        middle_text,
    ),
    page="soft_labels",
    further="Theorem 1 at every prototype, on every dataset.",
)
