"""The parts of the Encoders page, in the order in which they are best read."""

from pages.session import settings
from pages.widgets.parts import Part

MOVES = Part("Where every point goes")
NEIGHBOURS = Part("Whom a sentence stands next to")
ACCURACY = Part("Accuracy under both")
EVERYWHERE = Part("On every bundled dataset", settings.FOLDS["everywhere"])
TUNING = Part("Tune the encoder on this support set", settings.FOLDS["tuning"])
EPISODE = Part("How an episode of meta-training works", settings.FOLDS["episode"])
TRAINING = Part("How meta-training went", settings.FOLDS["training"])
CARDS = Part("Model cards", settings.FOLDS["cards"])
CHECKPOINT = Part("Upload a checkpoint of your own", settings.FOLDS["checkpoint"])
OF_TEXTS = (MOVES, NEIGHBOURS, ACCURACY, EVERYWHERE, TUNING, EPISODE)
ALWAYS = (TRAINING, CARDS, CHECKPOINT)
