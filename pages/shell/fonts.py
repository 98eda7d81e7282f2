"""Streamlit's fonts, cut to the letters and icons that pages show: a sixth of their size.

They are cut out of Streamlit's own files once an installation, in the background. Until that is
done, and for letters of other languages always, the browser is sent the whole files.
"""

from __future__ import annotations

import io
import re
from collections.abc import Iterable, Iterator
from functools import cache
from importlib.metadata import version
from pathlib import Path
from typing import Any, Literal, NamedTuple

import streamlit
from starlette.requests import Request
from starlette.responses import FileResponse, PlainTextResponse, Response
from streamlit.file_util import get_static_dir

from pages.shell import kept

Name = Literal["upright", "italic", "icons"]

PATH = "/fonts/{name}"
FILES: dict[Name, str] = {
    "upright": "media/SourceSansVF-Upright.*.woff2",
    "italic": "media/SourceSansVF-Italic.*.woff2",
    "icons": "media/MaterialSymbols-*.woff2",
}
# As CSS writes ranges. Every page is sent: Latin, Greek, punctuation, arrows, mathematics, shapes.
LETTERS = "U+20-7E, U+A0-17F, U+370-3FF, U+2000-27FF"
# What else is in Streamlit's files: other Latin, Cyrillic, phonetics. No emoji and no letters that
# they lack, or a browser would fetch them for nothing.
OTHER_LETTERS = (
    "U+180-36F, U+400-52F, U+1D00-1FFF, U+2C60-2E52, U+A71C-A7FF, U+AB30-AB6F, U+FB00-FB06, "
    "U+FEFF, U+1F10D-1F16F, U+1F4A9, U+1F512, U+1F748, U+1F916"
)
_ICON = re.compile(rb":material/(\w+)")
_WORD = re.compile(
    rb"[\"'/](\w+)[\"':]"
)  # in our own code, which puts some names of icons together
_LICENCE = [0, 13, 14]  # of a font's own names; what it is called is its makers', and is left out
_FOREVER = {"cache-control": "public, immutable, max-age=31536000"}
_SOURCES = (Path(__file__).parents[1], Path(__file__).parents[2] / "slp_core")


class _Cut(NamedTuple):
    digest: str  # of what it was made from
    body: bytes


_cuts: dict[Name, _Cut] = {}


def address(name: Name) -> str | None:
    """Where a font that was cut is had, from any page; None while it is not there.

    Parameters
    ----------
    name : Name
    """
    cut = _cuts.get(name)
    return cut and f".{PATH.format(name=f'{name}.{cut.digest}.woff2')}"


@cache
def whole(name: Name) -> Path:
    """Streamlit's file.

    Parameters
    ----------
    name : Name
    """
    return next((Path(get_static_dir()) / "static").glob(FILES[name]))


async def font(request: Request) -> Response:
    """Answer with a font; one that another replica has cut otherwise, with the whole of it."""
    name, _, rest = request.path_params["name"].partition(".")
    if name not in FILES:
        return PlainTextResponse("Not Found", status_code=404)
    cut = _cuts.get(name)
    if cut and rest == f"{cut.digest}.woff2":
        return Response(cut.body, headers=_FOREVER, media_type="font/woff2")
    return FileResponse(whole(name), headers={"cache-control": "no-store"}, media_type="font/woff2")


def find() -> list[Name]:
    """Take up what was cut at an earlier start; returns what was not."""
    missing = []
    for name in FILES:
        digest = _digest(name)
        body = kept.read(digest)
        if body is None:
            missing.append(name)
        else:
            _cuts[name] = _Cut(digest, body)
    return missing


def make(name: Name) -> None:
    """Cut a font, which takes a second, and keep it.

    Parameters
    ----------
    name : Name
    """
    from fontTools import subset

    options = subset.Options(flavor="woff2", name_IDs=_LICENCE, notdef_outline=True)
    cutter = subset.Subsetter(options)
    with subset.load_font(whole(name), options) as whole_font:
        if name == "icons":
            icons = _own_words() | _streamlits_icons()
            leave_icons(whole_font, icons)
            cutter.populate(text="".join(icons))
        else:
            cutter.populate(unicodes=code_points(LETTERS))
        cutter.subset(whole_font)
        file = io.BytesIO()
        subset.save_font(whole_font, file, options)
    body = file.getvalue()
    digest = _digest(name)
    kept.keep(digest, body)
    _cuts[name] = _Cut(digest, body)


def code_points(ranges: str) -> Iterator[int]:
    """All in ranges as CSS writes them.

    Parameters
    ----------
    ranges : str
        ``U+20-7E, U+FEFF``.
    """
    for each in ranges.split(", "):
        first, _, last = each.removeprefix("U+").partition("-")
        yield from range(int(first, 16), int(last or first, 16) + 1)


def leave_icons(font: Any, icons: set[str]) -> None:
    """Take all other icons out of a font in which an icon is drawn where its name is written.

    Parameters
    ----------
    font : TTFont
    icons : set of str
    """
    letters = {glyph: chr(code) for code, glyph in font.getBestCmap().items()}
    for lookup in font["GSUB"].table.LookupList.Lookup:
        for table in (each.ExtSubTable for each in lookup.SubTable):
            for first, ligatures in table.ligatures.items():
                table.ligatures[first] = [
                    each
                    for each in ligatures
                    if "".join(letters[glyph] for glyph in (first, *each.Component)).lower()
                    in icons
                ]


def _digest(name: Name) -> str:
    """Of all that a font's cut is made from."""
    what = sorted(_own_words()) if name == "icons" else [LETTERS]
    recipe = Path(__file__).read_bytes()
    versions = f"{streamlit.__version__} {version('fonttools')}"
    return kept.digest(
        whole(name).name.encode(), recipe, versions.encode(), " ".join(what).encode()
    )


@cache
def _own_words() -> set[str]:
    return _found(_WORD, (file for folder in _SOURCES for file in folder.rglob("*.py")))


def _streamlits_icons() -> set[str]:
    package = Path(streamlit.__file__).parent
    scripts = (Path(get_static_dir()) / "static" / "js").glob("*.js")
    return _found(_ICON, [*scripts, *package.rglob("*.py")])


def _found(pattern: re.Pattern[bytes], files: Iterable[Path]) -> set[str]:
    return {name.decode() for file in files for name in pattern.findall(file.read_bytes())}
