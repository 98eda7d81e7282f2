"""The results file: one row a run, safe to interrupt at any moment and to resume.

Rows are appended one whole line at a time and forced to the disk; half a row is dropped when the
file is opened again. Hashes of the data and encoders that rows name are in a hidden file beside it.
"""

from __future__ import annotations

import codecs
import csv
import io
import json
import os
import shutil
import uuid
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO, Literal, NamedTuple

from slp_core.allowed import Count, NotNegative, Share, check_options
from slp_core.encoders.choice import EncoderChoice
from slp_core.errors import SLPError
from slp_core.evaluation.protocol import Run

if TYPE_CHECKING:
    import pandas as pd


class Scores(NamedTuple):
    """Accuracy and macro-F1 in [0, 1], NLL in nats an example, and seconds of the fit alone."""

    accuracy: Share
    macro_f1: Share
    nll: NotNegative
    n_query: Count
    fit_seconds: NotNegative


COLUMNS = (*Run._fields, *Scores._fields)
_HEADER = (*COLUMNS, "transductive")
"""Of the file; an encoder that is transductive is fitted on all rows, query examples included."""


def check_possible(run: Run, scores: Scores) -> None:
    """Raise SLPError for the first value that no run can have."""
    check_options(run._asdict(), Run)
    check_options(scores._asdict(), Scores)


def read_results(path: str | os.PathLike[str]) -> pd.DataFrame:
    """A results file as a table with the columns ``COLUMNS``; SLPError names a wrong line."""
    import pandas as pd

    rows = _parse(Path(path), _read_bytes(Path(path)))
    table = pd.DataFrame([(*run, *scores) for run, scores in rows.items()], columns=list(COLUMNS))
    return table.astype(dict.fromkeys(("accuracy", "macro_f1", "nll", "fit_seconds"), float))


def file_to_write(path: Path) -> Path:
    """The file that a path names, behind any link; refuses a folder, a device or a pipe."""
    if path.is_dir():  # "." has not even a name to make that of a file beside it from
        raise SLPError(f"{path} cannot be written: it is a folder; name a file.")
    if path.exists() and not path.is_file():
        raise SLPError(f"{path} cannot be written: it is no ordinary file; name another.")
    return Path(os.path.realpath(path)) if path.is_symlink() else path


