"""What of the Train page is folded away."""

from pages.session import settings
from pages.widgets.parts import Part

LOG = Part("Training log", settings.FOLDS["training_log"])
RUNS = Part("Compare runs", settings.FOLDS["compare_runs"])
DRAWS = Part("Variation across support sets", settings.FOLDS["draws_and_seeds"])
SAVED = Part("Load a saved model", settings.FOLDS["saved_model"])
