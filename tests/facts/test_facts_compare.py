"""What Compare says of random runs, what is said of tuned and loaded models: all of it is true."""

import importlib
import os
from itertools import product

import numpy as np
import pandas as pd
import pytest
from facts_book import check_facts

import slp_core as slp
from pages.compare.texts import (
    files_facts,
    more_facts,
    most_asked_fact,
    out_of_sight_facts,
    read_as_facts,
    settings_facts,
    taken_apart_facts,
    trained_draws_facts,
)
from slp_core.evaluation import METHODS, compare, paper_results, summarise
from slp_core.evaluation.comparison import (
    means_facts,
    rank,
    runs_table,
    same_draws_facts,
    shared_draws,
)
from slp_core.evaluation.meta_testing import MetaTest
from slp_core.evaluation.method_runs import MethodRuns
from slp_core.evaluation.paired import paired_difference
from slp_core.evaluation.pointwise import agreement, alike_facts, class_f1, mcnemar
from slp_core.evaluation.report import task_facts
from slp_core.evaluation.results import Scores
from slp_core.evaluation.saved_model import evaluate_saved_model
from slp_core.evaluation.stored import beside_facts, paper_facts
from slp_core.evaluation.stored import means_facts as paper_means_facts
from slp_core.evaluation.text_runs import MOST_QUERY
from slp_core.figures.compare_draws import PairedDisplay, RunsDisplay
from slp_core.figures.compare_methods import AgreementDisplay, ClassF1Display, ShotsDisplay
from slp_core.figures.compare_paper import AgainstPaperDisplay
from slp_core.methods.table import methods_that_read

importlib.import_module("checks_compare")
ON_TEXTS, CASES = methods_that_read("texts"), int(os.environ.get("FACT_CASES", "2000")) // 10
TITLES = (*(m.title for m in METHODS.values()), "1-NN (my *odd* :smile: encoder)", "$x$")
DATASETS = ("Airline tweets", "`x` | *y*", "7", "a very long name " * 9)


def random_runs(rng, shots=4):
    """Runs of one method and more, on the same draws or not, with many ties; and K."""
    k, m = int(rng.integers(1, 5)), int(rng.choice([1, 2, 5, 40]))
    n = int(rng.choice([1, 2, 3, 4, 5, 6, 10]))
    every = np.sort(rng.choice(20, n, replace=False)).tolist()
    true = {draw: rng.integers(0, k, m) for draw in range(20)}
    names = rng.choice(TITLES, int(rng.integers(1, 6)), replace=False).tolist()
    skill, runs = rng.random() * rng.choice([0, 1]), {}
    for name in names:
        draws, own = list(every), rng.random() if rng.random() < 0.4 else skill
        if rng.random() < 0.3:  # some of them, or one that no other has
            kept = rng.choice(every, int(rng.integers(1, n + 1)), replace=False)
            draws = np.sort(kept).tolist() if rng.random() < 0.8 else [20 + len(runs)]
        answers = [
            np.where(rng.random(m) < own, true.get(d, true[0]), rng.integers(0, k, m))
            for d in draws
        ]
        if runs and rng.random() < 0.2:  # answers as another method does
            other = runs[names[0]]
            draws, answers = list(other.draws), list(other.answers)
        whose = [true.get(d, true[0]) for d in draws]
        scores = [
            Scores(float(np.mean(t == a)), 0.5, 1.0, m, 0.1)
            for t, a in zip(whose, answers, strict=True)
        ]
        runs[name] = MethodRuns(shots, *map(tuple, (draws, scores, whose, answers)), None)
    return runs, k


@pytest.mark.parametrize("part", range(4))
def test_what_is_said_of_runs_is_true(part):
    seen = set()
    for seed in range(part, CASES, 4):
        rng = np.random.default_rng(seed)
        runs, k = random_runs(rng)
        dataset, shots = str(rng.choice(DATASETS)), int(rng.choice([1, 4, 16]))
        try:
            seen |= check_ranking(rng, runs, dataset, shots)
            seen |= check_shown(rng, runs, k, dataset)
            if len(runs) > 1:
                seen |= check_pair(rng, runs)
        except Exception as error:
            raise AssertionError(f"seed {seed}\n{error}") from error
    assert len(seen) > 30
    assert {"compare.best", "compare.highest", "compare.left_out", "compare.extremes"} <= seen


