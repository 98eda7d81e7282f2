"""The sentences of this package: Markdown about its results."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from slp_core.diagnostics.calibration import Calibration, OutOfDistribution
from slp_core.diagnostics.draws import EnsembleOverDraws
from slp_core.diagnostics.encoders import EncoderChange
from slp_core.diagnostics.ensemble import EQUAL, FEWEST, PAPER_JSD, EnsembleDiagnostics
from slp_core.glossary import term
from slp_core.methods.protocols import HasLines, HasMembers, HasProbabilities
from slp_core.sentences import (
    ClassName,
    EncoderName,
    MethodTitle,
    class_names,
    count,
    decimals_apart,
    listed,
    number,
    percent,
    signed,
)

_NOTHING = "There are no query examples."

# Two prototypes as an ensemble


def ensemble_text(read: EnsembleDiagnostics, method: str) -> str:
    if not len(read.true):
        return _NOTHING
    a, b = read.member_correct.mean(axis=0).tolist()
    return (
        f"{MethodTitle(method)}: accuracy {percent(float(read.correct.mean()))} with both "
        f"prototypes, {percent(a)} with A alone, {percent(b)} with B alone."
    )


def confidence_text(read: EnsembleDiagnostics) -> str:
    if not len(read.true):
        return _NOTHING
    a, b = read.member_confidence.mean(axis=0).tolist()
    return f"Mean {term('confidence')}: A {percent(a)}, B {percent(b)}."


def members_text(model: HasProbabilities, method: str) -> str:
    if not isinstance(model, HasMembers):
        if isinstance(model, HasLines):
            return f"{MethodTitle(method)} does not combine the probabilities of two prototypes."
        return f"{MethodTitle(method)} has no prototypes."
    if model.combination == "mixture":
        return (
            "Each member is the soft label of one prototype. Together (F) they are averaged with "
            f"{term('weight w', 'weights w')} and 1 − w."
        )
    return (
        f"Each member is the softmax of one prototype's {term('logits')}. Together (F), both "
        "logits are divided by their distances and added before the softmax."
    )


def nll_text(read: EnsembleDiagnostics) -> str:
    n, m = int(read.comparable.sum()), len(read.true)
    examples = count(m, "query example")
    if not n:
        return f"{term('NLL')} is finite for F and both members on 0 of {examples}."
    over = examples if n == m else f"{n:,} of {examples} (finite NLLs only)"
    joint = float(read.nll[read.comparable].mean())
    alone = float(read.member_nll[read.comparable].mean())
    digits = decimals_apart(joint, alone)
    return (
        f"Mean {term('NLL')}: {number(joint, digits)} together, {number(alone, digits)} for a "
        f"member alone, averaged over {over}."
    )


def disagreement_text(read: EnsembleDiagnostics) -> str:
    m = len(read.true)
    if m >= FEWEST and np.ptp(read.jsd) <= EQUAL:
        return f"Disagreement is the same for every example here: {number(read.jsd[0], 3)} nats."
    if np.isnan(read.correlation):
        return (
            f"With {int(read.correct.sum()):,} of {count(m, 'example')} correct, disagreement "
            "cannot be related to accuracy."
        )
    clear = "" if read.correlation_is_clear else ", which may be chance"
    return (
        "Correlation of disagreement with correct predictions: "
        f"{signed(read.correlation)} over {m:,} examples{clear}."
    )


def divergence_text(read: EnsembleDiagnostics) -> str:
    if not len(read.true):
        return _NOTHING
    constant = " Constant soft labels disagree equally for all examples of a line."
    return (
        f"Disagreement is the {term('JSD')} of A and B: {number(float(read.jsd.mean()), 3)} nats "
        f"on average, at most {number(float(np.log(2)), 3)} (ln 2). The paper's JSD, the mean of "
        f"KL(f ‖ F), is {number(float(read.paper_jsd.mean()), 3)}."
        f"{constant if read.is_mixture else ''}"
    )


def example_text(read: EnsembleDiagnostics, point: int) -> str:
    names = class_names(read.classes)
    a, b = (names[k] for k in read.members.alone[point].argmax(axis=1))
    joint = names[read.members.joint[point].argmax()]
    return (
        f"True label {names[read.true[point]]}. Predicted {joint}; A alone {a}, B alone {b}. "
        f"Disagreement {number(read.jsd[point], 3)} nats."
    )


def most_diverse_text(read: EnsembleDiagnostics) -> str:
    n = int(read.at_most_diverse.sum())
    if n == len(read.true):
        return ""
    which = "" if n == 1 else f"first of {n:,} with the "
    return f" – {which}largest disagreement"


def identity_texts(read: EnsembleDiagnostics) -> tuple[str, ...]:
    if not len(read.true):
        return ()
    residual = float(np.abs(read.residual).mean())
    paper = (
        "Paper: H(F) = JSD + E[H(f)], the factor 1/K left out. It is exact if F is the plain "
        f"average of its members. Here F differs from it by up to "
        f"{number(read.average_gap, 3)}; the mean absolute residual is {number(residual, 3)} nats."
    )
    mixture = (
        "Mixture: H = Σ w KL(f ‖ mixture) + Σ w H(f), exact. F differs from the mixture by up to "
        f"{number(read.mixture_gap, 3)}."
    )
    if read.is_mixture:
        return paper, mixture
    pool = (
        "Log-linear pool: NLL(F) = Σ α NLL(softmax(z / T)) − diversity, exact where the true label "
        "is on the line."
    )
    return paper, mixture, pool


# Over the support sets


def nll_over_draws_text(over: EnsembleOverDraws) -> str:
    """The paper's first finding: NLL(F) is below the mean NLL of its members."""
    table = over.table[over.compared]
    n, means = len(table), table.mean()
    sets = f"{n:,} of {count(len(over.table), 'support set')}"
    if not n:
        return f"The members' NLL is finite on {sets}."
    joint, alone, share = means[["NLL(F)", "mean NLL(f)", "NLL over"]]
    digits, finite = decimals_apart(joint, alone), ""
    if share < 1 or n < len(over.table):
        finite = f" Only finite NLLs count: {percent(share)} of the examples, on {sets}."
    lower = int((table["NLL(F)"] < table["mean NLL(f)"]).sum())
    return (
        f"NLL(F) is below the mean NLL of its members on {lower:,} of {count(n, 'support set')}: "
        f"{number(joint, digits)} against {number(alone, digits)} on average.{finite}"
    )


