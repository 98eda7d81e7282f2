"""Every fact of every sentence holds, checked by brute force on random cases."""

import ast
import importlib
import os
from pathlib import Path

import pytest
from facts_book import CHECKS, check_case
from facts_cases import random_case

HERE, ROOT = Path(__file__).parent, Path(__file__).parents[2]
for file in sorted(HERE.glob("checks_*.py")):
    importlib.import_module(file.stem)

# FACT_CASES=50000 looks at more than every run of the tests does.
CASES, PARTS = int(os.environ.get("FACT_CASES", "1000")), 8


@pytest.mark.parametrize("part", range(PARTS))
def test_all_that_is_said_of_random_cases_is_true(part):
    seen = set()
    for seed in range(part, CASES, PARTS):
        case = random_case(seed)
        try:
            seen |= check_case(case)
        except Exception as error:
            raise AssertionError(f"{case}\n{error}") from error
    assert seen


def kinds_in_the_source():
    """(kind, where) of every fact that the library or a page states."""
    for file in sorted(
        file for top in ("slp_core", "pages") for file in (ROOT / top).rglob("*.py")
    ):
        for node in ast.walk(ast.parse(file.read_text())):
            named = isinstance(node, ast.Call) and isinstance(node.func, ast.Name)
            if named and node.func.id == "fact":
                where = f"{file.relative_to(ROOT)}:{node.lineno}"
                kind = node.args[0]
                assert isinstance(kind, ast.Constant), f"{where}: a kind is written out"
                computed = [n for a in node.args[1:] for n in ast.walk(a)]
                assert not any(isinstance(n, ast.JoinedStr) for n in computed), (
                    f"{where}: a template is no f-string"
                )
                yield kind.value, where


def test_every_kind_of_fact_has_its_check_and_every_check_its_fact():
    stated = dict(kinds_in_the_source())
    assert set(stated) == set(CHECKS)
