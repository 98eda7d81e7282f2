"""The parts of the Encoders page, in the order in which they are best read."""

from pages.session import settings
from pages.widgets.parts import Part

MOVES = Part("Where every point goes")
NEIGHBOURS = Part("Whom a sentence stands next to")
ACCURACY = Part("Accuracy under both")
EVERYWHERE = Part("On every bundled dataset", settings.OPEN_EVERYWHERE)
TUNING = Part("Tune the encoder on this support set", settings.OPEN_TUNING)
EPISODE = Part("How an episode of meta-training works", settings.OPEN_EPISODE)
TRAINING = Part("How meta-training went", settings.OPEN_TRAINING)
CARDS = Part("The encoders, a card each", settings.OPEN_CARDS)
CHECKPOINT = Part("Upload a checkpoint of your own", settings.OPEN_CHECKPOINT)
OF_TEXTS = (MOVES, NEIGHBOURS, ACCURACY, EVERYWHERE, TUNING, EPISODE)
ALWAYS = (TRAINING, CARDS, CHECKPOINT)
