"""From the bytes of a text file to its text: which encoding, or no text at all."""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterator
from contextlib import suppress

from slp_core.data.remarks import damaged, not_utf8
from slp_core.errors import DatasetError

# Many encodings explain a few letters equally well: of those the first is taken.
_LEGACY_ENCODINGS = [
    *("cp1252", "cp1250", "cp1251", "koi8_u", "cp1253", "cp1254", "cp1255", "cp1256"),
    *("cp932", "euc_jp", "gb18030", "big5", "cp949"),
]
_LEGACY_SAMPLE = 64 * 1024

_NOT_ASCII = re.compile(r"[^\x00-\x7f]")

_CONTROL = re.compile(r"[\x00-\x08\x0e-\x1a\x1c-\x1f]")
_CONTROL_SAMPLE = 100_000
_CONTROL_SHARE = 0.01


def decode_text(data: bytes, name: str) -> tuple[str, tuple[str, ...]]:
    """The text of the file `name`, and a remark where its encoding was a guess."""
    for encoding in _certain(data):
        with suppress(UnicodeDecodeError):
            text = data.decode(encoding)
            if _reads_as_text(text):
                told = (not_utf8(name, encoding),) if encoding == "iso2022_jp" else ()
                return text, told
    if 0 not in data:
        text = data.decode("utf-8", "replace")
        cut = text.count("\ufffd")
        # Letters cut in two, as exports with a byte limit leave behind, among many whole ones
        if 0 < 11 * cut <= len(_NOT_ASCII.findall(text)):
            return text, (damaged(name, cut),)
        encoding = _guess_legacy(data)
        text = data.decode(encoding)
        if _reads_as_text(text):
            return text, (not_utf8(name, encoding),)
    raise DatasetError(
        f"{name} is not text, or is damaged: save the table as CSV in UTF-8, or give the file the "
        "ending of its format."
    )


def _certain(data: bytes) -> Iterator[str]:
    """The encodings in which a text shows that it is."""
    if b"\x1b$" in data:  # an escape, in ASCII of its own
        yield "iso2022_jp"
    yield "utf-8-sig"
    if 0 in data:
        yield "utf-32"  # before UTF-16, whose mark its own begins with
        # Without a mark the high bytes of Latin letters and of delimiters tell, which are zero
        low_first = data[1::2].count(0) > data[0::2].count(0)
        marked = data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE))
        yield "utf-16" if marked else "utf-16-le" if low_first else "utf-16-be"


def _guess_legacy(data: bytes) -> str:
    from charset_normalizer import from_bytes

    lines = b"\n".join(re.findall(rb"[^\n]*[\x80-\xff][^\n]*", data))[:_LEGACY_SAMPLE]
    matches = list(from_bytes(lines, cp_isolation=_LEGACY_ENCODINGS))  # the best first
    as_good = {
        name
        for match in matches
        if (match.chaos, -match.coherence) <= (matches[0].chaos, -matches[0].coherence)
        for name in match.could_be_from_charset
    }
    found = next((name for name in _LEGACY_ENCODINGS if name in as_good), "cp1252")
    try:
        data.decode(found)
    except UnicodeDecodeError:  # which explains all bytes
        return "latin-1"
    return found


def _reads_as_text(text: str) -> bool:
    sample = text[:_CONTROL_SAMPLE]
    return len(_CONTROL.findall(sample)) <= _CONTROL_SHARE * len(sample)
