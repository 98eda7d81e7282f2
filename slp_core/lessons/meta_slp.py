"""Lesson: MetaSLP, and what an episode does to the embedding space."""

from __future__ import annotations

from slp_core.lessons.lesson import Choice, Lesson, Question, Setup, Step, Try
from slp_core.lessons.questions import placing
from slp_core.lessons.text import placing_text

_REPTILE = "metaslp-reptile-minilm-l4"
_PRODUCTS = Setup("products", method="deep_slp")
_AIRLINE = Setup("airline", method="deep_slp")
_INTENTS = Setup("intents", method="deep_slp")

LESSON = Lesson(
    name="meta_slp",
    title="An encoder can learn to learn",
    steps=(
        Step(
            "The embedding space is a choice",
            (
                "An *encoder*, a language model, turns a text into a point. How well its classes "
                "separate decides what a few examples can teach.",
                "*MetaSLP* trains the encoder beforehand, on other tasks, so that a few examples "
                "of a *new* task are enough. This is *meta-training*.",
            ),
            _PRODUCTS,
            ("map",),
            "Compare the accuracy before and after meta-training, on reviews and on intents.",
            (
                Try("Reviews: before", _PRODUCTS),
                Try("Reviews: after", Setup("products", encoder=_REPTILE, method="deep_slp")),
                Try("Intents: before", _INTENTS),
                Try("Intents: after", Setup("intents", encoder=_REPTILE, method="deep_slp")),
            ),
        ),
        Step(
            "One episode",
            (
                "Meta-training runs in *episodes*, small tasks of two classes. A copy of the "
                "encoder learns one in a few steps.",
                "Each step moves examples towards their own class's prototype and away from the "
                "other's. Other examples place the prototypes.",
            ),
            _AIRLINE,
            ("episode",),
            "Run the steps. The arrows show how each example moves.",
            (
                Try("Airline tweets", _AIRLINE),
                Try("Customer intents", _INTENTS),
            ),
        ),
        Step(
            "Many episodes",
            (
                "The copy is discarded after its episode; the encoder itself moves a little. "
                "*Reptile* moves it towards where the copies ended. *First-order MAML* lowers the "
                "copies' loss on examples they did not learn from.",
                "The encoder then learns similar tasks quickly. On other tasks it may be worse "
                "than before.",
            ),
            _AIRLINE,
            ("episode",),
            "Choose two other classes. Do the examples move the same way?",
        ),
    ),
    question=Question(
        "In one step of an episode, which examples place the prototypes?",
        (
            Choice(
                "Those that give the loss",
                "Then every example would pull on a mean that it is part of.",
            ),
            Choice(
                "Others than those that give the loss",
                "So no example is judged by a prototype that it helped to place.",
            ),
            Choice("Some of both", "The two are kept apart."),
        ),
        placing,
        placing_text,
        "Run the steps of an episode first: the question is about them.",
    ),
    page="encoders",
    further="Before and after meta-training, for every encoder.",
)
