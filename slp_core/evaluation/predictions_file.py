"""The predictions file: Parquet, one row a query example of a run, as safe to kill as the results.

The predictions of a run are first appended to a hidden file beside it, and from there put into the
Parquet file, sorted by run, when the evaluation ends or the next one begins.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from slp_core.errors import SLPError
from slp_core.evaluation.protocol import Run
from slp_core.evaluation.results import Scores, locked, replacing, unwritable

if TYPE_CHECKING:
    from slp_core.data import FewShotDataset

PREDICTION_COLUMNS = (*Run._fields, "row", "true", "predicted", "classes", "probabilities")


class Predictions(NamedTuple):
    """Of one run: classes as the classifier knows them, and its predictions of m query examples."""

    classes: np.ndarray  # (K,)
    probabilities: np.ndarray  # (m, K)
    predicted: np.ndarray  # (m,)


@contextmanager
def open_predictions(path: str | os.PathLike[str]) -> Iterator[PredictionsFile]:
    """A predictions file to add runs to, one writer at a time."""
    with locked(path) as file, closing(PredictionsFile(file)) as predictions:
        yield predictions


class PredictionsFile:
    def __init__(self, path: Path) -> None:
        from pyarrow import ipc

        self.path, self._appended = path, path.with_name(f".{path.name}.new")
        try:
            self._kept = _read(path)
            self._join()  # what is left of an evaluation that was killed
            self._file = open(self._appended, "wb")  # noqa: SIM115 - closed by `close`
            self._stream = ipc.new_stream(self._file, _schema())
        except OSError as error:
            raise unwritable(path, error) from error

    def close(self) -> None:
        """Put what was added into the Parquet file."""
        self._file.close()
        self._join()

    def holds(self, run: Run, scores: Scores) -> bool:
        """Whether it has the predictions that a row of results was made from."""
        kept = self._kept.get(run)
        same = kept is not None and abs(kept.accuracy - scores.accuracy) < 1e-9
        return same and kept is not None and kept.n_query == scores.n_query

    def append(
        self, run: Run, dataset: FewShotDataset, query: np.ndarray, made: Predictions
    ) -> None:
        """Add a run's predictions of query rows; they are on the disk when this returns."""
        import pyarrow as pa

        names, n = np.array(dataset.classes, dtype=object), len(query)
        columns: dict[str, Any] = {name: [value] * n for name, value in run._asdict().items()}
        columns |= {
            "row": dataset.numbers[query],
            "true": names[dataset.y[query]],
            "predicted": names[made.predicted],
            "classes": [names[made.classes]] * n,
            "probabilities": list(made.probabilities.astype(np.float64)),
        }
        try:
            self._stream.write_batch(pa.RecordBatch.from_pydict(columns, schema=_schema()))
            self._file.flush()
            os.fsync(self._file.fileno())
        except OSError as error:
            raise unwritable(self.path, error) from error

    def _join(self) -> None:
        """Put what was appended into the Parquet file, in one atomic step."""
        import pyarrow as pa
        from pyarrow import parquet

        if new := _batches(self._appended):
            kept = parquet.ParquetFile(self.path) if self._kept else None
            with (
                replacing(self.path) as file,
                parquet.ParquetWriter(file, _schema(), compression="zstd") as writer,
            ):
                for run in sorted({*self._kept, *new}):
                    if run in new:
                        writer.write_table(pa.Table.from_batches([new[run]]))
                    elif kept is not None:
                        writer.write_table(kept.read_row_group(self._kept[run].group))
                if kept is not None:
                    kept.close()  # Windows replaces no file that is open
            self._kept = _read(self.path)
        self._appended.unlink(missing_ok=True)


class _Kept(NamedTuple):
    group: int  # of rows in the Parquet file: one a run
    n_query: int
    accuracy: float


def _schema() -> Any:
    import pyarrow as pa

    types = dict.fromkeys(PREDICTION_COLUMNS, pa.string())
    types |= dict.fromkeys(("shots", "draw", "seed", "row"), pa.int64())
    types |= {"classes": pa.list_(pa.string()), "probabilities": pa.list_(pa.float64())}
    return pa.schema(types)


def _read(path: Path) -> dict[Run, _Kept]:
    """The runs in a predictions file; none of one that is not there or empty."""
    import pyarrow as pa
    from pyarrow import parquet

    if not path.exists() or not path.stat().st_size:
        return {}
    keys = list(Run._fields)
    try:
        with parquet.ParquetFile(path) as file:
            if file.schema_arrow.names != list(PREDICTION_COLUMNS):
                raise SLPError(
                    f"{path} is not a predictions file: its columns should be "
                    f"{','.join(PREDICTION_COLUMNS)}."
                )
            sizes = [file.metadata.row_group(i).num_rows for i in range(file.num_row_groups)]
            rows = file.read(columns=[*keys, "true", "predicted"]).to_pandas()
    except (pa.ArrowException, OSError) as error:
        raise SLPError(
            f"{path} is no Parquet file, or damaged ({error}): delete it, or give another file."
        ) from error
    rows["group"] = np.repeat(np.arange(len(sizes)), sizes)
    rows["correct"] = rows["true"] == rows["predicted"]
    of_run = rows.groupby(keys)
    group, accuracy = of_run["group"].first(), of_run["correct"].mean()
    if (of_run["group"].nunique() > 1).any() or group.duplicated().any():
        raise SLPError(
            f"{path} was written by another program, and cannot be added to: give another file."
        )
    kept = zip(group, of_run.size(), accuracy, strict=True)
    return {Run(*run): _Kept(*about) for run, about in zip(group.index, kept, strict=True)}


def _batches(path: Path) -> dict[Run, Any]:
    """Predictions by run in a file of appended ones, without half a batch at its end."""
    import pyarrow as pa
    from pyarrow import ipc

    found: dict[Run, Any] = {}
    with suppress(FileNotFoundError, pa.ArrowInvalid, OSError):
        for batch in ipc.open_stream(path.read_bytes()):
            found[Run(*(batch.column(name)[0].as_py() for name in Run._fields))] = batch
    return found
