import json
import os
import time
from pathlib import Path

import numpy as np
import pytest
from made_methods import made_method

from slp_core.data import Examples, FewShotDataset, load_dataset
from slp_core.encoders import load_encoder
from slp_core.errors import SLPError
from slp_core.evaluation.protocol import Task, find_tasks
from slp_core.evaluation.results import read_results
from slp_core.evaluation.runner import evaluate, fit_and_score
from slp_core.markdown import unmarked
from slp_core.methods.baselines import NearestCentroidClassifier
from slp_core.methods.table import METHODS
from slp_core.sentences import ClassName

QUICK = ("nearest_centroid", "one_nn")


def table(path):
    return read_results(path).drop(columns="fit_seconds")


def add_method(monkeypatch, name, factory):
    monkeypatch.setitem(METHODS, name, made_method(name, factory))


class Fixed:
    """Knows classes 0 and 1 only, and predicts from a given table of probabilities."""

    classes_ = np.array([0, 1])

    def __init__(self, probabilities):
        self.probabilities = np.array(probabilities)

    def fit(self, X, y):
        return self

    def predict(self, X):
        return self.probabilities.argmax(axis=1)

    def predict_proba(self, X):
        return self.probabilities


def test_scores_are_those_worked_out_by_hand():
    fixed = Fixed([[0.5, 0.5], [0.25, 0.75], [1.0, 0.0], [0.0, 1.0]])
    X = np.zeros((4, 1))

    scores, _ = fit_and_score(fixed, X, np.zeros(4), X, np.array([0, 1, 1, 2]))

    assert scores.accuracy == 0.5
    # F1 of the classes 0, 1, 2: 2/3, 1/2 and 0
    assert scores.macro_f1 == pytest.approx((2 / 3 + 1 / 2 + 0) / 3)
    # the last two are hard mistakes: a wrong certainty, and a class that is not known
    floor = np.finfo(float).eps
    assert scores.nll == pytest.approx(-np.log([0.5, 0.75, floor, floor]).mean())
    assert scores.n_query == 4


def test_classes_without_query_examples_are_named_and_leave_macro_f1_alone(tmp_path):
    rng = np.random.default_rng(0)
    y = np.repeat(list("abcd"), (24, 20, 3, 1))
    X = rng.normal(size=(len(y), 5)) + np.eye(5)[np.unique(y, return_inverse=True)[1]]
    dataset = FewShotDataset("few", "Few", Examples("numeric", features=X), y, tuple("abcd"), "raw")
    path = tmp_path / "few.csv"
    outcome = evaluate([Task("few", lambda: dataset)], QUICK, path, shots=(16,), n_draws=3)
    assert (outcome.n_new, outcome.failed) == (6, [])
    named = [f"few, 3 draws: {unmarked(why)}" for why in dataset.draw(16, 0).warnings]
    assert [remark for remark in outcome.remarks if remark in named] == named
    for _, row in table(path).iterrows():
        episode = dataset.draw(16, row["draw"])
        model = METHODS[row["method"]].make().fit(X[episode.support], episode.y_support)
        predicted, true = model.predict(X[episode.query]), episode.y_query
        f1 = [
            2
            * ((predicted == k) & (true == k)).sum()
            / ((predicted == k).sum() + (true == k).sum())
            for k in np.unique(true)
        ]
        assert row["macro_f1"] == pytest.approx(np.mean(f1), abs=1e-4)
        assert row["n_query"] == len(true) == 8 + 4


def test_rows_are_the_same_in_any_number_of_processes(tmp_path, toy_task):
    paths = tmp_path / "one.csv", tmp_path / "again.csv", tmp_path / "two.csv"
    for path, n_jobs in zip(paths, (1, 1, 2), strict=True):
        outcome = evaluate(
            [toy_task],
            ["deep_slp_paper", *QUICK],
            path,
            shots=(2, 4),
            n_draws=2,
            n_seeds=2,
            n_jobs=n_jobs,
        )
        assert (outcome.n_new, outcome.failed, outcome.skipped) == (2 * 2 * (2 + 1 + 1), [], [])

    first, again, two = map(table, paths)
    assert first.equals(again)
    assert first.equals(two)
    assert first["accuracy"].between(1 / 3, 1).all()
    assert (first["n_query"] == 36 - 3 * first["shots"]).all()


