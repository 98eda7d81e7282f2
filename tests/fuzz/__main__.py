"""Fuzz a reader: ``python tests/fuzz TARGET … --runs N --processes P``; ``all`` for every target.

Guided by coverage where atheris is installed (``pip install atheris==3.0.0``, Python 3.11), else by
chance. Prints executions and executions a second of each target, and ends with an error where a
reader raised what it should not; the input is kept in the folder that is then named.
"""

from __future__ import annotations

import argparse
import importlib.util
import re
import subprocess
import sys
import tempfile
import time
import warnings
from pathlib import Path

HERE = Path(__file__).parent
sys.path[:0] = [str(HERE), str(HERE.parents[1])]


def main() -> int:
    """Read the command line, and fuzz each target in several processes."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("targets", nargs="+")
    parser.add_argument("--runs", type=int, default=1_000_000, help="of each target, in whole")
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--seconds", type=int, default=0, help="at most, of each target")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--one", metavar="FOLDER", help="in this process, keeping inputs there")
    asked = parser.parse_args()
    if asked.one:
        return _one(asked.targets[0], asked.runs, asked.seconds, asked.seed, Path(asked.one))
    from fuzz_targets import TARGETS

    failed = 0
    for name in TARGETS if asked.targets == ["all"] else asked.targets:
        failed |= _several(name, asked)
    return failed


def _several(name: str, asked: argparse.Namespace) -> int:
    kept = Path(tempfile.mkdtemp(prefix=f"fuzz-{name}-"))
    command = [sys.executable, str(HERE), name, "--seconds", str(asked.seconds), "--one", str(kept)]
    begun = time.monotonic()
    runs = [len(range(i, asked.runs, asked.processes)) for i in range(asked.processes)]
    children = [
        subprocess.Popen(
            [*command, "--runs", str(n), "--seed", str(asked.seed + i + 1)],
            stdout=(kept / f"log{i}").open("w"),
            stderr=subprocess.STDOUT,
        )
        for i, n in enumerate(runs)
    ]
    codes = [child.wait() for child in children]
    logs = [(kept / f"log{i}").read_text(errors="replace") for i in range(len(children))]
    done = sum(int(match[1]) for log in logs if (match := re.search(r"Done (\d+) runs", log)))
    seconds = time.monotonic() - begun
    print(f"{name:12} {done:>10,} executions in {seconds:,.0f} s, {done / seconds:,.0f} a second")
    if not any(codes):
        return 0
    for log in logs:
        print(log[-3000:])
    print(f"{name}: a reader failed; inputs and logs are in {kept}")
    return 1


def _one(name: str, runs: int, seconds: int, seed: int, kept: Path) -> int:
    warnings.simplefilter("ignore")
    if importlib.util.find_spec("atheris") is None:
        return _by_chance(name, runs, seconds, seed, kept)
    import atheris

    with atheris.instrument_imports(include=["slp_core", "pages"]):
        import fuzz_targets
    target = fuzz_targets.TARGETS[name]
    corpus = kept / f"corpus{seed}"
    corpus.mkdir()
    for number, content in enumerate(target.seeds()):
        (corpus / str(number)).write_bytes(content)
    options = [f"-runs={runs}", f"-seed={seed}", "-max_len=4096", "-timeout=30", "-verbosity=1"]
    options += [f"-artifact_prefix={kept}/", "-rss_limit_mb=4096", "-print_final_stats=1"]
    options += [f"-max_total_time={seconds}"] if seconds else []
    atheris.Setup(
        [sys.argv[0], *options, str(corpus)], lambda data: fuzz_targets.run(target, data) and None
    )
    atheris.Fuzz()
    return 0


def _by_chance(name: str, runs: int, seconds: int, seed: int, kept: Path) -> int:
    from fuzz_targets import TARGETS, run
    from mutation import mutants

    target, begun, done = TARGETS[name], time.monotonic(), 0
    for data in mutants(target.seeds(), runs, seed):
        if seconds and time.monotonic() > begun + seconds:
            break
        try:
            run(target, data)
        except BaseException:
            (kept / f"failed{seed}").write_bytes(data)
            raise
        done += 1
    print(f"Done {done} runs", file=sys.stderr)
    return 0


if __name__ == "__main__":
    sys.exit(main())
