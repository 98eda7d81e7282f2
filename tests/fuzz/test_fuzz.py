"""A short run of each fuzz target; ``python tests/fuzz all`` has the long one."""

import warnings

import pytest
from fuzz_targets import TARGETS, run
from mutation import mutants

SHORT = {"xlsx": 40, "checkpoint": 60, "parquet": 100, "leopard": 100}


@pytest.mark.parametrize("name", TARGETS)
def test_only_our_errors_come_out(name):
    target = TARGETS[name]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        read = [run(target, data) for data in mutants(target.seeds(), SHORT.get(name, 150))]
    assert any(read)  # the good ones
    assert not all(read) or name == "address"  # of which nothing is refused, but left out