def test_a_row_holds_what_the_method_scores_on_that_draw(tmp_path, toy_task):
    evaluate([toy_task], ["nearest_centroid"], tmp_path / "r.csv", shots=(4,), n_draws=2)

    dataset = toy_task.load()
    episode = dataset.draw(4, 1)
    X = dataset.examples.features
    model = NearestCentroidClassifier().fit(X[episode.support], episode.y_support)
    expected = np.mean(model.predict(X[episode.query]) == episode.y_query)
    row = read_results(tmp_path / "r.csv").query("draw == 1").iloc[0]
    assert (row["task"], row["encoder"]) == ("toy", "raw")
    assert row["accuracy"] == expected


def test_an_interrupted_evaluation_goes_on_where_it_was(tmp_path, toy_task, monkeypatch):
    fits = []

    class Interrupted(NearestCentroidClassifier):
        def fit(self, X, y):
            fits.append(len(X))
            if len(fits) == 4:
                raise KeyboardInterrupt
            return super().fit(X, y)

    add_method(monkeypatch, "counted", Interrupted)
    path, whole = tmp_path / "r.csv", tmp_path / "whole.csv"
    wanted = {"shots": (2, 4), "n_draws": 4}

    with pytest.raises(KeyboardInterrupt):
        evaluate([toy_task], ["counted"], path, **wanted)
    assert len(read_results(path)) == 3
    outcome = evaluate([toy_task], ["counted"], path, **wanted)
    assert (outcome.n_new, outcome.n_kept) == (5, 3)
    assert len(fits) == 4 + 5

    evaluate([toy_task], ["counted"], whole, **wanted)
    assert table(path).equals(table(whole))


def test_a_finished_task_is_neither_encoded_nor_written_again(tmp_path, toy_task, monkeypatch):
    path = tmp_path / "r.csv"
    evaluate([toy_task], QUICK, path, shots=(4,), n_draws=2)
    before = path.read_bytes()

    encoder = type(load_encoder(toy_task.load().default_encoder))
    monkeypatch.setattr(encoder, "encode_for_draws", lambda *_, **__: pytest.fail("encoded"))
    outcome = evaluate([toy_task], QUICK, path, shots=(4,), n_draws=2)

    assert (outcome.n_new, outcome.n_kept) == (0, 4)
    assert path.read_bytes() == before
    with pytest.raises(pytest.fail.Exception, match="encoded"):
        evaluate([toy_task], QUICK, path, shots=(4,), n_draws=3)


def test_rows_of_other_data_of_the_same_name_are_not_taken_for_done(tmp_path, toy_task):
    path = tmp_path / "r.csv"
    other = Task("toy", lambda: load_dataset("iris"))
    evaluate([toy_task], QUICK, path, shots=(4,), n_draws=2)
    before = path.read_bytes()

    for shots in (4, 8):
        outcome = evaluate([other], QUICK, path, shots=(shots,), n_draws=2)
        assert (outcome.n_new, outcome.n_kept) == (0, 0)
        (line,) = outcome.failed
        assert "holds rows of other data under the name 'toy'" in line

    assert path.read_bytes() == before


def test_an_empty_draw_and_an_unreadable_folder_are_named_and_the_rest_goes_on(
    tmp_path, leopard_folder
):
    leopard_folder("patchy", empty=[0])
    leopard_folder("void", empty=[0, 1])
    whole = leopard_folder("whole")
    (leopard_folder("broken") / "broken_eval.json").write_text("{")

    outcome = evaluate(
        find_tasks([str(whole.parent)]),
        QUICK,
        tmp_path / "r.csv",
        encoders=["tfidf-svd"],
        shots=(4,),
    )

    done = read_results(tmp_path / "r.csv").groupby("task")["draw"].agg(lambda d: sorted(set(d)))
    assert done.to_dict() == {"patchy": [1], "whole": [0, 1]}
    assert len(outcome.skipped) == 1
    assert outcome.skipped[0].startswith("patchy, 4 shots, draw 0: ")
    assert [line.split(":")[0] for line in outcome.failed] == ["broken", "void, 4 shots"]


