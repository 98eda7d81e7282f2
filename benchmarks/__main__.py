"""``make bench``: every figure as a ratio against a named peer in the same run.

``python -m benchmarks fitting encoding`` runs some of them. The table is Markdown: the last one
is kept in research/performance.md.
"""

from __future__ import annotations

import sys
from importlib import import_module

from benchmarks.row import HEADER, Row

SUITES = ("encoding", "fitting", "predicting", "scale", "landscape", "fidelity", "app", "pages")


def main(names: list[str]) -> None:
    unknown = set(names) - set(SUITES)
    if unknown:
        sys.exit(f"There is no benchmark {', '.join(sorted(unknown))}: choose from {SUITES}.")
    for name in names or SUITES:
        print(f"\n## {name}\n", flush=True)
        rows = import_module(f"benchmarks.{name}").run()
        if any(isinstance(row, Row) for row in rows):
            print(HEADER)
        for row in rows:
            print(row, flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
