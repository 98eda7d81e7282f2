"""The folded parts of the Ensemble page."""

from pages.session import settings
from pages.widgets.parts import Part

DRAWS = Part("Ensemble against members and a single model", settings.FOLDS["over_draws"])
DISAGREEMENT = Part("Disagreement and entropy", settings.FOLDS["disagreement"])
DECOMPOSITIONS = Part("Uncertainty decompositions", settings.FOLDS["parts"])
BY_CLASS = Part("By class, and over w or distance", settings.FOLDS["by_class"])
ELSEWHERE = Part("Out-of-distribution texts", settings.FOLDS["elsewhere"])
