"""The command line: ``slp COMMAND`` or ``python -m slp_core COMMAND``.

Exit status: 0 when all was done, 1 when something asked for could not be (and was named), 2 when
the request itself needs mending, 130 when interrupted.
"""

from __future__ import annotations

import argparse
import errno
import os
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

from slp_core.cli import encoding, evaluating, lists, meta
from slp_core.errors import SLPError
from slp_core.process import let_threads_sleep

# What is wrong with a path itself; asking whether there is a file may raise them already.
_OF_A_PATH = {errno.EACCES, errno.EPERM, errno.EROFS, errno.ENAMETOOLONG, errno.ELOOP}


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; ``arguments`` default to those of the process. Returns the exit status."""
    let_threads_sleep()
    options = parser().parse_args(arguments)
    command: Callable[[argparse.Namespace], int] = options.command
    try:
        status = command(options)
        sys.stdout.flush()  # what cannot be written is to be known here, and not at the very end
        return status
    except SLPError as error:
        print(f"slp_core: {error}", file=sys.stderr)
        return 2
    except BrokenPipeError:  # its reader, such as `head`, has read what it wanted
        _write_no_more()
        return 0
    except OSError as error:
        if error.errno in _OF_A_PATH and error.filename is not None:
            why = f"{error.filename} can be neither read nor written here ({error.strerror})"
            print(f"slp_core: {why}: name another path, or mend this one.", file=sys.stderr)
            return 2
        if error.errno != errno.ENOSPC:
            raise
        _write_no_more()
        print("slp_core: what was found cannot be written: the disk is full.", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print("slp_core: interrupted; what was written is kept.", file=sys.stderr)
        return 130


def _write_no_more() -> None:
    """Discard further output: Python flushes at exit, and would fail again."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def parser() -> argparse.ArgumentParser:
    """All commands, each with its arguments and what it calls."""
    whole = argparse.ArgumentParser(
        prog="slp" if Path(sys.argv[0]).stem == "slp" else "python -m slp_core",
        description="Few-shot classifiers made of soft-label prototypes: embed and evaluate.",
    )
    commands = whole.add_subparsers(metavar="COMMAND", required=True)
    for each in (lists, encoding, evaluating, meta):
        each.add(commands)
    return whole
