"""Lesson: two prototypes as an ensemble, and what their disagreement says."""

from __future__ import annotations

from slp_core.lessons.lesson import Choice, Lesson, Question, Setup, Step, Try
from slp_core.lessons.questions import jsd_halves
from slp_core.lessons.text import halves_text

_RANDOM = {"preset": "paper"}  # heads that start alike would hardly disagree
_DISASTER = Setup("disaster", method="deep_slp", options=_RANDOM)

LESSON = Lesson(
    name="ensemble",
    title="Disagreement can warn of errors",
    steps=(
        Step(
            "Two members",
            (
                "Two *prototypes* can be read as an *ensemble* of two members. Each gives a "
                "probability for every class; together they make the prediction.",
                "The tweets here report a disaster or not. The bars show each member alone and "
                "both together.",
            ),
            _DISASTER,
            ("members",),
            "Step through some tweets. Do the members ever prefer different classes?",
        ),
        Step(
            "Disagreement as a number",
            (
                "*Entropy* measures how spread out a probability is. The *Jensen–Shannon "
                "divergence* (JSD) measures how far the members are apart: 0 where they agree.",
                "Each point is a tweet. The chart shows how far its members are apart, and how "
                "uncertain both together are.",
            ),
            _DISASTER,
            ("divergence",),
            "Outlined marks are errors. Are they where the JSD is high?",
            (
                Try("Disaster tweets", _DISASTER),
                Try("Wine", Setup("wine", method="deep_slp", options=_RANDOM)),
                Try("Customer intents", Setup("intents", method="deep_slp", options=_RANDOM)),
            ),
        ),
        Step(
            "What the sum says",
            (
                "The paper writes the ensemble's entropy as JSD plus the members' mean entropy. "
                "That is exact only where the ensemble is the plain average of its members.",
                "Two other decompositions are exact: a weighted mixture, and a product of powers.",
            ),
            _DISASTER,
            ("identity",),
            "Compare the residuals.",
            (
                Try("DeepSLP", _DISASTER),
                Try("constraintSLP", Setup("disaster")),
            ),
        ),
    ),
    question=Question(
        "Order the query examples by JSD and cut them in two halves. Which half is predicted more "
        "accurately?",
        (
            Choice(
                "The half with the lower JSD",
                "Here disagreement warns of errors. It need not elsewhere: members fitted on the "
                "same few examples can agree and both be wrong.",
            ),
            Choice(
                "The half with the higher JSD",
                "Here disagreement goes with correct predictions: one member may be certain where "
                "the other says little.",
            ),
            Choice(
                "Both the same",
                "Here the difference is below one standard error, so chance could make it.",
            ),
        ),
        jsd_halves,
        halves_text,
    ),
    page="ensemble",
    further="NLL, calibration and out-of-distribution texts, over all support sets.",
)
