"""The code that comes with a model fits it again, bit by bit."""

import os
import subprocess
import sys

import numpy as np

import slp_core as slp
from pages.session.scripts import fit_again, versions


def run_script(script, folder, *arguments):
    """Run it in a process of its own, from a folder that is not the repository."""
    file = folder / "fit again.py"
    file.write_text(script, encoding="utf-8")
    done = subprocess.run(
        [sys.executable, str(file), *arguments],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
        env={k: v for k, v in os.environ.items() if k != "PYTHONPATH"},
    )
    return done.stdout, done.stderr


def test_a_script_for_other_data_and_another_draw_says_so(tmp_path):
    dataset = slp.load_dataset("toy_abc")
    X, episode = slp.load_encoder("raw").encode(dataset), dataset.draw(4, 0)
    model = slp.NearestCentroidClassifier().fit(X[episode.support], episode.y_support)
    script = fit_again(
        model,
        dataset="toy_abc",
        shots=4,
        draw=1,
        encoder="raw",
        normalisation=None,
        data_digest="another",
    )
    out, _ = run_script(script, tmp_path)
    assert "the same data: False" in out
    assert "the same to the last bit: False" in out


def test_a_script_asks_for_a_file_that_is_not_there(tmp_path):
    (tmp_path / "numbers.csv").write_text("a,b,class\n" + "1,2,x\n3,4,y\n" * 4)
    dataset = slp.read_dataset(tmp_path / "numbers.csv")
    episode = dataset.draw(1, 0)
    X = slp.load_encoder("numeric").encode(dataset, support=episode.support)
    labels = np.array(dataset.classes)[episode.y_support]
    script = fit_again(
        slp.NearestCentroidClassifier().fit(X[episode.support], labels),
        dataset=dataset.title,
        shots=1,
        draw=0,
        encoder="numeric",
        normalisation=None,
        data_digest=dataset.digest,
        read_as=dataset.read_as,
    )
    assert ", 1 shot per class, support set 0." in script
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    out, error = run_script(script, elsewhere)
    assert not out
    assert error.startswith("Put numbers.csv beside this script")
    out, error = run_script(script, elsewhere, str(tmp_path / "numbers.csv"))
    assert "the same to the last bit: True" in out, error


def test_versions_are_those_in_use():
    assert versions()["numpy"] == np.__version__
    assert versions()["slp_core"] == slp.__version__