def test_a_random_draw_of_an_earlier_ones_rows_is_named_and_left_out(tmp_path):
    (tmp_path / "few.csv").write_text("x,y,label\n0,0,a\n1,0,a\n0,3,b\n1,3,b\n")
    path = tmp_path / "r.csv"
    outcome = evaluate(find_tasks([tmp_path / "few.csv"]), QUICK, path, shots=(1,), n_draws=30)

    (task,) = find_tasks([tmp_path / "few.csv"])
    chosen = [set(task.load().draw(1, draw).support) for draw in range(30)]
    first = [draw for draw in range(30) if chosen[draw] not in chosen[:draw]]
    assert len(first) == 4  # of each class either row
    assert sorted(set(read_results(path)["draw"])) == first
    told = [
        f"draw {n}: it chooses the same rows as draw {chosen.index(chosen[n])}."
        for n in range(30)
        if n not in first
    ]
    assert [line.split(", ")[-1] for line in outcome.skipped] == told


def test_odd_draws_are_told_once_a_sentence_and_those_that_lack_a_class_left_out(
    tmp_path, leopard_folder
):
    folder = leopard_folder("patchy")
    drawn = json.loads((folder / "patchy_train_1_4.json").read_text())

    def write(draw, rows):
        (folder / f"patchy_train_{draw}_4.json").write_text(json.dumps(rows))

    write(1, drawn[:-1])
    write(2, drawn[:-1])
    write(5, [row for row in drawn if row["label"] == "bad"])
    wanted = {"encoders": ["tfidf-svd"], "shots": (4,)}
    outcome = evaluate(find_tasks([str(folder)]), ["one_nn"], tmp_path / "r.csv", **wanted)
    good = format(ClassName("good", 1))
    assert outcome.n_new == 3
    assert outcome.skipped[-1].startswith("patchy, 4 shots, draw 5: ")
    assert "no row of class 'good'" in outcome.skipped[-1]
    assert outcome.remarks == [
        f"patchy, 2 draws: Not every class has 4 shots in this support set ({good}: 3).",
        "tfidf-svd is transductive: it is fitted on all rows, query examples included.",
    ]


def test_a_run_that_fails_is_named_and_costs_no_other(tmp_path, toy_task, monkeypatch):
    class Choosy(NearestCentroidClassifier):
        def fit(self, X, y):
            if len(X) == 3 * 4:
                raise ArithmeticError("no four")
            return super().fit(X, y)

    add_method(monkeypatch, "choosy", Choosy)
    outcome = evaluate([toy_task], ["choosy"], tmp_path / "r.csv", shots=(2, 4, 8), n_draws=1)

    assert outcome.failed == ["toy, raw, choosy, 4, 0, 0: ArithmeticError: no four"]
    assert list(read_results(tmp_path / "r.csv")["shots"]) == [2, 8]


