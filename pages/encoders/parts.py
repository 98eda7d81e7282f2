"""The folded parts of the Encoders page."""

from pages.session import settings
from pages.widgets.parts import Part

SEPARATION = Part("Class separation", settings.FOLDS["separation"])
NEIGHBOURS = Part("Nearest neighbours", settings.FOLDS["neighbours"])
ACCURACY = Part("Accuracy under both", settings.FOLDS["accuracy"])
EVERYWHERE = Part("On every bundled dataset", settings.FOLDS["everywhere"])
TUNING = Part("Fine-tune the encoder on this support set", settings.FOLDS["tuning"])
EPISODE = Part("How an episode of meta-training works", settings.FOLDS["episode"])
TRAINING = Part("Meta-training curves", settings.FOLDS["training"])
CARDS = Part("Model cards", settings.FOLDS["cards"])
CHECKPOINT = Part("Upload a checkpoint", settings.FOLDS["checkpoint"])
