"""The built wheel, installed outside the checkout: library, data, checkpoints, commands, app."""

import os
import socket
import subprocess
import sys
import time
import urllib.request
from pathlib import Path

import numpy as np
import pytest

from slp_core import launch, resources
from slp_core.errors import SLPError
from slp_core.views.layouts import umap_points

ROOT = Path(__file__).resolve().parents[1]
CHECKOUT_ONLY = (
    "metaslp-fomaml-minilm-l4",
    "metaslp-mean-minilm-l4",
    "protonet-minilm-l4",
    "protonet-sentiment-minilm-l4",
    "reptile-minilm-l4",
)
LEFT_OUT = {*CHECKOUT_ONLY, "leopard-minilm-l4"}  # of LEOPARD's the vectors
MOST_BYTES = 60_000_000
POLICY = "Content-Security-Policy"
LOOK = """
import sys
from pathlib import Path

import slp_core as slp
from streamlit.testing.v1 import AppTest

home = Path(sys.argv[1])
assert Path(slp.__file__).is_relative_to(home), slp.__file__
dataset = slp.load_dataset("airline")
assert slp.load_encoder("metaslp-reptile-minilm-l4").encode(dataset).shape == (len(dataset), 384)
try:
    slp.load_encoder("weighted-protonet-minilm-l4")
except slp.EncoderError as error:
    assert "'meta:'" in str(error) and "'checkpoints'" in str(error)
sys.path.insert(0, str(home / "slp_explorer"))  # as Streamlit does for a script's folder
app = AppTest.from_file(home / "slp_explorer/pages/shell/main.py", default_timeout=240).run()
assert not app.exception and app.main.children
"""


def run(*command, cwd, home):
    done = subprocess.run(
        [*map(str, command)], cwd=cwd, capture_output=True, text=True, timeout=600,
        env=os.environ | {"PYTHONPATH": str(home)},
    )  # fmt: skip
    assert done.returncode == 0, done.stderr[-3000:]
    return done.stdout


@pytest.fixture(scope="module")
def home(tmp_path_factory):
    """The wheel in a folder of its own, beside the dependencies that this Python has."""
    folder = tmp_path_factory.mktemp("wheel")
    pip = [sys.executable, "-m", "pip", "--quiet", "--disable-pip-version-check"]
    build = [*pip, "wheel", "--no-deps", "--no-build-isolation", "--wheel-dir", str(folder)]
    subprocess.run([*build, str(ROOT)], check=True, timeout=600)
    (wheel,) = folder.glob("*.whl")
    assert wheel.stat().st_size < MOST_BYTES
    target = folder / "installed"
    place = [*pip, "install", "--no-deps", "--no-index", "--no-compile", "--target", str(target)]
    subprocess.run([*place, str(wheel)], check=True, timeout=600)
    return target


def test_the_wheel_takes_two_names_and_brings_what_is_needed(home):
    folders = {path.name for path in home.iterdir() if not path.name.endswith(".dist-info")}
    assert folders == {"slp_core", "slp_explorer", "bin"}
    for name in ("app.py", "pages", "sample_data", "checkpoints", ".streamlit"):
        files = {f.relative_to(ROOT) for f in [ROOT / name, *(ROOT / name).rglob("*")]}
        kept = {f for f in files if "__pycache__" not in f.parts and (ROOT / f).is_file()}
        brought = {f for f in kept if (home / "slp_explorer" / f).is_file()}
        assert brought
        assert {f.parent.name for f in kept - brought} <= LEFT_OUT
    checkpoints = {path.name for path in (ROOT / "checkpoints").iterdir()}
    assert {
        f.name for f in (home / "slp_explorer/checkpoints").iterdir()
    } == checkpoints.difference(CHECKOUT_ONLY)


def test_it_works_from_any_folder(home, tmp_path):
    assert "reptile-minilm-l4" in run(home / "bin/slp", "encoders", cwd=tmp_path, home=home)
    run(sys.executable, "-c", LOOK, home, cwd=tmp_path, home=home)


def test_its_command_starts_the_app_with_its_own_headers_and_logs(home, tmp_path):
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        port = s.getsockname()[1]
    log = tmp_path / "log"
    server = subprocess.Popen(
        [home / "bin/slp-explorer", "--port", str(port), "--address=127.0.0.1",
         "--server.headless=true"],
        cwd=tmp_path, stdout=log.open("w"), stderr=subprocess.STDOUT,
        env=os.environ | {"PYTHONPATH": str(home), "SLP_LOG": "json"},
    )  # fmt: skip
    try:
        policy, begun = None, time.monotonic()
        while time.monotonic() < begun + 240:
            try:
                request = urllib.request.Request(
                    f"http://127.0.0.1:{port}/", headers={"Accept": "text/html"}
                )
                policy = urllib.request.urlopen(request, timeout=20).headers[POLICY]
                break
            except OSError:
                assert server.poll() is None
                time.sleep(0.2)
        assert "frame-ancestors" in policy  # our own middleware is served, not the script alone
        assert '"event": "started"' in log.read_text()
    finally:
        server.terminate()
        server.wait(60)


def test_short_options_are_written_out_and_all_others_passed_on():
    command = launch.command(["--port", "9", "--address=::1", "--theme.base=dark"])
    assert command[5:9] == ["--server.port", "9", "--server.address=::1", "--theme.base=dark"]
    assert Path(command[4]) == ROOT / "app.py"


def hosts(*options):
    return [each.partition("=")[2] for each in launch.command(options) if "allowedHosts" in each]


def test_it_answers_this_computer_and_the_address_that_it_was_told(monkeypatch):
    here = ["localhost", "127.0.0.1", "::1"]
    assert hosts() == hosts("--address=0.0.0.0") == hosts("--address", "::1") == here
    assert hosts("--address", "10.0.0.1") == hosts("--address=10.0.0.1") == [*here, "10.0.0.1"]
    assert hosts("--server.allowedHosts=slp.example.org") == ["slp.example.org"]
    monkeypatch.setenv("STREAMLIT_SERVER_ALLOWED_HOSTS", "slp.example.org")
    assert hosts() == []


@pytest.mark.parametrize("options", [["--address", "0.0.0.0"], ["--address=::"]])
def test_a_server_for_all_asks_nobody_for_its_own_address(options):
    assert "--browser.serverAddress=localhost" in launch.command(options)
    assert "--browser.serverAddress=localhost" not in launch.command(["--address=10.0.0.1"])


def test_what_is_missing_is_warned_of(monkeypatch, tmp_path):
    monkeypatch.setattr(resources, "_PACKAGES", tmp_path)
    with pytest.warns(UserWarning, match="checkpoints of SLP Explorer is missing in"):
        assert resources.resource("checkpoints") == tmp_path / "checkpoints"


def test_a_package_of_an_extra_is_named_with_the_command_that_installs_it(monkeypatch, capsys):
    monkeypatch.setitem(sys.modules, "umap", None)
    with pytest.raises(SLPError, match=r'umap-learn: pip install "slp-explorer\[app\]"'):
        umap_points(np.eye(20), np.eye(20)[:, :2], 0, 5, 0.1, "euclidean")
    monkeypatch.setattr(launch, "find_spec", lambda name: None)
    assert launch.main([]) == 1
    assert 'pip install "slp-explorer[app]"' in capsys.readouterr().err
    code = "import sys; sys.modules['plotly'] = None; import slp_core.figures"
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True)
    assert 'A figure needs the package plotly: pip install "slp-explorer[app]".' in done.stderr
