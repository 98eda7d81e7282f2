"""What the rows of a results file are of: digests of tasks' data and of encoders, in a file beside.

A row knows its task and its encoder by their names, and a name can come to stand for something
else: a table with other labels, a folder with another checkpoint. The digests are in a hidden file
of their own, since others read the columns of the results. Rows without one, as an earlier version
wrote them, are taken to be of what their names stand for.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Literal

from slp_core.errors import EncoderError, SLPError
from slp_core.evaluation.results import replacing

if TYPE_CHECKING:
    from slp_core.encoders import Encoder
    from slp_core.evaluation.results import ResultsFile

Part = Literal["task", "encoder"]
"""Of a run: what is known by name, and has a digest."""

_OTHER = {
    "task": "rows of other data under the name {name!r}",
    "encoder": "rows of another encoder under the name {name!r}, whose weights or settings differ",
}


class Origins:
    """The digests beside a results file that is open for adding rows."""

    def __init__(self, results: ResultsFile) -> None:
        self._results = results
        self.path = results.path.with_name(f".{results.path.name}.digest")
        self._digests: dict[str, dict[str, str]] = {}
        try:
            found = json.loads(self.path.read_bytes())
            for part in _OTHER:
                self._digests[part] = {name: str(found[part][name]) for name in found[part]}
        except FileNotFoundError:
            self._digests = {part: {} for part in _OTHER}
        except OSError as error:
            raise SLPError(f"{self.path} cannot be read: {error.strerror}.") from error
        except (ValueError, KeyError, TypeError, RecursionError):
            raise SLPError(
                f"{self.path} is damaged, which says what the rows of {results.path} are of: "
                "delete both, or give another file (--out)."
            ) from None

    def check(self, part: Part, name: str, digest: str) -> None:
        """See that the file's rows of a task or an encoder can be of what has this digest.

        Of what has none (``""``) they always can.
        """
        if not digest or self._digests[part].get(name, digest) == digest:
            return
        # A digest outlives its rows where somebody deletes these.
        if any(getattr(run, part) == name for run in self._results.rows):
            raise SLPError(
                f"{self._results.path} holds {_OTHER[part].format(name=name)}: delete the file, or "
                "give another one (--out)."
            )

    def keep(self, part: Part, name: str, digest: str) -> None:
        """Put the digest of a task or an encoder down, before the first row of it is added."""
        if not digest or self._digests[part].get(name) == digest:
            return
        self._digests[part][name] = digest
        with replacing(self.path) as file:
            file.write(json.dumps(self._digests, indent=1, sort_keys=True).encode())


def encoder_digest(encoder: Encoder) -> str:
    """Name the weights and settings of an encoder as the cache of embeddings does.

    Nothing where it has no weights, or cannot be had: whoever needs it then is told.
    """
    try:
        made_by = encoder.identity()
    except EncoderError:
        return ""
    return f"{made_by} {encoder.normalisation}" if made_by else ""
