"""The parts of the Explore page below its map."""

from pages.session.workspace import Workspace
from pages.widgets.parts import Part

ANSWERS = Part("Where answers go")
DRAWS = Part("Luck of the draw")
LINES = Part("What each line carries")


def parts_of(workspace: Workspace) -> tuple[Part, ...]:
    """Those that the page has for this method."""
    return (ANSWERS, DRAWS, LINES) if hasattr(workspace.model, "line_fit_") else (ANSWERS, DRAWS)
