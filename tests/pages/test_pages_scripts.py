"""The code that comes with a model fits it again, bit by bit."""

import runpy
import sys

import numpy as np
import pytest

import slp_core as slp
from pages.session.code import fit_again
from pages.session.files import versions
from pages.session.workspace import Workspace, encoder
from slp_core.methods.table import METHODS


@pytest.fixture
def run_script(monkeypatch, capsys):
    """Run it as a program, from a folder of its own; in processes of their own in downloads."""

    def run(script, folder):
        file = folder / "fit again.py"
        file.write_text(script, encoding="utf-8")
        monkeypatch.chdir(folder)
        monkeypatch.setattr(sys, "argv", [str(file)])
        runpy.run_path(str(file), run_name="__main__")
        return capsys.readouterr().out

    return run


def nearest_centroid(dataset, name, shots, draw):
    method = METHODS["nearest_centroid"]
    return Workspace(dataset, encoder(name, None), name, shots, draw, method, {})


def test_a_script_for_other_data_and_another_draw_says_so(tmp_path, run_script):
    dataset = slp.load_dataset("toy_abc")
    fitted, other = (nearest_centroid(dataset, "raw", 4, draw) for draw in (0, 1))
    script = fit_again(other, fitted.model).replace(dataset.digest, "another")
    out = run_script(script, tmp_path)
    assert "the same data: False" in out
    assert "the same to the last bit: False" in out


def test_a_script_reads_a_file_beside_it(tmp_path, run_script):
    (tmp_path / "numbers.csv").write_text("a,b,class\n" + "1,2,x\n3,4,y\n" * 4)
    table = nearest_centroid(slp.read_dataset(tmp_path / "numbers.csv"), "numeric", 1, 0)
    script = fit_again(table, table.model)
    assert ", 1 shot per class, support set 0." in script
    assert "the same to the last bit: True" in run_script(script, tmp_path)
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    with pytest.raises(slp.DatasetError, match=r"elsewhere/numbers\.csv"):
        run_script(script, elsewhere)


def test_versions_are_those_in_use():
    assert versions()["numpy"] == np.__version__
    assert versions()["slp_core"] == slp.__version__
