"""The parts of the Explain page, in the order in which they are best read."""

from pages.session import settings
from pages.widgets.parts import Part

ERRORS = Part("Errors and their causes")
ONE_POINT = Part("One point")
SIDE = Part("The line from the side")
MAP = Part("On the map", settings.FOLDS["map"])
THEOREM2 = Part("Theorem 2: not always the nearest centroid", settings.FOLDS["theorem2"])
EXAMPLES = Part("The paper's own examples, number by number", settings.FOLDS["examples"])
DIMENSIONS = Part("When concentration sets in", settings.FOLDS["dimensions"])
PARTS = (ERRORS, ONE_POINT, SIDE, MAP, THEOREM2, EXAMPLES, DIMENSIONS)