@contextmanager
def replacing(path: Path) -> Iterator[BinaryIO]:
    """A file to write to, which takes ``path``'s name and its mode once all is on the disk."""
    # of this writer alone: another may be writing the same file
    scratch = path.with_name(f".{path.name}.{uuid.uuid4().hex[:8]}.part")
    try:
        with open(scratch, "wb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        if path.exists():
            shutil.copymode(path, scratch)
        os.replace(scratch, path)
    except OSError as error:
        if error.filename not in (None, str(scratch)):  # of what was read meanwhile
            raise
        raise unwritable(path, error) from error
    finally:
        with suppress(OSError):
            scratch.unlink(missing_ok=True)


@contextmanager
def locked(path: str | os.PathLike[str]) -> Iterator[Path]:
    """The file that a path names, for one writer at a time."""
    from filelock import FileLock, Timeout

    path = file_to_write(Path(path))
    if not path.parent.is_dir():  # FileLock would make it, also where a name is mistyped
        raise SLPError(f"{path} cannot be written: there is no folder {path.parent}.")
    try:
        held = FileLock(path.with_name(f".{path.name}.lock"), timeout=0).acquire()
    except Timeout:
        raise SLPError(f"Another evaluation is writing {path}: wait for it.") from None
    except OSError as error:
        raise unwritable(path, error) from error
    with held:
        yield path


def unwritable(path: Path, error: OSError) -> SLPError:
    return SLPError(f"{path} cannot be written: {error.strerror or error}.")


@contextmanager
def open_results(path: str | os.PathLike[str]) -> Iterator[ResultsFile]:
    """A results file to add rows to, one writer at a time."""
    with locked(path) as file, closing(ResultsFile(file)) as results:
        yield results


Part = Literal["task", "encoder"]
"""What of a run is known by name, and has a hash."""

_OTHER = {
    "task": "rows of other data under the name {name!r}",
    "encoder": "rows of another encoder under the name {name!r}, whose weights or settings differ",
}


class ResultsFile:
    def __init__(self, path: Path) -> None:
        self.path, self._hashes = path, path.with_name(f".{path.name}.digest")
        content = _read_bytes(self._hashes) if self._hashes.exists() else b"{}"
        try:
            found = json.loads(content)
            self._digests = {part: dict[str, str](found.get(part, {})) for part in _OTHER}
        except (ValueError, AttributeError, TypeError, RecursionError):
            raise SLPError(
                f"{self._hashes} is damaged, which says what the rows of {path} are of: delete "
                "both, or give another file (--out)."
            ) from None
        self._open()

    def check(self, part: Part, name: str, digest: str) -> None:
        """Refuse the file if its rows of that name have another hash; ``""`` is accepted."""
        if not digest or self._digests[part].get(name, digest) == digest:
            return
        # a hash outlives its rows where somebody deletes these
        if any(getattr(run, part) == name for run in self.rows):
            raise SLPError(
                f"{self.path} holds {_OTHER[part].format(name=name)}: delete the file, or give "
                "another one (--out)."
            )

    def keep(self, part: Part, name: str, digest: str) -> None:
        """Write the hash of a task or an encoder, before its first row is added."""
        if not digest or self._digests[part].get(name) == digest:
            return
        self._digests[part][name] = digest
        with replacing(self._hashes) as file:
            file.write(json.dumps(self._digests, indent=1, sort_keys=True).encode())

    def close(self) -> None:
        self._file.close()

    def append(self, run: Run, scores: Scores) -> None:
        """Add one row; it is on the disk when this returns."""
        line = _row(run, scores)
        try:
            if self._file.write(line) != len(line):
                raise OSError("the disk took only a part of a row")
            os.fsync(self._file.fileno())
        except OSError as error:
            raise unwritable(self.path, error) from error
        self.rows[run] = scores

    def sort(self) -> None:
        """Put the rows in the order of their runs, in one atomic step."""
        self._file.close()  # Windows replaces no file that is open
        self._open()

    def _open(self) -> None:
        """Read the rows, write them anew where something is missing, and get ready to append."""
        content = _read_bytes(self.path) if self.path.exists() else b""
        self.rows = _parse(self.path, content)
        rows = (_row(run, scores) for run, scores in sorted(self.rows.items()))
        if (whole := b"".join([_line(_HEADER), *rows])) != content:
            with replacing(self.path) as file:
                file.write(whole)
        try:
            self._file = open(self.path, "ab", buffering=0)  # noqa: SIM115 - closed by `close`
        except OSError as error:
            raise unwritable(self.path, error) from error


def _parse(path: Path, content: bytes) -> dict[Run, Scores]:
    """The rows that are whole; one without an end of its line is half of one."""
    content = content.removeprefix(codecs.BOM_UTF8)
    header, end, _ = content.partition(b"\n")
    if not end and _line(_HEADER).startswith(header):
        return {}
    if not end or header.rstrip(b"\r") not in (",".join(c).encode() for c in (COLUMNS, _HEADER)):
        raise SLPError(
            f"{path} is not a results file: its first line should be {','.join(_HEADER)}."
        )
    whole = content[: content.rfind(b"\n") + 1]
    try:
        text = whole.decode()
    except UnicodeDecodeError as error:
        n_before = whole.count(b"\n", 0, error.start)
        raise SLPError(
            f"Line {n_before + 1} of {path} is not UTF-8: save the file as CSV in UTF-8."
        ) from None
    rows = {}
    lines = csv.reader(io.StringIO(text, newline=""))
    n_columns = len(next(lines))
    n_before = lines.line_num  # a quotation mark too many makes many lines one row
    try:
        for fields in lines:
            if len(fields) != n_columns:
                raise ValueError(f"{len(fields)} columns")
            task, encoder, method, shots, draw, seed, *found = fields[: len(COLUMNS)]
            accuracy, f1, nll, n_query, seconds = found
            run = Run(task, encoder, method, int(shots), int(draw), int(seed))
            scores = Scores(float(accuracy), float(f1), float(nll), int(n_query), float(seconds))
            check_possible(run, scores)
            rows[run] = scores
            n_before = lines.line_num
    except (ValueError, csv.Error) as error:
        fault = f" ({str(error).rstrip('.')})" if isinstance(error, SLPError) else ""
        raise SLPError(
            f"Line {n_before + 1} of {path} is not a row of results{fault}: delete the line, "
            "and the next evaluation does its run again."
        ) from None
    return rows


def _read_bytes(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise SLPError(f"{path} cannot be read: {error.strerror}.") from error


def _row(run: Run, scores: Scores) -> bytes:
    return _line((*run, *scores, EncoderChoice.of(run.encoder).transductive))


def _line(fields: tuple[object, ...]) -> bytes:
    """One CSV line; ``csv`` writes a float by its repr, so that no digit is lost."""
    buffer = io.StringIO()
    csv.writer(buffer, lineterminator="\n").writerow(fields)
    return buffer.getvalue().encode()
