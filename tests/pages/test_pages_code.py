"""The code for a page computes the numbers that the page shows, in a process of its own."""

import json
import subprocess
import sys
from dataclasses import replace

import numpy as np
import pytest
from driving import fitted

import slp_core as slp
from pages.compare.systems import code as compare_code
from pages.compare.systems import vector_systems
from pages.encoders.data import code as encoders_code
from pages.ensemble.data import code as ensemble_code
from pages.explore.code import code as explore_code
from pages.session.code import script
from pages.session.methods import VARIANTS
from pages.session.workspace import View, Workspace, bundled_dataset, encoder
from pages.soft_labels.code import code as soft_labels_code
from pages.train.downloads import code as train_code
from slp_core.diagnostics.ensemble import ensemble_diagnostics
from slp_core.explain import read_causes
from slp_core.explain.soft_labels import read_soft_labels, soft_label_array
from slp_core.methods.table import METHODS
from slp_core.methods.training import train
from slp_core.views import decision_landscape

RUN = """
import contextlib, io, json, sys
found = {}
for page, script in json.load(sys.stdin).items():
    names = {"__name__": page, "__file__": __file__}
    with contextlib.redirect_stdout(io.StringIO()):
        exec(compile(script, page, "exec"), names)
    found[page] = {k: getattr(v, "item", lambda v=v: v)() for k, v in names["numbers"].items()}
print(json.dumps(found))
"""


def workspace(name="airline", method="constraint_slp", shots=16, draw=1, **options):
    data, table = bundled_dataset(name), METHODS[method]
    made = encoder(data.default_encoder, None)
    options = dict(table.fixed) | options
    return Workspace(data, made, data.default_encoder, shots, draw, table.base, options)


HERE = workspace(method="constraint_slp_along_line")
_SHOTS = HERE.episode.support.tolist()
_EDITED = HERE.episode.edited(_SHOTS[:2], HERE.episode.query[:1], {_SHOTS[-1]: "negative"})
EDITED = replace(HERE, edits=_EDITED.edits)
DEEP = workspace("iris", "deep_slp", shots=4)
ALONE = workspace("breast_cancer", shots=4)  # two classes: a member alone is sure, right or wrong
AFTER = HERE.through("metaslp-reptile-minilm-l4")
ROW = 20


def explain_code():
    """Of a page that has a filter; what the visitor set is in the session."""
    from streamlit.testing.v1 import AppTest

    def run():
        from types import SimpleNamespace

        import streamlit as st
        from test_pages_code import HERE, ROW

        from pages.explain.example import code
        from pages.session import settings

        settings.ERROR_CLASS.set("positive")
        settings.ERROR_MARGIN.set(0.02)
        st.code(code(HERE, SimpleNamespace(row=ROW)))

    app = AppTest.from_function(run, default_timeout=240).run()
    assert not app.exception
    return app.code[0].value


