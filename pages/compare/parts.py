"""The parts of the Compare page, in the order in which they are best read."""

from pages.session import settings
from pages.widgets.parts import Part

RUNS = Part("Every draw")
PAIR = Part("A against B")
POINTS = Part("A against B, point by point", settings.FOLDS["points"])
SHOTS = Part("By shots and by class")
COSTS = Part("Accuracy, parameters and fit time", settings.FOLDS["costs"])
PARTS = (RUNS, PAIR, POINTS, SHOTS, COSTS)
