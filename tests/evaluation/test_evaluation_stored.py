"""Our stored runs, their totals counted again with pandas."""

import shlex
from dataclasses import replace
from itertools import product

import pandas as pd
import pytest

from slp_core.cli import _parser
from slp_core.evaluation import COLUMNS, compare, paper_results
from slp_core.evaluation.stored import (
    our_results,
    outcome_counts,
    outcome_sentence,
    paper_table,
    stored_sentence,
    titled,
)


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
            asked = _parser().parse_args(shlex.split(command))
            draws, seeds = range(asked.draws or 10), range(asked.seeds)
            made |= set(product(tasks, asked.encoder, asked.methods, asked.shots, draws, seeds))
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


@pytest.mark.parametrize(
    ("wins", "losses", "ties", "said"),
    [
        (3, 0, 0, "in all 3 settings that we ran; the mean is 1.5 points more"),
        (0, 3, 0, "in none of the 3 settings that we ran, below in 3; "),
        (1, 1, 1, "in 1 of the 3 settings that we ran, below in 1 and level in 1; "),
        (1, 0, 0, "in the one setting that we ran; "),
        (0, 1, 0, "in no setting that we ran, below in 1; "),
    ],
)
def test_outcomes_in_words(wins, losses, ties, said):
    n = wins + losses + ties
    row = pd.Series(
        {"system": "DeepSLP", "settings": n, "wins": wins, "losses": losses, "ties": ties}
        | {"mean_lead": 1.5}
    )
    sentence = outcome_sentence(row, "DeepSLP")
    assert sentence.startswith(f"our DeepSLP is above the paper's DeepSLP {said}")


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
    alone = paper_table()
    assert alone.shape == (48, paper_results()["system"].nunique())
    assert not (alone == "–").any(axis=None)


def test_the_headline_is_of_deep_slp_where_it_was_run():
    stored = our_results()
    start = "The paper's 48 settings (16 tasks)"
    assert stored_sentence(stored).startswith(
        f"{start}: our DeepSLP on MiniLM, layer 4 (4 layers, 19M parameters) is above"
    )
    others = stored.summary[stored.summary["method"] == "constraint_slp"]
    assert "our constraintSLP on" in stored_sentence(replace(stored, summary=others))
    assert stored_sentence(replace(stored, summary=others[:0])).startswith(f"{start}; none of")
    assert stored_sentence(None).startswith(f"{start}; this version comes without")


def test_names_of_a_results_file_get_titles():
    names = pd.DataFrame(
        {
            "method": ["deep_slp", "some_other"],
            "encoder": ["minilm-l4+centred", "theirs"],
        }
    )
    assert titled(names).values.tolist() == [
        ["DeepSLP", "MiniLM, layer 4, centred (4 layers, 19M parameters)"],
        ["some other", "theirs"],
    ]
