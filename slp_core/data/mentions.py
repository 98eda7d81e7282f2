"""Where a mention stands in its sentence."""

from __future__ import annotations

_FEW = 16  # occurrences that are looked for one by one


def find_mention(sentence: str, mention: str, near: int | None = None) -> tuple[int, int] | None:
    """The characters ``[start, end)`` of `sentence` that `mention` names, or ``None``."""
    mention = mention.strip()
    if not mention:
        return None
    exact = _occurrences(sentence, mention)
    whole = [span for span in exact if _is_whole(sentence, span)]
    if not whole:
        loose = _loose_occurrences(sentence, mention)
        whole = [span for span in loose if _is_whole(sentence, span)]
        candidates = whole or exact or loose
    else:
        candidates = whole
    return min(candidates, key=lambda span: (abs(span[0] - (near or 0)), span), default=None)


def _occurrences(text: str, wanted: str) -> list[tuple[int, int]]:
    """All of them, those that overlap too."""
    found: list[int] = []
    start = text.find(wanted)
    while start >= 0:
        found.append(start)
        if len(found) == _FEW:  # each search looks at all of `wanted`, which may repeat itself
            found += _every(text, wanted, start + 1)
            break
        start = text.find(wanted, start + 1)
    return [(start, start + len(wanted)) for start in found]


def _every(text: str, wanted: str, begin: int) -> list[int]:
    """Where `wanted` occurs from `begin` on (Knuth, Morris and Pratt 1977)."""
    border = [0] * len(wanted)  # of the first i + 1: the longest end that is a beginning too
    same = 0
    for i in range(1, len(wanted)):
        while same and wanted[i] != wanted[same]:
            same = border[same - 1]
        same += wanted[i] == wanted[same]
        border[i] = same
    found, same = [], 0
    for place in range(begin, len(text)):
        while same and text[place] != wanted[same]:
            same = border[same - 1]
        same += text[place] == wanted[same]
        if same == len(wanted):
            found.append(place + 1 - same)
            same = border[same - 1]
    return found


def _loose_occurrences(sentence: str, mention: str) -> list[tuple[int, int]]:
    """Occurrences when only letters and digits count, whatever their case."""
    letters, places = _squeeze(sentence)
    wanted, _ = _squeeze(mention)
    if not wanted:
        return []
    return [(places[start], places[end - 1] + 1) for start, end in _occurrences(letters, wanted)]


def _squeeze(text: str) -> tuple[str, list[int]]:
    """The letters and digits of a text in lower case, and where each of them stands in it."""
    squeezed = [
        (letter, place)
        for place, character in enumerate(text)
        for letter in character.casefold()
        if letter.isalnum()
    ]
    return "".join(letter for letter, _ in squeezed), [place for _, place in squeezed]


def _is_whole(sentence: str, span: tuple[int, int]) -> bool:
    start, end = span
    cuts_before = start > 0 and sentence[start - 1].isalnum() and sentence[start].isalnum()
    cuts_after = end < len(sentence) and sentence[end - 1].isalnum() and sentence[end].isalnum()
    return not (cuts_before or cuts_after)
