"""Turn comparisons of the library round, one at a time, and see whether the checks of facts notice.

``python -m tools.mutate_comparisons slp_core/explain --sample 10`` works on a copy of the tree. A
mutant that "lives" is a comparison that no fact depends on, or a gap in ``tests/facts``.
"""

from __future__ import annotations

import argparse
import ast
import os
import random
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[1]
OPPOSITE: dict[type[ast.cmpop], tuple[str, str]] = {
    ast.Eq: ("==", "!="),
    ast.NotEq: ("!=", "=="),
    ast.Lt: ("<", ">="),
    ast.LtE: ("<=", ">"),
    ast.Gt: (">", "<="),
    ast.GtE: (">=", "<"),
    ast.In: ("in", "not in"),
    ast.NotIn: ("not in", "in"),
    ast.Is: ("is", "is not"),
    ast.IsNot: ("is not", "is"),
}


class Mutant(NamedTuple):
    """One comparison turned round.

    Attributes
    ----------
    file : Path
        Below the root.
    line : int
        Counted from 1.
    start, end : int
        Of the operator and the blanks around it, in bytes of the line, as the parser counts.
    before, after : str
    """

    file: Path
    line: int
    start: int
    end: int
    before: str
    after: str

    def applied(self, source: str) -> str:
        """The file's text with the comparison turned round."""
        lines = source.encode().splitlines(keepends=True)
        row = lines[self.line - 1]
        changed = row[self.start : self.end].replace(self.before.encode(), self.after.encode())
        lines[self.line - 1] = row[: self.start] + changed + row[self.end :]
        return b"".join(lines).decode()


def mutants(file: Path) -> Iterator[Mutant]:
    """Every comparison of a file whose operator stands on one line with what it compares."""
    for node in ast.walk(ast.parse((ROOT / file).read_text())):
        if not isinstance(node, ast.Compare):
            continue
        sides = [node.left, *node.comparators]
        for left, operator, right in zip(sides, node.ops, sides[1:], strict=False):
            if left.end_lineno == right.lineno and left.end_col_offset is not None:
                before, after = OPPOSITE[type(operator)]
                yield Mutant(
                    file, right.lineno, left.end_col_offset, right.col_offset, before, after
                )


def noticed(folder: Path, mutant: Mutant, cases: int) -> bool:
    """Whether the checks of facts fail on a copy of the tree with this mutant."""
    file = folder / mutant.file
    original = file.read_text()
    file.write_text(mutant.applied(original))
    try:
        done = subprocess.run(
            [sys.executable, "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider", "tests/facts"],
            cwd=folder,
            env=os.environ | {"FACT_CASES": str(cases), "OMP_NUM_THREADS": "1"},
            capture_output=True,
            check=False,
        )
    finally:
        file.write_text(original)
    return done.returncode != 0


def main() -> None:
    """Report every mutant, or some drawn at random, a line each."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path, help="of the library, as in slp_core/explain")
    parser.add_argument("--sample", type=int, help="how many, drawn at random; all if not given")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--cases", type=int, default=400, help="random cases looked at for each")
    asked = parser.parse_args()
    found = [
        mutant
        for file in sorted((ROOT / asked.folder).rglob("*.py"))
        for mutant in mutants(file.relative_to(ROOT))
    ]
    random.Random(asked.seed).shuffle(found)
    lived = 0
    with tempfile.TemporaryDirectory() as temporary:
        copy = Path(temporary) / "tree"
        shutil.copytree(ROOT, copy, ignore=shutil.ignore_patterns(".*", "__pycache__"))
        for mutant in found[: asked.sample]:
            killed = noticed(copy, mutant, asked.cases)
            lived += not killed
            row = (ROOT / mutant.file).read_text().splitlines()[mutant.line - 1].strip()
            place = f"{mutant.file}:{mutant.line}"
            turned = f"{mutant.before} -> {mutant.after}"
            print(f"{'noticed' if killed else 'LIVES':8} {place} {turned}: {row}", flush=True)
    print(f"{lived} of {len(found[: asked.sample])} mutants live, of {len(found)} comparisons")


if __name__ == "__main__":
    main()
