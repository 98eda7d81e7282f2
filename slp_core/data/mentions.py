"""Where a mention stands in its sentence."""

from __future__ import annotations


def find_mention(sentence: str, mention: str, near: int = 0) -> tuple[int, int] | None:
    """The characters ``[start, end)`` of `sentence` that `mention` names, or ``None``."""
    mention = mention.strip()
    if not mention:
        return None
    exact = _occurrences(sentence, mention)
    whole = [span for span in exact if _is_whole(sentence, span)]
    if not whole:
        loose = _loose_occurrences(sentence, mention)
        whole = [span for span in loose if _is_whole(sentence, span)] or exact or loose
    return min(whole, key=lambda span: (abs(span[0] - near), span), default=None)


def _occurrences(text: str, wanted: str) -> list[tuple[int, int]]:
    """All of them, those that overlap too."""
    # `find` for each of them would look through all of `wanted` again.
    first, last = text.find(wanted), len(text) - len(wanted)
    starts = range(first, last + 1) if first >= 0 else ()
    return [(start, start + len(wanted)) for start in starts if text.startswith(wanted, start)]


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
