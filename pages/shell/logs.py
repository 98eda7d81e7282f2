"""Logs for an operator: one JSON object a line, without any user's texts.

The message of an error, or of another package, may quote a text. So of these only the place in the
code is written, which finds the message again for whoever has the code.
"""

from __future__ import annotations

import json
import logging
import traceback
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

_FRAMES = 8  # of a traceback: the innermost
_OWN = "slp_explorer"
_LOG = logging.getLogger(_OWN)
_STANDARD = {*logging.makeLogRecord({}).__dict__, "error", "message", "asctime"}


class JsonRecord(logging.LogRecord):
    """A log record whose message is a line of JSON without user data."""

    def __init__(self, *given: Any, **named: Any):
        super().__init__(*given, **named)
        self.error = self.exc_info
        self.exc_info = None  # or the handler would write the error's own words below the line

    def getMessage(self) -> str:
        """The line: time, level, logger, place, the app's event, where an error arose."""
        line: dict[str, Any] = {
            "time": datetime.fromtimestamp(self.created, UTC).isoformat(timespec="milliseconds"),
            "level": self.levelname.lower(),
            "logger": self.name,
            "at": _place(self.pathname, self.lineno),
        }
        if self.name == _OWN:
            line["event"] = str(self.msg)
            line |= {name: x for name, x in self.__dict__.items() if name not in _STANDARD}
        if isinstance(self.error, tuple) and self.error[0] is not None:
            line["error"] = self.error[0].__name__
            frames = traceback.extract_tb(self.error[2])[-_FRAMES:]
            line["frames"] = [_place(frame.filename, frame.lineno) for frame in frames]
        return json.dumps(line)


def write_json() -> None:
    """Write all logs of this process as JSON lines, warnings too."""
    logging.setLogRecordFactory(JsonRecord)
    logging.captureWarnings(True)
    root = logging.getLogger()
    if not root.handlers:
        root.addHandler(logging.StreamHandler())
    _LOG.setLevel(logging.INFO)
    known = [logger for logger in root.manager.loggerDict.values() if hasattr(logger, "handlers")]
    for logger in (root, *known):
        for handler in logger.handlers:
            handler.setFormatter(logging.Formatter("%(message)s"))


def tell(event: str, **details: str | float) -> None:
    _LOG.info(event, extra=details, stacklevel=2)


def _place(file: str, line: int | None) -> str:
    """A place in the code by the last three parts of its path: no server folders."""
    return f"{'/'.join(Path(file).parts[-3:])}:{line}"
