from itertools import pairwise

import numpy as np
import pandas as pd
import pytest
from markdown_it import MarkdownIt

from slp_core.errors import SLPError
from slp_core.evaluation.paper import (
    compare,
    encoder_title,
    paper_results,
    paper_systems,
    summarise,
)
from slp_core.evaluation.report import beside_paper, markdown_report
from slp_core.evaluation.results import COLUMNS
from slp_core.methods.table import METHODS

ENCODERS = ("metaslp-reptile-x", "metaslp-fomaml-x", "reptile-x", "protonet-x")


def rows(task, method, accuracies, shots=4, encoder="minilm-l4"):
    return pd.DataFrame(
        [
            (task, encoder, method, shots, draw, 0, accuracy, accuracy / 2, 1.0, 50, 0.1)
            for draw, accuracy in enumerate(accuracies)
        ],
        columns=list(COLUMNS),
    )


def test_the_papers_figures_are_all_there():
    paper = paper_results()

    assert len(paper) == 16 * 3 * 10
    assert not paper.duplicated(["task", "shots", "system"]).any()
    assert not paper.isna().any().any()
    deep = paper.query("task == 'political_bias' and shots == 4 and system == 'DeepSLP'")
    assert deep[["accuracy_mean", "accuracy_std"]].values.tolist() == [[53.251, 4.042]]
    # a finding that the paper states: DeepSLP is above constraintSLP in 43 of 48 settings
    means = paper.pivot_table(index=["task", "shots"], columns="system", values="accuracy_mean")
    assert (means["DeepSLP"] > means["constraintSLP"]).sum() == 43
    assert (means["DeepSLP"] > means["BERT fine-tuned"]).sum() == 31


def test_every_counterpart_is_a_system_of_the_paper():
    encoders = ("minilm-l4", *ENCODERS)
    systems = {m.counterpart(encoder) for m in METHODS.values() for encoder in encoders}
    assert systems - {None} == set(paper_systems())
    # auxiliary data are seen by the encoder, or not at all
    centroids = METHODS["nearest_centroid"]
    assert [centroids.counterpart(encoder) for encoder in encoders] == [
        "ProtoNet (low-resource)",
        None,
        None,
        None,
        "ProtoNet (high-resource)",
    ]


def test_summaries_are_over_all_runs_with_the_spread_of_those_runs():
    rng = np.random.default_rng(0)
    accuracies = rng.random(7)
    results = pd.concat([rows("a", "one_nn", accuracies), rows("a", "one_nn", [0.5], shots=8)])

    summary = summarise(results).set_index("shots")

    assert list(summary["n"]) == [7, 1]
    assert summary.loc[4, "accuracy_mean"] == pytest.approx(100 * accuracies.mean())
    assert summary.loc[4, "accuracy_std"] == pytest.approx(100 * accuracies.std())
    assert summary.loc[4, "macro_f1_mean"] == pytest.approx(50 * accuracies.mean())
    assert summary.loc[8, "accuracy_std"] == 0


def test_wins_losses_and_ties_follow_the_printed_figures():
    # DeepSLP with 4 shots: airline 50.987, political_bias 53.251
    results = pd.concat(
        [
            rows("airline", "deep_slp", [0.5098, 0.5102]),
            rows("political_bias", "deep_slp", [0.5345]),
            rows("airline", "deep_slp_paper", [0.5093]),
            rows("airline", "one_nn", [0.99]),
            rows("sample/airline", "deep_slp", [0.99]),
        ]
    )
    leopard = rows("airline", "leopard", [0.99], encoder="leopard-minilm-l4")
    assert compare(summarise(leopard))["system"].tolist() == ["LEOPARD"]
    summary = summarise(results)

    outcomes = compare(summary).set_index(["task", "method"])["outcome"].to_dict()
    against = compare(summary, against="DeepSLP").set_index(["task", "method"])["outcome"]

    assert outcomes == {
        ("airline", "deep_slp"): "tie",
        ("political_bias", "deep_slp"): "win",
        ("airline", "deep_slp_paper"): "loss",
    }
    assert against["airline", "one_nn"] == "win"
    with pytest.raises(SLPError, match="no system called 'GPT'"):
        compare(summary, against="GPT")


def test_a_task_is_read_beside_the_papers_counterparts():
    runs = [rows("airline", "deep_slp", [0.5, 0.6]), rows("airline", "one_nn", [0.42])]
    deep, nearest = beside_paper(summarise(pd.concat(runs))).to_dict("records")
    paper = paper_results().query("task == 'airline' and shots == 4 and system == 'DeepSLP'")
    mean, std = paper[["accuracy_mean", "accuracy_std"]].iloc[0]
    assert deep == {
        "method": "deep_slp",
        "shots": 4,
        "n": 2,
        "ours": "55.0 ± 5.0",
        "the paper's": "DeepSLP",
        "paper": f"{mean:.1f} ± {std:.1f}",
        "outcome": "win",
    }
    assert [nearest[k] for k in ("ours", "the paper's", "paper", "outcome")] == [
        "42.0",
        *"–––",
    ]


def test_the_report_shows_figures_runs_paper_and_outcomes():
    results = pd.concat(
        [
            rows("airline", "one_nn", [0.5, 0.6]),
            rows("airline", "deep_slp", [0.7]),
            rows("mine", "one_nn", [0.25], encoder="raw"),
        ]
    )

    report = markdown_report(results)

    assert "| task | shots | deep_slp | one_nn | paper: DeepSLP |" in report
    assert "| airline | 4 | 70.0 (1) | 55.0 ± 5.0 (2) | 51.0 ± 4.9 |" in report
    assert "| deep_slp | DeepSLP | 1 | 0 | 0 | +19.0 |" in report
    assert "| mine | 4 | 25.0 (1) |" in report
    assert report.count("## minilm-l4 (4 layers, 19M parameters); ") == report.count("## raw") == 1


@pytest.mark.parametrize(
    ("encoder", "marked"),
    [
        ("tfidf-svd", True),
        ("numeric-table", True),
        ("minilm-l4+centred_l2", True),
        ("minilm-l4+centred_l2+chunks", True),
        ("minilm-l4+l2", False),
        ("numeric", False),
    ],
)
def test_encoders_that_are_fitted_on_all_rows_are_marked(encoder, marked):
    report = markdown_report(rows("mine", "one_nn", [0.25], encoder=encoder))
    assert ("transductive (fitted on all rows, query examples included)" in report) == marked
    assert (", transductive" in encoder_title(encoder)) == marked


def test_names_in_a_report_are_read_as_they_are():
    names = ["a|b", "[x](y) <b> $c$", "_d_ *e* `f`", "rating_books", "g\\"]
    some = pd.concat(
        [
            rows(task, "deep_slp", [0.5], encoder=encoder)
            for task, encoder in zip(names, ["hf:a|_b_", *["minilm-l4"] * 4], strict=True)
        ]
    )
    read = MarkdownIt("commonmark").enable("table").parse(markdown_report(some))
    cells = [
        "".join(part.content for part in cell.children)
        for before, cell in pairwise(read)
        if before.type in ("td_open", "heading_open")
    ]
    assert set(names) < set(cells)
    assert "hf:a|_b_; the paper's encoder is BERT-base (12 layers, 110M parameters)" in cells
    assert cells.count("50.0 (1)") == len(names)


def test_a_report_of_no_rows_is_refused():
    with pytest.raises(SLPError, match="no rows"):
        markdown_report(rows("a", "one_nn", []))
