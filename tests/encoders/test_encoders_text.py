"""Shares of two encoders by brute force on random vectors, and the sentence about them."""

import numpy as np
import pytest

from slp_core.encoders.combine import AT_FIRST, Shares, shares
from slp_core.encoders.text import shares_text


def scatter_ratio(X, y):
    """Between classes over within them, less what is expected by chance; None if unknown."""
    rows = {k: X[y == k] for k in sorted(set(y.tolist()))}
    means = {k: x.mean(axis=0) for k, x in rows.items()}
    within = sum(((row - means[k]) ** 2).sum() for k, x in rows.items() for row in x)
    if len(X) == len(rows) or within / (len(X) - len(rows)) <= 1e-6:
        return None
    within /= len(X) - len(rows)
    pairs = [((a - b) ** 2).sum() for a in means.values() for b in means.values()]
    between = sum(pairs) / 2 / len(means) / (len(means) - 1)
    chance = sum(1 / len(x) for x in rows.values()) / len(rows)
    return max(0, between / within - chance)


@pytest.mark.parametrize("seed", range(40))
def test_shares_follow_the_separations(seed):
    rng = np.random.default_rng(seed)
    n_classes, shots = int(rng.integers(1, 4)), int(rng.integers(1, 4))
    y = np.repeat(np.arange(n_classes), shots)
    spread = rng.choice([0.0, 0.3, 3.0], size=2, p=[0.2, 0.4, 0.4])
    means = rng.normal(size=(2, n_classes, 3))
    spaces = [m[y] + s * rng.normal(size=(len(y), 3)) for m, s in zip(means, spread, strict=True)]
    found = shares(*spaces, y)
    expected = [scatter_ratio(X, y) for X in spaces] if n_classes > 1 else [None]
    if None in expected:
        assert found == Shares(None, AT_FIRST)
    else:
        before, after = expected
        assert found.separations == pytest.approx((before, after), rel=1e-5)
        assert found.second == pytest.approx(min(max(0.35 + 4 * (after - before), 0.1), 1))


@pytest.mark.parametrize(
    ("found", "text"),
    [
        (
            Shares(None, 0.35),
            "“the \\*other\\*” makes up 35% of each vector, “one” the rest: no class of the "
            "support set has two examples that differ.",
        ),
        (
            Shares((0.2, 1.234), 1.0),
            "“the \\*other\\*” makes up 100% of each vector, “one” the rest. Class separation on "
            "the support set: 1.23 under “the \\*other\\*”, 0.20 under “one”.",
        ),
    ],
)
def test_text(found, text):
    assert shares_text(found, ("one", "the *other*")) == text
