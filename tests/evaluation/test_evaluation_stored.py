"""Our stored runs, their totals counted again with pandas."""

import shlex
from itertools import product
from pathlib import Path

import pandas as pd
import pytest

from slp_core.cli import parser
from slp_core.encoders.choice import current_name
from slp_core.evaluation import COLUMNS, compare, paper_results
from slp_core.evaluation.report import outcome_counts
from slp_core.evaluation.stored import (
    our_results,
    paper_facts,
    paper_table,
    titled,
)
from slp_core.markdown import unmarked


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
            encoders = map(current_name, asked.encoder)
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
        lead = (rows["accuracy_mean"] - rows["paper_mean"]).mean()
        assert counts.loc[key, "mean_lead"] == pytest.approx(lead)


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
    assert not any("elsewhere" in encoder for encoder, _ in paper_table(elsewhere))
    alone = paper_table()
    assert alone.shape == (48, paper_results()["system"].nunique())
    assert not (alone == "–").any(axis=None)


def test_the_headline_is_of_the_one_method_that_is_set_beside():
    summary = our_results().summary
    main = summary.query("method == 'deep_slp' and encoder == 'minilm-l4'")
    said = unmarked(" ".join(map(str, paper_facts(compare(main)))))
    assert said == (
        "The paper has 48 settings (16 tasks); ours stand beside 18 of them. Our DeepSLP on "
        "MiniLM, layer 4 (4 layers, 19M parameters) is above the paper's DeepSLP in 18 settings, "
        "all that we ran: the mean over them is 8.6 points more."
    )
    assert len(paper_facts(compare(summary))) == 1
    nearest = summary.query("method == 'nearest_centroid' and encoder == 'minilm-l4'")
    _, told = paper_facts(compare(nearest))
    assert str(told).startswith("Our nearest centroid on MiniLM")


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
