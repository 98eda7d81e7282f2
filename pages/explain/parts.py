"""The parts of the Explain page, in the order in which they are best read."""

from pages.session import settings
from pages.widgets.parts import Part

ERRORS = Part("Errors and their causes")
ONE_POINT = Part("One point")
SIDE = Part("The line from the side")
MAP = Part("On the map", settings.OPEN_MAP)
THEOREM2 = Part("Theorem 2: not always the nearest centroid", settings.OPEN_THEOREM2)
EXAMPLES = Part("The paper's own examples, number by number", settings.OPEN_EXAMPLES)
DIMENSIONS = Part("When concentration sets in", settings.OPEN_DIMENSIONS)
PARTS = (ERRORS, ONE_POINT, SIDE, MAP, THEOREM2, EXAMPLES, DIMENSIONS)
