"""The folded parts of the Explain page."""

from pages.session import settings
from pages.widgets.parts import Part

EXAMPLE = Part("Selected example", settings.FOLDS["example"])
ERRORS = Part("All errors", settings.FOLDS["errors"])
SIDE = Part("Position against distance from the line", settings.FOLDS["side"])
MAP = Part("Errors on the map", settings.FOLDS["map"])
CONFUSION = Part("Confusion matrix", settings.FOLDS["confusion"])
VARIATION = Part("Variation across support sets", settings.FOLDS["support_sets"])