def test_a_killed_worker_leaves_finished_rows_and_the_next_call_does_the_rest(
    tmp_path, toy_task, monkeypatch
):
    killer, now = (os.fspath(tmp_path / name) for name in ("kill", "now"))

    class Killed(NearestCentroidClassifier):
        def fit(self, X, y):
            if len(X) == 3 * 8 and os.path.exists(killer):
                while not os.path.exists(now):
                    time.sleep(0.01)
                os._exit(1)
            return super().fit(X, y)

    def eight_are_kept(label, state):
        if state.done == 8:
            Path(now).touch()

    add_method(monkeypatch, "killed", Killed)
    path = tmp_path / "r.csv"
    wanted = {"shots": (2, 4, 8), "n_draws": 8, "n_jobs": 2}
    Path(killer).touch()
    outcome = evaluate([toy_task], ["killed"], path, progress=eight_are_kept, **wanted)

    kept = read_results(path)
    assert len(kept) == outcome.n_new >= 8
    (line,) = outcome.failed
    assert f"{24 - len(kept)} of 24 runs are missing" in line

    Path(killer).unlink()
    outcome = evaluate([toy_task], ["killed"], path, **wanted)
    assert (outcome.n_kept, outcome.n_new, outcome.failed) == (len(kept), 24 - len(kept), [])
    assert read_results(path).merge(kept, how="inner").equals(kept)


def test_encoders_and_normalisations_are_told_apart(tmp_path):
    iris = Task("iris", lambda: load_dataset("iris"))
    for normalisation in (None, "l2"):
        evaluate(
            [iris],
            ["one_nn"],
            tmp_path / "r.csv",
            encoders=["raw", "numeric"],
            normalisation=normalisation,
            shots=(4,),
            n_draws=1,
        )

    assert list(read_results(tmp_path / "r.csv")["encoder"]) == [
        "numeric",
        "numeric+l2",
        "raw",
        "raw+l2",
    ]


def test_what_is_given_twice_counts_once_and_nothing_is_refused(tmp_path, toy_task):
    path = tmp_path / "r.csv"
    outcome = evaluate(
        [toy_task], ["one_nn"] * 2, path, encoders=["raw"] * 2, shots=(4, 4, 100, 100), n_draws=1
    )
    assert outcome.n_new == len(read_results(path)) == 1
    assert len(outcome.failed) == 1


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        ({"methods": ["magic"]}, "no method 'magic'"),
        ({"encoders": ["magic"]}, "'magic'"),
        (
            {"tasks": [Task("x\udcff.csv", pytest.fail)]},
            r"'x\\udcff\.csv' holds .* or is not UTF-8",
        ),
        ({"tasks": [Task("a\rb", pytest.fail)]}, r"'a\\rb' holds a line break"),
        ({"encoders": ["hf:x\udcff"]}, r"'hf:x\\udcff' holds .* or is not UTF-8"),
    ],
)
def test_an_argument_that_nothing_can_be_run_with_is_refused_before_anything_is_done(
    tmp_path, toy_task, arguments, told
):
    wanted = {"tasks": [toy_task], "methods": ["one_nn"], "path": tmp_path / "r.csv", "n_draws": 1}
    with pytest.raises(SLPError, match=told):
        evaluate(**wanted | arguments)
    assert not list(tmp_path.iterdir())


def test_a_run_whose_scores_are_impossible_is_named_and_has_no_row(tmp_path, toy_task, monkeypatch):
    class Unsure(NearestCentroidClassifier):
        def predict_proba(self, X):
            return np.full((len(X), len(self.classes_)), np.nan)

    add_method(monkeypatch, "unsure", Unsure)
    path = tmp_path / "r.csv"
    outcome = evaluate([toy_task], ["unsure", "one_nn"], path, shots=(4,), n_draws=1)
    assert outcome.n_new == len(read_results(path)) == 1
    (line,) = outcome.failed
    assert line.startswith("toy, raw, unsure, 4, 0, 0: SLPError: nll must be a finite number")


def test_an_encoder_that_does_not_fit_is_named_and_an_unknown_one_refused(tmp_path, toy_task):
    outcome = evaluate(
        [toy_task],
        ["one_nn"],
        tmp_path / "r.csv",
        encoders=["tfidf-svd", "raw"],
        shots=(4,),
        n_draws=1,
    )
    assert outcome.n_new == 1
    assert [line.split(":")[0] for line in outcome.failed] == ["toy, tfidf-svd"]
    with pytest.raises(SLPError, match="no-such-encoder"):
        evaluate([toy_task], ["one_nn"], tmp_path / "r.csv", encoders=["no-such-encoder"])
