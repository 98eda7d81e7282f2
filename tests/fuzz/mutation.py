"""Random changes of good files, for where there is no coverage to be guided by."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence

_TOKENS = (
    *(b"\0", b"\xff\xff\xff\xff", b"\x80", b"\xed\xa0\x80", b"\xef\xbb\xbf", b"\n", b"\r", b'"'),
    *(b",", b";", b"\t", b"{", b"}", b"[", b"]", b":", b"<", b">", b"/", b"&", b"=", b"-1", b"0"),
    *(b"1e999", b"NaN", b"null", b"true", b"[]", b"{}", b'"\\ud800"', b"9" * 30, b"../", b"1e308"),
)


def mutants(seeds: Sequence[bytes], runs: int, seed: int = 0) -> Iterator[bytes]:
    """So many inputs, each a seed with a few changes; the seeds themselves come first."""
    chance = random.Random(seed)
    for number in range(runs):
        if number < len(seeds):
            yield seeds[number]
            continue
        data = bytearray(chance.choice(seeds))
        for _ in range(chance.choice((1, 1, 2, 4, 8))):
            _change(data, seeds, chance)
        yield bytes(data)


def _change(data: bytearray, seeds: Sequence[bytes], chance: random.Random) -> None:
    at = chance.randrange(len(data) + 1)
    end = min(len(data), at + chance.choice((1, 1, 2, 4, 16, 256)))
    match chance.randrange(6):
        case 0 if at < len(data):
            data[at] ^= 1 << chance.randrange(8)
        case 1:
            del data[at:end]
        case 2:
            data[at:at] = data[at:end]
        case 3:
            data[at:end] = chance.choice(_TOKENS)
        case 4:
            data[at:at] = chance.choice(_TOKENS)
        case _:
            other = chance.choice(seeds)
            place = chance.randrange(len(other) + 1)
            data[at:end] = other[place : place + chance.choice((4, 32, 256))]
