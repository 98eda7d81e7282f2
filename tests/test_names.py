"""Names that are imported on first use: all there, typed, and quick to offer."""

import ast
import doctest
import importlib
import re
import subprocess
import sys
from pathlib import Path

import pytest

PACKAGES = ("slp_core",)


@pytest.mark.parametrize("package", PACKAGES)
def test_every_offered_name_is_there_and_in_the_stubs_own_list(package):
    module = importlib.import_module(package)
    stub = Path(module.__file__).with_suffix(".pyi").read_text()
    (exported,) = (n for n in ast.parse(stub).body if isinstance(n, ast.Assign))
    assert module.__all__ == dir(module) == sorted(ast.literal_eval(exported.value))
    for name in module.__all__:
        assert getattr(module, name).__name__.removeprefix(f"{package}.") == name
    with pytest.raises(AttributeError, match="nonsense"):
        _ = module.nonsense


def test_importing_the_package_imports_nothing_of_it_yet():
    script = "import sys, slp_core; print(*sorted(sys.modules))"
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True
    )
    loaded = done.stdout.split()
    assert [name for name in loaded if name.startswith("slp_core")] == list(PACKAGES)
    assert not {"numpy", "sklearn", "torch"} & set(loaded)


def test_a_users_typed_script_has_every_public_name():
    script = Path(__file__).with_name("typed_script.py").read_text(encoding="utf-8")
    correct, _ = script.split("# What is misspelt")
    public = importlib.import_module("slp_core")
    assert set(re.findall(r"\bslp\.(\w+)", correct)) == set(public.__all__)
    layers = {name for name, each in vars(public.nn).items() if not name.startswith("_")
              and getattr(each, "__module__", "") == public.nn.__name__}  # fmt: skip
    assert set(re.findall(r"\bslp\.nn\.(\w+)", correct)) == layers


def test_every_public_name_has_an_example_that_runs(monkeypatch):
    registry = importlib.import_module("slp_core.encoders.registry")
    monkeypatch.setattr(registry, "_ENTRIES", dict(registry._ENTRIES))  # one registers an encoder
    public = importlib.import_module("slp_core")
    objects = {name: getattr(public, name) for name in public.__all__ if name != "nn"}
    objects["SoftLabelPrototypes"] = public.nn.SoftLabelPrototypes
    parser, runner = doctest.DocTestParser(), doctest.DocTestRunner(verbose=False)
    for name, each in objects.items():
        example = parser.get_doctest(each.__doc__, {}, name, None, None)
        assert example.examples, name
        runner.run(example)
    assert runner.failures == 0
