"""Imports on a server's threads find their modules, whatever pages begin and end meanwhile."""

import json
import subprocess
import sys

import pytest

from slp_core.resources import resource

CODE = """
import json, sys, threading
from importlib.machinery import PathFinder
sys.path.insert(0, sys.argv[1])  # as `streamlit run` does
from streamlit import config
from streamlit.runtime.scriptrunner.exec_code import modified_sys_path
config._main_script_path = sys.argv[1] + "/app.py"
from app import app
runs = modified_sys_path(str(app._resolve_script_path()))
over = threading.Event()
def pages():
    while not over.is_set():
        with runs:
            pass
thread = threading.Thread(target=pages)
sys.setswitchinterval(1e-6)
thread.start()
missed = sum(PathFinder.find_spec("torch") is None for _ in range(1000))
over.set()
thread.join()
print(json.dumps(missed))
"""


@pytest.mark.parametrize("linked", [False, True])
def test_an_import_finds_its_module_while_pages_begin_and_end(tmp_path, linked):
    folder = resource("app.py").parent
    if linked:
        (tmp_path / "link").symlink_to(folder)
        folder = tmp_path / "link"
    told = subprocess.run(
        [sys.executable, "-c", CODE, str(folder)],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    assert json.loads(told) == 0
