import re

import numpy as np
import pytest
from made_data import make_dataset

from slp_core.errors import DatasetError, SLPError
from slp_core.evaluation.protocol import find_tasks, on_some_classes
from slp_core.methods.table import METHODS, get_method


def test_a_task_folder_and_a_folder_of_them_are_found(leopard_folder, monkeypatch):
    first, second = leopard_folder("one"), leopard_folder("two")

    assert [task.name for task in find_tasks([str(first)])] == ["one"]
    assert [task.name for task in find_tasks([str(first.parent)])] == ["one", "two"]
    assert find_tasks([str(second)])[0].load().classes == ("bad", "good")

    (first.parent / "notes.json").write_text("{}")
    assert [task.name for task in find_tasks([str(first.parent)])] == ["one", "two"]

    monkeypatch.chdir(first)
    assert [task.name for task in find_tasks(["."])] == ["one"]


def test_a_bundled_dataset_never_passes_for_the_papers_task():
    (task,) = find_tasks(["airline"])

    assert task.name == "sample/airline"
    assert task.load().name == "airline"


def test_a_file_is_a_task(tmp_path):
    table = tmp_path / "mood.csv"
    table.write_text("text,label\n" + "".join(f"note {i},{'ab'[i % 2]}\n" for i in range(20)))

    (task,) = find_tasks([str(table)])

    assert task.name == "mood.csv"
    assert task.load().classes == ("a", "b")


def test_files_and_a_folder_of_them_are_tasks(tmp_path, leopard_folder):
    leopard_folder("one")
    folder = tmp_path / "tables"
    folder.mkdir()
    rows = "text,label\n" + "".join(f"note {i},{'ab'[i % 2]}\n" for i in range(20))
    for name in ("mood.csv", "taste.CSV.gz", "mood.json", "notes.md", ".hidden.csv"):
        (folder / name).write_text(rows)
    files = ["mood.csv", "mood.json", "taste.CSV.gz"]
    assert [task.name for task in find_tasks([folder])] == files
    assert [task.name for task in find_tasks([folder / name for name in files])] == files
    assert find_tasks([folder])[0].load().classes == ("a", "b")
    (tmp_path / "leopard" / "mood.csv").write_text(rows)
    assert [task.name for task in find_tasks([tmp_path / "leopard"])] == ["one"]


def test_the_classes_of_an_episode_depend_on_the_draw_alone():
    dataset = make_dataset("six", n_classes=6)
    chosen = {}
    for draw in range(60):
        for shots in (2, 4):
            whole = dataset.draw(shots, draw)
            episode = on_some_classes(whole, 3)
            classes = set(dataset.y[episode.support].tolist())
            assert len(classes) == 3
            assert chosen.setdefault(draw, classes) == classes
            for rows, of_all in ((episode.support, whole.support), (episode.query, whole.query)):
                assert rows.tolist() == [row for row in of_all if dataset.y[row] in classes]
        assert set(dataset.y[on_some_classes(whole, 2).support]) < classes  # nested
    counts = np.bincount([k for classes in chosen.values() for k in classes])
    assert counts.min() > 15  # of 60, and 30 expected
    assert len(set(map(frozenset, chosen.values()))) > 15  # of 20 triples


def test_sources_that_are_no_tasks_are_named(tmp_path, leopard_folder, monkeypatch):
    folder = str(leopard_folder("one"))
    monkeypatch.chdir(folder)
    with pytest.raises(DatasetError, match="No data are named"):
        find_tasks([""])  # nor is it the folder one is in
    with pytest.raises(DatasetError, match="its whole path"):
        find_tasks(["~nobody-of-this-name/data"])
    empty = tmp_path / "nothing"
    empty.mkdir()

    with pytest.raises(DatasetError, match="'no-such-thing' is neither"):
        find_tasks(["no-such-thing"])
    with pytest.raises(DatasetError, match="nothing holds no task"):
        find_tasks([str(empty)])
    with pytest.raises(DatasetError, match="Two tasks are called 'one'"):
        find_tasks([folder, folder])


ON_VECTORS = [name for name, method in METHODS.items() if method.reads == "vectors"]


@pytest.mark.parametrize("name", ON_VECTORS)
def test_a_seed_matters_exactly_to_the_methods_that_are_called_stochastic(name):
    rng = np.random.default_rng(0)
    y = np.repeat([0, 1, 2], 8)
    X = rng.normal(size=(24, 5)) + np.eye(3, 5)[y]
    method = METHODS[name]

    def predicted(seed):
        return method.make(seed).fit(X, y).predict_proba(X)

    assert np.array_equal(predicted(0), predicted(0))
    assert np.array_equal(predicted(0), predicted(1)) == (not method.stochastic)


def test_an_unknown_method_is_refused_with_the_names_there_are():
    with pytest.raises(SLPError, match=re.escape(", ".join(METHODS))):
        get_method("magic")
