"""The language of texts: the script of their letters, emoji, and common words."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

EMOJI = "emoji"
_MANY, _MOSTLY = 0.2, 0.5  # shares of the words
_SAMPLE = 500  # texts
_COMMON, _MORE = 0.1, 2.0  # least share of common words, and how much more than English ones
_LEAST_WORDS = 3  # different common words of the language
_WORD = re.compile(r"[^\W\d_]+")
# The first word of a letter's name in Unicode, where it is not the script's usual name.
_SCRIPTS = {"CJK": "Chinese", "HIRAGANA": "Japanese", "KATAKANA": "Japanese", "HANGUL": "Korean"}
_LATIN = "Latin"
_ENGLISH = "English"
_COMMON_WORDS = {
    language: frozenset(words.split())
    for language, words in {
        _ENGLISH: "the and of to is that it for was with you this are not have but on be my they "
        "at or his her she were we",
        "German": "der die das und ist nicht ein eine ich zu mit auf für es sich den dem von war "
        "auch sehr",
        "French": "le la les et des est une un je pas pour que qui dans du ce très avec sur nous",
        "Spanish": "el la los las de que y es en un una por con para muy se lo pero mi como",
        "Italian": "il di che non è per un una sono del della molto con ma ho le mi gli anche",
        "Portuguese": "o que não uma um os em para com do da é muito por mas as foi eu no se",
        "Dutch": "de het een en van ik niet dat is zijn op voor met maar heel deze naar ook te er",
        "Swedish": "och att det är som inte på en ett jag för av med den har var mycket till",
        "Danish or Norwegian": "og det er ikke på en jeg at som til av af med den har for meget "
        "veldig var",
        "Polish": "nie się na jest to do że z i w jak ale bardzo był dla o po od mi tak",
        "Czech": "je se na že to není v a s z do ale jsem bylo velmi jako pro byl po",
        "Turkish": "bir ve bu çok için da de ne ama gibi daha değil olarak var en ile kadar ben",
        "Finnish": "ja on ei että se oli en mutta hän kuin ovat tämä olen niin myös hyvin minä",
        "Hungarian": "a az és nem hogy egy is de van ez volt nagyon meg mint már ki csak el",
        "Romanian": "și de la nu în este un o cu pe care mai să din foarte pentru am a fost",
        "Indonesian or Malay": "yang dan di ini tidak untuk dengan itu dari saya ada sangat ke "
        "akan pada tapi",
        "Vietnamese": "là và của không có tôi này cho rất được một với những các đã thì như",
    }.items()
}


@dataclass(frozen=True)
class Language:
    """The language of texts, as far as letters and common words show."""

    script: str  # other than Latin, of many words: "Cyrillic", …, or "emoji"; or ""
    share: float  # of the words that are in it
    name: str  # the language of words in Latin script; "" where it is English, or not known

    @property
    def remarkable(self) -> bool:
        """Whether an English encoder does not read many of the words."""
        return bool(self.script or self.name)

    @property
    def unread(self) -> bool:
        """Whether it reads hardly any."""
        return self.share > _MOSTLY


def language_of(texts: Sequence[str]) -> Language:
    """The script of many words, or else the language, of a sample of texts; an emoji is a word."""
    sample = texts[:: -(-len(texts) // _SAMPLE)] if texts else ()
    words = [word for text in sample for word in _WORD.findall(text.lower())]
    scripts = Counter(map(_script, words))
    scripts[EMOJI] = sum(unicodedata.category(c) == "So" for text in sample for c in text)
    n = max(scripts.total(), 1)
    del scripts[_LATIN]
    (script, most), *_ = scripts.most_common(1)
    if most > _MANY * n:
        return Language(script, most / n, "")
    return Language("", 0.0, _language(Counter(words)))


def _script(word: str) -> str:
    name = unicodedata.name(word[0], "UNKNOWN").split()[0]
    return _SCRIPTS.get(name, name.capitalize())


def _language(counts: Counter[str]) -> str:
    """The language with clearly more common words than English; or ""."""
    found = {
        language: sum(counts[word] for word in words) for language, words in _COMMON_WORDS.items()
    }
    name, most = max(found.items(), key=lambda item: item[1])
    several = sum(word in counts for word in _COMMON_WORDS[name]) >= _LEAST_WORDS
    enough = most >= max(_COMMON * counts.total(), _MORE * found[_ENGLISH])
    return name if several and enough and name != _ENGLISH else ""
