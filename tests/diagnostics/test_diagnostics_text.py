"""The sentences of diagnostics, word by word."""

import numpy as np
import pandas as pd
import pytest

from slp_core import (
    ConstraintSLPClassifier,
    LogisticRegressionClassifier,
    NearestCentroidClassifier,
)
from slp_core.diagnostics.calibration import Calibration, OutOfDistribution
from slp_core.diagnostics.draws import EnsembleOverDraws
from slp_core.diagnostics.encoders import EncoderChange, class_distances
from slp_core.diagnostics.ensemble import EnsembleDiagnostics
from slp_core.diagnostics.members import Members
from slp_core.diagnostics.text import (
    calibration_text,
    change_text,
    confidence_text,
    cut_text,
    disagreement_text,
    divergence_text,
    ensemble_text,
    example_text,
    identity_texts,
    members_text,
    most_diverse_text,
    moved_text,
    moves_text,
    neighbour_text,
    neighbours_text,
    nll_over_draws_text,
    nll_text,
    out_of_distribution_text,
    over_draws_text,
    separation_text,
    uncertainty_text,
    unseen_text,
)
from slp_core.markdown import without_terms
from slp_core.sentences import class_names


def ensemble(a, b, true, w=0.5, pooled=False):
    """Diagnostics of members with these probabilities of class *x*, of *x* and y."""
    alone = np.array([[[p, 1 - p], [q, 1 - q]] for p, q in zip(a, b, strict=True)])
    weight = np.tile([w, 1 - w], (len(a), 1))
    joint = np.einsum("ms,msk->mk", weight, alone)
    with np.errstate(divide="ignore"):
        logs = np.log(alone)
        members = Members(
            alone, joint, weight, np.ones(len(a)), logs, np.log(joint), logs if pooled else None
        )
    return EnsembleDiagnostics(("*x*", "y"), np.array(true), members, "none")


MIXED = ensemble([0.9, 0.2, 0.7, 0.6], [0.8, 0.6, 0.1, 0.7], [0, 0, 0, 1])
FLAT = ensemble([1.0, 1.0, 1.0], [0.5, 0.5, 0.5], [0, 0, 1])
SHORT = ensemble([0.9], [0.8], [0])
NONE = "There are no query examples."


def test_the_headline_names_the_method_and_three_accuracies():
    assert ensemble_text(MIXED, "DeepSLP *new*") == (
        r"DeepSLP \*new\*: accuracy 25% with both prototypes, 50% with A alone, 50% with B alone."
    )


def test_confidence_of_the_members():
    assert without_terms(confidence_text(MIXED)) == "Mean confidence: A 75%, B 75%."


@pytest.mark.parametrize(
    ("model", "text"),
    [
        (
            ConstraintSLPClassifier(),
            "Each member is the soft label of one prototype. Together (F) they are averaged with "
            "weights w and 1 − w.",
        ),
        (NearestCentroidClassifier(), "M does not combine the probabilities of two prototypes."),
        (LogisticRegressionClassifier(), "M has no prototypes."),
    ],
)
def test_what_the_members_are(model, text):
    model.fit(np.eye(4), [0, 0, 1, 1])
    assert without_terms(members_text(model, "M")) == text


@pytest.mark.parametrize(
    ("read", "text"),
    [
        (
            MIXED,
            "Mean NLL: 0.761 together, 0.904 for a member alone, averaged over 4 query examples.",
        ),
        (
            FLAT,
            "Mean NLL: 0.288 together, 0.347 for a member alone, averaged over 2 of 3 query "
            "examples (finite NLLs only).",
        ),
        (
            ensemble([1.0], [0.5], [1]),
            "NLL is finite for F and both members on 0 of 1 query example.",
        ),
    ],
)
def test_nll(read, text):
    assert without_terms(nll_text(read)) == text


