"""The document's results are those of the stored runs, counted as `slp report` counts them."""

import re
from pathlib import Path

import research
from slp_core.evaluation.paper import compare, compare_methods, our_results, outcome_counts

DOCUMENT = (Path(research.__file__).parent / "reproduce.md").read_text(encoding="utf-8")
ROW = re.compile(r"^\| `(.*minilm-.*)` \| (\d+\.\d) \| (\d+) \| (.+) \|$", re.MULTILINE)


def counted(comparison, method):
    counts = outcome_counts(comparison[comparison["method"] == method])
    return counts.set_index("encoder")[["wins", "ties"]]


def test_wins_means_and_worst_differences_are_those_of_the_stored_runs():
    summary = our_results().summary
    against = compare(summary, "MetaSLP-Reptile")
    counts = counted(against, "deep_slp")
    runs = summary[summary["method"] == "deep_slp"].set_index(["encoder", "task", "shots"])
    accuracy = runs["accuracy_mean"]
    rows = ROW.findall(DOCUMENT)
    assert len(rows) == 14
    for encoder, mean, wins, worst in rows:
        assert f"{accuracy[encoder].mean():.1f}" == mean
        assert (counts["wins"][encoder], counts["ties"][encoder]) == (int(wins), 0)
        least = (accuracy[encoder] - accuracy["minilm-l4"]).min()
        assert worst == ("–" if encoder == "minilm-l4" else f"{least:.1f}".replace("-", "−"))
    assert tuple(counted(against, "meta_slp").loc["metaslp-mean3-minilm-l4+chunks"]) == (16, 0)
    presets = counted(compare_methods(summary, "deep_slp_paper"), "deep_slp")
    assert tuple(presets.loc["minilm-l4"]) == (11, 1)
