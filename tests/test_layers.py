"""Imports run one way, and a first picture needs nothing heavy."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
# What a package may import of slp_core, beside itself and the errors.
ALLOWED = {
    "data": set(),
    "encoders": {"data"},
    "lines": set(),
    "methods": {"data", "encoders", "lines"},
    "meta": {"data", "encoders", "lines", "methods"},
    "explain": {"lines", "methods"},
    "diagnostics": {"lines", "methods"},
    "views": {"lines", "methods"},
    "evaluation": {"data", "encoders", "lines", "methods", "meta"},
    "figures": {"lines", "methods", "meta", "explain", "diagnostics", "views", "evaluation"},
}
COMMON = {"errors", "markdown"}


def imports(file):
    for node in ast.walk(ast.parse(file.read_text())):
        if isinstance(node, ast.ImportFrom) and node.module and node.level == 0:
            yield node.module
        elif isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)


@pytest.mark.parametrize("package", sorted(ALLOWED))
def test_layers_import_downwards_only(package):
    for file in (ROOT / "slp_core" / package).rglob("*.py"):
        for module in imports(file):
            top, _, rest = module.partition(".")
            assert top not in ("streamlit", "pages"), f"{file.name} imports {module}"
            part = rest.split(".")[0]
            if top == "slp_core" and part:
                allowed = ALLOWED[package] | COMMON | {package}
                assert part in allowed, f"{package}/{file.name} imports {module}"


def test_pages_hold_no_mathematics():
    for file in (ROOT / "pages").glob("*.py"):
        heavy = {"numpy", "scipy", "sklearn", "torch"} & {m.split(".")[0] for m in imports(file)}
        assert not heavy, f"{file.name} imports {heavy}"


def test_the_first_picture_needs_neither_torch_nor_transformers_nor_umap():
    script = (
        "import sys; from streamlit.testing.v1 import AppTest; "
        f"app = AppTest.from_file({str(ROOT / 'app.py')!r}, default_timeout=60).run(); "
        "assert not app.exception; "
        "heavy = {'torch', 'transformers', 'umap', 'numba'} & set(sys.modules); "
        "sys.exit(f'imported {heavy}' if heavy else 0)"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr[-2000:]