@pytest.mark.parametrize(
    ("read", "text"),
    [
        (FLAT, "Disagreement is the same for every example here: 0.216 nats."),
        (SHORT, "With 1 of 1 example correct, disagreement cannot be related to accuracy."),
        (
            MIXED,
            "Correlation of disagreement with correct predictions: −0.48 over 4 examples, which "
            "may be chance.",
        ),
    ],
)
def test_disagreement(read, text):
    assert disagreement_text(read) == text


def test_two_divergences():
    assert without_terms(divergence_text(SHORT)) == (
        "Disagreement is the JSD of A and B: 0.010 nats on average, at most 0.693 (ln 2). The "
        "paper's JSD, the mean of KL(f ‖ F), is 0.010. Constant soft labels disagree equally for "
        "all examples of a line."
    )


def test_one_example():
    x, y = "●\u00a0“\\*x\\*”", "■\u00a0“y”"
    assert example_text(MIXED, 2) == (
        f"True label {x}. Predicted {y}; A alone {x}, B alone {y}. Disagreement 0.205 nats."
    )
    assert most_diverse_text(MIXED) == " – largest disagreement"
    assert most_diverse_text(FLAT) == ""
    two = ensemble([1.0, 1.0, 0.5], [0.5, 0.5, 0.5], [0, 0, 1])
    assert most_diverse_text(two) == " – first of 2 with the largest disagreement"


def test_decompositions():
    paper = (
        "Paper: H(F) = JSD + E[H(f)], the factor 1/K left out. It is exact if F is the plain "
        "average of its members. Here F differs from it by up to 0.000; the mean absolute residual "
        "is 0.000 nats."
    )
    mixture = (
        "Mixture: H = Σ w KL(f ‖ mixture) + Σ w H(f), exact. F differs from the mixture by up to "
        "0.000."
    )
    assert identity_texts(SHORT) == (paper, mixture)
    assert identity_texts(ensemble([0.9], [0.9], [0], pooled=True))[2] == (
        "Log-linear pool: NLL(F) = Σ α NLL(softmax(z / T)) − diversity, exact where the true label "
        "is on the line."
    )


def over(*rows):
    names = ["NLL(F)", "mean NLL(f)", "NLL over", "H(F)", "single entropy"]
    table = pd.DataFrame(rows, columns=names).assign(
        **{"JSD as in the paper": 0.25, "mean H(f)": 0.5}
    )
    return EnsembleOverDraws("one model", table)


@pytest.mark.parametrize(
    ("found", "text"),
    [
        (
            over((0.5, 0.75, 1, 1, 1), (0.5, 0.25, 1, 1, 1)),
            "NLL(F) is below the mean NLL of its members on 1 of 2 support sets: 0.500 against "
            "0.500 on average.",
        ),
        (
            over((0.5, 0.75, 0.5, 1, 1), (0.5, np.inf, 0, 1, 1)),
            "NLL(F) is below the mean NLL of its members on 1 of 1 support set: 0.500 against "
            "0.750 on average. Only finite NLLs count: 50% of the examples, on 1 of 2 support "
            "sets.",
        ),
        (over((0.5, np.inf, 0, 1, 1)), "The members' NLL is finite on 0 of 1 support set."),
    ],
)
def test_nll_over_support_sets(found, text):
    assert nll_over_draws_text(found) == text


def test_uncertainty_over_support_sets():
    found = over((0, 0, 1, 0.75, 0.5), (0, 0, 1, 0.5, 0.5))
    assert uncertainty_text(found) == (
        "H(F) is above the entropy of one model on 1 of 2 support sets: 0.625 against 0.500 nats "
        "on average. The paper's JSD, 0.250, and the members' entropy, 0.500, add up to H(F) if F "
        "is the plain average of the members."
    )
    assert over_draws_text(found, 1, ", trained for 3 epochs") == (
        "2 support sets of 1 shot per class. Single model: one model, trained for 3 epochs, on "
        "the same support sets."
    )


