"""Write the UMAP layouts that come with the sample data: ``python -m tools.lay_out_bundled_data``.

To be run whenever a text in ``sample_data`` changes, or what its encoder begins with.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np

from slp_core.data import list_datasets, load_dataset
from slp_core.encoders import load_encoder
from slp_core.views import fit_projection
from slp_core.views.layouts import BUNDLED, fingerprint

FLAT = 2  # so few features are drawn as they are
FIRST_SHOTS, FIRST_DRAW = 16, 0  # that the app opens on: where vectors depend on it


def lay_out_bundled_data(file: Path = BUNDLED) -> int:
    """Lay out every dataset under the encoder it begins with; returns how many there are."""
    save_layouts([], file)  # or those that there are would be read
    layouts = []
    for info in list_datasets():
        dataset = load_dataset(info.name)
        support = dataset.draw(FIRST_SHOTS, FIRST_DRAW).support
        encoder = load_encoder(dataset.default_encoder)
        X = encoder.encode(dataset, support=support).astype(np.float64)
        if X.shape[1] > FLAT:
            layouts.append((X, fit_projection(X, "umap").points))
    save_layouts(layouts, file)
    return len(layouts)


def save_layouts(layouts: list[tuple[np.ndarray, np.ndarray]], file: Path) -> None:
    """Write pairs of vectors (n, d) and their layout (n, 2)."""
    arrays = {}
    for number, (X, points) in enumerate(layouts):
        arrays[f"{number}_fingerprint"] = fingerprint(X)
        arrays[f"{number}_points"] = points.astype(np.float32)
    file.parent.mkdir(parents=True, exist_ok=True)
    np.savez_compressed(file, allow_pickle=False, **arrays)


if __name__ == "__main__":
    print(f"{lay_out_bundled_data()} layouts, {BUNDLED.stat().st_size / 1000:.0f} kB: {BUNDLED}")
