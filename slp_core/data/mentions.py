"""Where a mention stands in its sentence."""

from __future__ import annotations


def find_mention(sentence: str, mention: str, near: int | None = None) -> tuple[int, int] | None:
    """The characters ``[start, end)`` of `sentence` that `mention` names, or ``None``.

    Whole words are preferred to parts of words, and the exact mention to one that differs in case,
    spacing or punctuation (``"joe 's"`` names ``Joe's``). Of several, the one that begins nearest
    to `near` is taken, or the first.
    """
    mention = mention.strip()
    if not mention:
        return None
    exact = _occurrences(sentence, mention)
    loose: list[tuple[int, int]] = []
    if not any(_is_whole(sentence, span) for span in exact):
        loose = _loose_occurrences(sentence, mention)
    candidates = sorted(
        {*exact, *loose},
        key=lambda span: (
            not _is_whole(sentence, span),
            span not in exact,
            abs(span[0] - (near or 0)),
        ),
    )
    return candidates[0] if candidates else None


def _occurrences(sentence: str, mention: str) -> list[tuple[int, int]]:
    found = []
    start = sentence.find(mention)
    while start >= 0:
        found.append((start, start + len(mention)))
        start = sentence.find(mention, start + 1)
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
