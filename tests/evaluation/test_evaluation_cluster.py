"""Runs on real Dask schedulers and workers, and of methods that take texts."""

import json
import os
import re
import signal
import subprocess
import sys
import time
from contextlib import suppress
from dataclasses import replace
from functools import partial
from pathlib import Path

import numpy as np
import pytest
from distributed import Client
from made_methods import SlowClassifier, made_method

import slp_core
from slp_core.cli import main
from slp_core.data import load_dataset
from slp_core.errors import SLPError
from slp_core.evaluation import pools
from slp_core.evaluation.protocol import Task
from slp_core.evaluation.results import read_results
from slp_core.evaluation.runner import evaluate
from slp_core.methods.fine_tuned import FineTunedClassifier
from slp_core.methods.meta_slp import MetaSLPClassifier
from slp_core.methods.table import METHODS

LIBRARY = Path(slp_core.__file__).parents[1]
IMPORTABLE = os.pathsep.join([str(LIBRARY), str(Path(__file__).parent)])
WANTED = {"shots": (2, 4), "n_draws": 5}


def table(path):
    return read_results(path).drop(columns="fit_seconds")


class Cluster:
    """A `dask scheduler`, and `dask worker` processes as they are wanted."""

    def __init__(self, folder):
        self.folder, self.processes = folder, {}
        told = folder / "scheduler.json"
        self.start("scheduler", "--port=0", f"--scheduler-file={told}")
        while not told.exists() or not told.read_text().endswith("}"):
            time.sleep(0.02)
        self.address = json.loads(told.read_text())["address"]

    def start(self, name, *options, python_path=""):
        kind = name if name == "scheduler" else "worker"
        self.processes[name] = subprocess.Popen(
            [sys.executable, "-m", "dask", kind, "--host=127.0.0.1", "--no-dashboard", *options],
            cwd=self.folder, env=os.environ | {"PYTHONPATH": python_path},
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        )  # fmt: skip

    def work(self, name, python_path, *options):
        options = f"--name={name}", "--nthreads=1", "--local-directory=.", *options
        self.start(name, self.address, *options, python_path=python_path)

    def wait_for(self, n):
        with Client(self.address, set_as_default=False) as client:
            client.wait_for_workers(n, timeout=240)

    def end(self, name):
        self.processes[name].kill()
        self.processes.pop(name).wait()


@pytest.fixture(scope="module")
def cluster(tmp_path_factory):
    cluster = Cluster(tmp_path_factory.mktemp("cluster"))
    yield cluster
    for name in list(cluster.processes):
        cluster.end(name)


def slow(monkeypatch, folder, **options):
    """Have a slow method; the folder in which its runs leave a file each."""
    folder.mkdir()
    factory = partial(SlowClassifier, str(folder), **options)
    monkeypatch.setitem(METHODS, "slow", made_method("slow", factory))
    return folder


def evaluate_there(address, path):
    asked = ["evaluate", "--data", "iris", "--methods", "one_nn", "--shots", "4", "--draws", "1"]
    return main([*asked, "--out", str(path), "--dask", address])


def test_no_worker_and_workers_that_cannot_run_it_are_one_sentence_each(
    cluster, tmp_path, monkeypatch, capfd
):
    def said():
        assert evaluate_there(cluster.address, tmp_path / "r.csv") == 2
        (line,) = capfd.readouterr().err.splitlines()
        return line

    with monkeypatch.context() as patch:
        patch.setattr(pools, "WITHIN", 0.2)
        assert f"has no workers: start one with 'dask worker {cluster.address}'." in said()
    absent, old = tmp_path / "absent", tmp_path / "old"
    for folder in (absent, old):
        folder.mkdir()
    (absent / "slp_core.py").write_text("raise ImportError(\"No module named 'slp_core'\")")
    (old / "slp_core.py").write_text("__version__ = '0.0.9'")
    cluster.work("absent", str(absent), "--no-nanny")
    cluster.work("old", str(old), "--no-nanny")
    cluster.wait_for(2)
    expected = {
        "absent": r"Dask worker tcp://\S+ has no slp_core \(No module named 'slp_core'\), and this"
        rf" is .*: install .*, or start them with PYTHONPATH={re.escape(str(LIBRARY))}\.",
        "old": r"has slp_core 0\.0\.9, and this is slp_core \S+: install the same ",
    }
    while expected:
        line = said()
        (name,) = (name for name, pattern in expected.items() if re.search(pattern, line))
        expected.pop(name)
        cluster.end(name)


def test_what_a_worker_that_dies_was_at_another_one_does(
    cluster, tmp_path, toy_task, monkeypatch, capfd
):
    started = slow(monkeypatch, tmp_path / "started")
    cluster.work("with a nanny", IMPORTABLE)
    cluster.work("alone", IMPORTABLE, "--no-nanny")
    evaluate([toy_task], ["nearest_centroid"], tmp_path / "here.csv", **WANTED)
    cluster.wait_for(2)

    def end_alone(label, state):
        if state.done == 3:
            cluster.end("alone")

    path = tmp_path / "there.csv"
    asked = {"dask": cluster.address, **WANTED}
    outcome = evaluate([toy_task], ["slow"], path, progress=end_alone, **asked)
    assert outcome.failed == []
    assert outcome.n_new == 10
    there, here = table(path), table(tmp_path / "here.csv")
    assert there.drop(columns="method").equals(here.drop(columns="method"))

    def end_all(label, state):
        if state.done == 3:
            cluster.end("with a nanny")
            last = max(started.iterdir(), key=lambda file: int(file.name.split()[1]))
            with suppress(ProcessLookupError):  # it ends with its nanny, sooner or later
                os.kill(int(last.name.split()[0]), signal.SIGKILL)

    started = slow(monkeypatch, tmp_path / "half", most=5)
    monkeypatch.setattr(pools, "WITHIN", 0.5)
    path = tmp_path / "half.csv"
    capfd.readouterr()
    outcome = evaluate([toy_task], ["slow"], path, progress=end_all, **asked)
    (line,) = outcome.failed
    assert outcome.n_new == len(read_results(path)) >= 3
    assert line == (
        f"toy, raw: {10 - outcome.n_new} of 10 runs are missing, for the Dask scheduler at "
        f"{cluster.address} has no workers any more; the same command goes on from here."
    )
    assert capfd.readouterr().err == ""


def test_a_scheduler_that_dies_is_one_sentence(tmp_path, toy_task, monkeypatch, capfd):
    slow(monkeypatch, tmp_path / "started", most=5)
    cluster = Cluster(tmp_path)
    try:
        cluster.work("worker", IMPORTABLE, "--no-nanny")
        cluster.wait_for(1)

        def end_scheduler(label, state):
            if state.done == 3:
                cluster.end("scheduler")

        asked = {"dask": cluster.address, "progress": end_scheduler, **WANTED}
        path = tmp_path / "half.csv"
        (line,) = evaluate([toy_task], ["slow"], path, **asked).failed
    finally:
        for name in list(cluster.processes):
            cluster.end(name)
    assert line == (
        f"toy, raw: {10 - len(read_results(path))} of 10 runs are missing, for the Dask scheduler "
        f"at {cluster.address} responds no more; the same command goes on from here."
    )
    assert capfd.readouterr().err == ""


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
