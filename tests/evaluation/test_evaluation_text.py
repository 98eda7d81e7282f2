"""Sentences about runs and published results, as they are read."""

import numpy as np
import pandas as pd
import pytest

from slp_core.evaluation import text
from slp_core.evaluation.comparison import paired_difference, rank
from slp_core.evaluation.meta_testing import BEFORE_AND_AFTER, MetaTest
from slp_core.evaluation.method_runs import DrawRun, MethodRuns
from slp_core.evaluation.paper import compare, compare_methods, our_results
from slp_core.evaluation.results import Scores
from slp_core.evaluation.saved_model import LoadedModel
from slp_core.explain.difference import Difference
from slp_core.methods.table import METHODS


def runs(accuracies, draws=None, shots=4, missing=0):
    draws = tuple(range(len(accuracies))) if draws is None else draws
    nothing = np.empty(0, dtype=int)
    scores = [Scores(a, a / 2, 1.0, 40, 0.1) for a in accuracies]
    each = [DrawRun(found, nothing, nothing, None) for found in scores]
    return MethodRuns(shots, dict(zip(draws, each, strict=True)), missing)


A, B = [0.7, 0.8, 0.9, 0.8, 0.8], [0.7, 0.7, 0.7, 0.7, 0.6]


@pytest.mark.parametrize(
    ("accuracies", "missing", "expected"),
    [
        (
            {"Nearest centroid": A, "DeepSLP": B, "X": [0.1] * 5},
            0,
            "Nearest centroid wins on Wine (1 shot per class), ahead of DeepSLP: 80.0% against "
            "68.0%, difference +12.0 percentage points, 95% CI 4.0 to 18.0.",
        ),
        (
            {"A *b*": [0.5001] + [0.5] * 4, "1-NN": [0.5] * 5},
            0,
            "No clear winner on Wine (1 shot per class): A \\*b\\* 50.0% and 1-NN 50.0%.",
        ),
        (
            {"A": A, "B": A, "C": [0.1] * 5},
            0,
            "A and B lead on Wine (1 shot per class) with 80.0% and 80.0%: no clear winner.",
        ),
        (
            {"A": A, "1-NN": B, "B": B, "C": [0.1] * 5},
            0,
            "A wins on Wine (1 shot per class), ahead of 1-NN and B: 80.0% against 68.0%, "
            "difference +12.0 percentage points, 95% CI 4.0 to 18.0.",
        ),
        (  # one of two with the same mean is clearly behind, the other is not
            {"A": A, "B": [0.65, 0.75, 0.85, 0.75, 0.75], "C": [0.95, 0.55, 0.75, 0.75, 0.75]},
            0,
            "No clear winner on Wine (1 shot per class): A 80.0%, B 75.0% and C 75.0%.",
        ),
        (
            {"A": A[:3], "B": B[:3], "C": B[:3]},
            0,
            "No clear winner on Wine (1 shot per class): A 80.0%, B 70.0% and C 70.0% (3 support "
            "sets: too few for a confidence interval).",
        ),
        (
            {"A": A[:3], "Nearest centroid": B[:3]},
            0,
            "No clear winner on Wine (1 shot per class): A 80.0% and nearest centroid 70.0% (3 "
            "support sets: too few for a confidence interval).",
        ),
        (
            {"DeepSLP": A},
            0,
            "DeepSLP on Wine (1 shot per class): accuracy 80.0% over 5 support sets.",
        ),
        (
            {"LoRA": [0.9]},
            2,
            "No method has finished on Wine (1 shot per class): LoRA (1 of 3 support sets).",
        ),
    ],
)
def test_rankings(accuracies, missing, expected):
    found = {name: runs(each, missing=missing) for name, each in accuracies.items()}
    ranking = rank(found, "Wine", 1)
    assert text.ranking_text(ranking) == expected


def test_methods_without_a_shared_support_set():
    ranking = rank({"A": runs([0.5]), "B": runs([0.6], draws=(3,))}, "$x$", 16)
    assert text.ranking_text(ranking) == (
        "The 2 methods on \\$x\\$ (16 shots per class) share no support set to compare on."
    )


@pytest.mark.parametrize(
    ("a", "b", "expected"),
    [
        (
            A,
            B,
            "DeepSLP − nearest centroid: +12.0 percentage points (95% CI 4.0 to 18.0); "
            "4 wins, 0 losses, 1 tie.",
        ),
        (
            B,
            A,
            "DeepSLP − nearest centroid: −12.0 percentage points (95% CI −18.0 to −4.0); "
            "0 wins, 4 losses, 1 tie.",
        ),
        (
            [0.5, 0.49],
            [0.5, 0.5],
            "DeepSLP − nearest centroid: −0.5 percentage points (2 support sets: too few for a "
            "confidence interval); 0 wins, 1 loss, 1 tie.",
        ),
        (
            [0.5002] * 5,
            [0.5] * 5,
            "DeepSLP − nearest centroid: 0.0 percentage points (95% CI 0.02 to 0.02); "
            "5 wins, 0 losses, 0 ties.",
        ),
    ],
)
def test_differences(a, b, expected):
    found = paired_difference("DeepSLP", "Nearest centroid", runs(a), runs(b))
    assert text.paired_text(found) == expected


def test_means():
    assert text.means_text([runs(A), runs(B)]) == "Mean ± SD over 5 support sets."
    assert text.means_text([runs(A), runs([0.5])]) == (
        "Mean ± SD over 1 to 5 support sets. Support sets differ between methods, which may cause "
        "part of a difference."
    )


