"""The folded parts of the Explore page."""

from pages.session import settings
from pages.widgets.parts import Part

FIDELITY = Part("How faithful is this map?", settings.FOLDS["fidelity"])
CONFUSION = Part("Confusion matrix", settings.FOLDS["confusion"])
SUPPORT_SETS = Part("Variation across support sets", settings.FOLDS["support_sets"])
LINES = Part("Classes on each line", settings.FOLDS["lines"])
