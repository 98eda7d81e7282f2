"""What of the Soft labels page is folded away."""

from pages.session import settings
from pages.widgets.parts import Part

SIDE_BY_SIDE = Part("Compare with another method", settings.FOLDS["labels_beside"])
DRAWS = Part("Variation across support sets", settings.FOLDS["label_draws"])
THEOREM1 = Part("Theorem 1: closer classes get more weight", settings.FOLDS["theorem1"])
