"""Tables of a report as a browser lays them out: on a screen, on paper and on a phone."""

import pytest
from conftest import window

import slp_core as slp
from slp_core.report.parts import made_report
from tests.report.report_subjects import hostile, subject

CUT = """[...document.querySelectorAll('table')].filter(table => {
    const box = table.parentElement
    return box.scrollWidth > box.clientWidth || table.getBoundingClientRect().right > innerWidth
}).map(table => table.caption.textContent)"""
BROKEN = """longest => [...document.querySelectorAll('th, td')].flatMap(cell => {
    const broken = [], texts = document.createTreeWalker(cell, NodeFilter.SHOW_TEXT)
    while (texts.nextNode()) {
        const text = texts.currentNode
        for (const word of text.data.matchAll(/\\p{L}+/gu)) {
            const range = document.createRange()
            range.setStart(text, word.index)
            range.setEnd(text, word.index + word[0].length)
            const lines = new Set([...range.getClientRects()].map(box => box.top))
            if (lines.size > 1 && word[0].length <= longest) broken.push(word[0])
        }
    }
    return broken
})"""
LONGEST = 16  # letters of a word that stays whole


@pytest.fixture
def open_report(browser, tmp_path):
    """Opens a report in a window of its own."""
    context = window(browser)
    page = context.new_page()

    def opened(report, width, media="screen"):
        file = tmp_path / "report.html"
        file.write_text(report, encoding="utf-8")
        page.set_viewport_size({"width": width, "height": 900})
        page.emulate_media(media=media)
        page.goto(file.as_uri())
        return page

    yield opened
    context.close()


def reports():
    """Of names that are words, and of one that is a word of two hundred letters."""
    iris = slp.load_dataset("iris")
    wide = hostile(["w" * 200, "Überschwänglich", "constraint"])
    return [
        made_report(subject(iris, slp.load_encoder("numeric").encode(iris), "deep_slp")),
        made_report(subject(*wide)),
    ]


def test_tables_fit_and_their_words_stay_whole_and_a_phone_scrolls_a_table_alone(open_report):
    for report in reports():
        for width, media in ((1200, "screen"), (718, "print")):
            page = open_report(report, width, media)
            assert page.evaluate(CUT) == []
            assert page.evaluate(BROKEN, LONGEST) == []
        page = open_report(report, 390)
        assert page.evaluate("document.documentElement.scrollWidth") <= 390
        assert page.evaluate(BROKEN, LONGEST) == []
