"""Public mode: limits for anonymous users of a public server.

``SLP_PUBLIC=1`` in the server's environment turns it on. A visitor then reaches nothing of the
server's disk or network by name, messages do not say where on the server files lie, and what takes
the server long has the limits below.
"""

from __future__ import annotations

import os
import re
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass, fields
from functools import lru_cache
from pathlib import Path

from slp_core.data import FewShotDataset
from slp_core.encoders.cache import default_cache_dir
from slp_core.encoders.registry import HUB_PREFIX
from slp_core.errors import DatasetError, EncoderError

VARIABLE, HUB_VARIABLE = "SLP_PUBLIC", "SLP_HUB_MODELS"
NO_FOLDERS = (
    "This server is public: it opens no folder of its own and fetches no model from a hub. Upload "
    "files instead, or run the app on your own computer."
)
_LOCALLY = "or run the app on your own computer."


@dataclass(frozen=True)
class Limits:
    """Of a public server; without one there are none."""

    rows: int = 20_000
    classes: int = 50
    epochs: int = 200
    training_texts: int = 400
    trained_draws: int = 3
    passage_characters: int = 20_000_000

    def refusal(self, classes: int, shots: int) -> str:
        """Why an encoder is not trained on so many texts; or nothing."""
        if (n := classes * shots) <= self.training_texts:
            return ""
        return (
            f"This public server trains an encoder on at most {self.training_texts:,} texts, and "
            f"{shots:,} shots of {classes:,} classes make {n:,}: choose fewer shots, {_LOCALLY}"
        )

    def check_passages(self, texts: Sequence[str]) -> None:
        """Refuse texts that are too long together to be read in chunks."""
        if (n := sum(map(len, texts))) > self.passage_characters:
            raise EncoderError(
                f"This public server reads at most {self.passage_characters:,} characters in "
                f"chunks, and the texts have {n:,}: switch off *Long texts in chunks*, {_LOCALLY}"
            )

    def sentence(self) -> str:
        rows, classes = self.rows, self.classes
        return f"This public server accepts at most {rows:,} rows and {classes:,} classes."

    def check(self, dataset: FewShotDataset) -> None:
        rows, classes = len(dataset), len(dataset.classes)
        for n, most, what in ((rows, self.rows, "rows"), (classes, self.classes, "classes")):
            if n > most:
                raise DatasetError(
                    f"The dataset has {n:,} {what}, and this public server accepts at most "
                    f"{most:,}: remove some, {_LOCALLY}"
                )


def may_download(name: str) -> bool:
    """Whether an encoder may be used here; of the hub's, those in ``SLP_HUB_MODELS``."""
    if not is_public() or not name.startswith(HUB_PREFIX):
        return True
    listed = os.environ.get(HUB_VARIABLE, "").split(",")
    return name.removeprefix(HUB_PREFIX) in map(str.strip, listed)


def is_public() -> bool:
    return os.environ.get(VARIABLE, "0") not in ("", "0")


def limits() -> Limits:
    return Limits() if is_public() else Limits(*[sys.maxsize] * len(fields(Limits)))


def shown(message: str) -> str:
    """A message as users see it: on a public server without folder paths."""
    return _folders().sub(_last, message) if is_public() else message


@lru_cache(maxsize=1)
def _folders() -> re.Pattern[str]:
    known = (Path.home(), Path.cwd(), Path(__file__).parents[2], Path(sys.prefix))
    further = (Path(sys.base_prefix), Path(tempfile.gettempdir()), default_cache_dir())
    roots = {str(form) for path in (*known, *further) for form in (path, path.resolve())}
    longest_first = sorted(roots - {path.anchor for path in known}, key=len, reverse=True)
    return re.compile(rf"(?<!\w)(?:{'|'.join(map(re.escape, longest_first))})(?:/[^\s'\":;,]*)?")


def _last(found: re.Match[str]) -> str:
    return found[0].rstrip("/").rpartition("/")[2]
