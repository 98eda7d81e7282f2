"""The paper's two small examples, number by number."""

import numpy as np
import pytest

from slp_core.explain.worked_example import counter_example, worked_example


def test_the_papers_toy_is_worked_number_by_number():
    example = worked_example()
    steps = {step.name: step for step in example.steps}
    # By hand: the programme's optimum for 0, 1.5 and 3, and x = (1.5, 0.8).
    away = np.hypot(1.5, 0.8)
    left, right = np.array([4, 3, 0]) / 7, np.array([0, 3, 4]) / 7
    scores = (left + right) / away
    np.testing.assert_allclose(example.way.reading.influence, scores, rtol=1e-9)
    assert steps["class scores"].computed == ", ".join(f"{one:.3f}" for one in scores)
    assert steps["distances from A and B"].computed == f"{away:.3f}, {away:.3f}"
    assert steps["weight w of A"].computed == "0.500"
    by_paper = np.array([0.6 + 0, 0.4 + 0.4, 0 + 0.6]) / 1.5
    given = steps["class scores with the paper's soft labels and distances"]
    assert given.computed == ", ".join(f"{one:.3f}" for one in by_paper)
    assert given.printed == "0.40, 0.53, 0.40"
    assert steps["prediction"].computed == steps["prediction"].printed == "green"
    unlike = {"class scores", "soft label of A", "soft label of B", "distances from A and B"}
    assert {name for name, step in steps.items() if step.why} == unlike
    assert all(steps[name].computed != steps[name].printed for name in unlike)


def test_the_papers_counter_example_is_worked_number_by_number():
    turn, steps = counter_example()
    computed = {step.name: step.computed for step in steps}
    printed = {step.name: step.printed for step in steps if step.printed}
    for end in "AC":
        name = f"soft label at {end}, none below 0.0001"
        assert computed[name] == printed[name]  # to every digit
    # tan θ = w / (1 − w) with w = 7/10. The paper prints 66.84° beside distances, cut to three
    # decimals, that belong to this angle: at 66.84° they would be 9.833 and 14.341.
    assert turn.angle == pytest.approx(np.degrees(np.arctan(0.7 / 0.3)), abs=5e-3)
    np.testing.assert_allclose([turn.to_left, turn.to_right], [9.8475, 14.3385], atol=6e-4)
    assert computed["prediction 0.01 further along"] == "B"
    (why,) = (step.why for step in steps if step.name.startswith("θ"))
    assert "9.833" in why
    assert "14.341" in why
