"""Own methods, encoders and datasets in a program."""

from __future__ import annotations

from typing import Any

from slp_core.data.catalogue import add_dataset
from slp_core.encoders.registry import add_encoder
from slp_core.errors import SLPError
from slp_core.methods.table import add_method
from slp_core.own_parts import Kind

_ADD = {"method": add_method, "encoder": add_encoder, "dataset": add_dataset}


def register(kind: Kind, name: str, part: Any, title: str = "") -> None:
    """Add a method, an encoder or a dataset to those that are known by name.

    An installed package does the same by entry points of the groups ``slp_explorer.methods``,
    ``slp_explorer.encoders`` and ``slp_explorer.datasets``, which the app shows too.

    Parameters
    ----------
    kind : {"method", "encoder", "dataset"}
    name : str
        Small letters, digits, ``-`` and ``_``.
    part
        A class of scikit-learn classifiers with ``predict_proba``, fitted on embeddings; a function
        from a list of n texts to (n, d) numbers; or a function without arguments that returns a
        :class:`FewShotDataset`.
    title : str, optional
        What people read; else the part's ``title``, or its name. The first line of its docstring is
        shown beside it.

    Raises
    ------
    SLPError
        For a name that is taken, or a part of the wrong kind.

    Examples
    --------
    >>> import slp_core as slp
    >>> def letters(texts):
    ...     '''Number of letters and of words.'''
    ...     return [[len(text), len(text.split())] for text in texts]
    >>> slp.register("encoder", "letters", letters)
    >>> slp.load_encoder("letters", normalisation="none").encode(["two words"]).tolist()
    [[9.0, 2.0]]
    """
    if kind not in _ADD:
        raise SLPError(f"kind {kind!r} is not one of {', '.join(_ADD)}.")
    _ADD[kind](name, part, getattr(part, "__module__", "this program"), title)
