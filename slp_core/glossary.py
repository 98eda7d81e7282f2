"""The terms of the glossary, each explained once in plain words."""

from __future__ import annotations

TERMS = {
    # The task
    "support set": "The few labelled examples that a method is fitted on. Each class has the same "
    "number of them.",
    "query set": "The labelled examples that a method is tested on. Their labels are not seen in "
    "fitting.",
    "query example": "An example that the method is tested on, and was not fitted on.",
    "support example": "A labelled example that the method is fitted on.",
    "shots": "The number of support examples per class. Few-shot means that it is small.",
    "resample": "To pick another random support set of the same size.",
    "encoder": "A neural network that turns a text into a vector. Texts of similar meaning get "
    "vectors close to each other.",
    "embedding": "The vector of an example: its position in the space where distances are "
    "measured.",
    "out-of-distribution": "Unlike the data that the method was fitted on.",
    # Statistics
    "accuracy": "The share of examples whose predicted class is the true label. It is measured on "
    "the query set unless stated otherwise.",
    "leave-one-out accuracy": "The accuracy on the support set itself: each example is "
    "predicted by the method fitted on the others.",
    "chance": "The accuracy expected of random guessing: one divided by the number of classes.",
    "majority baseline": "What one would score by always predicting the most frequent class.",
    "confusion matrix": "A table that counts the query examples of each true label by the class "
    "that was predicted.",
    "standard deviation": "How much values vary around their mean, such as accuracy from one "
    "support set to another.",
    "SD": "Standard deviation: how much values vary around their mean. Here it is the population "
    "SD, which divides by the number of values.",
    "confidence interval": "A range that contains the true value in most repetitions of the "
    "experiment. It shows how uncertain an estimate is.",
    "CI": "Confidence interval: a range that contains the true value in most repetitions of the "
    "experiment. If the CI of a difference includes 0, the two cannot be told apart.",
    "p-value": "The probability of a difference at least as large as the one seen if the two "
    "methods were equally good.",
    "macro-F1": "The mean of the F1 scores of all tested classes, so that each counts the same. F1 "
    "is high if a class is found often and rarely predicted in error.",
    "LEOPARD": "A published collection of few-shot text classification tasks with fixed support "
    "sets. The paper reports its results on it.",
    # The method
    "centroid": "The mean of the support examples of a class.",
    "nearest centroid": "The simplest method here: it predicts the class whose centroid is "
    "nearest.",
    "line": "A straight line close to the centroids of some classes. The two prototypes at its "
    "ends serve all of its classes.",
    "prototype": "A point at one end of a line that carries a soft label. Each line has two, A and "
    "B.",
    "soft label": "A distribution over the classes: how much a prototype supports each of them.",
    "class score": "What a class gets from both prototypes of a line: its share of the soft label "
    "divided by the distance to the prototype, summed. The highest score is the prediction.",
    "constraintSLP": "A method that computes the soft labels from the positions of the centroids "
    "by linear programming. They are the same for every example.",
    "DeepSLP": "A method that learns the soft labels by gradient descent. They depend on the "
    "example that is classified.",
    "head": "A small linear function that turns an embedding into class scores. In DeepSLP each "
    "prototype has one.",
    "MetaSLP": "DeepSLP on an encoder that was meta-trained. The top layers of the encoder are "
    "fine-tuned on the support set as well.",
    "meta-training": "Training an encoder on many small tasks so that it learns new ones from few "
    "examples. It helps on tasks like those, and may harm on others.",
    "fine-tuning": "Further training of an encoder on the support set.",
    "episode": "One small task: a support set to learn from and a query set to test on.",
    "epoch": "One pass of training over the whole support set.",
    "logits": "Class scores before softmax turns them into probabilities.",
    "softmax": "The function that turns logits into probabilities that sum to 1.",
    "linear programme": "A problem whose objective and constraints are linear. Its exact optimum "
    "can be computed.",
    # Along a line
    "weight w": "The share of prototype A in the class scores, from 0 to 1. It is the distance to "
    "B divided by the sum of both distances.",
    "position t": "How far along its line an example lies, measured from prototype A.",
    "distance r": "How far an example lies from the axis of its line.",
    "projected onto the line": "Distances are measured from the nearest point on the line instead "
    "of from the example itself. The soft labels of constraintSLP were computed for these.",
    "decision interval": "A range of w in which one class has the highest score.",
    "tolerance": "How far from its line a centroid may lie and still count as being on it.",
    # Maps
    "projection": "A flat map of a space with many dimensions. Something is always lost.",
    "decision landscape": "The background of a map: the class that the method predicts at each "
    "point.",
    "decision boundary": "Where the predicted class changes from one to another.",
    "plane": "The landscape is computed on a flat plane through the space. Examples off the plane "
    "are shown at their nearest point on it.",
    "fitted surface": "The landscape is computed on a curved surface that passes close to the "
    "examples.",
    "margin": "The predicted class's score minus that of the runner-up. A small margin means that "
    "the prediction is close.",
    "confidence": "The probability that the method gives to the class it predicts.",
    "fidelity": "The share of held-out examples at which the map shows the class that the method "
    "predicts. It says how far the map can be trusted, not how accurate the method is.",
    "held out": "Left out when something is fitted, and used afterwards to test it.",
    "PCA": "Principal component analysis: the flat map along the two directions in which the data "
    "vary most.",
    "UMAP": "A map that keeps neighbours together and distorts the rest. Long distances on it mean "
    "little.",
    "PCA of class scores": "The flat map along the two directions in which the method's class "
    "scores vary most.",
    # Errors
    "cause": "Why an example was misclassified. Each error has exactly one cause, the first that "
    "applies.",
    "wrong nearest centroid": "A cause of errors: another class's centroid is as near as the "
    "true class's, or nearer.",
    "class not on this line": "A cause of errors: the example is assigned to a line that does not "
    "carry its true class.",
    "concentration": "A cause of errors that projection onto the line would correct. In many "
    "dimensions both prototypes are about equally far, so w stays near one half.",
    "line-model error": "A cause of errors: the true class is on the line and its centroid is the "
    "nearest, yet another class wins, even after projection onto the line.",
    "rule error": "A cause of errors of methods without lines: the true class's centroid is the "
    "nearest, yet another class is predicted.",
    "rescued": "Correctly classified although another class's centroid is nearer.",
    "counterfactual": "A smallest change of an example that would change its prediction.",
    # Ensembles
    "ensemble": "Several members whose predictions are combined. Here they are the two prototypes "
    "of a line.",
    "NLL": "Negative log-likelihood: low if the true label gets a high probability. Confident "
    "errors cost most.",
    "entropy": "How spread out a distribution over classes is. It is 0 if one class has all the "
    "probability.",
    "JSD": "Jensen-Shannon divergence: how much several distributions differ, in nats. It is 0 if "
    "they are equal.",
    "total variation": "The probability that has to be moved to turn one distribution into "
    "another.",
    "temperature": "What logits are divided by before softmax. A high temperature makes the "
    "probabilities more alike.",
    "calibration": "Whether confidence matches accuracy: of predictions made with a confidence of "
    "one half, half should be correct.",
    "ECE": "Expected calibration error: the mean gap between confidence and accuracy. 0 is best.",
}


def term(name: str, text: str = "") -> str:
    """A term in its sense, marked: a page explains it at a touch."""
    assert name in TERMS, name
    return f"[{text or name}](#{anchor(name)})"


def anchor(name: str) -> str:
    """The link target of a term, after the ``#``."""
    return f"word-{name.replace(' ', '-')}"
