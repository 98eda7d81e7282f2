"""The paper's two small examples, number by number."""

import numpy as np
import pytest

from slp_core import ConstraintSLPClassifier
from slp_core.explain.worked_example import PRINTED, WHY, counter_example, worked_example


def test_the_papers_toy_is_worked_number_by_number():
    reading, table = worked_example()
    table = table.set_index("quantity")
    computed, printed = table["computed here"], table[PRINTED]
    # By hand: the programme's optimum for 0, 1.5 and 3, and x = (1.5, 0.8).
    away = np.hypot(1.5, 0.8)
    left, right = np.array([4, 3, 0]) / 7, np.array([0, 3, 4]) / 7
    scores = (left + right) / away
    np.testing.assert_allclose(reading.influence, scores, rtol=1e-9)
    assert computed["class scores"] == ", ".join(f"{one:.3f}" for one in scores)
    assert computed["distances from A and B"] == f"{away:.3f}, {away:.3f}"
    assert computed["weight w of A"] == "0.500"
    by_paper = np.array([0.6 + 0, 0.4 + 0.4, 0 + 0.6]) / 1.5
    given = "class scores with the paper's soft labels and distances"
    assert computed[given] == ", ".join(f"{one:.3f}" for one in by_paper)
    assert printed[given] == "0.40, 0.53, 0.40"
    assert printed["weight w of A"] == "–"
    assert computed["prediction"] == printed["prediction"] == "green"
    unlike = {"class scores", "soft label of A", "soft label of B", "distances from A and B"}
    assert set(table.index[table[WHY] != ""]) == unlike
    assert all(computed[name] != printed[name] for name in unlike)


def test_the_papers_counter_example_is_worked_number_by_number():
    table = counter_example().set_index("quantity")
    computed, printed = table["computed here"], table[PRINTED]
    for end in "AC":
        name = f"soft label at {end}, none below 0.0001"
        assert computed[name] == printed[name]  # to every digit
    # tan θ = w / (1 − w) with w = 7/10. The paper prints 66.84° beside distances, cut to three
    # decimals, that belong to this angle: at 66.84° they would be 9.833 and 14.341.
    angle = float(computed["θ at which A and B tie"].removesuffix("°"))
    assert angle == pytest.approx(np.degrees(np.arctan(0.7 / 0.3)), abs=5e-3)
    away = [float(computed[f"distance from {end}"]) for end in "AB"]
    np.testing.assert_allclose(away, [9.8475, 14.3385], atol=6e-4)
    assert computed["prediction 0.01 further along"] == "B"
    assert "9.833 and 14.341" in table[WHY]["θ at which A and B tie"]
    # At that angle the two tie, and the prototypes are seen from there at a right angle.
    X = np.array([[-10.0, 0], [5, 0], [15, 0]])
    model = ConstraintSLPClassifier(floor=1e-4).fit(X, ["A", "B", "C"])
    at = np.radians(angle)
    place = X[0] + 25 * np.cos(at) * np.array([np.cos(at), np.sin(at)])
    influence = model.influence(place[None])[0]
    assert influence[0] == pytest.approx(influence[1], rel=1e-3)
    assert (X[0] - place) @ (X[2] - place) == pytest.approx(0, abs=1e-9)
