"""The cut fonts: nothing that a page shows is missing, and until they are cut the whole is sent."""

import io
import re
from pathlib import Path

import pytest
from fontTools.ttLib import TTFont
from starlette.applications import Starlette
from starlette.routing import Route
from starlette.testclient import TestClient

from pages.shell import fonts, kept, looks

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def nothing_cut(tmp_path, monkeypatch):
    monkeypatch.setenv("SLP_CACHE_DIR", str(tmp_path))
    monkeypatch.setattr(fonts, "_cuts", {})
    return tmp_path


@pytest.fixture
def server(nothing_cut):
    with TestClient(Starlette(routes=[Route(fonts.PATH, fonts.font)])) as client:
        yield client


def sent(server, name):
    """The font that the server sends from its address."""
    answer = server.get(fonts.address(name).removeprefix("."))
    assert "immutable" in answer.headers["cache-control"]
    return TTFont(io.BytesIO(answer.content))


@pytest.mark.parametrize("name", ["upright", "italic"])
def test_every_letter_of_streamlits_font_is_sent_at_once_or_when_it_is_wanted(server, name):
    fonts.make(name)
    cut, whole = sent(server, name), TTFont(fonts.whole(name))
    early, late = map(set, map(fonts.code_points, (fonts.LETTERS, fonts.OTHER_LETTERS)))
    assert not early & late
    assert set(whole.getBestCmap()) <= early | late
    assert set(cut.getBestCmap()) == set(whole.getBestCmap()) & early
    weights = [(axis.axisTag, axis.minValue, axis.maxValue) for axis in cut["fvar"].axes]
    assert weights == [("wght", 200, 900)]
    names = {record.nameID for record in cut["name"].names}
    assert 13 in names  # its licence
    assert 1 not in names  # a name that its makers reserve


def test_every_icon_that_is_named_can_be_drawn(server):
    fonts.make("icons")
    cut = sent(server, "icons")
    letters = {glyph: chr(code).lower() for code, glyph in cut.getBestCmap().items()}
    drawn = {
        "".join(letters[glyph] for glyph in (first, *ligature.Component))
        for lookup in cut["GSUB"].table.LookupList.Lookup
        for table in lookup.SubTable
        for first, ligatures in getattr(table, "ExtSubTable", table).ligatures.items()
        for ligature in ligatures
    }
    sources = [*ROOT.glob("pages/*/*.py"), *ROOT.glob("slp_core/**/*.py")]
    named = re.findall(r":material/(\w+):", "".join(map(Path.read_text, sources)))
    # one that is put together, and of Streamlit's: the sidebar's arrow, a table's menu
    assert {*named, "skip_next", "keyboard_double_arrow_left", "more_vert"} <= drawn
    assert "agriculture" not in drawn


def test_the_whole_font_is_sent_until_one_is_cut_and_for_another_versions_cut(server):
    upright = fonts.whole("upright").name
    page = looks._early()
    assert page.count(upright) == 1
    assert "data-range" not in page
    assert fonts.find() == ["upright", "italic", "icons"]
    fonts.make("upright")
    page = looks._early()
    assert fonts.address("upright") in page
    assert f'data-range="{fonts.LETTERS}"' in page
    answer = server.get(f"/fonts/upright.{kept.digest(b'another')}.woff2")
    assert answer.headers["cache-control"] == "no-store"
    assert answer.content == fonts.whole("upright").read_bytes()
    assert server.get("/fonts/passwd").status_code == 404


def test_the_next_start_has_what_was_cut_unless_it_is_damaged(nothing_cut, monkeypatch):
    fonts.make("icons")
    address = fonts.address("icons")
    monkeypatch.setattr(fonts, "_cuts", {})
    assert fonts.find() == ["upright", "italic"]
    assert fonts.address("icons") == address
    (file,) = nothing_cut.glob("served/*")
    file.write_bytes(file.read_bytes()[:-1])
    monkeypatch.setattr(fonts, "_cuts", {})
    assert "icons" in fonts.find()
    assert fonts.address("icons") is None
