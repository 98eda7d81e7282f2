"""Code that people on Windows run needs nothing that only POSIX has; simulated, on any system."""

import ast
import os
import subprocess
import sys
from pathlib import Path

from slp_core import launch

ROOT = Path(__file__).resolve().parents[1]
FILES = [ROOT / "app.py", *(f for top in ("slp_core", "pages") for f in (ROOT / top).rglob("*.py"))]
MODULES = {"resource", "fcntl", "grp", "pwd", "termios", "tty", "pty", "syslog", "readline"}
ABSENT = {
    "os": {
        "fork", "forkpty", "nice", "sysconf", "getuid", "geteuid", "getgid", "setsid", "killpg",
        "getpgid", "getloadavg", "sched_getaffinity", "mkfifo", "chown", "chroot", "uname",
        "posix_spawn", "wait3", "wait4", "WNOHANG", "statvfs",
    },
    "signal": {"SIGKILL", "SIGXCPU", "SIGALRM", "SIGHUP", "SIGUSR1", "SIGUSR2", "alarm", "pause"},
}  # fmt: skip
# Asked for only where it is there: by hasattr, or after a file of Linux was opened
GUARDED = {("process.py", "nice"), ("process.py", "sysconf")}
# What a process sees of such a system; of `signal` and `fcntl` Python's own parts need some here.
AS_ON_WINDOWS = """
import builtins, os, signal, sys, warnings

sys.modules.update(dict.fromkeys(("resource", "grp", "pwd", "termios"), None))
for module, names in ((os, ("fork", "forkpty", "nice", "sysconf", "getuid", "sched_getaffinity")),
                      (signal, ("SIGXCPU", "SIGALRM", "SIGHUP", "SIGUSR1", "SIGUSR2"))):
    for name in names:
        delattr(module, name)
opened = builtins.open

def open_without_proc(file, *args, **options):
    if str(file).startswith("/proc/"):
        raise FileNotFoundError(file)
    return opened(file, *args, **options)

builtins.open = open_without_proc
# What a file is read in there is not UTF-8 unless the code says so.
warnings.filterwarnings("error", category=EncodingWarning, module="(slp_core|pages)[.]")
"""
LOOK = """
import io
from pathlib import Path
from streamlit.testing.v1 import AppTest
import slp_core as slp
from slp_core.data.parsing import read_apart
from slp_core.data.read import read_dataset
from slp_core.views.layouts import run_in_process

if __name__ == "__main__":  # as a process that imports its parent's script needs it
    rows = ["text,label", *(f"word {i},{'ab'[i % 2]}" for i in range(20))]
    table = io.BytesIO("\\n".join(rows).encode())
    assert len(read_apart(read_dataset, table, name="a.csv", filename="a.csv")) == 20
    assert run_in_process(abs, -1) == 1
    dataset = slp.load_dataset("airline")
    print(dataset.card.splitlines()[0])
    app = AppTest.from_file(Path("pages/shell/main.py").resolve(), default_timeout=240).run()
    assert not app.exception, app.exception
"""


def test_what_only_posix_has_is_asked_for_where_it_may_be_missing():
    found = set()
    for file in FILES:
        tree = ast.parse(file.read_text(encoding="utf-8"))
        tried = {
            inner for node in ast.walk(tree) if isinstance(node, ast.Try) for inner in node.body
        }
        for node in ast.walk(tree):
            if isinstance(node, ast.Import) and node not in tried:
                found |= {(file.name, each.name) for each in node.names if each.name in MODULES}
            elif isinstance(node, ast.ImportFrom):
                found |= {(file.name, node.module)} if node.module in MODULES else set()
            elif (
                isinstance(node, ast.Attribute)
                and isinstance(node.value, ast.Name)
                and node.attr in ABSENT.get(node.value.id, ())
            ):
                found.add((file.name, node.attr))
    assert found == GUARDED


def test_app_reading_and_projections_run_without_it(tmp_path):
    (tmp_path / "sitecustomize.py").write_text(AS_ON_WINDOWS, encoding="utf-8")
    script = tmp_path / "look.py"
    script.write_text(LOOK, encoding="utf-8")
    done = subprocess.run(
        [sys.executable, script], cwd=ROOT, capture_output=True, text=True, timeout=600,
        env=os.environ | {
            "PYTHONPATH": os.pathsep.join([str(tmp_path), str(ROOT)]), "PYTHONIOENCODING": "cp1252",
            "PYTHONWARNDEFAULTENCODING": "1", "SLP_CACHE_DIR": str(tmp_path / "cache"),
        },
    )  # fmt: skip
    assert done.returncode == 0, done.stderr[-3000:]


def test_the_command_line_writes_what_an_older_encoding_has():
    listed = [["datasets"], ["encoders"], ["methods"], ["--help"]]
    code = f"from slp_core.cli import main\nfor each in {listed}: main(each)"
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, timeout=240,
        env=os.environ | {"PYTHONIOENCODING": "cp1252"},
    )  # fmt: skip
    assert done.returncode == 0, done.stderr[-3000:]


def test_the_app_is_a_child_where_no_process_takes_anothers_place(monkeypatch):
    started = []
    monkeypatch.setattr(launch, "find_spec", lambda name: name)
    monkeypatch.setattr(launch.os, "name", "nt")
    monkeypatch.setattr(launch.subprocess, "call", lambda command: started.append(command) or 3)
    monkeypatch.setattr(launch, "resource", lambda name: ROOT / name)
    assert launch.main(["--port", "9"]) == 3
    assert started[0][4:7] == [str(ROOT / "app.py"), "--server.port", "9"]

    def interrupted(command):
        raise KeyboardInterrupt

    monkeypatch.setattr(launch.subprocess, "call", interrupted)
    assert launch.main([]) == 130  # Ctrl+C, without a traceback
