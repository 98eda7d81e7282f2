"""Every word that the app uses in a sense of its own, explained once, in plain words.

A page marks these words where they stand, and shows the explanation at a touch. The texts are about
every method, dataset and option that the word can stand beside, and hold no figure.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Term:
    """A word with its explanation."""

    name: str
    text: str
    pages: tuple[str, ...]
    aliases: tuple[str, ...] = ()
    cause: str = ""

    @property
    def forms(self) -> tuple[str, ...]:
        """All ways in which it is written."""
        return (self.name, *self.aliases)


_ALL = ("Explore", "Train", "Explain", "Soft labels", "Ensemble", "Compare", "Encoders")
_WHY = ("Explain",)
_MAP = ("Explore", "Explain")

TERMS = (
    # The task
    Term(
        "support set",
        "The few labelled examples that a method learns from: the same number of each class.",
        _ALL,
        ("support point", "support points", "support example", "support examples", "support"),
    ),
    Term(
        "query set",
        "The labelled examples that a method is judged on. It has not seen their labels.",
        _ALL,
        ("query point", "query points", "query row", "query rows", "query"),
    ),
    Term(
        "shots",
        "How many examples of each class the support set holds. Few-shot means few of them.",
        _ALL,
        ("shot",),
    ),
    Term(
        "draw",
        "One random choice of the support set. Accuracy depends on it, so it is told over several "
        "draws.",
        ("Explore", "Compare"),
        ("draws",),
    ),
    Term(
        "standard deviation",
        "How much some figures differ among themselves, such as accuracy from draw to draw.",
        ("Explore", "Compare"),
        ("SD",),
    ),
    Term(
        "encoder",
        "What turns a text into a vector: a list of numbers, which is a place in a space. Texts "
        "of like meaning get places close to each other.",
        ("Encoders",),
        ("encoders",),
    ),
    Term(
        "embedding",
        "The vector of a text. As the cause of an error: the vector lies nearest to the centroid "
        "of another class, so the error is there before any soft label has a say.",
        ("Explain", "Encoders"),
        ("embeddings",),
        cause="embedding",
    ),
    # The method
    Term(
        "centroid",
        "The mean of a class's support points: the middle of the class, as far as it is known.",
        _MAP,
        ("centroids", "class mean", "class means"),
    ),
    Term(
        "nearest centroid",
        "The simplest method here: answer the class whose centroid is nearest. Others are measured "
        "by it.",
        ("Explore", "Compare"),
        ("nearest-centroid rule",),
    ),
    Term(
        "line",
        "A straight piece between two centroids that carries the classes lying near it, in their "
        "order. All of them are served by the two prototypes at its ends. As the cause of an "
        "error: the nearest centroid is right, but the line that is asked does not carry its "
        "class.",
        _MAP,
        ("lines",),
        cause="line",
    ),
    Term(
        "prototype",
        "A place in the space that carries a soft label, and so votes for several classes at once. "
        "There is one at each end of a line: the left and the right.",
        ("Explore", "Soft labels"),
        ("prototypes",),
    ),
    Term(
        "soft label",
        "How a prototype divides its vote among the classes. It is fixed in constraintSLP, and "
        "depends on the point that is asked about in DeepSLP.",
        ("Soft labels", "Explore"),
        ("soft labels",),
    ),
    Term(
        "influence",
        "A class's score at a point: what the soft labels of the line's two prototypes give it, "
        "each divided by the distance to its prototype, added up. The highest is the answer.",
        ("Explore", "Explain"),
    ),
    Term(
        "constraintSLP",
        "The method that computes soft labels from the places of the centroids on a line alone, "
        "by linear programming. They are the same for every point.",
        ("Explore", "Soft labels"),
    ),
    Term(
        "DeepSLP",
        "The method that learns soft labels from the support set by gradient descent: a small "
        "linear function at each prototype says how it votes on a point.",
        ("Train", "Soft labels"),
    ),
    Term(
        "head",
        "A small linear function that turns a point into scores of the classes. In DeepSLP each "
        "prototype has one.",
        ("Train",),
        ("heads",),
    ),
    Term(
        "MetaSLP",
        "DeepSLP on an encoder that was trained beforehand on many other small tasks, so that it "
        "learns a new one from few examples; its top layers are tuned on the support set too.",
        ("Encoders", "Compare"),
    ),
    Term(
        "meta-training",
        "Training an encoder on many small tasks, each learnt from a few examples, so that it gets "
        "better at learning new ones. It helps where they are like the task at hand, and may harm "
        "elsewhere.",
        ("Encoders",),
        ("meta-trained", "meta-test"),
    ),
    Term(
        "episode",
        "One small task in meta-training: a few examples to learn from, and others to see how well "
        "that went.",
        ("Encoders",),
        ("episodes",),
    ),
    Term(
        "epoch",
        "One pass of training over the whole support set.",
        ("Train",),
        ("epochs",),
    ),
    Term(
        "logits",
        "Raw scores of the classes, before softmax turns them into probabilities.",
        ("Train", "Ensemble"),
        ("logit",),
    ),
    # Along a line
    Term(
        "w",
        "The left prototype's share of a line's vote, from 0 to 1: the nearer of the two "
        "prototypes has the larger share. At one half both count alike.",
        ("Explain", "Soft labels"),
    ),
    Term(
        "t",
        "How far along its line a point lies: 0 at the left prototype, and the line's length at "
        "the right one.",
        _WHY,
    ),
    Term(
        "r",
        "How far a point lies from the axis of its line.",
        _WHY,
    ),
    Term(
        "along the line",
        "Distances taken from the point's foot on the line instead of from the point itself. These "
        "are the distances that constraintSLP's soft labels were computed for.",
        ("Explore", "Explain"),
    ),
    Term(
        "foot",
        "The place on a line that is nearest to a point.",
        _WHY,
    ),
    Term(
        "off its line",
        "A centroid that does not lie on the line that carries its class, but to the side by more "
        "than the tolerance.",
        ("Explore",),
        ("off the line",),
    ),
    Term(
        "tolerance",
        "How far from its line a centroid may lie and still count as being on it.",
        ("Explore",),
        ("ε",),
    ),
    Term(
        "band",
        "A range of w in which one class has the most influence, and so is the answer.",
        ("Explain", "Soft labels"),
        ("bands",),
    ),
    # Pictures
    Term(
        "landscape",
        "The coloured ground of a map: the class that the method would answer at each place.",
        _MAP,
        ("landscapes",),
    ),
    Term(
        "slice",
        "The landscape on a flat plane through the space. Points that do not lie on the plane are "
        "drawn where they come closest to it, and may be answered otherwise than the ground shows.",
        ("Explore",),
    ),
    Term(
        "surface",
        "The landscape on a sheet that bends through the space so as to meet the points.",
        ("Explore",),
    ),
    Term(
        "lead",
        "How far the first is ahead of the second: on a map the winning class of the runner-up, "
        "in a comparison one method's accuracy of another's.",
        ("Explore", "Compare"),
        ("leads",),
    ),
    Term(
        "margin",
        "How far the true class and its strongest rival are apart in probability.",
        _WHY,
    ),
    Term(
        "fidelity",
        "How true a picture is: at how many points its ground shows what the method answers there. "
        "It does not say whether the answers are right.",
        ("Explore",),
        ("faithful",),
    ),
    Term(
        "held out",
        "Left out when something is made, and only asked about afterwards, which is a fair test. A "
        "picture is made without some of the points, and then these are looked up on it.",
        ("Explore",),
        ("held-out",),
    ),
    Term(
        "doubtful",
        "A point at which the picture shows another class than the method answers.",
        ("Explore",),
    ),
    Term(
        "PCA",
        "A flat picture along the two directions in which the data spread most.",
        ("Explore",),
    ),
    Term(
        "UMAP",
        "A picture that keeps neighbours together and bends the rest: distances across it say "
        "little.",
        ("Explore",),
        ("decision UMAP", "t-SNE"),
    ),
    Term(
        "decision plane",
        "The flat picture along the directions in which the method's scores vary most.",
        ("Explore",),
    ),
    # Why wrong
    Term(
        "cause",
        "Why a point was answered wrongly. Every error has exactly one cause, the first that "
        "applies in a fixed order.",
        _WHY,
        ("causes",),
    ),
    Term(
        "concentration",
        "Cause of an error: with distances along the line the answer would be right. In many "
        "dimensions a point is about as far from one prototype as from the other, so every w is "
        "close to one half, and classes at the ends go unheard.",
        _WHY,
        cause="concentration",
    ),
    Term(
        "off_line",
        "Cause of an error: the nearest centroid is right and its class is on the line, and yet "
        "another class wins, even with distances along the line.",
        _WHY,
        ("off line",),
        cause="off_line",
    ),
    Term(
        "rule",
        "Cause of an error by a method without lines: the nearest centroid is right, and the "
        "method answers otherwise.",
        _WHY,
        cause="rule",
    ),
    Term(
        "rescued",
        "Answered rightly although the nearest centroid is another class's.",
        _WHY,
    ),
    Term(
        "Theorem 2",
        "The paper's statement that a point can lie nearest to one class's centroid and still get "
        "another class's answer, because the two prototypes outvote it.",
        _WHY,
        ("crossing",),
    ),
    # The ensemble
    Term(
        "ensemble",
        "Several members that answer together: here a line's two prototypes.",
        ("Ensemble",),
    ),
    Term(
        "NLL",
        "Negative log-likelihood: how little probability the true class was given. Low is good; a "
        "sure and wrong answer costs most.",
        ("Ensemble", "Compare"),
    ),
    Term(
        "entropy",
        "How undecided a distribution over classes is: 0 if one class has everything.",
        ("Ensemble",),
    ),
    Term(
        "JSD",
        "Jensen-Shannon divergence: how far apart distributions over classes are. It is 0 if they "
        "are equal. It says that members disagree, not that either is right.",
        ("Ensemble", "Soft labels"),
        ("divergence",),
    ),
    Term(
        "total variation",
        "How much probability has to be moved to turn one soft label into the other.",
        ("Soft labels",),
    ),
    Term(
        "temperature",
        "What scores are divided by before they become probabilities: a high one makes them more "
        "alike, a low one makes one class stand out. The order of the classes stays.",
        ("Ensemble",),
    ),
    Term(
        "calibration",
        "Whether a method is right as often as its probabilities say.",
        ("Ensemble",),
        ("calibrated",),
    ),
    Term(
        "ECE",
        "Expected calibration error: by how much probabilities and the share of right answers "
        "differ on average. 0 is best.",
        ("Ensemble",),
    ),
    # Comparisons
    Term(
        "accuracy",
        "The share of points that are answered rightly; of the query points, unless it says "
        "otherwise.",
        _ALL,
    ),
    Term(
        "macro-F1",
        "The mean over classes of F1, which is high if a class is both found and not answered "
        "wrongly. Every class counts alike.",
        ("Compare",),
        ("F1",),
    ),
    Term(
        "p",
        "The chance of a split at least as uneven as the one seen, if the two methods were equally "
        "good. A small one speaks against that.",
        ("Compare",),
    ),
    Term(
        "LEOPARD",
        "A published collection of few-shot tasks in English, with fixed support sets. The paper "
        "is judged on it.",
        ("Compare",),
    ),
)

_NAMES = {term.name for term in TERMS}


def term(name: str, text: str = "") -> str:
    """A word of the glossary inside a sentence, where it is meant in its sense: marked Markdown.

    A page shows the explanation at a touch; what reads no marks (report, command line) drops them.
    """
    assert name in _NAMES, name
    return f"[{text or name}](#word-{name.replace(' ', '-')})"


# In these the words have their usual sense.
OTHER_SENSES = (
    "command line",
    "dashed line",
    "dashed lines",
    "dotted line",
    "dotted lines",
    "in line",
    "JSON Lines",
)
