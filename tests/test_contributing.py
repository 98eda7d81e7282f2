"""Every recipe of CONTRIBUTING.md, followed in a copy of the project: one file and one line."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
CHECKPOINT = "reptile-minilm-l4"
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

    def _read(self, examples, report):
        letters = "abcdefghijklmnopqrstuvwxyz"
        return np.array([[t.lower().count(c) for c in letters] for t in examples.texts], np.float32)
'''
PAGE = """
import streamlit as st

from pages.shell.frame import current_workspace

st.subheader(f"{len(current_workspace().dataset):,} rows to say hello to")
"""
SEEN = """
import json
import time
from pathlib import Path

from streamlit.testing.v1 import AppTest
from streamlit.util import calc_hash

from slp_core import list_encoders
from slp_core.cli import main
from tools.encode_bundled_data import encode_bundled_data


def look(folder, **settings):
    app = AppTest.from_file(Path("pages/shell/main.py").resolve(), default_timeout=240)
    for key, value in settings.items():
        app.session_state[key] = value
    app._page_hash = calc_hash(folder)
    app.run()
    assert not app.exception, app.exception
    assert not app.error, [e.value for e in app.error]
    return app


def status(app):
    return " ".join(text.value for part in (app.markdown, app.caption) for text in part)


def compared():
    chosen = {"compared": ["Majority", "DeepSLP"], "open_costs": True}
    app = look("compare", dataset="Iris flowers", **chosen)
    tables = [table.value for table in app.dataframe]
    tables = [table for table in tables if "trainable" in map(str, table.columns)]
    if not tables:
        time.sleep(0.5)  # another look would hold up what is looked for
    return sorted(tables[0]["method"]) if tables else []


run = ["evaluate", "--data", "iris", "--encoder", "numeric", "--methods", "majority"]
main([*run, "--shots", "4", "--draws", "2", "--out", "runs.csv"])
letters = status(look("explore", method="Majority", encoder="Letters"))
look("explain", method="Majority", dataset="Iris flowers")
encode_bundled_data(["drinks"])
print(json.dumps({
    "rows": Path("runs.csv").read_text().count("majority"),
    "compared": next(filter(None, (compared() for _ in range(600)))),
    "encoders": [info.name for info in list_encoders()],
    "letters": letters,
    "drinks": sorted(path.parent.name for path in Path("sample_data").rglob("drinks.npz")),
    "drinks shown": status(look("explore", dataset="Drinks", shots=2)),
    "hello": look("hello").subheader[0].value,
}))
"""


def add_line(file, after, line):
    """Put a line into a file, behind the first that ends so."""
    lines = file.read_text().splitlines(keepends=True)
    place = next(i for i, text in enumerate(lines) if text.rstrip().endswith(after))
    file.write_text("".join([*lines[: place + 1], f"{line}\n", *lines[place + 1 :]]))


def add_method(copy):
    (copy / "slp_core/methods/majority.py").write_text(METHOD)
    line = 'Method("majority", "Majority", "majority:MajorityClassifier", "One class for all."),'
    add_line(copy / "slp_core/methods/table.py", "for method in (", f"        {line}")


def add_encoder(copy):
    (copy / "slp_core/encoders/letters.py").write_text(ENCODER)
    registry = copy / "slp_core/encoders/registry.py"
    add_line(registry, "EncoderError", "from slp_core.encoders.letters import LettersEncoder")
    info = 'EncoderInfo("letters", "Letters", "Counts of letters.", _TEXT_KINDS)'
    add_line(registry, "_ENTRIES = _by_name(", f'    _Entry({info}, "l2", LettersEncoder),')


def add_checkpoint(copy):
    shutil.copytree(copy / "checkpoints" / CHECKPOINT, copy / "checkpoints/mine")
    card = copy / "checkpoints/mine/card.json"
    card.write_text(card.read_text().replace(CHECKPOINT, "mine"))
    add_line(
        copy / "slp_core/encoders/registry.py", "_LISTED = {", '    "mine": "Mine, for a reason.",'
    )


def add_dataset(copy):
    rows = [
        f'{{"text": "{drink} for table {i}, {how}", "label": "{drink}"}}'
        for drink in ("tea", "coffee")
        for i, how in enumerate(["hot", "cold", "sweet", "strong", "now", "later"])
    ]
    (copy / "sample_data/drinks.jsonl").write_text("\n".join(rows))
    (copy / "sample_data/drinks.md").write_text("# Drinks\n\nOrders, made up.\n")
    info = 'DatasetInfo("drinks", "Drinks", "text", "Texts", 2, "Tea or coffee?"),'
    add_line(copy / "slp_core/data/catalogue.py", "_TEXTS = (", f"    {info}")


def add_page(copy):
    (copy / "pages/hello").mkdir()
    (copy / "pages/hello/page.py").write_text(PAGE)
    line = '    "Hello": ("hello", ":material/waving_hand:"),'
    add_line(copy / "pages/shell/navigation.py", "PAGES = {", line)


@pytest.fixture(scope="module")
def seen(tmp_path_factory):
    """What one process sees in a copy of the project, without its tests, after every recipe."""
    copy = tmp_path_factory.mktemp("copy")
    # Of the encoders the first, and one checkpoint: a dataset is encoded by each.
    kept = ("minilm-l4", CHECKPOINT)
    others = {path.name for path in (ROOT / "checkpoints").iterdir()} - {*kept}
    for part in ("pages", "slp_core", "tools", "sample_data", "checkpoints"):
        shutil.copytree(ROOT / part, copy / part, ignore=shutil.ignore_patterns(*others))
    for add in (add_method, add_encoder, add_checkpoint, add_dataset, add_page):
        add(copy)
    done = subprocess.run(
        [sys.executable, "-c", SEEN],
        cwd=copy,
        env=os.environ | {"SLP_CACHE_DIR": str(copy / "cache"), "PYTHONPATH": str(copy)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-3000:]
    return json.loads(done.stdout.splitlines()[-1])


def test_a_method_is_a_file_and_a_line(seen):
    assert seen["rows"] == 2
    assert "Majority" in seen["compared"]


def test_an_encoder_is_a_file_and_a_line(seen):
    assert "letters" in seen["encoders"]
    assert "Letters" in seen["letters"]


def test_a_checkpoint_is_a_folder_and_a_line(seen):
    assert "mine" in seen["encoders"]


def test_a_dataset_is_a_file_its_card_and_a_line(seen):
    assert seen["drinks"] == sorted(["minilm-l4", "mine", CHECKPOINT])
    assert "Drinks" in seen["drinks shown"]


def test_a_page_is_a_folder_and_a_line(seen):
    assert "rows to say hello to" in seen["hello"]