def uncertainty_text(over: EnsembleOverDraws) -> str:
    """The paper's second: higher entropy than a single model, and its two parts."""
    table, means = over.table, over.table.mean()
    entropy, single = means["H(F)"], means["single entropy"]
    digits, higher = (
        decimals_apart(entropy, single),
        (table["H(F)"] > table["single entropy"]).sum(),
    )
    return (
        f"H(F) is above the entropy of {MethodTitle(over.single)} on {higher:,} of "
        f"{count(len(table), 'support set')}: {number(entropy, digits)} against "
        f"{number(single, digits)} nats on average. The paper's JSD, "
        f"{number(means[PAPER_JSD], 3)}, and the members' entropy, "
        f"{number(means['mean H(f)'], 3)}, add up to H(F) if F is the plain average of the members."
    )


def over_draws_text(over: EnsembleOverDraws, shots: int, effort: str = "") -> str:
    return (
        f"{count(len(over.table), 'support set')} of {count(shots, 'shot')} per class. Single "
        f"model: {MethodTitle(over.single)}{effort}, on the same support sets."
    )


# Calibration


def calibration_text(found: Calibration) -> str:
    if not found.n:
        return _NOTHING
    way = {1: "overconfident", 0: "well calibrated on average", -1: "underconfident"}[found.bias]
    means = found.mean_confidence, found.overall_accuracy
    digits = decimals_apart(100 * means[0], 100 * means[1], 0) if found.bias else 0
    confidence, correct = (percent(each, digits) for each in means)
    n, accuracy = found.most_confident_half
    return (
        f"Mean {term('confidence')} {confidence}, accuracy {correct}: {way}; {term('ECE')} "
        f"{percent(found.ece)}. Accuracy of the {'' if n == 1 else f'{n:,} '}most confident: "
        f"{percent(accuracy)}."
    )


