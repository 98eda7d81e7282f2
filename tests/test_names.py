"""Names that are imported on first use: all there, typed, and quick to offer."""

import ast
import importlib
import subprocess
import sys
from pathlib import Path

import pytest

PACKAGES = ("slp_core", "slp_core.methods")


@pytest.mark.parametrize("package", PACKAGES)
def test_every_offered_name_is_there_and_in_the_stubs_own_list(package):
    module = importlib.import_module(package)
    stub = Path(module.__file__).with_suffix(".pyi").read_text()
    (exported,) = (n for n in ast.parse(stub).body if isinstance(n, ast.Assign))
    assert module.__all__ == dir(module) == sorted(ast.literal_eval(exported.value))
    for name in module.__all__:
        assert getattr(module, name).__name__ == name
    with pytest.raises(AttributeError, match="nonsense"):
        _ = module.nonsense


def test_importing_the_package_imports_nothing_of_it_yet():
    script = "import sys, slp_core, slp_core.methods; print(*sorted(sys.modules))"
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True
    )
    loaded = done.stdout.split()
    assert [name for name in loaded if name.startswith("slp_core")] == list(PACKAGES)
    assert not {"numpy", "sklearn", "torch"} & set(loaded)


def test_a_type_checker_knows_the_names(tmp_path):
    from mypy import api

    script, settings = tmp_path / "script.py", tmp_path / "mypy.ini"
    script.write_text("import slp_core as slp\nreveal_type(slp.DeepSLPClassifier().fit)\n")
    # It reads our files alone: what the libraries under them are is seen where all is checked.
    settings.write_text(
        f"[mypy]\nfollow_imports = skip\ncache_dir = {tmp_path / 'cache'}\n"
        "[mypy-slp_core.*]\nfollow_imports = silent\n"
    )
    said, wrong, _ = api.run([str(script), f"--config-file={settings}"])
    assert "slp_core.methods.deep_slp.DeepSLPClassifier" in said, said + wrong
