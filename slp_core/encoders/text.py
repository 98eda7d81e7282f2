"""The sentences about how two encoders are combined."""

from __future__ import annotations

from slp_core.encoders.combine import Shares
from slp_core.sentences import EncoderName, number, percent


def shares_text(shares: Shares, titles: tuple[str, str], relabelled: bool = False) -> str:
    """The shares of two encoders with these titles, and the separations behind them."""
    first, second = map(EncoderName, titles)
    split = f"{second} makes up {percent(shares.second)} of each vector, {first} the rest"
    if shares.separations is None:
        return f"{split}: no class of the support set has two examples that differ."
    before, after = shares.separations
    labels = " Relabelled shots count by their true labels." if relabelled else ""
    return (
        f"{split}. Class separation on the support set: {number(after)} under {second}, "
        f"{number(before)} under {first}.{labels}"
    )
