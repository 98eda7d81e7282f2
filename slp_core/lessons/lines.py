"""Lesson: lines through centroids, and what their number and the tolerance do."""

from __future__ import annotations

from slp_core.lessons.lesson import Answer, Lesson, Question, Setup, Step, Try
from slp_core.lessons.questions import asked_facts, which_line_is_asked

_FIVE = "toy_five_on_two_lines"
_DIGITS = "digits"

LESSON = Lesson(
    name="lines",
    title="Lines through centroids",
    sentence="How classes come to share a line, and what tolerance and number of lines do.",
    steps=(
        Step(
            "Which classes share a line",
            (
                "A *centroid* is the mean of a class's known examples. Before any soft label is "
                "learnt, the centroids are put on *lines*: every class on one. A line ends at two "
                "centroids, and there its two *prototypes* stand, the points with soft labels.",
                "The app groups centroids that are near each other. In a group the two that are "
                "furthest apart are the ends; the others have their place between them.",
            ),
            Setup(_FIVE),
            ("map alone", "lines"),
            "Follow the lines on the map. Which classes have a prototype, and which have none?",
        ),
        Step(
            "How many lines",
            (
                "The number of lines is a maximum. The paper takes half the number of classes. "
                "Fewer lines mean fewer prototypes for the same classes; but what does not lie on "
                "a line is then forced onto one.",
                "A point asks one line alone. A class that is on another line cannot be its "
                "answer, however near its centroid is.",
            ),
            Setup(_FIVE),
            ("map alone", "lines"),
            "Force all classes onto one line, and compare the shares of right answers at the top.",
            (
                Try("At most one line", Setup(_FIVE, options={"n_lines": 1})),
                Try("At most two", Setup(_FIVE, options={"n_lines": 2})),
                Try("Half the classes", Setup(_FIVE)),
            ),
        ),
        Step(
            "Tolerance",
            (
                "Centroids rarely lie exactly on a line. The *tolerance* ε is the distance at "
                "which one counts as off its line. One that is off is moved to another line, if "
                "it is nearer to that line and the fit gets better. So a smaller ε need not change "
                "anything: there has to be a better place.",
                "The column *off* is each centroid's distance from its line; *> ε* says whether "
                "that is too much. Soft labels know a class only by its place along the line, so a "
                "centroid far off its line is badly served.",
            ),
            Setup(_DIGITS),
            ("map alone", "lines"),
            "Ten handwritten digits. Make ε smaller and larger: do the lines change, or only what "
            "counts as off?",
            (
                Try("ε smaller", Setup(_DIGITS, options={"tolerance": 0.02})),
                Try("ε as usual", Setup(_DIGITS)),
                Try("ε larger", Setup(_DIGITS, options={"tolerance": 0.5})),
                Try("One line for all ten", Setup(_DIGITS, options={"n_lines": 1})),
            ),
        ),
    ),
    question=Question(
        "There are several lines, and a new point. Which line does it ask?",
        (
            Answer(
                "The line whose segment is nearest",
                "The segment is the part of a line between its two prototypes. This is the rule of "
                "the paper's authors' code; the sidebar has it under *A point asks*.",
            ),
            Answer(
                "The line that has the nearest prototype",
                "This is the rule in the paper's text; the sidebar has it under *A point asks*. "
                "The two differ where a long line passes by a point far from its ends.",
            ),
            Answer(
                "The line with the most classes",
                "How many classes a line carries plays no part in which one is asked.",
            ),
        ),
        which_line_is_asked,
        asked_facts,
    ),
    page="explore",
    further="Lines and their regions on any dataset.",
)
