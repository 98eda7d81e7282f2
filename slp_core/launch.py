"""``slp-explorer``: the app in the browser, started from any folder."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Sequence
from importlib.util import find_spec
from itertools import pairwise

import slp_core
from slp_core.errors import install
from slp_core.resources import resource

LOGS = "SLP_LOG"  # "json" for structured logs; pages/shell/logs.py writes them
_LOGS_JSON = ["--logger.messageFormat=%(message)s", "--logger.hideWelcomeMessage=true"]
# Told to listen everywhere, Streamlit would ask a service elsewhere for this machine's address.
_EVERY_ADDRESS = {"0.0.0.0", "::"}
_NO_LOOK_UP = "--browser.serverAddress=localhost"
# The hosts that are served, unless somebody says otherwise: this computer by its own names
_HERE = ("localhost", "127.0.0.1", "::1")
_HOSTS, _HOSTS_VARIABLE = "--server.allowedHosts", "STREAMLIT_SERVER_ALLOWED_HOSTS"
# Short names of what is set most; all other options are Streamlit's own and passed on.
_ADDRESS = "--server.address"
SHORT = {"--port": "--server.port", "--address": _ADDRESS}
USAGE = """\
usage: slp-explorer [--port PORT] [--address ADDRESS] [OPTION ...]

Starts SLP Explorer and prints its address. Every other option is passed on to `streamlit run`:
`streamlit run --help` lists them. The app serves this computer only, unless ADDRESS is another
and STREAMLIT_SERVER_ALLOWED_HOSTS names the hosts that people may call it by, with commas between.
"""


def logs_json() -> bool:
    """Whether the operator asked for logs of one JSON object a line."""
    return os.environ.get(LOGS) == "json"


def command(arguments: Sequence[str]) -> list[str]:
    options = []
    for argument in arguments:
        name, equals, value = argument.partition("=")
        options.append(SHORT.get(name, name) + equals + value)
    words = [word for option in options for word in option.split("=", 1)]
    addresses = {value for name, value in pairwise(words) if name == _ADDRESS}
    if _HOSTS_VARIABLE not in os.environ and _HOSTS not in words:
        names = [*_HERE, *sorted(addresses - {*_HERE, *_EVERY_ADDRESS})]
        options += [f"{_HOSTS}={name}" for name in names]
    if _EVERY_ADDRESS & addresses:
        options.insert(0, _NO_LOOK_UP)
    if logs_json():
        options = _LOGS_JSON + options
    return [sys.executable, "-m", "streamlit", "run", str(resource("app.py")), *options]


def main(arguments: Sequence[str] | None = None) -> int:
    """Start the app and stay until it ends; returns its exit status."""
    given = list(sys.argv[1:] if arguments is None else arguments)
    if {"-h", "--help"} & set(given):
        print(USAGE, end="")
        return 0
    if "--version" in given:
        print(f"slp-explorer {slp_core.__version__}")
        return 0
    if find_spec("streamlit") is None:
        print(f"The app needs the package streamlit: {install('app')}.", file=sys.stderr)
        return 1
    # glibc would keep what is freed in a heap of its own for each thread
    os.environ.setdefault("MALLOC_ARENA_MAX", "2")
    if os.name == "posix":  # the server takes this process's place, and with it all signals
        os.execv(sys.executable, command(given))
    try:
        return subprocess.call(command(given))
    except KeyboardInterrupt:  # the server has it too, and ends
        return 130


if __name__ == "__main__":
    sys.exit(main())
