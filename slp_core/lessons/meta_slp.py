"""Lesson: MetaSLP, and what an episode does to the space."""

from __future__ import annotations

from slp_core.lessons.lesson import Answer, Lesson, Question, Setup, Step, Try
from slp_core.lessons.questions import placing_facts, who_places_the_prototypes

_REPTILE = "metaslp-reptile-minilm-l4"
_PRODUCTS = Setup("products", method="deep_slp")
_AIRLINE = Setup("airline", method="deep_slp")
_INTENTS = Setup("intents", method="deep_slp")

LESSON = Lesson(
    name="meta_slp",
    title="MetaSLP",
    sentence="What an episode of meta-training does to the space of texts.",
    steps=(
        Step(
            "The space is somebody's choice",
            (
                "An *encoder*, a language model, turns a text into a point in a space. Whether "
                "texts of one class lie together there decides what any method can do with a few "
                "examples of each. So far the encoder was fixed.",
                "**MetaSLP** trains the encoder as well, beforehand and on other people's tasks: "
                "so that, later, a few examples of a *new* task are enough. This is "
                "*meta-training*.",
            ),
            _PRODUCTS,
            ("map",),
            "Look at the same texts through an encoder that was meta-trained: first reviews of "
            "products, then what customers ask for. Is the share of right answers at the top "
            "better or worse than before?",
            (
                Try("Reviews: as it came", _PRODUCTS),
                Try(
                    "Reviews: meta-trained",
                    Setup("products", encoder=_REPTILE, method="deep_slp"),
                ),
                Try("Intents: as it came", _INTENTS),
                Try(
                    "Intents: meta-trained",
                    Setup("intents", encoder=_REPTILE, method="deep_slp"),
                ),
            ),
        ),
        Step(
            "One episode",
            (
                "Meta-training goes in *episodes*. Each is a small task of two classes. A copy of "
                "the encoder learns it in a few steps: two *prototypes* stand on class means, and "
                "every step moves weights so that examples come nearer to their own class's "
                "prototype and away from the other's.",
                "The prototypes are placed by other examples than those that are pulled. An "
                "example near a mean of itself would be right at once, and teach nothing.",
            ),
            _AIRLINE,
            ("episode",),
            "Take the steps for two classes. Arrows show where every example goes.",
            (
                Try("Airline tweets", _AIRLINE),
                Try("Customer intents", _INTENTS),
            ),
        ),
        Step(
            "Many episodes",
            (
                "After an episode the copy is thrown away. What stays is a small move of the "
                "encoder itself. *Reptile* moves it some way towards where the copies ended. "
                "*First-order MAML* moves it so that the copies' loss on examples they did not "
                "learn from gets smaller.",
                "After many episodes the encoder stands where a few steps lead far, for tasks like "
                "those it was trained on. For other tasks it may be worse than before: it has "
                "forgotten something for what it has learnt.",
            ),
            _AIRLINE,
            ("episode",),
            "Take two other classes: do the same things come nearer?",
        ),
    ),
    question=Question(
        "In one step of an episode, which examples place the prototypes?",
        (
            Answer(
                "The same that the loss is taken on",
                "Then every example would pull a mean that it is part of towards itself.",
            ),
            Answer(
                "Others than those that the loss is taken on",
                "So an example is always judged by a prototype that it did not help to place.",
            ),
            Answer(
                "Some of the same, and some others",
                "The two are kept apart.",
            ),
        ),
        who_places_the_prototypes,
        placing_facts,
        "Take the steps of an episode beside this text first: the question is about them.",
    ),
    page="encoders",
    further="Before and after, neighbours, and every meta-trained encoder's card.",
)