def check_ranking(rng, runs, dataset, shots):
    """With some methods that are to run on more draws than they have."""
    asked, every = {}, runs
    if rng.random() < 0.3:
        asked = {name: len(run.draws) + int(rng.integers(0, 2)) for name, run in runs.items()}
        every = {name: run for name, run in runs.items() if len(run.draws) == asked[name]}
        if rng.random() < 0.3:
            asked["not begun"] = 3
    draws = [set(run.draws) for run in every.values()]
    about = {"dataset": dataset, "shots": shots, "asked": asked}
    about |= {"draws": sorted(set.intersection(*draws)) if draws else []}
    ranking = rank(runs, dataset, shots, asked)
    seen = check_facts(ranking.facts(), None, runs=every or runs, **about)
    return seen | check_facts(ranking.unfinished_facts(), None, runs=runs, **about)


def check_shown(rng, runs, k, dataset):
    styles = dict.fromkeys(runs, 0)
    classes = [f"c{i}" for i in range(k)]
    each = list(runs.values())
    display = RunsDisplay(runs, styles)
    f1 = {name: class_f1(run, k) for name, run in runs.items()}
    facts = (
        *display.facts(),
        *display.caption_facts(),
        *means_facts(each, "the band"),
        *same_draws_facts(each, dataset),
    )
    seen = check_facts(facts, None, runs=runs, dataset=dataset, of="accuracy")
    assert "compare.extremes" in seen
    facts = ClassF1Display(f1, classes, styles).facts()
    assert facts[1].kind == "compare.extremes"
    seen |= check_facts(facts, None, runs=runs, classes=classes, of="F1")
    draw = each[0].draws[0]
    here = {name: run for name, run in runs.items() if draw in run.draws}
    same = agreement([run.on(draw)[1] for run in here.values()])
    facts = AgreementDisplay(same, list(here)).facts()
    assert len(facts) == 1 + (len(here) > 1)
    seen |= check_facts(facts, None, runs=here, draw=draw, of="alike")
    shots = np.sort(rng.choice([1, 2, 4, 8, 16], int(rng.integers(1, 4)), replace=False)).tolist()
    by_shots = {name: [random_runs(rng, n)[0].popitem()[1] for n in shots] for name in runs}
    first = next(iter(by_shots))
    by_shots[first] = by_shots[first][-1:]  # such as one that is trained with one number alone
    cells = {(name, run.shots): run for name, series in by_shots.items() for run in series}
    display = ShotsDisplay(by_shots, styles)
    facts = (*display.facts(), *display.caption_facts(), *files_facts(list(cells.values())))
    ends = {each["shots"] for each in facts if each.kind == "compare.extremes"}
    every = {shots for _, shots in cells}
    assert ends == {min(every), max(every)}
    return seen | check_facts(facts, None, runs=cells, of="accuracy")


def check_pair(rng, runs):
    a, b = rng.choice(list(runs), 2, replace=False).tolist()
    draws = [draw for draw in runs[a].draws if draw in runs[b].draws]
    assert shared_draws([runs[a], runs[b]]) == tuple(sorted(draws))
    if not draws:
        return set()
    found = paired_difference(a, b, runs[a], runs[b])
    seen = check_facts(PairedDisplay(found).facts(), None, runs=runs, draws=draws)
    about = {"runs": runs, "pair": (a, b)}
    alike = bool(rng.random() < 0.5)
    queries = {draw: {0, 1} if alike else {draw, draw + 1} for draw in draws}
    facts = found.interval_facts(alike)
    seen |= check_facts(facts, None, draws=draws, queries=queries, **about)
    draw = int(rng.choice(draws))
    split = mcnemar(a, b, *runs[a].on(draw), runs[b].on(draw)[1])
    facts = (
        *split.facts(),
        *split.won_facts(),
        *split.side_facts("A"),
        *split.side_facts("B"),
        *alike_facts(split.total),
    )
    return seen | check_facts(facts, None, draw=draw, **about)


