"""Parts of another package, in a folder on `sys.path`, are used by name and shown in the app."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

import slp_core as slp

ROOT = Path(__file__).resolve().parents[1]
MODULE = '''
"""Own parts."""
import numpy as np
import slp_core as slp
from sklearn.dummy import DummyClassifier
from sklearn.neighbors import KNeighborsClassifier

class Three(KNeighborsClassifier):
    """The majority of three."""
    title = "3-nearest neighbours"
    def __init__(self): super().__init__(n_neighbors=3)

class Never(DummyClassifier):
    """Fails."""
    def fit(self, X, y): raise RuntimeError("no licence")

def letters(texts):
    """Letters and words."""
    return np.array([[len(t), len(t.split()), t.count("a")] for t in texts])

def nothing(texts):
    """Fails."""
    return []

def animals():
    """Written for the test."""
    texts = tuple(f"{a} {n}" for n in range(12) for a in ("a cat", "the large dog"))
    names = tuple("cat" if "cat" in t else "dog" for t in texts)
    examples = slp.Examples("text", texts=texts)
    return slp.FewShotDataset("animals", "Own animals", examples, names, ("cat", "dog"), "letters")

def wrong(): return 3
'''
POINTS = """
[slp_explorer.methods]
three_nn = own_slp_module:Three
never = own_slp_module:Never
constraint_slp = own_slp_module:Three
absent = no_such_module:Three
[slp_explorer.encoders]
letters = own_slp_module:letters
nothing = own_slp_module:nothing
[slp_explorer.datasets]
animals = own_slp_module:animals
wrong = own_slp_module:wrong
"""
SCRIPT = """
import slp_core as slp
from slp_core.methods.table import METHODS
from slp_core.own_parts import broken_parts
from streamlit.testing.v1 import AppTest

animals = slp.load_dataset("animals")
X = slp.load_encoder("letters").encode(animals)
episode = animals.draw(4, 0)
model = METHODS["three_nn"].make().fit(X[episode.support], episode.y_support)
assert model.score(X[episode.query], episode.y_query) == 1.0
assert METHODS["constraint_slp"].from_package == ""
for why in broken_parts():
    print(why)
try:
    slp.load_encoder("nothing").encode(["a", "b"])
except slp.EncoderError as error:
    print(error)
app = AppTest.from_file("pages/shell/main.py", default_timeout=240)
chosen = {"dataset": "Own animals", "encoder": "letters", "method": "3-nearest neighbours"}
app.query_params.update(chosen)
app.run()
assert not app.exception, app.exception
chosen = {box.label: box.value for box in app.selectbox}
assert chosen["Dataset"] == "Own animals", chosen
assert "3-nearest neighbours" in chosen.values(), chosen
assert len(app.error) == 3, [e.value for e in app.error]
app = AppTest.from_file("pages/shell/main.py", default_timeout=240)
app.query_params.update({"dataset": "Own animals", "method": "never"})
app.run()
assert not app.exception, app.exception
print(app.error[0].value)
"""


def test_a_package_brings_parts_and_its_faults_are_one_sentence_each(tmp_path):
    (tmp_path / "own_slp_module.py").write_text(MODULE)
    info = tmp_path / "own_slp-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: own-slp\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text(POINTS)
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT],
        cwd=ROOT,
        env=os.environ | {"PYTHONPATH": f"{tmp_path}{os.pathsep}{ROOT}"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-3000:]
    told = done.stdout.splitlines()
    mend = "mend or uninstall the package."
    of = "of the package own-slp cannot be used"
    assert sorted(told) == sorted(
        [
            f"The dataset 'wrong' {of} (it returned int, not a FewShotDataset): {mend}",
            f"The method 'constraint_slp' {of} (Another method is called 'constraint_slp': take "
            f"another name.): {mend}",
            f"The method 'absent' {of} (ModuleNotFoundError: No module named 'no_such_module'): "
            f"{mend}",
            f"The encoder 'nothing' {of} (it gave (0,) for 2 texts, not finite (n, d)): {mend}",
            f"The method 'never' {of} (RuntimeError: no licence): {mend}",
        ]
    )


@pytest.mark.parametrize(
    ("kind", "name", "part", "why"),
    [
        ("lines", "a", len, "kind 'lines' is not one of method, encoder, dataset."),
        (
            "encoder",
            "A b",
            len,
            "'A b' cannot name a part: take small letters, digits, '-' and '_'.",
        ),
        ("encoder", "minilm-l4", len, "Another encoder is called 'minilm-l4': take another name."),
        ("method", "mine", len, "A method is a class of classifiers, not <built-in function len>."),
        ("method", "mine", dict, "dict has no fit, predict and predict_proba."),
        ("dataset", "mine", 3, "A part is a class or a function, not 3."),
    ],
)
def test_what_cannot_be_registered_is_refused(kind, name, part, why):
    with pytest.raises(slp.SLPError) as refused:
        slp.register(kind, name, part)
    assert str(refused.value).startswith(why)