@pytest.mark.parametrize(
    ("mean", "accuracy", "way"),
    [
        (0.75, 0.5, "accuracy 50%: overconfident"),
        (0.5, 0.75, "accuracy 75%: underconfident"),
        (0.5, 0.502, "accuracy 50%: well calibrated on average"),
        (0.898, 0.904, "accuracy 90.4%: underconfident"),
    ],
)
def test_calibration(mean, accuracy, way):
    found = Calibration(
        np.array([0, 1]),
        np.array([4]),
        np.array([mean]),
        np.array([accuracy]),
        abs(mean - accuracy),
        np.array([0.9, 0.5]),
        np.array([0.5, 1.0]),
        np.array([1.0, accuracy]),
    )
    ece = f"{abs(mean - accuracy):.0%}" if abs(mean - accuracy) > 0.005 else "0.2%"
    assert without_terms(calibration_text(found)) == (
        f"Mean confidence {100 * mean:.3g}%, {way}; ECE {ece}. Accuracy of the 2 most confident: "
        "100%."
    )


def test_out_of_distribution():
    found = OutOfDistribution(np.array([0.5]), np.array([0.75]), 1.0)
    assert out_of_distribution_text(found, "$a$") == (
        r"Mean entropy 0.750 nats for “\$a\$”, 0.500 here. AUROC 100% (chance: 50%)."
    )
    none = OutOfDistribution(np.array([]), np.array([0.75]), float("nan"))
    assert out_of_distribution_text(none, "a") == "There are no examples to compare."


def change(correct, within=(1.0, 0.5), over_draws=((0.5,), (0.5,))):
    square, y = np.array([[1.0, 1.0], [1.0, -1.0], [-1.0, 1.0], [-1.0, -1.0]]), np.repeat([0, 1], 2)
    spaces = tuple(class_distances(square * [1.0, w], y, 2) for w in within)
    names = ("one", "the *other*")
    correct, over_draws = np.array(correct, bool), np.array(over_draws)
    return EncoderChange(names, ("p", "q"), spaces, correct, over_draws, 8)


def test_two_encoders():
    found = change([[1, 0, 0, 0], [0, 1, 1, 0]])
    assert change_text(found) == (
        r"From “one” to “the \*other\*”: accuracy of nearest centroid 25.0% → 50.0%."
    )
    flat = change([[1], [1]], within=(0.0, 0.5), over_draws=((0.5, 0.7), (0.4, 0.7)))
    assert change_text(flat).endswith(
        "accuracy of nearest centroid −5.0\u00a0±\u00a05.0 points over 2 support sets."
    )
    assert change_text(change([[], []])) == NONE
    assert moves_text(found) == (
        "Newly correct: 2 of 4 query examples; newly misclassified: 1 (accuracy 25.0% → 50.0% on "
        "this support set)."
    )
    assert moved_text(found, 0, 1) == (
        "True label ●\u00a0“p”; nearest centroid: misclassified before, correct after."
    )
    assert moved_text(found, 1, None) == "True label ■\u00a0“q”; support example."
    assert separation_text(found).endswith("over all 8 examples: 2.00 times as large after.")
    assert separation_text(flat).endswith("over all 8 examples.")
    assert unseen_text(["one", "two"]) == "Not encoded yet with “one” and “two”."
    assert cut_text(["one"]) == "The text was cut to the length limit of “one”."


def test_neighbours():
    y, rows = np.array([0, 1, 1]), (np.array([0, 1]), np.array([1, 2]))
    assert neighbours_text(("p", "q"), y, rows, 1) == (
        "True label ■\u00a0“q”: shared by 1 of 2 neighbours before, 2 after. 1 of 2 neighbours is "
        "in both lists."
    )
    assert neighbours_text(("p", "q"), y, rows, None) == "1 of 2 neighbours is in both lists."
    p, q = class_names("pq")
    assert neighbour_text(p, 0.75, False) == "**●\u00a0“p”** · cosine 0.750"
    assert neighbour_text(q, 0.5, True) == "**■\u00a0“q”** · cosine 0.500 · in both lists"
