"""Our stored runs, their totals counted again with pandas."""

import shlex
from itertools import product
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from slp_core.cli import parser
from slp_core.encoders.choice import EncoderChoice
from slp_core.evaluation.paper import (
    compare,
    compare_methods,
    our_results,
    outcome_counts,
    paper_results,
    paper_systems,
    titled,
)
from slp_core.evaluation.report import paper_table
from slp_core.evaluation.results import COLUMNS


def test_the_file_names_its_command_and_its_summary_is_that_of_its_rows():
    stored = our_results()
    assert any("slp_core evaluate" in line for line in stored.made_by)
    assert list(stored.runs.columns) == list(COLUMNS)
    keys = ["encoder", "task", "shots", "method"]
    accuracy = stored.runs.groupby(keys)["accuracy"]
    summary = stored.summary.set_index(keys)
    for name, expected in {
        "accuracy_mean": 100 * accuracy.mean(),
        "accuracy_std": 100 * accuracy.std(ddof=0),
        "n": accuracy.count(),
    }.items():
        pd.testing.assert_series_equal(summary[name], expected, check_names=False)


def test_its_rows_are_those_that_its_commands_make():
    stored = our_results()
    tasks = ("airline", "disaster", "political_bias", "rating_books", "restaurant", "sentiment_dvd")
    made = set()
    for line in stored.made_by:
        _, is_one, command = line.partition("python -m slp_core ")
        if is_one:
            asked = parser().parse_args(shlex.split(command))
            draws, seeds = range(asked.draws or 10), range(asked.seeds)
            folders = {Path(folder).name for folder in asked.data} & set(tasks) or tasks
            encoders = [str(EncoderChoice.of(name)) for name in asked.encoder]
            made |= set(product(folders, encoders, asked.methods, asked.shots, draws, seeds))
    made -= {run for run in made if (run[0], *run[3:5]) == ("disaster", 16, 0)}  # no such draw
    rows = stored.runs[["task", "encoder", "method", "shots", "draw", "seed"]]
    assert not rows.duplicated().any()
    assert set(rows.itertuples(index=False, name=None)) == made


def test_every_setting_is_a_win_a_loss_or_a_tie():
    comparison = compare(our_results().summary)
    counts = outcome_counts(comparison).set_index(["encoder", "method"])
    for key, rows in comparison.groupby(["encoder", "method"]):
        ours, paper = rows["accuracy_mean"].round(1), rows["paper_mean"].round(1)
        assert counts.loc[key, "settings"] == len(rows)
        assert counts.loc[key, "wins"] == (ours > paper).sum()
        assert counts.loc[key, "losses"] == (ours < paper).sum()
        assert counts.loc[key, "ties"] == (ours == paper).sum()
        difference = (rows["accuracy_mean"] - rows["paper_mean"]).mean()
        assert counts.loc[key, "mean_difference"] == pytest.approx(difference)


def test_the_papers_table_has_all_settings_with_ours_beside_them():
    summary = our_results().summary
    table = paper_table(summary, ["DeepSLP"])
    assert len(table) == 48
    assert [system for encoder, system in table if encoder.startswith("paper: BERT-base")] == [
        "DeepSLP"
    ]
    row = summary.query("task == 'airline' and shots == 8 and method == 'deep_slp'").iloc[0]
    cell = table.loc[("airline", 8), (f"ours: {row['encoder']}", "deep_slp")]
    assert cell == f"{row['accuracy_mean']:.1f} ± {row['accuracy_std']:.1f} ({row['n']})"
    elsewhere = summary.assign(task="sample/airline", encoder="elsewhere")
    alone = paper_table(elsewhere, paper_systems())
    assert not any("elsewhere" in encoder for encoder, _ in alone)
    assert alone.shape == (48, paper_results()["system"].nunique())
    assert not (alone == "–").any(axis=None)


@pytest.mark.parametrize("seed", range(30))
def test_outcomes_beside_the_paper_are_those_of_the_printed_means(seed):
    rng = np.random.default_rng(seed)
    paper = paper_results().query("system == 'DeepSLP'").sample(6, random_state=rng)
    off = rng.choice([-3.0, 0.0, 0.04, 2.0], len(paper))
    about = {"encoder": "minilm-l4", "method": "deep_slp", "n": 1, "accuracy_std": 0.0}
    ours = paper[["task", "shots"]].assign(**about, accuracy_mean=paper["accuracy_mean"] + off)
    (counts,) = outcome_counts(compare(ours)).to_dict("records")
    pairs = zip(ours["accuracy_mean"], paper["accuracy_mean"], strict=True)
    printed = [float(f"{a:.1f}") - float(f"{b:.1f}") for a, b in pairs]
    wins, losses = sum(d > 1e-6 for d in printed), sum(d < -1e-6 for d in printed)
    assert (counts["wins"], counts["losses"], counts["ties"]) == (wins, losses, 6 - wins - losses)
    assert counts["settings"] == 6
    assert counts["mean_difference"] == pytest.approx(off.mean())


@pytest.mark.parametrize("seed", range(40))
def test_two_of_our_methods_are_compared_on_the_same_encoder(seed):
    rng = np.random.default_rng(seed)
    rows, expected = [], {"e": [], "f": [], "g": []}
    for encoder, pairs in expected.items():
        for task, shots in product(("a", "b", "c"), (4, 8)):
            means = {"meta_slp": 50.0 + rng.integers(0, 3), "deep_slp": 50.0 + rng.integers(0, 3)}
            means["lora"] = 60.0
            ran = [name for name in means if rng.random() < 0.7]
            about = {"task": task, "shots": shots, "encoder": encoder, "accuracy_std": 1.0}
            rows += [{**about, "method": n, "accuracy_mean": means[n]} for n in ran]
            if {"meta_slp", "deep_slp"} <= set(ran):
                pairs.append(means["meta_slp"] - means["deep_slp"])
    summary = pd.DataFrame(rows)
    both = compare_methods(summary[summary["method"] != "lora"], "deep_slp")
    every = [difference for pairs in expected.values() for difference in pairs]
    assert sorted(both["accuracy_mean"] - both["paper_mean"]) == pytest.approx(sorted(every))
    assert set(both["system"]) == {"DeepSLP"}


def test_names_of_a_results_file_get_titles():
    names = pd.DataFrame(
        {
            "method": ["deep_slp", "some_other", "lora"],
            "encoder": ["minilm-l4+centred", "theirs", "passages-minilm-l6"],
        }
    )
    assert titled(names).values.tolist() == [
        ["DeepSLP", "MiniLM, layer 4, centred (4 layers, 19M parameters)"],
        ["some other", "theirs"],
        ["LoRA", "MiniLM, last layer, in chunks (6 layers, 23M parameters)"],
    ]
