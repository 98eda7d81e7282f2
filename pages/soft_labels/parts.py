"""The parts of the Soft labels page, in the order in which they are best read."""

from pages.session import settings
from pages.widgets.parts import Part

SIDE_BY_SIDE = Part("Side by side")
BY_HAND = Part("Edit by hand")
DRAWS = Part("Luck of the draw", settings.FOLDS["label_draws"])
THEOREM1 = Part("Theorem 1: nearer classes have more", settings.FOLDS["theorem1"])
PARTS = (SIDE_BY_SIDE, BY_HAND, DRAWS, THEOREM1)
