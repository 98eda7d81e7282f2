"""Each recipe of CONTRIBUTING.md, followed in a copy of the project: one file and one line."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
METHOD = '''
from sklearn.dummy import DummyClassifier


class MajorityClassifier(DummyClassifier):
    """The class with the most support points."""
'''
ENCODER = '''
import numpy as np

from slp_core.encoders.base import Encoder


class LettersEncoder(Encoder):
    """How often each letter stands in a text."""

    def _vectors(self, examples, progress, cancelled):
        letters = "abcdefghijklmnopqrstuvwxyz"
        return np.array([[t.lower().count(c) for c in letters] for t in examples.texts], np.float32)

    def _is_cached(self, examples):
        return True
'''
PAGE = """
import streamlit as st

from pages.shell.frame import current_workspace

st.subheader(f"{len(current_workspace().dataset):,} rows to say hello to")
"""
LOOK = """
import sys
from pathlib import Path
from streamlit.testing.v1 import AppTest
from streamlit.util import calc_hash

def look(folder, **settings):
    app = AppTest.from_file(Path("pages/shell/main.py").resolve(), default_timeout=60)
    for key, value in settings.items():
        app.session_state[key] = value
    app._page_hash = calc_hash(folder)
    app.run()
    assert not app.exception, app.exception
    assert not app.error, [e.value for e in app.error]
    return app
"""


@pytest.fixture
def copy(tmp_path):
    """The project without its tests, and a way to run Python in it."""
    for part in ("pages", "slp_core", "tools", "sample_data"):
        shutil.copytree(ROOT / part, tmp_path / part, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(ROOT / "app.py", tmp_path)
    (tmp_path / "checkpoints").symlink_to(ROOT / "checkpoints")
    return tmp_path


def add_line(file, after, line):
    """Put a line into a file, behind the first that ends so."""
    lines = file.read_text().splitlines(keepends=True)
    place = next(i for i, text in enumerate(lines) if text.rstrip().endswith(after))
    file.write_text("".join([*lines[: place + 1], f"{line}\n", *lines[place + 1 :]]))


def python(folder, *arguments):
    done = subprocess.run(
        [sys.executable, *arguments],
        cwd=folder,
        env=os.environ | {"SLP_CACHE_DIR": str(folder / "cache"), "PYTHONPATH": str(folder)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-3000:]
    return done.stdout


def test_a_method_is_a_file_and_a_line(copy):
    (copy / "slp_core/methods/majority.py").write_text(METHOD)
    line = 'Method("majority", "Majority", "majority:MajorityClassifier", "One class for all."),'
    add_line(copy / "slp_core/methods/table.py", "for method in (", f"        {line}")
    run = ["evaluate", "--data", "iris", "--encoder", "numeric", "--methods", "majority"]
    python(copy, "-m", "slp_core", *run, "--shots", "4", "--draws", "2", "--out", "runs.csv")
    assert (copy / "runs.csv").read_text().count("majority") == 2
    script = LOOK + (
        "look('explore', method='Majority')\n"
        "look('explain', method='Majority')\n"
        "for _ in range(60):\n"
        "    app = look('compare', dataset='Iris flowers', compared=['Majority', 'DeepSLP'])\n"
        "    tables = [d.value for d in app.dataframe]\n"
        "    tables = [table for table in tables if 'trainable' in map(str, table.columns)]\n"
        "    if tables: break\n"
        "print(sorted(tables[0]['method']))"
    )
    assert "Majority" in python(copy, "-c", script)


def test_an_encoder_is_a_file_and_a_line(copy):
    (copy / "slp_core/encoders/letters.py").write_text(ENCODER)
    registry = copy / "slp_core/encoders/registry.py"
    add_line(registry, "EncoderError", "from slp_core.encoders.letters import LettersEncoder")
    info = 'EncoderInfo("letters", "Letters", "Counts of letters.", TEXT_KINDS)'
    add_line(registry, "for entry in (", f'        _Entry({info}, "l2", LettersEncoder),')
    script = LOOK + "app = look('explore', encoder='Letters'); print(app.markdown[1].value)"
    python(copy, "-c", script)
    assert "Letters" in python(copy, "-m", "slp_core", "encoders")


def test_a_checkpoint_is_a_folder(copy):
    (copy / "checkpoints").unlink()
    shutil.copytree(ROOT / "checkpoints", copy / "checkpoints")
    shutil.copytree(copy / "checkpoints/reptile-minilm-l4", copy / "checkpoints/mine")
    card = copy / "checkpoints/mine/card.json"
    card.write_text(card.read_text().replace("reptile-minilm-l4", "mine"))
    assert "mine" in python(copy, "-m", "slp_core", "encoders")


def test_a_dataset_is_a_file_its_card_and_a_line(copy):
    rows = [
        f'{{"text": "{drink} for table {i}, {how}", "label": "{drink}"}}'
        for drink in ("tea", "coffee")
        for i, how in enumerate(["hot", "cold", "sweet", "strong", "now", "later"])
    ]
    (copy / "sample_data/drinks.jsonl").write_text("\n".join(rows))
    (copy / "sample_data/drinks.md").write_text("# Drinks\n\nOrders, made up.\n")
    info = 'DatasetInfo("drinks", "Drinks", "text", "Texts", 2, "Tea or coffee?"),'
    add_line(copy / "slp_core/data/catalogue.py", "_TEXTS = (", f"    {info}")
    python(copy, "-m", "tools.encode_bundled_data", "drinks")
    assert len(list((copy / "sample_data/embeddings").glob("*/drinks.npz"))) == 5
    script = LOOK + "look('explore', dataset='Drinks', shots=2)"
    python(copy, "-c", script)


def test_a_page_is_a_folder_and_a_line(copy):
    (copy / "pages/hello").mkdir()
    (copy / "pages/hello/page.py").write_text(PAGE)
    line = '    "Hello": ("hello", ":material/waving_hand:", "Says hello."),'
    add_line(copy / "pages/shell/navigation.py", "PAGES = {", line)
    script = LOOK + "print(look('hello').subheader[0].value)"
    assert "rows to say hello to" in python(copy, "-c", script)
