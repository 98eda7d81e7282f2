"""Sequences whose items are made on demand: of very many, few are ever read."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar, overload

T = TypeVar("T", covariant=True)


class OnDemand(Sequence[T]):
    """n items, each made anew from its index whenever it is read."""

    def __init__(self, make: Callable[[int], T], n: int) -> None:
        self._make, self._n = make, n

    def __len__(self) -> int:
        return self._n

    @overload
    def __getitem__(self, place: int) -> T: ...
    @overload
    def __getitem__(self, place: slice) -> Sequence[T]: ...
    def __getitem__(self, place: int | slice) -> T | Sequence[T]:
        places = range(self._n)[place]
        if isinstance(places, range):
            return OnDemand(lambda i: self._make(places[i]), len(places))
        return self._make(places)