@pytest.fixture(scope="module")
def numbers(tmp_path_factory):
    """What every page's script finds, run one after another in one process."""
    systems = vector_systems(HERE, [METHODS["nearest_centroid"], METHODS["deep_slp"]], [])
    scripts = {
        "Explore": explore_code(HERE, View("pca", "surface"), ROW),
        "Explore, numbers": explore_code(DEEP, View("decision_plane"), 3),
        "edited": explore_code(EDITED, View("pca"), ROW),
        "Train": train_code(replace(DEEP, options=dict(DEEP.options) | {"epochs": 5})),
        "Explain": explain_code(),
        "Soft labels": soft_labels_code(HERE, HERE.with_method(METHODS["deep_slp"])),
        "Ensemble": ensemble_code(DEEP, "distance"),
        "Ensemble, sure": ensemble_code(ALONE, "none"),
        "Compare": compare_code(HERE, systems),
        "Encoders": encoders_code(HERE, HERE, AFTER),
        "any": script(workspace("toy_dimensions", "nearest_centroid"), "Another"),
    }
    file = tmp_path_factory.mktemp("code") / "run.py"
    file.write_text(RUN)
    done = subprocess.run(
        [sys.executable, str(file)], input=json.dumps(scripts), cwd="/",
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert not done.returncode, done.stderr
    assert "Warning" not in done.stderr
    for each in scripts.values():
        assert "import slp_core as slp" in each
        assert "from slp_core" not in each  # the public surface alone
    return json.loads(done.stdout)


def accuracies(table, method):
    """Over the draws, fitted without a page."""
    name = table.dataset.name
    return [
        fitted(METHODS[method].make(), name, table.shots, draw).predictions("").accuracy
        for draw in table.draws
    ]


@pytest.mark.parametrize(("shots", "said"), [(1, "1 shot"), (4, "4 shots")])
def test_code_says_of_how_many_shots_it_is(shots, said):
    assert f"iris, numeric, {said} per class, support set 1." in script(
        workspace("iris", shots=shots), ""
    )


def test_every_page_has_the_accuracy_of_its_status_bar(numbers):
    assert EDITED.predictions.accuracy != HERE.predictions.accuracy
    tables = {"Explore": HERE, "Explain": HERE, "Soft labels": HERE, "Compare": HERE}
    others = {"edited": EDITED, "Encoders": HERE, "Ensemble": DEEP}
    for page, table in (tables | others).items():
        assert numbers[page]["accuracy"] == table.predictions.accuracy, page
        assert numbers[page]["query examples"] == len(table.predictions.true)
    trained = workspace("iris", "deep_slp", shots=4, epochs=5)
    assert numbers["Train"]["accuracy"] == trained.predictions.accuracy


def test_explore(numbers):
    for page, table, view, row in (
        ("Explore", HERE, View("pca", "surface"), ROW),
        ("Explore, numbers", DEEP, View("decision_plane"), 3),
    ):
        found, name = numbers[page], "constraint_slp_along_line" if table is HERE else "deep_slp"
        right = accuracies(table, name)
        assert found["mean over support sets"] == pytest.approx(np.mean(right))
        assert found["SD over support sets"] == pytest.approx(np.std(right))
        counts = np.bincount(table.predictions.predicted, minlength=3)
        assert [found[f"predicted {c}"] for c in table.dataset.classes] == counts.tolist()
        reading = table.reading(row)
        assert found[f"example {row} is predicted"] == table.dataset.classes[reading.predicted]
        projection = slp.fit_projection(table.X, view.method, table.model)
        landscape = decision_landscape(table.model, projection, grid=200, inverse=view.inverse)
        shown = found["fidelity at the projected examples"]
        assert shown == pytest.approx(landscape.fidelity)


def test_train_says_what_the_headline_and_the_curves_do(numbers):
    found, options = numbers["Train"], dict(DEEP.options) | {"epochs": 5}
    run = train(METHODS["deep_slp"].make(**options), *DEEP.arrays)
    assert found["epochs"] == 5
    for name in ("nearest_centroid", "logistic_regression"):
        accuracy = DEEP.with_method(METHODS[name]).predictions.accuracy
        assert found[f"accuracy of {name.replace('_', ' ')}"] == accuracy
    assert found["accuracy"] == run.curves["query"].iloc[-1]
    assert found["loss"] == pytest.approx(run.curves["loss"].iloc[-1])


def test_explain(numbers):
    found, episode = numbers["Explain"], HERE.episode
    causes = read_causes(HERE.model, HERE.X[episode.query], episode.y_query, HERE.centroids)
    assert found["errors"] == int(causes.wrong.sum())
    for kind, n in causes.counts.items():
        assert found.get(f"errors by {kind}", 0) == n
    positive = HERE.dataset.classes.index("positive")
    shown = causes.where(None, positive, None, 0.02) & causes.wrong
    assert found["errors that the filter keeps"] == int(shown.sum()) > 0
    reading = HERE.reading(ROW)
    assert found["its line, counted from 1"] == reading.line + 1
    assert (found["its w"], found["its t"]) == pytest.approx((reading.w, reading.t))


def test_soft_labels_and_ensemble(numbers):
    found, other = numbers["Soft labels"], HERE.with_method(METHODS["deep_slp"])
    np.testing.assert_allclose(found["soft labels"], HERE.model.soft_labels_, atol=1e-4)
    assert found["accuracy of the other"] == other.predictions.accuracy
    episode = other.episode
    read = read_soft_labels(other.model, "", other.X[episode.query])
    np.testing.assert_allclose(found["the other's"], soft_label_array(read), atol=1e-4)
    episode, names = DEEP.episode, np.array(DEEP.dataset.classes)
    X, y = DEEP.X[episode.query], names[episode.y_query]
    read = ensemble_diagnostics(DEEP.model, X, y, "distance")
    found = numbers["Ensemble"]
    assert found["NLL together"] == pytest.approx(read.nll[read.comparable].mean())
    assert found["JSD of A and B"] == pytest.approx(read.jsd.mean())
    assert found["entropy together"] == pytest.approx(read.entropy.mean())
    X, y = ALONE.X[ALONE.episode.query], ALONE.episode.y_query
    read = ensemble_diagnostics(ALONE.model, X, np.array(ALONE.dataset.classes)[y])
    found = numbers["Ensemble, sure"]
    assert found["examples with finite NLL"] == 0
    assert found["NLL together"] == pytest.approx(read.nll.mean())
    assert "NLL of A and B" not in found  # it is infinite
    accuracies = [(ALONE.model.soft_labels_[0, side].argmax() == y).mean() for side in (0, 1)]
    assert found["accuracy of A and B"] == pytest.approx(accuracies)


def test_compare_and_encoders(numbers):
    for title in ("Nearest centroid", "DeepSLP"):
        right = accuracies(HERE, VARIANTS[title].name)
        assert numbers["Compare"][f"{title}: mean"] == pytest.approx(np.mean(right))
        assert numbers["Compare"][f"{title}: SD"] == pytest.approx(np.std(right))
    for when, table in (("before", HERE), ("after", AFTER)):
        nearest = table.with_method(METHODS["nearest_centroid"]).predictions.accuracy
        assert numbers["Encoders"][f"accuracy of nearest centroid, {when}"] == nearest
