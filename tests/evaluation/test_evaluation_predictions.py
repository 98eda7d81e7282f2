"""Predictions of single query examples, and episodes on some of the classes."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from made_data import make_dataset
from made_methods import made_method
from pyarrow import parquet
from sklearn.metrics import f1_score

from slp_core.encoders import load_encoder
from slp_core.errors import SLPError
from slp_core.evaluation.predictions_file import PREDICTION_COLUMNS, open_predictions
from slp_core.evaluation.protocol import Run, Task, find_tasks
from slp_core.evaluation.results import read_results
from slp_core.evaluation.runner import evaluate
from slp_core.methods.baselines import NearestCentroidClassifier
from slp_core.methods.table import METHODS

METHOD_NAMES = ["nearest_centroid", "one_nn"]
KEYS = list(Run._fields)


@pytest.fixture
def paths(tmp_path):
    return tmp_path / "r.csv", tmp_path / "p.parquet"


def run(task, paths, methods=METHOD_NAMES, **options):
    wanted = {"shots": (2, 4), "n_draws": 2} | options
    return evaluate([task], methods, paths[0], predictions=paths[1], **wanted)


def test_rows_are_what_the_methods_predict_and_give_the_results(toy_task, paths):
    run(toy_task, paths)
    made, dataset = pd.read_parquet(paths[1]), toy_task.load()
    assert list(made.columns) == list(PREDICTION_COLUMNS)
    names, X = np.array(dataset.classes), load_encoder("raw").encode(dataset)
    for row in read_results(paths[0]).to_dict("records"):
        of_run = made[(made[KEYS] == [row[key] for key in KEYS]).all(axis=1)]
        episode = dataset.draw(row["shots"], row["draw"])
        assert of_run["row"].tolist() == episode.query.tolist()
        assert of_run["true"].tolist() == names[episode.y_query].tolist()
        assert row["accuracy"] == np.mean(of_run["true"] == of_run["predicted"])
        model = METHODS[row["method"]].make().fit(X[episode.support], episode.y_support)
        probabilities = np.stack(of_run["probabilities"])
        np.testing.assert_array_equal(probabilities, model.predict_proba(X[episode.query]))
        assert of_run["predicted"].tolist() == names[model.predict(X[episode.query])].tolist()
        assert {tuple(classes) for classes in of_run["classes"]} == {tuple(names)}
    assert len(made) == read_results(paths[0])["n_query"].sum()


def test_rows_are_numbered_as_in_the_file(tmp_path, paths):
    lines = [f"{i},{i % 7},{'ab'[i % 2]}" if i % 5 else f"{i},{i % 7}," for i in range(30)]
    (tmp_path / "d.csv").write_text("\n".join(["x,z,label", *lines]) + "\n")
    (task,) = find_tasks([tmp_path / "d.csv"])
    run(task, paths, ["one_nn"], n_draws=1)
    made = pd.read_parquet(paths[1])
    for number, true in zip(made["row"], made["true"], strict=True):
        i = number - 2  # below the header
        assert i % 5
        assert true == "ab"[i % 2]


def test_they_are_the_same_in_any_number_of_processes_and_after_an_interruption(
    tmp_path, toy_task, paths, monkeypatch
):
    fits = []

    class Interrupted(NearestCentroidClassifier):
        def fit(self, X, y):
            fits.append(len(X))
            if len(fits) == 3:
                raise KeyboardInterrupt
            return super().fit(X, y)

    monkeypatch.setitem(METHODS, "counted", made_method("counted", Interrupted))
    with pytest.raises(KeyboardInterrupt):
        run(toy_task, paths, ["counted"])
    assert len(parquet.ParquetFile(paths[1]).metadata.to_dict()["row_groups"]) == 2
    assert run(toy_task, paths, ["counted"]).n_kept == 2
    assert len(fits) == 3 + 2
    assert run(toy_task, paths, ["counted"]).n_new == 0

    other = tmp_path / "r2.csv", tmp_path / "p2.parquet"
    run(toy_task, other, ["nearest_centroid"], n_jobs=2)
    one, two = (pd.read_parquet(each[1]).drop(columns="method") for each in (paths, other))
    pd.testing.assert_frame_equal(one, two)
    assert sorted(path.name for path in tmp_path.glob(".*.new")) == []


def test_what_a_kill_leaves_is_kept_without_the_half_of_a_run(tmp_path, toy_task, paths):
    run(toy_task, paths)
    whole = pd.read_parquet(paths[1])
    batches = [
        pa.Table.from_pandas(rows, preserve_index=False).combine_chunks().to_batches()[0]
        for _, rows in whole.groupby(KEYS)
    ]
    schema = parquet.read_schema(paths[1]).remove_metadata()
    paths[1].unlink()
    appended = tmp_path / ".p.parquet.new"
    with pa.ipc.new_stream(appended, schema) as stream:
        for batch in batches:
            stream.write_batch(batch.cast(schema))
    appended.write_bytes(appended.read_bytes()[:-300])
    kept = read_results(paths[0])
    outcome = run(toy_task, paths)
    assert (outcome.n_kept, outcome.n_new) == (len(kept) - 1, 1)
    pd.testing.assert_frame_equal(pd.read_parquet(paths[1]), whole)
    assert len(read_results(paths[0])) == len(kept)


def test_predictions_of_other_results_are_made_again(toy_task, paths):
    run(toy_task, paths)
    made = pd.read_parquet(paths[1])
    other = Task("toy", lambda: make_dataset("toy", seed=1))
    paths[0].unlink()
    (paths[0].parent / ".r.csv.digest").unlink()
    evaluate([other], METHOD_NAMES, paths[0], shots=(2, 4), n_draws=2)
    outcome = run(other, paths)
    assert outcome.n_kept < 8
    again = pd.read_parquet(paths[1])
    assert len(again) == len(made)
    for key, rows in again.groupby(KEYS):
        accuracy = read_results(paths[0]).set_index(KEYS).loc[key, "accuracy"]
        assert accuracy == np.mean(rows["true"] == rows["predicted"])


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"task,encoder\n", "no Parquet file, or damaged"),
        (pd.DataFrame({"x": [1]}).to_parquet(), "not a predictions file: its columns"),
    ],
)
def test_a_file_of_another_kind_is_refused_and_left_alone(paths, toy_task, content, said):
    paths[1].write_bytes(content)
    with pytest.raises(SLPError, match=said):
        run(toy_task, paths)
    assert paths[1].read_bytes() == content
    with open_predictions(paths[1].with_name("q")), pytest.raises(SLPError, match="Another"):
        open_predictions(paths[1].with_name("q")).__enter__()
    with pytest.raises(SLPError, match="name two files"):
        run(toy_task, (paths[0], paths[0]))


def test_a_file_that_another_program_sorted_is_not_added_to(paths, toy_task):
    run(toy_task, paths)
    pd.read_parquet(paths[1]).sort_values("row").to_parquet(paths[1], index=False)
    with pytest.raises(SLPError, match="written by another program"):
        run(toy_task, paths)


def test_an_episode_on_some_classes_is_a_task_of_its_own(paths):
    task = Task("six", lambda: make_dataset("six", n_classes=6))
    assert run(task, paths, ways=3, n_draws=4).n_new == 2 * 4 * 2
    results, made = read_results(paths[0]), pd.read_parquet(paths[1])
    assert set(results["task"]) == set(made["task"]) == {"six (3-way)"}
    assert (results["n_query"] == 3 * (12 - results["shots"])).all()
    of_draws = made.groupby("draw")["true"].agg(lambda true: tuple(sorted(set(true))))
    columns = made.groupby("draw")["classes"].agg(lambda found: tuple(found.iloc[0]))
    assert columns.tolist() == of_draws.tolist()
    assert of_draws.map(len).tolist() == [3] * 4
    assert of_draws.nunique() > 1
    # all of the classes: the same runs as without
    assert run(task, paths, ways=6, n_draws=1).n_new == 4
    assert run(task, paths, n_draws=1).n_kept == 4
    outcome = run(task, paths, ways=7)
    assert outcome.failed == ["six: it has 6 classes: 7 cannot be had."]
    with pytest.raises(SLPError, match="take 2 or more"):
        run(task, paths, ways=1)


def test_a_class_without_query_examples_and_a_draw_with_none_at_all(paths):
    whole = make_dataset("patchy")
    pool, query = np.arange(0, 36, 2), np.arange(1, 24, 2)  # of the third class no query example
    dataset = replace(whole, support_pool=pool, query_pool=query)
    run(Task("patchy", lambda: dataset), paths, ["one_nn"], n_draws=3)
    made = pd.read_parquet(paths[1])
    assert set(made["true"]) == {"class 0", "class 1"}
    for key, rows in made.groupby(KEYS):
        row = read_results(paths[0]).set_index(KEYS).loc[key]
        assert row["n_query"] == 12
        assert row["macro_f1"] == f1_score(
            rows["true"], rows["predicted"], average="macro", labels=rows["true"].unique()
        )
    none = replace(whole, support_pool=pool, query_pool=np.arange(0))
    outcome = run(Task("none", lambda: none), paths)
    assert outcome.n_new == 0
    assert "none, 2 shots: no draw can be had. no query example is left" in outcome.failed[0]
