"""The figures that the paper reports, as data.

Source: Singh, Shutova & Yannakoudakis, "Learning New Tasks from a Few Examples with Soft-Label
Prototypes", the tables of results. The encoder is BERT-base throughout.
"""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING

from slp_core.encoders.choice import EncoderChoice, current_name

if TYPE_CHECKING:
    import pandas as pd

PAPER_ENCODER = "BERT-base (12 layers, 110M parameters)"
PAPER_DRAWS = 10
"""Support sets that each of its figures is a mean over."""
PAPER_SEEDS = 3
"""Random seeds on each of them, by its appendix on hyperparameters."""
_SIZES = {"minilm-l4": "4 layers, 19M parameters", "minilm-l6": "6 layers, 23M parameters"}


def encoder_size(name: str) -> str:
    """Size of one of our encoders, by its name in a results file; nothing where it is not known."""
    choice = EncoderChoice.of(current_name(name))
    if choice.combine:
        return ""  # more than one
    base = choice.name.partition("+")[0]
    return next((size for ending, size in _SIZES.items() if base.endswith(ending)), "")


@cache
def _paper_results() -> pd.DataFrame:
    import pandas as pd

    with files("slp_core.evaluation").joinpath("paper_results.csv").open(encoding="utf-8") as file:
        return pd.read_csv(file, comment="#")


def paper_results() -> pd.DataFrame:
    """The paper's accuracies: 16 LEOPARD tasks × 3 numbers of shots × 10 systems.

    Returns
    -------
    pandas.DataFrame
        Columns ``task`` (the LEOPARD folder's name), ``classes``, ``shots``, ``system``,
        ``accuracy_mean`` and ``accuracy_std``, both in percent over ``PAPER_DRAWS`` draws.
    """
    return _paper_results().copy()


def paper_systems() -> tuple[str, ...]:
    """Names of the systems that the paper reports, sorted."""
    return tuple(sorted(_paper_results()["system"].unique()))
