"""From the bytes of a text file to its text: which encoding, or no text at all."""

from __future__ import annotations

import codecs
import re

from slp_core.data.remarks import damaged, not_utf8
from slp_core.errors import DatasetError

_BYTE_ORDER_MARKS = (  # UTF-32 first: its little-endian mark begins with that of UTF-16
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)

_SIGNATURES = {
    b"PK\x03\x04": "an Excel workbook or a zip archive",
    b"PAR1": "a Parquet file",
    b"\xd0\xcf\x11\xe0": "an old Excel or Word document",
    b"\x1f\x8b": "a gzip archive",
    b"%PDF": "a PDF document",
    b"\x89PNG": "a PNG picture",
    b"\xff\xd8\xff": "a JPEG picture",
}

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
    for signature, content in _SIGNATURES.items():
        if data.startswith(signature):
            cure = "give it the ending that it should have, or save it as CSV"
            if "picture" in content:
                cure = "choose a file with a table of examples"
            raise DatasetError(f"{name} is not text but looks like {content}: {cure}.")
    for mark, encoding in _BYTE_ORDER_MARKS:
        if data.startswith(mark):
            try:
                return data.decode(encoding), ()
            except UnicodeDecodeError as error:
                raise DatasetError(
                    f"{name} begins as {encoding.upper()} but byte {error.start} does not fit it: "
                    "the file is damaged or cut short, so save it again as UTF-8."
                ) from error
    zeros = (data[0::2].count(0), data[1::2].count(0))
    candidates = ["iso2022_jp"] if b"\x1b$" in data else []  # an escape, in ASCII of its own
    candidates += ["utf-8"]
    if any(zeros):  # the high bytes of Latin letters and of delimiters are zero
        candidates += ["utf-16-le"] if zeros[1] > zeros[0] else ["utf-16-be"]
    for encoding in candidates:
        try:
            text = data.decode(encoding)
        except UnicodeDecodeError:
            continue
        if _reads_as_text(text):
            told = (not_utf8(name, encoding),) if encoding == "iso2022_jp" else ()
            return text, told
    if not any(zeros):
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
        f"{name} is not text but binary data: save the table as CSV with a header row."
    )


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