def test_what_a_row_shows_on_explain():
    assert text.explained_text("DeepSLP", "MiniLM") == (
        "Choose a row to see on Explain why DeepSLP misclassifies it."
    )
    assert text.explained_text("DeepSLP", "MiniLM", "TF-IDF") == (
        "To explain DeepSLP, choose “TF-IDF” in the sidebar."
    )
    assert text.explained_text("LoRA", "MiniLM", method="Nearest centroid") == (
        "LoRA trains the encoder, which Explain cannot show: choose a row to see the example "
        "there with nearest centroid and “MiniLM”."
    )


def test_methods_that_train_the_encoder():
    methods = [METHODS["fine_tuned"], METHODS["fine_tuned"], METHODS["lora"]]
    first = (
        "Shorter training than on the command line: Fine-tuned encoder 10 epochs and LoRA 10 "
        "epochs."
    )
    assert text.settings_text(methods) == first
    assert text.settings_text(methods, 5, 5) == first
    assert text.settings_text(methods, 1_000, 2_500) == (
        f"{first} All methods are evaluated on the same 1,000 of 2,500 query examples."
    )
    assert text.other_shots_text(["LoRA", "SetFit"], 1) == (
        "LoRA and SetFit: trained with the sidebar's shots per class only. The others take 1 more "
        "training."
    )
    assert text.files_text([runs(A), runs(B, shots=16)]).startswith("Shots per class: 4 and 16. ")


def test_published_results():
    summary = our_results().summary
    deep = summary.query("method == 'deep_slp' and encoder == 'minilm-l4'")
    assert text.published_text(compare(deep), True) == (
        "Encoders differ (MiniLM, layer 4 here, BERT-base in the paper); 18 of the paper's 48 "
        "settings were run. DeepSLP against the paper's DeepSLP: 18 wins, 0 losses, 0 ties, mean "
        "difference +8.6 percentage points."
    )
    same = summary.query("method in ('deep_slp', 'nearest_centroid') and encoder == 'minilm-l4'")
    assert text.published_text(compare_methods(same, "nearest_centroid"), False).startswith(
        "Same encoder (MiniLM, layer 4); 18 of the paper's 48 settings were run. DeepSLP against "
        "nearest centroid: "
    )
    same = summary.query("method in ('deep_slp', 'constraint_slp')")
    assert text.published_text(compare_methods(same, "constraint_slp"), False) == (
        "Same encoder for both, 5 encoders in turn; 18 of the paper's 48 settings were run."
    )
    assert (
        text.published_text(compare(summary[:0]), True) == "Nothing to compare with these choices."
    )
    several = text.published_text(compare(summary), True)
    encoders = compare(summary)["encoder"].nunique()
    assert several == (
        f"Encoders differ ({encoders} encoders here, BERT-base in the paper); 18 of the paper's "
        "48 settings were run."
    )
    assert text.published_means_text(pd.DataFrame({"n": [9, 10]})) == (
        "Our means are over 9 to 10 runs (support sets × seeds), the paper's over 10 support sets "
        "and 3 seeds. A tie: equal when rounded to 0.1."
    )
    known = "Accuracy (%), mean ± SD over the runs. A tie: equal when rounded to 0.1."
    assert text.task_text("airline") == known
    assert text.task_text("$x$") == f"{known} The paper has no task called “\\$x\\$”."


def test_fine_tuning():
    true, before, after = np.array([[0, 1, 2, 0], [0, 0, 2, 1], [0, 1, 1, 2]])

    def tuned(rows, n_support, seconds, available):
        each = [values[rows] for values in (true, before, after)]
        found = Difference.of(BEFORE_AND_AFTER, tuple("abc"), rows, *each)
        return text.tuning_text(MetaTest(found, n_support, (), (), seconds, available))

    assert tuned(np.arange(4), 8, 1.26, 9) == (
        "Fine-tuned for 1.3 s on 8 support examples. Accuracy: untuned encoder 50.0%, tuned "
        "encoder 50.0%. Different predictions: 3 of 4 query examples; correct only with untuned "
        "encoder: 1, only with tuned encoder: 1. They are a random part of 9."
    )
    assert tuned(np.arange(0), 1, 1.0, 0) == (
        "Fine-tuned for 1.0 s on 1 support example. There are no query examples to compare on."
    )


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        (
            {},
            "**ConstraintSLPClassifier**, 3 classes, 1 line, fitted on “W”, support set 2: "
            "accuracy 50.0% on 10 query examples. Query examples left out because it was fitted "
            "on them: 4.",
        ),
        (
            {"origin": None, "left_out": None},
            "**ConstraintSLPClassifier**, 3 classes, 1 line: accuracy 50.0% on 10 query examples. "
            "It may have been fitted on some of them: its file does not say.",
        ),
        (
            {"n_query": 0},
            "**ConstraintSLPClassifier**, 3 classes, 1 line, fitted on “W”, support set 2. There "
            "is no query example to evaluate it on.",
        ),
    ],
)
def test_saved_models(changes, expected):
    loaded = {
        "kind": "ConstraintSLPClassifier",
        "n_classes": 3,
        "n_lines": 1,
        "origin": ("W", 2),
        "accuracy": 0.5,
        "n_query": 10,
        "left_out": 4,
    }
    assert text.saved_model_text(LoadedModel(**loaded | changes)) == expected
