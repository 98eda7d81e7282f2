"""Runs on a real Dask scheduler, and of methods that take texts."""

import os
import signal
import time
from dataclasses import replace
from functools import partial

import numpy as np
import pytest
from distributed import Client, LocalCluster
from made_methods import made_method

from slp_core.data import load_dataset
from slp_core.errors import SLPError
from slp_core.evaluation import METHODS, Task, evaluate, read_results
from slp_core.methods.baselines import NearestCentroidClassifier
from slp_core.methods.fine_tuned import FineTunedClassifier
from slp_core.methods.meta_slp import MetaSLPClassifier


def table(path):
    return read_results(path).drop(columns="fit_seconds")


class Slow(NearestCentroidClassifier):
    """Leaves its process's number in a folder, and takes its time."""

    folder = ""

    def fit(self, X, y):
        name = f"{os.getpid()} {time.monotonic_ns()}"
        with open(os.path.join(self.folder, name), "w"):
            time.sleep(0.1)
        return super().fit(X, y)


def test_a_killed_worker_of_a_cluster_loses_nothing_and_repeats_no_row(
    tmp_path, toy_task, monkeypatch
):
    started = tmp_path / "started"
    started.mkdir()
    slow = type("SlowHere", (Slow,), {"folder": str(started)})
    monkeypatch.setitem(METHODS, "slow", made_method("slow", slow))
    wanted = {"shots": (2, 4), "n_draws": 5}
    evaluate([toy_task], ["nearest_centroid"], tmp_path / "here.csv", **wanted)

    killed = []

    def kill_one(label, state):
        """After the third row: the process that began a run last."""
        if state.done == 3 and not killed:
            last = max(started.iterdir(), key=lambda file: int(file.name.split()[1]))
            killed.append(int(last.name.split()[0]))
            os.kill(killed[0], signal.SIGKILL)

    with LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster:
        address = cluster.scheduler_address
        path = tmp_path / "there.csv"
        outcome = evaluate([toy_task], ["slow"], path, dask=address, progress=kill_one, **wanted)
    assert killed
    assert (outcome.n_new, outcome.failed) == (10, [])
    assert len({file.name.split()[0] for file in started.iterdir()}) >= 2
    there, here = table(path), table(tmp_path / "here.csv")
    assert there.drop(columns="method").equals(here.drop(columns="method"))


def test_no_scheduler_is_one_sentence(tmp_path, toy_task, monkeypatch):
    """Refused at once, Dask tries again for all of the seconds that it is given."""
    quick = partial(Client, timeout="0.2s")
    monkeypatch.setattr("distributed.Client", lambda address, timeout: quick(address))
    with pytest.raises(SLPError, match="no Dask scheduler at tcp"):
        evaluate([toy_task], ["one_nn"], tmp_path / "r.csv", dask="tcp://127.0.0.1:1")


def test_methods_that_read_texts_have_rows_like_the_others(tmp_path, monkeypatch):
    dataset = load_dataset("airline")
    few = np.concatenate([np.flatnonzero(dataset.y == c)[:12] for c in range(3)])
    dataset = replace(dataset, examples=dataset.examples.take(few), labels=dataset.labels[few])
    task = Task("tweets", lambda: dataset)
    quick = {
        "meta_slp": lambda encoder: MetaSLPClassifier(encoder=encoder, steps=1),
        "fine_tuned": lambda encoder: FineTunedClassifier(encoder=encoder, epochs=1),
    }
    for name, factory in quick.items():
        monkeypatch.setitem(METHODS, name, made_method(name, factory, reads="texts"))
    methods = ["meta_slp", "nearest_centroid", "fine_tuned"]
    outcome = evaluate([task], methods, tmp_path / "r.csv", shots=(4,), n_draws=1)
    assert (outcome.n_new, outcome.failed) == (3, [])
    rows = read_results(tmp_path / "r.csv").set_index("method")
    episode = dataset.draw(4, 0)
    model = quick["meta_slp"]("minilm-l4")
    model.fit(dataset.examples.take(episode.support), episode.y_support)
    right = model.predict(dataset.examples.take(episode.query)) == episode.y_query
    assert rows.loc["meta_slp", "accuracy"] == pytest.approx(np.mean(right))


def test_what_cannot_be_trained_is_named_and_the_rest_goes_on(tmp_path, toy_task):
    outcome = evaluate([toy_task], ["lora", "one_nn"], tmp_path / "r.csv", shots=(2,), n_draws=1)
    assert outcome.n_new == 1
    assert "toy, raw: Encoder 'raw' has no trainable layers" in outcome.failed[0]
    texts = Task("tweets", lambda: load_dataset("airline"))
    outcome = evaluate(
        [texts], ["lora"], tmp_path / "r.csv", shots=(4,), n_draws=1, normalisation="none"
    )
    assert "lora trains the encoder on vectors of unit length" in outcome.failed[0]
