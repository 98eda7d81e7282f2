"""Lesson: two prototypes as an ensemble, and what JSD says and does not."""

from __future__ import annotations

from slp_core.lessons.lesson import Answer, Lesson, Question, Setup, Step, Try
from slp_core.lessons.questions import divergence_facts, right_by_divergence

_AIRLINE = Setup("airline", method="deep_slp")

LESSON = Lesson(
    name="ensemble",
    title="An ensemble of two",
    sentence="Two prototypes as two opinions: what their JSD says, and what it does not.",
    steps=(
        Step(
            "Two members",
            (
                "Every answer comes from two *prototypes*, points at the two ends of a line that "
                "carry soft labels. One can read them as an *ensemble* of two members: each alone "
                "has an opinion, a probability for every class, and together they have the answer.",
                "For each class the bars show the left member alone, both together, and the right "
                "member alone.",
            ),
            _AIRLINE,
            ("members",),
            "Look at some points by number. Do the two ever prefer different classes?",
        ),
        Step(
            "Disagreement as a number",
            (
                "*Entropy* measures how spread out a probability is: nothing where one class has "
                "all, most where all classes have the same. *JSD*, the Jensen–Shannon divergence, "
                "measures how far the members are apart: nothing where they say the same. The "
                "paper takes the mean divergence of the members from their joint answer.",
                "In the picture each point is a query text: how far its members are apart, and how "
                "uncertain the joint answer is.",
            ),
            _AIRLINE,
            ("divergence",),
            "Are hollow marks, the wrong answers, where JSD is high?",
            (
                Try("Airline tweets", _AIRLINE),
                Try("Customer intents", Setup("intents", method="deep_slp")),
                Try("Iris flowers", Setup("iris", method="deep_slp")),
            ),
        ),
        Step(
            "What the sum says",
            (
                "The paper writes the entropy of the joint answer as JSD plus the mean entropy of "
                "the members. This is exact only where the joint answer is the plain average of "
                "the members. Otherwise something is left over, and the table shows how much.",
                "Two other ways to take the answer apart are exact for the votes as they are: a "
                "weighted mixture, and a *pool* that multiplies probabilities.",
            ),
            _AIRLINE,
            ("identity",),
            "Compare the column *left over* for the methods.",
            (
                Try("DeepSLP", _AIRLINE),
                Try("constraintSLP", Setup("airline")),
            ),
        ),
    ),
    question=Question(
        "Order the query points by their JSD and cut them in two halves. Which half has the larger "
        "share of right answers, on the data at hand?",
        (
            Answer(
                "The half with the lower JSD",
                "Then agreement of the two goes with being right here. It need not: two members "
                "that were fitted on the same few examples can agree and both be wrong.",
            ),
            Answer(
                "The half with the higher JSD",
                "Then disagreement goes with being right here: for instance where one member is "
                "strong for a class and the other says little.",
            ),
            Answer(
                "Both have the same",
                "Then JSD says nothing here about who is right.",
            ),
        ),
        right_by_divergence,
        divergence_facts,
    ),
    page="ensemble",
    further="NLL, calibration and texts that do not belong, over all draws.",
)