def out_of_distribution_text(found: OutOfDistribution, elsewhere: str) -> str:
    if np.isnan(found.auroc):
        return "There are no examples to compare."
    inside, outside = float(found.inside.mean()), float(found.outside.mean())
    return (
        f"Mean entropy {number(outside, 3)} nats for {ClassName(elsewhere)}, {number(inside, 3)} "
        f"here. AUROC {percent(found.auroc)} (chance: 50%)."
    )


# Two encoders


def change_text(change: EncoderChange) -> str:
    before, after = map(EncoderName, change.names)
    if np.isnan(change.accuracy[0]):
        return _NOTHING
    moved, over = _here(change), change.over_draws
    if (n := over.shape[1]) > 1:
        gain = 100 * (over[1] - over[0])
        spread = f"{signed(gain.mean(), 1)}\u00a0±\u00a0{gain.std():.1f}"
        moved = f"{spread} points over {n} support sets"
    return f"From {before} to {after}: accuracy of nearest centroid {moved}."


def _here(change: EncoderChange) -> str:
    return " → ".join(percent(each, 1) for each in change.accuracy)


def moves_text(change: EncoderChange) -> str:
    m = change.correct.shape[1]
    here = f" (accuracy {_here(change)} on this support set)" if m else ""
    return (
        f"Newly correct: {len(change.gained):,} of {count(m, 'query example')}; newly "
        f"misclassified: {len(change.lost):,}{here}."
    )


def moved_text(change: EncoderChange, true: int, place: int | None) -> str:
    """How one example's prediction changes; a support example has none."""
    label = f"True label {class_names(change.classes)[true]}"
    if place is None:
        return f"{label}; support example."
    outcomes = ("correct" if each else "misclassified" for each in change.correct[:, place])
    before, after = outcomes
    return f"{label}; nearest centroid: {before} before, {after} after."


def separation_text(change: EncoderChange) -> str:
    known = np.isfinite(change.ratio)
    return (
        "Class separation is the mean distance between class means, relative to the mean distance "
        f"within a class, over all {count(change.n, 'example')}"
        f"{f': {number(change.ratio)} times as large after' if known else ''}."
    )


def unseen_text(titles: Sequence[str]) -> str:
    return f"Not encoded yet with {listed([EncoderName(title) for title in titles])}."


def neighbours_text(
    classes: Sequence[str], y: np.ndarray, lists: Sequence[np.ndarray], true: int | None
) -> str:
    """How many neighbours have the true label ``true``, and how many are in both lists of rows."""
    k, shared = len(lists[0]), len(set.intersection(*(set(rows.tolist()) for rows in lists)))
    both = f"{shared:,} of {count(k, 'neighbour')} {'is' if shared == 1 else 'are'} in both lists."
    if true is None:
        return both
    first, second = (int((y[rows] == true).sum()) for rows in lists)
    return (
        f"True label {class_names(classes)[true]}: shared by {first:,} of {count(k, 'neighbour')} "
        f"before, {second:,} after. {both}"
    )


def neighbour_text(label: ClassName, cosine: float, shared: bool) -> str:
    both = " · in both lists" if shared else ""
    return f"**{label}** · cosine {number(cosine, 3)}{both}"


def cut_text(titles: Sequence[str]) -> str:
    return f"The text was cut to the length limit of {listed([EncoderName(t) for t in titles])}."
