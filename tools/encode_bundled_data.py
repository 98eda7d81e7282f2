"""Write the embeddings that come with the sample data: ``python -m tools.encode_bundled_data``.

To be run whenever a text in ``sample_data`` or a checkpoint changes; with names of datasets, for
these alone. What comes with the project are the embeddings of the encoder that a dataset begins
with and of every meta-trained one, as float16, which keeps their angles to about 1e-4.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from slp_core.data import list_datasets, load_dataset
from slp_core.encoders.cache import BUNDLED_DIR, row_keys, write_rows
from slp_core.encoders.meta_checkpoint import find_checkpoints
from slp_core.encoders.registry import load_encoder
from slp_core.encoders.transformer import TransformerEncoder


def encode_bundled_data(names: Sequence[str] = (), folder: Path = BUNDLED_DIR) -> list[Path]:
    """Compute and write the files, one a dataset and encoder; all of them, and no other stays."""
    written = []
    for info in list_datasets():
        if info.kind == "numeric" or (names and info.name not in names):
            continue
        dataset = load_dataset(info.name)
        for name in (dataset.default_encoder, *(path.name for path in find_checkpoints())):
            encoder = load_encoder(name, normalisation="none", cache=False)
            assert isinstance(encoder, TransformerEncoder)
            vectors = encoder.encode(dataset)
            keys = row_keys(encoder.identity(), dataset.examples)
            rows = dict(zip(keys, zip(vectors, encoder.cut, strict=True), strict=True))
            path = folder / name / f"{dataset.name}.npz"
            write_rows(path, rows, np.float16)
            written.append(path)
    for path in () if names else set(folder.glob("*/*.npz")) - set(written):
        path.unlink()
    return written


if __name__ == "__main__":
    for path in encode_bundled_data(sys.argv[1:]):
        print(f"{path.stat().st_size / 1000:7.0f} kB  {path}")
