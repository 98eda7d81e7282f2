"""The code that comes with a model fits it again, bit by bit."""

import runpy
import sys

import numpy as np
import pytest

import slp_core as slp
from pages.session.scripts import fit_again, versions


@pytest.fixture
def run_script(monkeypatch, capsys):
    """Run it as a program, from a folder of its own; in processes of their own in downloads."""

    def run(script, folder, *arguments):
        file = folder / "fit again.py"
        file.write_text(script, encoding="utf-8")
        monkeypatch.chdir(folder)
        monkeypatch.setattr(sys, "argv", [str(file), *arguments])
        error = ""
        try:
            runpy.run_path(str(file), run_name="__main__")
        except SystemExit as ended:
            error = str(ended.code)
        return capsys.readouterr().out, error

    return run


def test_a_script_for_other_data_and_another_draw_says_so(tmp_path, run_script):
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
        when="2026-11-29",
    )
    out, _ = run_script(script, tmp_path)
    assert "the same data: False" in out
    assert "the same to the last bit: False" in out


def test_a_script_asks_for_a_file_that_is_not_there(tmp_path, run_script):
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
        when="2026-11-29",
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
