"""The library's displays show what the classifier says, and the notebook shows the displays."""

import json
import subprocess
import sys

import numpy as np
import pandas as pd
import pytest

import slp_core as slp
from tools.execute_notebook import NOTEBOOK, executed

RNG = np.random.default_rng(0)
Y = np.arange(60) % 4
X = RNG.normal(size=(4, 6))[Y] + RNG.normal(size=(60, 6))
NAMES = np.array(["ash", "birch", "cedar", "elm"])[Y]
METHODS = (
    slp.ConstraintSLPClassifier(),
    slp.DeepSLPClassifier(),
    slp.NearestCentroidClassifier(),
    slp.OneNearestNeighbourClassifier(),
)


@pytest.mark.parametrize("method", METHODS, ids=lambda method: type(method).__name__)
def test_displays_of_a_classifier(method):
    table = pd.DataFrame(X, columns=list("abcdef"))
    model = method.fit(table[:16], NAMES[:16])
    query, true = table[16:], NAMES[16:]
    predicted = model.predict(query)
    landscape = slp.DecisionLandscapeDisplay.from_estimator(model, query, true, grid=30)
    rows = landscape.table().query("mark == 'query'")
    assert rows["predicted"].tolist() == predicted.tolist()
    assert f"misclassified: {(predicted != true).sum()}." in landscape.sentence()
    assert landscape.plot("dark").data
    if hasattr(model, "centroids_"):
        causes = slp.ErrorCausesDisplay.from_estimator(model, query, true)
        assert causes.table()["errors"].sum() == (predicted != true).sum() > 0
        soft = slp.SoftLabelDisplay.from_estimator(model, query)
        assert soft.table()["weight"].between(0, 1).all()
        strip = slp.WStripDisplay.from_estimator(model, query, true, line=0)
        assert len(strip.table()) == (model.place(query).line == 0).sum()
        assert all(display.plot().data for display in (causes, soft, strip))
    else:
        for display in (slp.WStripDisplay, slp.SoftLabelDisplay):
            with pytest.raises(slp.SLPError, match="has no"):
                display.from_estimator(model, query, true)
    shots = slp.ShotInfluenceDisplay.from_estimator(method, table[:16], NAMES[:16], query, true)
    expected = slp.shot_influence(method, table[:16], NAMES[:16], query, true)
    np.testing.assert_allclose(shots.plot().data[0].x, 100 * expected["influence"], rtol=1e-6)
    assert "of 16; " in shots.sentence()


def test_what_cannot_be_shown_is_one_sentence():
    model = slp.DeepSLPClassifier().fit(X[:16], NAMES[:16])
    with pytest.raises(slp.SLPError, match=r"^There is no line 7: the method has \d, from 0\.$"):
        slp.WStripDisplay.from_estimator(model, X, NAMES, line=7)
    with pytest.raises(slp.SLPError, match=r"depend on the example: give X\.$"):
        slp.SoftLabelDisplay.from_estimator(model)
    with pytest.raises(slp.SLPError, match="theme 'blue' is not one of light, dark"):
        slp.SoftLabelDisplay.from_estimator(model, X).plot("blue")


def test_displays_need_no_streamlit():
    code = (
        "import sys; sys.modules['streamlit'] = None; import slp_core as slp; "
        "assert 'plotly' not in sys.modules; slp.WStripDisplay"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


def test_the_notebook_shows_what_its_code_gives():
    stored = json.loads(NOTEBOOK.read_text(encoding="utf-8"))
    again = executed(json.loads(json.dumps(stored)))
    for before, now in zip(stored["cells"], again["cells"], strict=True):
        for one, other in zip(before.get("outputs", []), now.get("outputs", []), strict=True):
            kinds = [each.get("data", {"text": each.get("text")}) for each in (one, other)]
            assert kinds[0].keys() == kinds[1].keys()
            if "application/vnd.plotly.v1+json" not in kinds[0]:
                assert kinds[0] == kinds[1]