def test_what_is_said_of_explaining_a_row_is_true():
    here, there = "MiniLM, layer 4", "TF-IDF and SVD"
    for facts, reads, of_b in (
        (taken_apart_facts("DeepSLP"), "vectors", here),
        (read_as_facts("DeepSLP", here, "1-NN"), "texts", here),
        (out_of_sight_facts("DeepSLP", there, here), "vectors", there),
    ):
        encoders = {"sidebar": here, "B": of_b}
        check_facts(facts, None, b="DeepSLP", encoders=encoders, reads=reads)


def test_what_is_said_of_methods_that_train_the_encoder_is_true():
    rng = np.random.default_rng(0)
    for _ in range(30):
        methods = rng.choice(ON_TEXTS, int(rng.integers(1, len(ON_TEXTS) + 1))).tolist()
        most, available = int(rng.integers(1, 5)), int(rng.integers(0, 8))
        judged_by = None if rng.random() < 0.3 else most
        facts = settings_facts(methods, judged_by, available)
        kinds = check_facts(facts, None, methods=methods, judged_by=judged_by, available=available)
        assert ("texts.judged_by" in kinds) == (judged_by is not None and available > most)
        draws = np.sort(rng.choice(12, int(rng.integers(1, 5)), replace=False)).tolist()
        check_facts(trained_draws_facts(draws), None, draws=draws)
        told = more_facts([m.title for m in methods], most)
        check_facts(told, None, methods=methods, trainings=most)
    check_facts((most_asked_fact(),), None, most=MOST_QUERY)


def test_what_is_said_of_tuning_is_true():
    seen = set()
    for seed in range(200):
        rng = np.random.default_rng(seed)
        m, k = int(rng.choice([0, 1, 2, 6, 30])), int(rng.integers(1, 4))
        true, before, after = rng.integers(0, k, (3, m))
        further = int(rng.integers(0, 3)) if m else 0
        result = MetaTest(np.arange(m), true, before, after, 8, (), (), 1.26, m + further)
        seen |= check_facts(result.facts(), None, result=result)
    assert len(seen) == 5


def test_what_is_said_of_a_loaded_model_is_true():
    dataset = slp.load_dataset("toy_abc")
    X, names = slp.load_encoder("raw").encode(dataset), np.array(dataset.classes)
    seen = set()
    for seed in range(30):
        rng = np.random.default_rng(seed)
        shots, (fit_draw, draw) = int(rng.choice([1, 8, 16])), rng.integers(0, 3, 2).tolist()
        support = dataset.draw(shots, fit_draw).support
        model = slp.ConstraintSLPClassifier().fit(X[support], names[dataset.y[support]])
        episode = dataset.draw(int(rng.choice([1, 8])), draw)
        about = {"dataset": "A *b*", "digest": dataset.digest, "shots": shots, "draw": fit_draw}
        fitted_on, origin = support, ("A *b*", fit_draw)
        if rng.random() < 0.3:
            about["digest"], fitted_on = "of another dataset", ()
        if rng.random() < 0.3:
            gone = str(rng.choice(["shots", "digest", "draw"]))
            del about[gone]
            fitted_on, origin = None, None if gone == "draw" else origin
        loaded = evaluate_saved_model(model, about, episode, X)
        context = {"model": model, "episode": episode, "X": X}
        context |= {"fitted_on": fitted_on, "origin": origin}
        seen |= check_facts(loaded.facts(), None, **context)
        assert (loaded.left_out is None) == (fitted_on is None)
    assert seen >= {"loaded.judged", "loaded.left_out", "loaded.fitted_on_unknown"}


