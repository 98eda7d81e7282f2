"""The parts of the Ensemble page, in the order in which they are best read."""

from pages.session import settings
from pages.widgets.parts import Part

DRAWS = Part("Over the draws")
DECOMPOSITIONS = Part("Three ways to take it apart", settings.FOLDS["parts"])
POINTS = Part("Disagreement and uncertainty, point by point")
BY_CLASS = Part("By class, and over w or distance", settings.FOLDS["by_class"])
CALIBRATION = Part("Calibration")
ELSEWHERE = Part("Texts that do not belong", settings.FOLDS["elsewhere"])
PARTS = (DRAWS, DECOMPOSITIONS, POINTS, CALIBRATION, BY_CLASS)
