"""``make bench``: every figure as a ratio against a named peer in the same run.

``python -m benchmarks methods landscape`` runs some of them.
"""

from __future__ import annotations

import sys
from importlib import import_module

SUITES = ("methods", "landscape", "fidelity", "encoding", "app", "pages")


def main(names: list[str]) -> None:
    unknown = set(names) - set(SUITES)
    if unknown:
        sys.exit(f"There is no benchmark {', '.join(sorted(unknown))}: choose from {SUITES}.")
    for name in names or SUITES:
        print(f"\n{name}", flush=True)
        for row in import_module(f"benchmarks.{name}").run():
            print(f"  {row}", flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
