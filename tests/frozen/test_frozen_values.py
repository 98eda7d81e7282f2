"""The library's results on its own data have not changed: see frozen_values.py."""

import sys
from pathlib import Path

import numpy as np
import pytest

sys.path.insert(0, str(Path(__file__).parent))
import frozen_values

import slp_core as slp

with np.load(frozen_values.FILE) as stored:
    STORED = dict(stored)
CLOSE = 1e-5  # another processor sums in another order, and a fit by steps ends a little elsewhere


@pytest.mark.parametrize("name", [info.name for info in slp.list_datasets()])
def test_predictions_and_numbers_are_as_they_were(name):
    found = {f"{name} {what}": value for what, value in frozen_values.values(name).items()}
    assert found.keys() == {what for what in STORED if what.startswith(f"{name} ")}
    for what, value in found.items():
        was = STORED[what]
        if np.issubdtype(was.dtype, np.integer):
            np.testing.assert_array_equal(value, was, err_msg=what)
        else:
            np.testing.assert_allclose(value, was, rtol=CLOSE, atol=CLOSE, err_msg=what)
