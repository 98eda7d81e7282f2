"""The systemd unit is one that systemd takes."""

import subprocess
from pathlib import Path

import pytest

pytestmark = pytest.mark.deploy
UNIT = Path(__file__).resolve().parents[2] / "deploy" / "slp-explorer@.service"


def test_systemd_takes_the_unit(tmp_path):
    unit = tmp_path / UNIT.name
    unit.write_text(UNIT.read_text().replace("/opt/slp-explorer/bin/slp-explorer", "/bin/true"))
    done = subprocess.run(
        ["systemd-analyze", "verify", str(unit)], capture_output=True, text=True, timeout=30
    )
    assert (done.returncode, done.stderr) == (0, "")
