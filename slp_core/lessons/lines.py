"""Lesson: lines through centroids, and what their number and the tolerance do."""

from __future__ import annotations

from slp_core.lessons.lesson import Choice, Lesson, Question, Setup, Step, Try
from slp_core.lessons.questions import assignment
from slp_core.lessons.text import assignment_text

_FIVE, _DIGITS = "toy_five_on_two_lines", "digits"

LESSON = Lesson(
    name="lines",
    title="Classes on one line share two prototypes",
    steps=(
        Step(
            "Which classes share a line",
            (
                "Every class's *centroid* (mean) is put on a *line*. A line runs between two "
                "centroids, and these two ends are its *prototypes*.",
                "Centroids close to each other form a group. The two furthest apart become the "
                "ends; the others lie between them.",
            ),
            Setup(_FIVE),
            ("map alone", "lines"),
            "Follow the lines on the map. Which classes have a prototype?",
        ),
        Step(
            "How many lines",
            (
                "Fewer lines need fewer prototypes, but force classes onto a line that does not "
                "fit. The paper allows half as many lines as classes.",
                "An example is assigned to one line, and only that line's classes can be "
                "predicted.",
            ),
            Setup(_FIVE),
            ("map alone", "lines"),
            "Force all classes onto one line, and compare the accuracy below the map.",
            (
                Try("One line", Setup(_FIVE, options={"n_lines": 1})),
                Try("Two lines", Setup(_FIVE, options={"n_lines": 2})),
                Try("Half the classes", Setup(_FIVE)),
            ),
        ),
        Step(
            "Tolerance",
            (
                "Centroids are rarely exactly on a line. One that is further off than the "
                "*tolerance* ε moves to another line, if that is closer.",
                "Soft labels only know a class's position along the line. A centroid far off its "
                "line is badly served.",
            ),
            Setup(_DIGITS),
            ("map alone", "lines"),
            "Ten handwritten digits: change ε. Do the lines change?",
            (
                Try("Small ε", Setup(_DIGITS, options={"tolerance": 0.02})),
                Try("Default ε", Setup(_DIGITS)),
                Try("Large ε", Setup(_DIGITS, options={"tolerance": 0.5})),
                Try("One line", Setup(_DIGITS, options={"n_lines": 1})),
            ),
        ),
    ),
    question=Question(
        "There are several lines, and a new example. To which line is it assigned?",
        (
            Choice(
                "The line whose segment is nearest",
                "The segment is the part between the two prototypes. This is the rule of the "
                "authors' code, and the default here.",
            ),
            Choice(
                "The line with the nearest prototype",
                "This is the rule in the paper's text, an option here. The two differ where a long "
                "line passes far from its ends.",
            ),
            Choice(
                "The line with the most classes",
                "The number of classes plays no part in the assignment.",
            ),
        ),
        assignment,
        assignment_text,
    ),
    page="explore",
    further="Lines and their regions on any dataset.",
)
