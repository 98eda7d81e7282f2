"""The browser that tests and benches drive; `tools/get_chromium.sh` gets one."""

import os
import shutil

# The first is the same browser without its windows, at a tenth less of the processor.
NAMES = (
    "chromium-headless-shell",
    "chromium",
    "chromium-browser",
    "google-chrome",
    "google-chrome-stable",
)


def chromium() -> str:
    """The program of one: what the variable CHROMIUM says, or the first that is installed."""
    found = os.environ.get("CHROMIUM") or next(filter(None, map(shutil.which, NAMES)), None)
    assert found, (
        "Chromium is needed and none was found: install it (Debian: apt-get install chromium) or "
        "set CHROMIUM to the program of one."
    )
    return found
