"""Learn: nine lessons on the app's own views, the paper's numbers, and links for a class."""

from __future__ import annotations

from pages.learn.lecture import show_lecture
from pages.learn.lesson import show_lesson
from pages.learn.overview import overview
from pages.learn.teachers import for_teachers
from pages.session.lectures import current_lecture
from pages.session.lessons import current_lesson, for_the_browser
from pages.session.workspace import Workspace
from pages.shell.frame import current_workspace
from pages.widgets.kept_in_browser import keep_in_browser
from pages.widgets.parts import alone, folded
from pages.widgets.worked_example import papers_examples


def page(workspace: Workspace) -> None:
    """The current lecture or lesson, or the overview; then what is folded."""
    lecture, lesson = current_lecture(), current_lesson()
    if lecture is not None:
        show_lecture(workspace, lecture)
        return
    if lesson is None:
        overview()
        alone(folded, "The paper's examples, number by number", "examples", papers_examples)
    else:
        show_lesson(workspace, lesson)
    alone(for_teachers)
    keep_in_browser(for_the_browser())


page(current_workspace())
