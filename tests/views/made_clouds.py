"""Points that lie in three clouds, near each other or far apart."""

import numpy as np


def clouds(n, gap):
    """(n, 30) points, and (n,) of which cloud each is."""
    rng = np.random.default_rng(0)
    y = np.arange(n) % 3
    return rng.normal(size=(n, 30)) + gap * np.eye(30)[y], y