def random_comparison(rng, systems):
    """Of runs whose means lie about the paper's: above, below and level with it when printed."""
    paper = paper_results()
    rows = paper[paper["system"] == "DeepSLP"].sample(int(rng.integers(1, 9)), random_state=rng)
    way, tables = rng.choice([-1.0, 0.0, 1.0, np.nan]), []
    for row in rows.to_dict("records"):
        n = int(rng.integers(1, 4))
        off = float(rng.choice([-3.0, 0.0, 0.04, 2.0])) if np.isnan(way) else 2.0 * way
        mean = (row["accuracy_mean"] + off) / 100
        scores = tuple(Scores(mean, mean, 1.0, 10, 0.1) for _ in range(n))
        nothing = tuple(np.empty(0, dtype=int) for _ in range(n))
        run = MethodRuns(int(row["shots"]), tuple(range(n)), scores, nothing, nothing, None)
        told = [("minilm-l4", method, 0, run) for method in systems]
        tables.append(runs_table(told, row["task"]))

    return compare(summarise(pd.concat(tables)))


def test_how_a_method_is_said_to_do_beside_another_is_true():
    seen = set()
    for seed in range(40):
        rng = np.random.default_rng(seed)
        rows, expected = [], {"e": [], "f": [], "g": []}
        for encoder, pairs in expected.items():
            bias = rng.choice([-1, 0, 1])
            for task, shots in product(("a", "b", "c"), (4, 8)):
                ours, other = 50.0 + rng.integers(0, 3, 2) + np.array([bias, 0])
                means = {"meta_slp": ours, "deep_slp": other if bias else ours, "lora": 60.0}
                ran = [name for name in means if rng.random() < 0.7]
                about = {"task": task, "shots": shots, "encoder": encoder}
                rows += [{**about, "method": n, "accuracy_mean": means[n]} for n in ran]
                if {"meta_slp", "deep_slp"} <= set(ran):
                    both = {"accuracy_mean": ours, "paper_mean": means["deep_slp"]}
                    pairs.append({"encoder": encoder, **both})
        every = [pair for pairs in expected.values() for pair in pairs]
        for encoder in (*expected, "meta:/an/upload"):
            own = expected.get(encoder)
            told = beside_facts(pd.DataFrame(rows), "meta_slp", "deep_slp", encoder)
            assert len(told) == 1
            seen |= check_facts(told, None, comparison=own or every, whose="MetaSLP", of=encoder)
            assert told[0].kind.endswith("elsewhere") == (not own)
        assert beside_facts(pd.DataFrame(rows), "meta_slp", "setfit", "e") == ()
    means = {"paper.mean_more", "paper.mean_less", "paper.mean_same"}
    assert seen == {"paper.methods_beside", "paper.methods_beside_elsewhere", *means}


def test_what_is_said_beside_the_paper_is_true():
    paper, seen = paper_results().to_dict("records"), set()
    for seed in range(30):
        rng = np.random.default_rng(seed)
        methods = ["deep_slp"] if rng.random() < 0.7 else ["deep_slp", "lora"]
        comparison = random_comparison(rng, methods)
        rows = comparison.to_dict("records")
        seen |= check_facts(paper_facts(comparison), None, comparison=rows, paper=paper)
        titles = {method: method for method in methods}
        display = AgainstPaperDisplay(comparison, titles, dict.fromkeys(methods, 0))
        facts = (*display.facts(), *paper_means_facts(comparison))
        seen |= check_facts(facts, None, comparison=rows, paper=paper)
    for nothing in (None, comparison[:0]):
        rows = None if nothing is None else []
        seen |= check_facts(paper_facts(nothing), None, comparison=rows, paper=paper)
    for task in ("airline", "mine", "$x$"):
        seen |= check_facts(task_facts(task), None, task=task, paper=paper)
    assert {"paper.all_above", "paper.some_above", "paper.none_above"} <= seen
    assert {"paper.mean_more", "paper.mean_less", "paper.mean_same"} <= seen
    assert {"paper.no_counterpart", "paper.nothing_stored"} <= seen
