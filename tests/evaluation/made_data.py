"""A tiny dataset of a test's own."""

import numpy as np

from slp_core.data import Examples, FewShotDataset


def make_dataset(name, n_classes=3, n_per_class=12, seed=0):
    """Noisy clusters on a circle, in the plane."""
    rng = np.random.default_rng(seed)
    y = np.repeat(np.arange(n_classes), n_per_class)
    angle = 2 * np.pi * y / n_classes
    points = np.column_stack([np.cos(angle), np.sin(angle)]) + rng.normal(0, 0.6, (len(y), 2))
    classes = tuple(f"class {k}" for k in range(n_classes))
    return FewShotDataset(
        name=name,
        title=name,
        examples=Examples(kind="numeric", features=points),
        labels=np.array(classes)[y],
        classes=classes,
        default_encoder="raw",
    )
