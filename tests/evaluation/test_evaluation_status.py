"""The line that says what is shown and how accurate it is."""

import numpy as np
import pandas as pd
import pytest

from slp_core.evaluation.status import accuracy_text, correct_text, settings_texts, spread_text


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            settings_texts("Airline *tweets*", "MiniLM, layer 4", 16, "constraintSLP"),
            (
                "**Airline \\*tweets\\***",
                "MiniLM, layer 4",
                "16 [shots](#word-shots) · **constraintSLP**",
            ),
        ),
        (
            settings_texts("Iris", "none", 1, "1-NN"),
            ("**Iris**", "none", "1 [shot](#word-shots) · **1-NN**"),
        ),
        (accuracy_text(np.array([0, 1, 2]), np.array([0, 1, 1])), "accuracy **66.7%**"),
        (accuracy_text(np.array([]), np.array([])), "no query set"),
        (correct_text(np.array([0, 1, 2]), np.array([0, 1, 1])), "Correct: 2 of 3 query examples."),
        (correct_text(np.array([0]), np.array([1])), "Correct: 0 of 1 query example."),
        (
            spread_text(pd.Series([0.25, 0.75])),
            "all 2: 50.0 [± 25.0](#word-standard-deviation)",
        ),
        (spread_text(pd.Series([0.25], [4])), "no other of this size"),
    ],
)
def test_texts(text, expected):
    assert text == expected
